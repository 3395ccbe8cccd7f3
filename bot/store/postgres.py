"""PostgreSQL on a server, through asyncpg: one process for each share of the shards.

A process has one connection, as with a file: its writes are in order, and it reads what it has written. The connection
holds the locks of the share while it lives, so a process that loses the server cannot write.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from functools import lru_cache, partial
from itertools import count
from typing import Any, NoReturn

import asyncpg

from bot.errors import StartError, StopError
from bot.store.codec import json_of
from bot.store.database import Conflict, Database, Row, StatementFailed
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.handover import Handover
from bot.store.migrate import IDENTITY, migrate
from bot.store.server_address import parse
from bot.store.shard_range import ShardRange

_log = logging.getLogger(__name__)

START_LOCK_TIMEOUT, LOCK_TIMEOUT = 60.0, 5.0
"""Seconds to wait for the locks of the share: at the start, when the other process may be stopping; and later."""

CONNECT_TIMEOUT, STATEMENT_TIMEOUT = 10.0, 60.0
"""Seconds for a connection to the server, and for a statement."""

LOCK_NAMESPACE = 0x0CA7A5A2
"""The first key of all advisory locks of this program, which tells them from those of other programs."""

SHARD_BITS = 15
"""The second key of a lock has the shard in these lower bits, and the number of shards above."""

SESSION = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
"""Settings that let the server soon drop the connection of a dead machine, with its locks."""

HOLDER = "holder"
"""The setting of a shard that names the process that has its lock, or had it last."""

KIND_BY_STATE = {
    "53100": FailureKind.FULL,
    "25006": FailureKind.READ_ONLY,
    "55P03": FailureKind.LOCKED,
    "58030": FailureKind.IO,
    "XX001": FailureKind.DAMAGED,
    "XX002": FailureKind.DAMAGED,
}
"""PostgreSQL's SQLSTATE codes (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""

UNREACHABLE_CLASSES = ("08", "53", "57")
"""SQLSTATE classes, the first two characters, of a lost or refused connection."""

CONFLICT_STATES = ("23505", "40001", "40P01")
"""A duplicate key, a serialization failure, and a deadlock."""


class Postgres(Database):
    """A database on a server."""

    identity = IDENTITY
    tables = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"

    def __init__(self, url: str, share: ShardRange) -> None:
        super().__init__(share)
        self.connector = _Connector(url, share)
        self._connection: Any = None
        self._transaction: Any = None

    async def _enter(self) -> None:
        if self._connection is None or self._connection.is_closed():
            await self.connect()

    async def connect(self) -> None:
        """Connect and take the locks of the share. From now on, the database can be used.

        Raises `DatabaseUnavailable`, and `StartError` if another process has a lock.
        """
        self._connection = None
        with _translate_errors("connecting"):
            self._connection = await self.connector.connect()
        self._is_usable = True

    def wait_for_handover(self) -> None:
        """Refuse all calls until `connect` has succeeded: another process has the share."""
        self._is_usable = False

    async def _begin(self) -> None:
        with _translate_errors("BEGIN"):
            self._transaction = self._connection.transaction()
            await self._transaction.start()

    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        with _translate_errors(sql):
            return list(await self._connection.fetch(number_parameters(sql), *parameters))

    async def _execute_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with _translate_errors(sql):
            await self._connection.executemany(number_parameters(sql), rows)

    async def _commit(self) -> None:
        with _translate_errors("COMMIT"):
            await self._transaction.commit()

    async def _rollback(self) -> None:
        if self._connection.is_closed():  # the server has rolled it back
            return
        with _translate_errors("ROLLBACK"):
            await self._transaction.rollback()

    async def advance_ids(self, table: str) -> None:
        """Make the next generated id of a table higher than all ids in it."""
        await self.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")

    async def _close(self) -> None:
        if self._connection is not None:
            await self._connection.close(timeout=STATEMENT_TIMEOUT)


@lru_cache(maxsize=512)
def number_parameters(sql: str) -> str:
    """Replace `?` by `$1`, `$2` and so on, as asyncpg needs it."""
    numbers, parts = count(1), sql.split("?")
    # a plain split is enough: no statement of the store quotes a question mark
    return "".join(f"{part}${next(numbers)}" for part in parts[:-1]) + parts[-1]


@contextmanager
def _translate_errors(sql: str) -> Iterator[None]:
    """Raise the store's errors in place of the driver's, whose details quote rows."""
    try:
        yield
    except asyncpg.PostgresError as error:
        state, message = error.sqlstate or "", str(error.args[0] if error.args else "")
        if state in CONFLICT_STATES:
            raise Conflict(message) from None
        if kind := KIND_BY_STATE.get(state) or (FailureKind.AWAY if state[:2] in UNREACHABLE_CLASSES else None):
            raise DatabaseUnavailable(kind, message) from None
        raise StatementFailed(f"{message}: {sql}") from None
    # `TimeoutError` is an `OSError`; its text is empty
    except (asyncpg.InterfaceError, OSError) as error:
        raise DatabaseUnavailable(FailureKind.AWAY, str(error) or "no answer in time") from None


