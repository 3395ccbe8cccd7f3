"""Inspection of a database: reads it without creating, locking or migrating anything, so the bot may be running."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from bot.errors import StartError
from bot.store.migrate import VERSION_TABLE, migrations
from bot.store.opening import place_of, require_driver
from bot.store.server_address import is_server

VERSION = f"SELECT version FROM {VERSION_TABLE}"


def describe(address: str) -> str:
    """A sentence about a database that can be used. Raises `StartError` with a sentence about one that cannot."""
    if is_server(address):
        place, version = _read_server(address)
    else:
        place, version = _read_file(place_of(address))
    newest = max(migrations())
    if version is None:
        return f"{place} is empty or not there; the first start creates the tables."
    if version > newest:
        raise StartError(f"{place} was made by a newer Caravanserai. Update the program.")
    return f"{place} has version {version}" + (
        "." if version == newest else f"; the next start updates it to {newest}."
    )


def _read_file(place: Path) -> tuple[str, int | None]:
    if not place.exists():
        return str(place), None
    try:
        with closing(sqlite3.connect(f"file:{quote(str(place))}?mode=ro", uri=True)) as database:
            (verdict,) = database.execute("PRAGMA quick_check(1)").fetchone()
            if verdict != "ok":
                raise StartError(f"{place} is damaged ({' '.join(verdict.split())}). Restore a backup.")
            tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables - {VERSION_TABLE}:
                return str(place), None
            _require_ours(str(place), tables)
            return str(place), int(database.execute(VERSION).fetchone()[0])
    except sqlite3.Error as error:
        raise StartError(f"{place} cannot be read: {error}.") from None


def _read_server(address: str) -> tuple[str, int | None]:
    require_driver()
    from bot.store.postgres import peek

    place, tables, version = asyncio.run(peek(address, VERSION_TABLE, VERSION))
    if not tables - {VERSION_TABLE}:
        return place, None
    _require_ours(place, tables)
    return place, version


def _require_ours(place: str, tables: set[str]) -> None:
    if not {VERSION_TABLE, "matches"} <= tables:
        raise StartError(f"{place} is a database of another program.")
