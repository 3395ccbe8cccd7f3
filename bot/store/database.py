"""Opening a database: for one process alone, sound, writable and up to date, or a sentence that says why not."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, event, inspect, select, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.errors import StartError
from bot.store import schema
from bot.store.files import Files, make_private, put_rescued_back
from bot.store.lock import OWNER_ONLY, alone_with
from bot.store.store import Store
from bot.store.trouble import DatabaseTrouble

DRIVER = "sqlite+aiosqlite"
"""How the address of every database begins that can be used so far."""

PRAGMAS = ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
"""What SQLite is told on every connection."""


def file_address(place: Path) -> str:
    """The address of a database in this file, whatever signs its path holds."""
    return URL.create(DRIVER, database=str(place)).render_as_string()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[AsyncEngine]:
    """A database for this process alone, closed at the end.

    Raises:
        StartError: it cannot be used; the sentence says why and what to do.
    """
    place = place_of(url)
    _make_folder(place.parent)
    with alone_with(place):
        with _explained(place):
            _make_file(place)
        engine = _engine(place)
        try:
            with _explained(place):
                await _prepare(engine, place)
            yield engine
        finally:
            await engine.dispose()


def place_of(url: str) -> Path:
    """The file that an address names. Raises `StartError`, which never repeats it: it may hold a password."""
    instead = f"Write it as {DRIVER}:///folder/games.db, or leave it out."
    try:
        address = make_url(url)
        place = Path(os.path.realpath(address.database or ""))
    except (ArgumentError, ValueError):
        raise StartError(f"DATABASE_URL is no address of a database. {instead}") from None
    if (kind := address.get_backend_name()) != "sqlite":
        raise StartError(f"DATABASE_URL is for {kind}, and so far games are kept in SQLite only. {instead}")
    if address.drivername != DRIVER:
        raise StartError(f"DATABASE_URL names another driver than aiosqlite. {instead}")
    if address.host or address.username or address.query:
        raise StartError(f"DATABASE_URL holds more than a path. {instead}")
    if address.database in (None, "", ":memory:"):
        raise StartError(f"DATABASE_URL names no file, so the games would be gone with the program. {instead}")
    return place


def _engine(place: Path) -> AsyncEngine:
    # parameters are hidden from errors: a seed is a secret
    # one connection: SQLite has a single writer anyway, and readers then see what was just written
    # an existing file: without the mode SQLite would put an empty one in the place of one that is gone
    address = URL.create(DRIVER, database=f"file:{quote(str(place))}", query={"mode": "rw", "uri": "true"})
    engine = create_async_engine(address, hide_parameters=True, pool_size=1, max_overflow=0)
    event.listen(engine.sync_engine, "connect", _set_pragmas)
    Files(place).watch(engine)
    return engine


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"The data folder {folder} cannot be made: {error.strerror}. Set DATA_DIR.") from None


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _prepare(engine: AsyncEngine, place: Path) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(_bring_up_to_date, place)
    async with engine.connect() as connection:
        await connection.exec_driver_sql("PRAGMA journal_mode=WAL")  # the file remembers it
    _close_to_others(place)
    # a full disk shows only when something is written, and should not show first at somebody's move
    await Store(engine).settings.put("bot", 0, "revision", schema.REVISION)


def _make_file(place: Path) -> None:
    """An empty file for its owner only; SQLite gives the files it puts beside it the same mode."""
    put_rescued_back(place)
    with suppress(FileExistsError):
        make_private(place)
    if not place.is_file():
        raise StartError(f"{place} is not a file. Move it away, or set DATA_DIR to another folder.")


def _close_to_others(place: Path) -> None:
    for end in ("", "-wal", "-shm"):
        with suppress(FileNotFoundError, PermissionError):  # whose file it is may have wanted it so
            Path(f"{place}{end}").chmod(OWNER_ONLY)


def _bring_up_to_date(connection: Connection, place: Path) -> None:
    revision = _revision(connection, place)
    _check(connection, place)
    if revision == schema.REVISION:
        return
    from alembic import command, config, script, util  # slow to import, and needed once per release

    settings = config.Config()
    settings.set_main_option("script_location", "bot.store:migrations")
    settings.attributes["connection"] = connection
    try:
        if revision is not None:
            script.ScriptDirectory.from_config(settings).get_revision(revision)
    except util.CommandError:
        raise StartError(
            f"{place} was made by a newer Caravanserai. Update the program; nothing was changed."
        ) from None
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # or each table would be made for itself, and a kill leave some
    command.upgrade(settings, "head")


def _revision(connection: Connection, place: Path) -> str | None:
    tables = set(inspect(connection).get_table_names())
    if not tables:
        return None
    if not {"alembic_version", "matches"} <= tables:
        raise StartError(f"{place} is a database of another program. Move it away, or set DATA_DIR.")
    version = connection.scalar(select(text("version_num")).select_from(text("alembic_version")))
    return str(version)


def _check(connection: Connection, place: Path) -> None:
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        raise StartError(_damaged(place, str(found)))


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Puts into a sentence for the host what the database or the disk says."""
    try:
        yield
    except DBAPIError as error:
        raise StartError(_explain(str(error.orig), place)) from None
    except DatabaseTrouble as trouble:
        raise StartError(_explain(trouble.problem, place)) from None
    except OSError as error:
        raise StartError(_unwritable(place, str(error.strerror))) from None


def _explain(problem: str, place: Path) -> str:
    if "not a database" in problem:
        return f"{place} is not a database. Move it away, or set DATA_DIR to another folder."
    if "malformed" in problem:
        return _damaged(place, problem)
    if "is full" in problem or "disk I/O" in problem:
        return f"The disk of {place} is full, or it fails: {problem}. Make room there, or set DATA_DIR."
    if "locked" in problem:
        return f"Another program keeps {place} locked. Close it there."
    return _unwritable(place, problem)


def _damaged(place: Path, problem: str) -> str:
    return (
        f"{place} is damaged ({' '.join(problem.split())}). Keep the file as it is and put your last backup in its "
        f"place. Without a backup, sqlite3 {place.name} .recover may save most of it."
    )


def _unwritable(place: Path, problem: str) -> str:
    return f"The database {place} cannot be written: {problem}. Check who owns it and its folder, or set DATA_DIR."
