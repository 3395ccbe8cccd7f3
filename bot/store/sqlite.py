"""SQLite in a file, through aiosqlite: opened for this process alone, checked, writable and migrated."""

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
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.file_lock import OWNER_ONLY, exclusive_lock
from bot.store.file_systems import ADVICE, network_file_system, network_problem
from bot.store.files import Files, make_private, rescue_path, restore_rescue_copy
from bot.store.migrate import migrate

_log = logging.getLogger(__name__)

PRAGMAS = ("synchronous=FULL", "foreign_keys=ON")
"""FULL: an acknowledged move survives a power failure. Without the second one, SQLite does not check foreign keys."""

BUSY_TIMEOUT = 5.0
"""Seconds that a statement waits for another program that has the file locked."""

KIND_BY_CODE = {
    sqlite3.SQLITE_FULL: FailureKind.FULL,
    sqlite3.SQLITE_BUSY: FailureKind.LOCKED,
    sqlite3.SQLITE_LOCKED: FailureKind.LOCKED,
    sqlite3.SQLITE_READONLY: FailureKind.READ_ONLY,
    sqlite3.SQLITE_PERM: FailureKind.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: FailureKind.GONE,
    sqlite3.SQLITE_CORRUPT: FailureKind.DAMAGED,
    sqlite3.SQLITE_NOTADB: FailureKind.DAMAGED,
    sqlite3.SQLITE_IOERR: FailureKind.IO,
}
"""SQLite's primary result codes (https://www.sqlite.org/rescode.html): the lower 8 bits of an extended code."""

# extended codes: the primary code of a duplicate key is also that of a missing value
DUPLICATE_KEY_CODES = (sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_UNIQUE)


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
        """Nothing to do: the file stays open."""

    async def _begin(self) -> None:
        """Nothing to do: `sqlite3` begins transactions itself."""

    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        with translate_errors(sql):
            return list(await self._connection.execute_fetchall(sql, parameters))

    async def _execute_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with translate_errors(sql):
            await self._connection.executemany(sql, rows)

    async def _commit(self) -> None:
        # SQLite itself would commit to a deleted file without an error
        self._files.require()
        with translate_errors("COMMIT"):
            await self._connection.commit()

    async def _rollback(self) -> None:
        with translate_errors("ROLLBACK"):
            await self._connection.rollback()

    async def _abort(self, error: BaseException) -> None:
        await super()._abort(error)
        if isinstance(error, DatabaseUnavailable) and error.kind is FailureKind.GONE:
            await self._rescue()

    async def _rescue(self) -> None:
        """Copy the contents of a deleted file to one beside it, once: they are lost when this process ends."""
        copy = rescue_path(self._place)
        try:
            # `VACUUM INTO` accepts an empty file, so the copy is private from its first byte
            make_private(copy)
            await self._fetch("VACUUM INTO ?", (str(copy),))
        except FileExistsError:
            return
        except (DatabaseUnavailable, StatementFailed, OSError) as error:
            _log.error("no copy of the lost database could be made: %s", error)
            return
        _log.error(
            "all games are saved in %s, which takes the place of %s when the bot is started again", copy, self._place
        )

    async def advance_ids(self, table: str) -> None:
        """Nothing to do: SQLite always counts on from the largest id."""

    async def _close(self) -> None:
        await self._connection.close()


@contextmanager
def translate_errors(sql: str) -> Iterator[None]:
    """Raise the store's errors in place of the driver's."""
    try:
        yield
    except sqlite3.Error as error:
        # Python's own errors, such as for a closed connection, have no code
        code = getattr(error, "sqlite_errorcode", 0)
        if code in DUPLICATE_KEY_CODES:
            raise Conflict(str(error)) from None
        if kind := KIND_BY_CODE.get(code & 0xFF):
            raise DatabaseUnavailable(kind, str(error)) from None
        raise StatementFailed(f"{error}: {sql}") from None


