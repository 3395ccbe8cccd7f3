"""PostgreSQL on a server, through asyncpg: for one process a share, up to date, or a sentence that says why not.

A process has one connection, as it has to a file: what it writes is in order, and it reads what it has written. The
connection holds the locks of the share as long as it lives, so a process that is cut off from the server writes
nothing.
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
from bot.store.handover import Handover
from bot.store.migrate import IDENTITY, migrate
from bot.store.server_address import parse
from bot.store.shard_range import ShardRange
from bot.store.trouble import DatabaseTrouble, TroubleKind

_log = logging.getLogger(__name__)

PATIENCE, SHORT_PATIENCE = 60.0, 5.0
"""Seconds to wait for the process that has the share: at the start, when that one may be stopping; and later."""

CONNECTING, ANSWERING = 10.0, 60.0
"""Seconds that the server may take to let somebody in, and for a statement."""

SPACE = 0x0CA7A5A2
"""The locks of this program among those of others."""

SHARD_BITS = 15
"""A lock is the number of shards, and below it the shard."""

SESSION = {"tcp_keepalives_idle": "10", "tcp_keepalives_interval": "5", "tcp_keepalives_count": "3"}
"""So that the server soon lets go of a machine that is gone."""

HOLDER = "holder"
"""The name of a value that every shard has: the process that holds its lock, or did last."""

STATES = {
    "53100": TroubleKind.FULL,
    "25006": TroubleKind.READ_ONLY,
    "55P03": TroubleKind.LOCKED,
    "58030": TroubleKind.IO,
    "XX001": TroubleKind.DAMAGED,
    "XX002": TroubleKind.DAMAGED,
}
"""What PostgreSQL calls it (https://www.postgresql.org/docs/current/errcodes-appendix.html)."""

OUT_OF_REACH = ("08", "53", "57")
"""The first two characters of what it calls an end of the connection."""

CONFLICTS = ("23505", "40001", "40P01")
"""A row that exists, a transaction that came too late, and two that waited for each other."""


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
        """Connect with the locks of the share; from now on the database can be used.

        Raises `DatabaseTrouble`, and `StartError` for locks that another process has.
        """
        self._connection = None
        with _translated("connecting"):
            self._connection = await self.connector.connect()
        self._is_usable = True

    def wait_for_handover(self) -> None:
        """Refuse all use until `connect` has succeeded: another process has the share."""
        self._is_usable = False

    async def _begin(self) -> None:
        with _translated("BEGIN"):
            self._transaction = self._connection.transaction()
            await self._transaction.start()

    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        with _translated(sql):
            return list(await self._connection.fetch(numbered(sql), *parameters))

    async def _execute_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with _translated(sql):
            await self._connection.executemany(numbered(sql), rows)

    async def _commit(self) -> None:
        with _translated("COMMIT"):
            await self._transaction.commit()

    async def _rollback(self) -> None:
        if self._connection.is_closed():  # which took it back
            return
        with _translated("ROLLBACK"):
            await self._transaction.rollback()

    async def count_on(self, table: str) -> None:
        """Let the next row of a table have an id above all those that were written with theirs."""
        await self.execute(f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")

    async def _close(self) -> None:
        if self._connection is not None and not self._connection.is_closed():
            await self._connection.close(timeout=ANSWERING)


@lru_cache(maxsize=512)
def numbered(sql: str) -> str:
    """`?` as `$1`, `$2` and so on, which is what asyncpg understands."""
    numbers, parts = count(1), sql.split("?")
    # a plain split will do: no statement of the store quotes a question mark
    return "".join(f"{part}${next(numbers)}" for part in parts[:-1]) + parts[-1]


@contextmanager
def _translated(sql: str) -> Iterator[None]:
    """Raises what the store knows in place of the driver's errors, whose details quote rows."""
    try:
        yield
    except asyncpg.PostgresError as error:
        state, said = error.sqlstate or "", str(error.args[0] if error.args else "")
        if state in CONFLICTS:
            raise Conflict(said) from None
        if kind := STATES.get(state) or (TroubleKind.AWAY if state[:2] in OUT_OF_REACH else None):
            raise DatabaseTrouble(kind, said) from None
        raise StatementFailed(f"{said}: {sql}") from None
    # `TimeoutError` is an `OSError`; its text is empty
    except (asyncpg.InterfaceError, OSError) as error:
        raise DatabaseTrouble(TroubleKind.AWAY, str(error) or "no answer in time") from None


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
"""SQLSTATE -> what happened. The server's own words quote the user and the options of the address."""


@contextmanager
def _without_address() -> Iterator[None]:
    """Like `_translated`, but no error quotes the user or an option of the address."""
    try:
        yield
    except asyncpg.PostgresError as error:
        state = error.sqlstate or "unknown"
        problem = CONNECTING_PROBLEMS.get(state, f"the server refused the connection (SQLSTATE {state})")
        if kind := STATES.get(state) or (TroubleKind.AWAY if state[:2] in OUT_OF_REACH else None):
            raise DatabaseTrouble(kind, problem) from None
        raise StatementFailed(problem) from None
    except asyncpg.InterfaceError:
        raise DatabaseTrouble(TroubleKind.AWAY, "the driver cannot connect with these settings") from None
    # an `SSLError` says which check failed, other errors the number of the host and the port
    except OSError as error:
        raise DatabaseTrouble(TroubleKind.AWAY, str(error) or "no answer in time") from None


async def peek(url: str, table: str, sql: str) -> tuple[str, set[str], int | None]:
    """The place of a database, the names of its tables and, if it has a table, the value of a query; without locks.

    Raises:
        StartError: it cannot be used; the sentence says why, without the address and its password.
    """
    address = parse(url)
    arguments = address.arguments(CONNECTING)
    try:
        with _translated(sql), _without_address():
            connection = await asyncpg.connect(**arguments, command_timeout=ANSWERING)
            try:
                tables = {row[0] for row in await connection.fetch(Postgres.tables)}
                return address.place, tables, await connection.fetchval(sql) if table in tables else None
            finally:
                await connection.close(timeout=CONNECTING)
    except (DatabaseTrouble, StatementFailed) as error:
        problem = error.problem if isinstance(error, DatabaseTrouble) else str(error)
        raise StartError(f"{address.place} cannot be used: {problem}. Check DATABASE_URL and the server.") from None


class _ShareTaken(StartError):
    """Another process has the share."""


@asynccontextmanager
async def opened_server(url: str, share: ShardRange, handover: Handover | None) -> AsyncIterator[Postgres]:
    """A database for this process alone, as far as its share goes; closed at the end. With a `handover`, it may come
    while another process has the share, and must not be used before that one has left.

    Raises:
        StartError: it cannot be used; the sentence says why and what to do, without the address and its password.
        StopError: it was out of reach, and another process has taken the share over.
    """
    database = Postgres(url, share)
    try:
        try:
            await _open(database, handover)
            yield database
        finally:
            await database.close()
    # `_end_owner` cancels this task, perhaps as late as in `close`; or it meets the error that others got
    except (asyncio.CancelledError, DatabaseTrouble):
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
        connector.patience = 0 if handover else PATIENCE
        await _prepare(database)
    except _ShareTaken:
        if handover is None:
            raise
        connector.patience = PATIENCE
        database.wait_for_handover()
        handover.wait = partial(_prepare, database)


async def _prepare(database: Postgres) -> None:
    connector = database.connector
    try:
        # first, and outside of any transaction: with a handover this waits until the other process has left
        await database.connect()
        await migrate(database, connector.place)
        await database.execute_many(
            PUT_HOLDER, [(shard, HOLDER, json_of(connector.name)) for shard in connector.shard_range.shards]
        )
    except (DatabaseTrouble, StatementFailed) as error:
        said = error.problem if isinstance(error, DatabaseTrouble) else str(error)
        said = " ".join(said.split()).rstrip(".") or "no answer"
        raise StartError(f"{connector.place} cannot be used: {said}. Check DATABASE_URL and the server.") from None
    connector.has_opened, connector.patience = True, SHORT_PATIENCE


PUT_HOLDER = """
INSERT INTO settings (scope, scope_id, name, value) VALUES ('shard', ?, ?, ?)
ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
"""


class _Connector:
    """Connects this process, with the locks of its share."""

    def __init__(self, url: str, share: ShardRange) -> None:
        self._address = parse(url)
        self.shard_range = share
        self.place = self._address.place
        # `application_name` has room for 63 bytes. Random: in a container, host and process id may be those of the
        # process before, which must not be taken for this one
        self.name = f"{socket.gethostname()[:30]} {os.getpid()} {secrets.token_hex(4)}"
        self.patience: float = 0
        self.has_opened = False
        self.is_replaced = False
        self._owner = asyncio.current_task()

    async def connect(self) -> Any:
        """A connection that has the locks. Raises the driver's errors, and `StartError` for locks that others have."""
        arguments = self._address.arguments(CONNECTING)
        session = arguments.pop("server_settings") | SESSION | {"application_name": self.name}
        with _without_address():
            connection = await asyncpg.connect(**arguments, command_timeout=ANSWERING, server_settings=session)
        try:
            await self._take_locks(connection)
        # a canceled task must not leave a connection behind that holds locks
        except BaseException:
            connection.terminate()
            raise
        return connection

    async def _take_locks(self, connection: Any) -> None:
        if self.has_opened:
            await self._look_for_successors(connection)
        # always in ascending order, so that two processes with overlapping shares cannot wait for each other
        for shard in self.shard_range.shards:
            # up to 9,999 shards (`bot.config`), it fits into the 32 bits of a key of PostgreSQL
            await self._take_lock(connection, shard, self.shard_range.count << SHARD_BITS | shard)
        # with different shard counts, one server would belong to two processes, and no wait helps
        if other := await _holder(connection, "objid::bigint >> $2 <> $3", SHARD_BITS, self.shard_range.count):
            self._refuse(f"Another Caravanserai, {other}, counts other shards than {self.shard_range} in", StartError)

    async def _look_for_successors(self, connection: Any) -> None:
        """A process that was out of reach may have been replaced, and what it has in memory be wrong."""
        for holder in await connection.fetch(HOLDERS, HOLDER, self.shard_range.first, self.shard_range.last):
            if self.name not in holder["value"]:
                self._end_owner()
                raise DatabaseTrouble(TroubleKind.AWAY, "another process has taken over")

    def _end_owner(self) -> None:
        """Cancel the task that opened the database, once: it may ask again on its way out, and must come to its end."""
        assert self._owner is not None, "a task has opened the database"
        if not self.is_replaced:
            self.is_replaced = True
            self._owner.cancel()

    async def _take_lock(self, connection: Any, shard: int, key: int) -> None:
        # without waiting first, so that the log can say which process has the lock
        if await connection.fetchval("SELECT pg_try_advisory_lock($1, $2)", SPACE, key):
            return
        what = "uses" if self.shard_range.count == 1 else f"has shard {shard} of {self.shard_range.count} in"
        other = await _holder(connection, "objid::bigint = $2", key)
        if not self.patience:
            self._refuse(f"Another Caravanserai, {other}, {what}")
        _log.warning("another Caravanserai, %s, %s the database; waiting for %g s", other, what, self.patience)
        # the server gives up before the driver's `timeout` does, and its error says why
        await connection.execute(f"SET lock_timeout = '{self.patience:g}s'")
        try:
            await connection.execute("SELECT pg_advisory_lock($1, $2)", SPACE, key, timeout=self.patience + ANSWERING)
        except asyncpg.LockNotAvailableError:
            self._refuse(f"Another Caravanserai, {other}, already {what}")
        await connection.execute("RESET lock_timeout")

    def _refuse(self, why: str, error: type[StartError] = _ShareTaken) -> NoReturn:
        said = f"{why} {self.place[0].lower()}{self.place[1:]}. Stop it first, or give each process its SHARDS."
        # at the start this ends the process; later it only means that the database is out of reach for now
        raise DatabaseTrouble(TroubleKind.AWAY, said) if self.has_opened else error(said)


HOLDERS = "SELECT value FROM settings WHERE scope = 'shard' AND name = $1 AND scope_id BETWEEN $2 AND $3"

# `objsubid` is 2 for locks with two keys (https://www.postgresql.org/docs/current/view-pg-locks.html)
LOCKS = """SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)
JOIN pg_database ON pg_database.oid = pg_locks.database AND pg_database.datname = current_database()
WHERE locktype = 'advisory' AND objsubid = 2 AND classid::bigint = $1 AND granted AND pid <> pg_backend_pid() AND """
"""Who holds locks of this program in this database."""


async def _holder(connection: Any, which: str, *values: object) -> str | None:
    """The name of another process that holds such a lock, if one does."""
    name: str | None = await connection.fetchval(LOCKS + which, SPACE, *values)
    return name