CONNECTING_PROBLEMS = {
    "28P01": "the server does not accept the user or the password",
    "28000": "the server does not let this user in from this machine (see its pg_hba.conf)",
    "3D000": "the database does not exist",
    "42501": "the user has no permission to connect",
    "53300": "the server has no connection left",
    "57P03": "the server is starting up or shutting down",
    "0A000": "the server or a pooler in front of it does not support an option of the address",
    "08P01": "a pooler is in between, and the bot needs a direct connection to the server",
}
"""SQLSTATE -> our message: the server's own one quotes the user and the options of the address."""


@contextmanager
def _without_address() -> Iterator[None]:
    """Like `_translate_errors`, but no message quotes the user or an option of the address."""
    try:
        yield
    except asyncpg.PostgresError as error:
        state = error.sqlstate or "unknown"
        problem = CONNECTING_PROBLEMS.get(state, f"the server refused the connection (SQLSTATE {state})")
        if kind := KIND_BY_STATE.get(state) or (FailureKind.AWAY if state[:2] in UNREACHABLE_CLASSES else None):
            raise DatabaseUnavailable(kind, problem) from None
        raise StatementFailed(problem) from None
    except asyncpg.InterfaceError:
        raise DatabaseUnavailable(FailureKind.AWAY, "the driver cannot connect with these settings") from None
    # the message of an `SSLError` names the failed check, other messages the host and the port
    except OSError as error:
        raise DatabaseUnavailable(FailureKind.AWAY, str(error) or "no answer in time") from None


async def peek(url: str, table: str, sql: str) -> tuple[str, set[str], int | None]:
    """The place of a database, its table names and, if it has `table`, the value of a query. Takes no locks.

    Raises:
        StartError: the database cannot be used; the message says why, without the address and its password.
    """
    address = parse(url)
    arguments = address.arguments(CONNECT_TIMEOUT)
    try:
        with _translate_errors(sql), _without_address():
            connection = await asyncpg.connect(**arguments, command_timeout=STATEMENT_TIMEOUT)
            try:
                tables = {row[0] for row in await connection.fetch(Postgres.tables)}
                return address.place, tables, await connection.fetchval(sql) if table in tables else None
            finally:
                await connection.close(timeout=CONNECT_TIMEOUT)
    except (DatabaseUnavailable, StatementFailed) as error:
        problem = error.problem if isinstance(error, DatabaseUnavailable) else str(error)
        raise StartError(f"{address.place} cannot be used: {problem}. Check DATABASE_URL and the server.") from None


class _ShareTaken(StartError):
    """Another process has the share."""


@asynccontextmanager
async def open_server(url: str, share: ShardRange, handover: Handover | None) -> AsyncIterator[Postgres]:
    """Open a database with the locks of a share, and close it at the end.

    With a `handover`, another process may still have the share; then the database must not be used before it stops.

    Raises:
        StartError: the database cannot be used; the message says why and what to do, without address and password.
        StopError: the database was out of reach, and another process has taken over the share.
    """
    database = Postgres(url, share)
    try:
        try:
            await _open(database, handover)
            yield database
        finally:
            await database.close()
    # `_end_owner` cancels this task, perhaps as late as in `close`; or the task itself gets the error
    except (asyncio.CancelledError, DatabaseUnavailable):
        if database.connector.is_replaced:
            place = database.connector.place
            raise StopError(
                f"Another process has taken over the shards {share} of {place[0].lower()}{place[1:]}."
            ) from None
        raise


async def _open(database: Postgres, handover: Handover | None) -> None:
    connector = database.connector
    try:
        # with a handover the old process is still working: connect to Discord first, wait for the locks later
        connector.lock_timeout = 0 if handover else START_LOCK_TIMEOUT
        await _prepare(database)
    except _ShareTaken:
        if handover is None:
            raise
        connector.lock_timeout = START_LOCK_TIMEOUT
        database.wait_for_handover()
        handover.wait = partial(_prepare, database)


async def _prepare(database: Postgres) -> None:
    connector = database.connector
    try:
        # first, and outside a transaction: with a handover, this waits until the other process has stopped
        await database.connect()
        await migrate(database, connector.place)
        await database.execute_many(
            PUT_HOLDER, [(shard, HOLDER, json_of(connector.name)) for shard in connector.shard_range.shards]
        )
    except (DatabaseUnavailable, StatementFailed) as error:
        problem = error.problem if isinstance(error, DatabaseUnavailable) else str(error)
        problem = " ".join(problem.split()).rstrip(".") or "no answer"
        raise StartError(f"{connector.place} cannot be used: {problem}. Check DATABASE_URL and the server.") from None
    connector.has_opened, connector.lock_timeout = True, LOCK_TIMEOUT


