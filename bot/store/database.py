"""The interface of a database: SQL text and parameters in, rows out, one transaction at a time.

The SQL is the same for SQLite and PostgreSQL, with `?` for parameters. `bot.store.sqlite` and `bot.store.postgres`
implement the interface; `bot.store.opening` chooses between them.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Collection, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar, TypeAlias
from uuid import uuid4

from bot.metrics import COMMITS
from bot.store.codec import json_of
from bot.store.failures import DatabaseUnavailable, FailureKind, Health
from bot.store.shard_range import WHOLE, ShardRange

Row: TypeAlias = Any
"""A row of a result: values by position and by column name, as both drivers return it."""

TURN_TIMEOUT = 30.0
"""Seconds that a task waits for the transactions before its own."""

WRITE_PROBE = """
INSERT INTO settings (scope, scope_id, name, value) VALUES ('bot', 0, 'tried', ?)
ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
"""


class Conflict(Exception):
    """A row with this key exists already, or another process has written it first."""


class StatementFailed(Exception):
    """The database rejects a statement: a bug. The message quotes no parameters, since they may be secret."""


class Database(ABC):
    """One connection, used by one transaction at a time.

    All methods raise `DatabaseUnavailable` during an outage, and `Conflict` for a row that exists already.
    Inside `transaction()`, every call of the same task belongs to the transaction: methods of the store compose without
    passing a connection around. Await nothing else there: all other tasks have to wait for it.
    """

    identity: ClassVar[str]
    """The declaration of an identity column."""

    tables: ClassVar[str]
    """The query for the names of all tables."""

    def __init__(self, share: ShardRange = WHOLE) -> None:
        """`share` is the shards whose matches this process plays. It can read all matches."""
        self.shard_range = share
        self.health = Health()
        self._turn = asyncio.Lock()
        self._owner: asyncio.Task[Any] | None = None
        self._has_begun = False
        self._is_closed = False
        self._is_usable = True

    async def fetch(self, sql: str, *parameters: Any) -> list[Row]:
        """All rows of a query. For a statement that writes and has `RETURNING`, use `execute`."""
        if self._owner is asyncio.current_task():
            return await self._fetch(sql, parameters)
        with self.health.observe():
            # queries wait their turn, too: on the shared connection, they would see uncommitted rows of other tasks
            async with self._exclusively():
                return await self._fetch(sql, parameters)

    async def fetch_one(self, sql: str, *parameters: Any) -> Row | None:
        """The first row, or `None`."""
        rows = await self.fetch(sql, *parameters)
        return rows[0] if rows else None

    async def fetch_value(self, sql: str, *parameters: Any) -> Any:
        """The first value of the first row, or `None`."""
        row = await self.fetch_one(sql, *parameters)
        return row[0] if row else None

    async def fetch_column(self, sql: str, *parameters: Any) -> list[Any]:
        """The first value of each row."""
        return [row[0] for row in await self.fetch(sql, *parameters)]

    async def table_names(self) -> set[str]:
        """The names of all tables."""
        return set(await self.fetch_column(self.tables))

    async def execute(self, sql: str, *parameters: Any) -> list[Row]:
        """Run a statement that writes, in its own transaction if none is open. Returns the rows of `RETURNING`."""
        async with self.transaction():
            await self._begin_once()
            return await self._fetch(sql, parameters)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Run a statement that writes once for each row of parameters."""
        # no rows, no transaction: on a server, BEGIN and COMMIT would be two round trips for nothing
        if parameters := list(rows):
            async with self.transaction():
                await self._begin_once()
                await self._execute_many(sql, parameters)

    async def require_writable(self) -> None:
        """Write a test value. Raises `DatabaseUnavailable` if that fails.

        The value is different each time: SQLite writes nothing to its file for an unchanged row.
        """
        await self.execute(WRITE_PROBE, json_of(uuid4().hex))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """A transaction around all calls of this task; joins the one that the task has open already.

        A commit that has begun is completed even if the task is canceled meanwhile.
        """
        if self._owner is asyncio.current_task():
            yield
            return
        with self.health.observe():
            async with self._exclusively():
                try:
                    yield
                    # read here, since `_finish` resets it
                    has_writes = self._has_begun
                    if has_writes:
                        await run_to_completion(self._finish())
                # a canceled task, too, must not leave its transaction open for the next task
                except BaseException as error:
                    await run_to_completion(self._abort(error))
                    raise
        if has_writes:
            self.health.note_write()

    @asynccontextmanager
    async def _exclusively(self) -> AsyncIterator[None]:
        # before the wait for a turn: waiting tasks must not delay the takeover of the database
        if not self._is_usable:
            raise DatabaseUnavailable(FailureKind.CLOSED, "another process still has the database")
        try:
            # a timer only if another task has the connection, which is rare
            async with asyncio.timeout(TURN_TIMEOUT if self._turn.locked() else None):
                await self._turn.acquire()
        except TimeoutError:
            raise DatabaseUnavailable(FailureKind.LOCKED, "no connection in time") from None
        try:
            # checked after the wait: the database may have been closed meanwhile
            if self._is_closed:
                raise DatabaseUnavailable(FailureKind.CLOSED, "the bot is shutting down")
            await self._enter()
            self._owner, self._has_begun = asyncio.current_task(), False
            yield
        finally:
            self._owner = None
            self._turn.release()

    async def _begin_once(self) -> None:
        # called by the first statement that writes: a transaction that only reads needs no lock and no commit
        if not self._has_begun:
            self._has_begun = True
            await self._begin()

    async def _finish(self) -> None:
        with COMMITS.time():
            await self._commit()
        # here, within `run_to_completion`: a task that is canceled meanwhile must not roll back a committed transaction
        self._has_begun = False

    @abstractmethod
    async def _enter(self) -> None:
        """Called before each transaction and query: reconnect if necessary."""

    @abstractmethod
    async def _begin(self) -> None:
        """Called before the first statement of a transaction that writes."""

    async def _abort(self, error: BaseException) -> None:
        """Roll back a transaction that `error` has ended, if it has written anything."""
        if self._has_begun:
            await self._rollback()

    @abstractmethod
    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Row]: ...

    @abstractmethod
    async def _execute_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None: ...

    @abstractmethod
    async def _commit(self) -> None: ...

    @abstractmethod
    async def _rollback(self) -> None: ...

    @abstractmethod
    async def advance_ids(self, table: str) -> None:
        """Make the next generated id of a table higher than all ids in it, after rows with explicit ids."""

    async def close(self) -> None:
        """Disconnect after the current transaction. Later calls raise `DatabaseUnavailable` (`CLOSED`)."""
        async with self._turn:
            self._is_closed = True
            await self._close()

    @abstractmethod
    async def _close(self) -> None: ...


class Repository:
    """A part of the store: the reads and writes of one subject."""

    def __init__(self, database: Database) -> None:
        self._database = database


async def run_to_completion(work: Coroutine[Any, Any, None]) -> None:
    """Finish some work even if the task is canceled meanwhile; only then pass the cancellation on."""
    task = asyncio.ensure_future(work)
    canceled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            # unlike `await task`, this does not cancel the work when the waiting task is canceled
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            canceled = error
    # an error takes precedence: a cancellation would hide the failed write
    if canceled is not None and task.exception() is None:
        raise canceled
    task.result()


def placeholders(values: Collection[Any]) -> str:
    """`?, ?, ?`, for the list after `IN`; `NULL` for no values, since SQL has no empty lists."""
    return ", ".join("?" for _ in values) or "NULL"


def assignments(names: Iterable[str]) -> str:
    """`a = ?, b = ?`, for the list after `SET`."""
    return ", ".join(f"{name} = ?" for name in names)
