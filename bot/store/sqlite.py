"""SQLite in a file of its own, through aiosqlite: opened for this process alone, sound, writable and up to date."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiosqlite

from bot.errors import StartError
from bot.store.database import Conflict, Database, Row, StatementFailed
from bot.store.file_lock import OWNER_ONLY, alone_with
from bot.store.file_systems import ADVICE, network_file_system, network_problem
from bot.store.files import Files, make_private, put_rescued_back, rescued
from bot.store.migrate import migrate
from bot.store.trouble import DatabaseTrouble, TroubleKind

_log = logging.getLogger(__name__)

PRAGMAS = ("synchronous=FULL", "foreign_keys=ON")
"""FULL: a move that was acknowledged survives a loss of power. SQLite checks no foreign keys unless it is asked to."""

BUSY = 5.0
"""Seconds that a statement waits for another program that has the file locked."""

CODES = {
    sqlite3.SQLITE_FULL: TroubleKind.FULL,
    sqlite3.SQLITE_BUSY: TroubleKind.LOCKED,
    sqlite3.SQLITE_LOCKED: TroubleKind.LOCKED,
    sqlite3.SQLITE_READONLY: TroubleKind.READ_ONLY,
    sqlite3.SQLITE_PERM: TroubleKind.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: TroubleKind.GONE,
    sqlite3.SQLITE_CORRUPT: TroubleKind.DAMAGED,
    sqlite3.SQLITE_NOTADB: TroubleKind.DAMAGED,
    sqlite3.SQLITE_IOERR: TroubleKind.IO,
}
"""What SQLite calls it (https://www.sqlite.org/rescode.html); a code has finer ones in its higher bits."""

# extended codes: the primary one is the same for a row that exists and for a missing value
EXISTS = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)


class SQLite(Database):
    """A database in a file."""

    identity = "INTEGER PRIMARY KEY"
    tables = "SELECT name FROM sqlite_master WHERE type = 'table'"

    def __init__(self, connection: aiosqlite.Connection, place: Path) -> None:
        super().__init__()
        self._connection = connection
        self._place = place
        self._files = Files(place)

    async def _enter(self) -> None:
        """The file stays open."""

    async def _begin(self) -> None:
        """Python does so by itself."""

    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        with translated(sql):
            return list(await self._connection.execute_fetchall(sql, parameters))

    async def _execute_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with translated(sql):
            await self._connection.executemany(sql, rows)

    async def _commit(self) -> None:
        # SQLite itself would commit to a deleted file without an error
        self._files.require()
        with translated("COMMIT"):
            await self._connection.commit()

    async def _rollback(self) -> None:
        with translated("ROLLBACK"):
            await self._connection.rollback()

    async def _abort(self, error: BaseException) -> None:
        await super()._abort(error)
        if isinstance(error, DatabaseTrouble) and error.kind is TroubleKind.GONE:
            await self._rescue()

    async def _rescue(self) -> None:
        """Copy what is still in a deleted file to one beside it, once: when the bot ends, the deleted one is lost."""
        copy = rescued(self._place)
        try:
            # `VACUUM INTO` accepts an empty file, so the copy is private from its first byte on
            make_private(copy)
            await self._fetch("VACUUM INTO ?", (str(copy),))
        except FileExistsError:
            return
        except (DatabaseTrouble, StatementFailed, OSError) as error:
            _log.error("no copy of the lost database could be made: %s", error)
            return
        _log.error(
            "all games are saved in %s, which takes the place of %s when the bot is started again", copy, self._place
        )

    async def count_on(self, table: str) -> None:
        """SQLite always goes on above the largest."""

    async def _close(self) -> None:
        await self._connection.close()


@contextmanager
def translated(sql: str) -> Iterator[None]:
    """Raises what the store knows in place of the driver's errors."""
    try:
        yield
    except sqlite3.Error as error:
        # errors that Python itself raises, such as for a closed connection, have no code
        code = getattr(error, "sqlite_errorcode", 0)
        if code in EXISTS:
            raise Conflict(str(error)) from None
        if kind := CODES.get(code & 0xFF):
            raise DatabaseTrouble(kind, str(error)) from None
        raise StatementFailed(f"{error}: {sql}") from None