@asynccontextmanager
async def open_file(place: Path) -> AsyncIterator[SQLite]:
    """Open the database in a file, which is created if necessary, and close it at the end.

    Raises:
        StartError: the file cannot be used; the message says why and what to do.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StartError(f"The data folder {place.parent} cannot be created: {error.strerror}. Set DATA_DIR.") from None
    _warn_of_network(place)
    # the lock comes first: everything below writes to the file, even the check for free space
    with exclusive_lock(place):
        with _explain_errors(place):
            _make_file(place)
            database = SQLite(await _connect(place), place)
        try:
            with _explain_errors(place):
                await _prepare(database, place)
            yield database
        finally:
            await database.close()


def _warn_of_network(place: Path) -> None:
    if kind := network_file_system(place.parent):
        _log.warning("%s is on a network file system (%s), where games may be lost. %s", place, kind, ADVICE)


async def _connect(place: Path) -> aiosqlite.Connection:
    # `mode=rw`, since by default SQLite would create an empty file in the place of a lost one
    uri = f"file:{quote(str(place))}?mode=rw"
    connection = await aiosqlite.connect(
        uri,
        uri=True,
        timeout=BUSY_TIMEOUT,
        # `sqlite3` begins a transaction itself before the first statement that writes: one call to the thread less
        isolation_level="IMMEDIATE",
        # Python's default is 128 prepared statements, and the store has about 160
        cached_statements=256,
    )
    try:
        connection.row_factory = sqlite3.Row
        for pragma in PRAGMAS:
            await connection.execute_fetchall(f"PRAGMA {pragma}")
    # canceled or failed, the connection's thread would keep the process alive
    except BaseException:
        await connection.close()
        raise
    return connection


async def _prepare(database: SQLite, place: Path) -> None:
    # before the migrations, which must not change a damaged file. The quick check does not compare indexes with their
    # tables, so that starts stay short; `back_up` does the full check
    if (verdict := await database.fetch_value("PRAGMA quick_check(1)")) != "ok":
        raise StartError(_damage_text(place, str(verdict)))
    await migrate(database, str(place))
    # not before `migrate`: this changes the file, which may belong to another program
    if (mode := await database.fetch_value("PRAGMA journal_mode=WAL")) != "wal":
        # SQLite's answer where the file system has no shared memory
        reason = f"there is no shared memory for the journal (mode {mode})"
        raise StartError(network_problem(place, reason) or f"{place} cannot be used: {reason}. {ADVICE}")
    for end in ("", "-wal", "-shm"):
        # a file of another owner may have such a mode on purpose
        with suppress(FileNotFoundError, PermissionError):
            os.chmod(f"{place}{end}", OWNER_ONLY)
    # a full disk shows only on a write, and should not show first when a player moves
    await database.require_writable()


def _make_file(place: Path) -> None:
    """Create the file if necessary, for its owner only. SQLite gives its helper files the same mode."""
    restore_rescue_copy(place)
    with suppress(FileExistsError):
        make_private(place)
    if not place.is_file():
        raise StartError(f"{place} is not a file. Move it away, or set DATA_DIR to another folder.")


@contextmanager
def _explain_errors(place: Path) -> Iterator[None]:
    """Raise `StartError` with a sentence for the operator in place of errors of the database or the disk."""
    try:
        yield
    except (sqlite3.Error, StatementFailed) as error:
        raise StartError(_explain(str(error), place)) from None
    except DatabaseUnavailable as failure:
        raise StartError(_explain(failure.problem, place)) from None
    except OSError as error:
        problem = str(error.strerror)
        raise StartError(network_problem(place, problem) or _unwritable(place, problem)) from None


def _explain(problem: str, place: Path) -> str:
    """The error message for a problem. If the file itself is fine, a network file system is the likely cause."""
    if "not a database" in problem:
        return f"{place} is not a database. Move it away, or set DATA_DIR to another folder."
    if "malformed" in problem:
        return _damage_text(place, problem)
    if sentence := network_problem(place, problem):
        return sentence
    if "locking protocol" in problem:
        return f"{place} is on a file system without locks: {problem}. {ADVICE}"
    if "is full" in problem or "disk I/O" in problem:
        return f"The disk of {place} is full, or it fails: {problem}. Make room there, or set DATA_DIR."
    if "locked" in problem:
        return f"Another program keeps {place} locked. Close it there."
    return _unwritable(place, problem)


def _damage_text(place: Path, problem: str) -> str:
    return (
        f"{place} is damaged ({' '.join(problem.split())}). Keep the file as it is and put your last backup in its "
        f"place. Without a backup, sqlite3 {place.name} .recover may save most of it."
    )


def _unwritable(place: Path, problem: str) -> str:
    return f"The database {place} cannot be written: {problem}. Check who owns it and its folder, or set DATA_DIR."
