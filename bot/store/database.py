"""Opening a database: for one process alone, sound, writable and up to date, or a sentence that says why not."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy
from sqlalchemy import NullPool, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from bot.errors import StartError
from bot.store import schema
from bot.store.connections import Engine
from bot.store.files import Files, make_private, put_rescued_back
from bot.store.lock import OWNER_ONLY, alone_with
from bot.store.migrate import bring_up_to_date
from bot.store.share import WHOLE, Share
from bot.store.store import Store
from bot.store.succession import Succession
from bot.store.trips import FileEngine
from bot.store.trouble import DatabaseTrouble

DRIVER, SERVER_DRIVER = "sqlite+aiosqlite", "postgresql+asyncpg"
"""How the addresses begin of the databases that can be used."""

FORMS = f"{DRIVER}:///folder/games.db, or {SERVER_DRIVER}://user:password@host/database"

PRAGMAS = ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000")
"""What SQLite is told on every connection."""


def file_address(place: Path) -> str:
    """The address of a database in this file, whatever signs its path holds."""
    return URL.create(DRIVER, database=str(place)).render_as_string()


@asynccontextmanager
async def opened(url: str, share: Share = WHOLE, succession: Succession | None = None) -> AsyncIterator[Engine]:
    """A database for this process alone, closed at the end; on a server, others may have other shares of it, and a
    process with a `succession` may come before its predecessor has left.

    Raises:
        StartError: it cannot be used; the sentence says why and what to do.
        StopError: see `bot.store.postgres.opened_server`.
    """
    address = _address(url)
    if address.drivername == SERVER_DRIVER:
        async with _server(address, share, succession) as engine:
            yield engine
    else:
        async with _opened_file(_place(address)) as engine:
            yield engine


@asynccontextmanager
async def _opened_file(place: Path) -> AsyncIterator[FileEngine]:
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
    address = _address(url)
    if address.drivername != DRIVER:
        raise StartError("This is for files of SQLite; PostgreSQL has its own pg_dump.")
    return _place(address)


def _server(address: URL, share: Share, succession: Succession | None) -> AbstractAsyncContextManager[Engine]:
    try:
        from bot.store.postgres import opened_server  # its driver is not installed everywhere
    except ImportError:
        raise StartError(
            "DATABASE_URL names a server of PostgreSQL, and its driver is missing: pip install 'caravanserai[postgres]'"
        ) from None
    return opened_server(address, share, succession)


def _address(url: str) -> URL:
    """What an address says. It is never repeated: it may hold a password."""
    instead = f"Write it as {FORMS}, or leave it out."
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise StartError(f"DATABASE_URL is no address of a database. {instead}") from None
    if (kind := address.get_backend_name()) not in ("sqlite", "postgresql"):
        raise StartError(f"DATABASE_URL is for {kind}, and games are kept in SQLite or PostgreSQL only. {instead}")
    if address.drivername not in (DRIVER, SERVER_DRIVER):
        raise StartError(f"DATABASE_URL names another driver than aiosqlite or asyncpg. {instead}")
    if address.drivername == DRIVER and (address.host or address.username or address.query):
        raise StartError(f"DATABASE_URL holds more than a path. {instead}")
    if address.database in (None, "", ":memory:"):
        what = "file, so the games would be gone with the program" if address.drivername == DRIVER else "database"
        raise StartError(f"DATABASE_URL names no {what}. {instead}")
    return address


def _place(address: URL) -> Path:
    """The file that an address names."""
    try:
        return Path(os.path.realpath(address.database or ""))
    except ValueError:
        raise StartError(f"DATABASE_URL names no file that can be. Write it as {FORMS}, or leave it out.") from None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"The data folder {folder} cannot be made: {error.strerror}. Set DATA_DIR.") from None


def _engine(place: Path) -> FileEngine:
    # an existing file: without the mode SQLite would put an empty one in the place of one that is gone
    query = {"mode": "rw", "uri": "true"}
    address = URL.create("sqlite", database=f"file:{quote(str(place))}", query=query)
    # parameters are hidden from errors: a seed is a secret
    engine = create_engine(address, hide_parameters=True, poolclass=NullPool)
    event.listen(engine, "connect", _set_pragmas)
    Files(place).watch(engine)
    return FileEngine(engine)


def _set_pragmas(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


async def _prepare(engine: FileEngine, place: Path) -> None:
    async with engine.begin() as connection:
        await connection.run_sync(partial(_bring_up_to_date, place=place))
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


def _bring_up_to_date(connection: sqlalchemy.Connection, place: Path) -> None:
    _check(connection, place)
    bring_up_to_date(connection, place)


def _check(connection: sqlalchemy.Connection, place: Path) -> None:
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