@asynccontextmanager
async def opened_file(place: Path) -> AsyncIterator[SQLite]:
    """The database in this file, made if there is none; closed at the end.

    Raises:
        StartError: it cannot be used; the sentence says why and what to do.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"The data folder {place.parent} cannot be made: {error.strerror}. Set DATA_DIR.") from None
    _warn_of_network(place)
    # the lock comes first: everything below writes to the file, even the check for free space
    with alone_with(place):
        with _explained(place):
            _make_file(place)
            database = SQLite(await _connected(place), place)
        try:
            with _explained(place):
                await _prepare(database, place)
            yield database
        finally:
            await database.close()


def _warn_of_network(place: Path) -> None:
    if kind := network_file_system(place.parent):
        _log.warning("%s is on a network file system (%s), where games may be lost. %s", place, kind, ADVICE)


async def _connected(place: Path) -> aiosqlite.Connection:
    # an existing file: without the mode SQLite would put an empty one in the place of one that is gone
    uri = f"file:{quote(str(place))}?mode=rw"
    connection = await aiosqlite.connect(
        uri,
        uri=True,
        timeout=BUSY,
        # Python begins a transaction by itself before the first statement that writes, which saves a trip to the thread
        isolation_level="IMMEDIATE",
        # more than the 128 that Python keeps prepared by default: the store has about 160
        cached_statements=256,
    )
    try:
        connection.row_factory = sqlite3.Row
        for pragma in PRAGMAS:
            await connection.execute_fetchall(f"PRAGMA {pragma}")
    except BaseException:
        # its thread would keep the process from ending
        await connection.close()
        raise
    return connection


async def _prepare(database: SQLite, place: Path) -> None:
    # before the migrations, which must not change a damaged file. The quick check does not compare indexes with their
    # tables, so that starts stay short; `back_up` does the full one
    if (found := await database.fetch_value("PRAGMA quick_check(1)")) != "ok":
        raise StartError(_damaged(place, str(found)))
    await migrate(database, str(place))
    # not before: it changes the file, which may be of another program
    if (mode := await database.fetch_value("PRAGMA journal_mode=WAL")) != "wal":
        # SQLite's answer where the file system has no shared memory
        reason = f"there is no shared memory for the journal (mode {mode})"
        raise StartError(network_problem(place, reason) or f"{place} cannot be used: {reason}. {ADVICE}")
    for end in ("", "-wal", "-shm"):
        # its owner may have wanted it so
        with suppress(FileNotFoundError, PermissionError):
            os.chmod(f"{place}{end}", OWNER_ONLY)
    # a full disk shows only when something is written, and should not show first at somebody's move
    await database.require_writable()


def _make_file(place: Path) -> None:
    """An empty file for its owner only; SQLite gives the files it puts beside it the same mode."""
    put_rescued_back(place)
    with suppress(FileExistsError):
        make_private(place)
    if not place.is_file():
        raise StartError(f"{place} is not a file. Move it away, or set DATA_DIR to another folder.")


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    """Puts into a sentence for the host what the database or the disk says."""
    try:
        yield
    except (sqlite3.Error, StatementFailed) as error:
        raise StartError(_explain(str(error), place)) from None
    except DatabaseTrouble as trouble:
        raise StartError(_explain(trouble.problem, place)) from None
    except OSError as error:
        problem = str(error.strerror)
        raise StartError(network_problem(place, problem) or _unwritable(place, problem)) from None


def _explain(problem: str, place: Path) -> str:
    """The sentence for a problem. A network file system is the reason for all that is not in the file itself."""
    if "not a database" in problem:
        return f"{place} is not a database. Move it away, or set DATA_DIR to another folder."
    if "malformed" in problem:
        return _damaged(place, problem)
    if sentence := network_problem(place, problem):
        return sentence
    if "locking protocol" in problem:
        return f"{place} is on a file system without locks: {problem}. {ADVICE}"
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
