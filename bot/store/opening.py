"""Opening the database that an address names."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import parse_qs, quote, unquote, urlsplit

from bot.errors import StartError
from bot.store.database import Database
from bot.store.handover import Handover
from bot.store.server_address import INSTEAD, is_server
from bot.store.shard_range import WHOLE, ShardRange
from bot.store.sqlite import open_file

SQLITE, POSTGRES = "sqlite", "postgresql"


def file_address(place: Path) -> str:
    """The address of the SQLite database in a file; its path may contain any character."""
    return f"{SQLITE}:///{quote(str(place))}"


@asynccontextmanager
async def open_database(
    url: str, share: ShardRange = WHOLE, handover: Handover | None = None
) -> AsyncIterator[Database]:
    """Open a database for this process alone, and close it at the end.

    On a server, other processes may have other shares of it, and a process with a `handover` may start before its
    predecessor has stopped.

    Raises:
        StartError: the database cannot be used; the message says why and what to do.
        StopError: see `bot.store.postgres.open_server`.
    """
    if _scheme(url) == SQLITE:
        async with open_file(place_of(url)) as file:
            yield file
        return
    require_driver()
    from bot.store.postgres import open_server

    async with open_server(url, share, handover) as server:
        yield server


def require_driver() -> None:
    """Raise `StartError` if the PostgreSQL driver, an optional dependency, is not installed."""
    if importlib.util.find_spec("asyncpg") is None:
        raise StartError(
            "DATABASE_URL names a PostgreSQL server, and its driver is missing. "
            "In the folder of the program: pip install -e '.[postgres]'"
        )


def place_of(url: str) -> Path:
    """The file that an address names. Raises `StartError`."""
    if _scheme(url) != SQLITE:
        raise StartError("This command is for SQLite files; PostgreSQL has its own pg_dump.")
    parts = urlsplit(url)
    if parts.netloc or parts.query:
        raise StartError(f"DATABASE_URL contains more than a path. {INSTEAD}")
    # as in SQLAlchemy: three slashes for a relative path, four for an absolute one
    path = unquote(parts.path).removeprefix("/")
    if path in ("", ":memory:"):
        raise StartError(f"DATABASE_URL names no file, so all games would be lost when the bot stops. {INSTEAD}")
    try:
        # resolved, so that two names of one file share one lock
        return Path(os.path.realpath(path))
    except ValueError:
        raise StartError(f"DATABASE_URL is not a valid file name. {INSTEAD}") from None


def _scheme(url: str) -> str:
    """The kind of database that an address names. Raises `StartError`."""
    if is_server(url):
        return POSTGRES
    try:
        parts = urlsplit(url)
        parts.port, parse_qs(parts.query)  # raise `ValueError` if they are malformed
    except ValueError:
        raise StartError(f"DATABASE_URL is not an address of a database. {INSTEAD}") from None
    if not parts.scheme:
        raise StartError(f"DATABASE_URL is not an address of a database. {INSTEAD}")
    if parts.scheme != SQLITE:
        raise StartError(
            f"DATABASE_URL is for another kind of database, and games are kept in SQLite or PostgreSQL only. {INSTEAD}"
        )
    return parts.scheme