PUT_HOLDER = """
INSERT INTO settings (scope, scope_id, name, value) VALUES ('shard', ?, ?, ?)
ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
"""


class _Connector:
    """Opens connections that hold the locks of this process's share."""

    def __init__(self, url: str, share: ShardRange) -> None:
        self._address = parse(url)
        self.shard_range = share
        self.place = self._address.place
        # `application_name` has room for 63 bytes. The random part tells this process from its predecessor, which in a
        # container may have the same host name and process id
        self.name = f"{socket.gethostname()[:30]} {os.getpid()} {secrets.token_hex(4)}"
        self.lock_timeout: float = 0
        self.has_opened = False
        self.is_replaced = False
        self._owner = asyncio.current_task()

    async def connect(self) -> Any:
        """A connection that has the locks. Raises the driver's errors, and `StartError` if another process has one."""
        arguments = self._address.arguments(CONNECT_TIMEOUT)
        session = arguments.pop("server_settings") | SESSION | {"application_name": self.name}
        with _without_address():
            connection = await asyncpg.connect(**arguments, command_timeout=STATEMENT_TIMEOUT, server_settings=session)
        try:
            await self._take_locks(connection)
        # a canceled task, too, must not leave a connection behind that has locks
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _take_locks(self, connection: Any) -> None:
        if self.has_opened:
            await self._require_no_successor(connection)
        # always in ascending order, so that two processes with overlapping shares cannot wait for each other
        for shard in self.shard_range.shards:
            # with up to 9,999 shards (`bot.config`), the key fits into PostgreSQL's 32 bits
            await self._take_lock(connection, shard, self.shard_range.count << SHARD_BITS | shard)
        # with different shard counts, one server would belong to two processes; waiting does not help
        if other := await _holder(connection, "objid::bigint >> $2 <> $3", SHARD_BITS, self.shard_range.count):
            self._refuse(f"Another Caravanserai, {other}, counts other shards than {self.shard_range} in", StartError)

    async def _require_no_successor(self, connection: Any) -> None:
        """Raise `DatabaseUnavailable` and end the owner if another process had the share since: memory is outdated."""
        for holder in await connection.fetch(HOLDERS, HOLDER, self.shard_range.first, self.shard_range.last):
            if self.name not in holder["value"]:
                self._end_owner()
                raise DatabaseUnavailable(FailureKind.AWAY, "another process has taken over")

    def _end_owner(self) -> None:
        """Cancel the task that opened the database, but only once: it may call the database while it shuts down."""
        assert self._owner is not None, "a task has opened the database"
        if not self.is_replaced:
            self.is_replaced = True
            self._owner.cancel()

    async def _take_lock(self, connection: Any, shard: int, key: int) -> None:
        # first without waiting, so that the log can name the process that has the lock
        if await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", LOCK_NAMESPACE, key):
            return
        usage = "uses" if self.shard_range.count == 1 else f"has shard {shard} of {self.shard_range.count} in"
        other = await _holder(connection, "objid::bigint = $2", key)
        if not self.lock_timeout:
            self._refuse(f"Another Caravanserai, {other}, {usage}")
        _log.warning("another Caravanserai, %s, %s the database; waiting for %g s", other, usage, self.lock_timeout)
        # the server times out before the driver does, and its error says why
        await connection.execute(f"SET lock_timeout = '{self.lock_timeout:g}s'")
        try:
            timeout = self.lock_timeout + STATEMENT_TIMEOUT
            await connection.execute("SELECT pg_advisory_lock($1, $2)", LOCK_NAMESPACE, key, timeout=timeout)
        except asyncpg.LockNotAvailableError:
            self._refuse(f"Another Caravanserai, {other}, already {usage}")
        await connection.execute("RESET lock_timeout")

    def _refuse(self, why: str, error: type[StartError] = _ShareTaken) -> NoReturn:
        problem = f"{why} {self.place[0].lower()}{self.place[1:]}. Stop it first, or give each process its SHARDS."
        # at the start, this ends the process; later, the database only counts as out of reach for now
        raise DatabaseUnavailable(FailureKind.AWAY, problem) if self.has_opened else error(problem)


HOLDERS = "SELECT value FROM settings WHERE scope = 'shard' AND name = $1 AND scope_id BETWEEN $2 AND $3"

# `objsubid` is 2 for locks with two keys (https://www.postgresql.org/docs/current/view-pg-locks.html)
LOCKS = """SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
JOIN pg_database ON pg_database.oid = pg_locks.database AND pg_database.datname = current_database()
WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint = $1 AND granted AND pid <> pg_backend_pid() AND """
"""The names of other processes that have locks of this program in this database."""


async def _holder(connection: Any, condition: str, *values: object) -> str | None:
    """The name of another process that has a lock of this condition, if there is one."""
    name: str | None = await connection.fetchval(LOCKS + condition, LOCK_NAMESPACE, *values)
    return name
