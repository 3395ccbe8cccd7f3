"""What the store asks of a database: SQL text and parameters in, rows out, one transaction at a time.

The SQL is the same for SQLite and PostgreSQL; parameters are written as `?`. `bot.store.sqlite` and
`bot.store.postgres` are the two implementations, `bot.store.opening` chooses between them.
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
from bot.store.shard_range import WHOLE, ShardRange
from bot.store.trouble import DatabaseTrouble, Health, TroubleKind

Row: TypeAlias = Any
"""A row of an answer: values by position and by the name of their column, as both drivers have it."""

PATIENCE = 30.0
"""Seconds that a task waits for the transactions before its own."""

TRY = """
INSERT INTO settings (scope, scope_id, name, value) VALUES ('bot', 0, 'tried', ?)
ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
"""


class Conflict(Exception):
    """A row with this key exists already, or another process was faster."""


class StatementFailed(Exception):
    """The database does not accept a statement: a fault of the program. Quotes no parameter, which may be secret."""


class Database(ABC):
    """One connection, used by one transaction at a time.

    All methods raise `DatabaseTrouble` if the database does not do its part, and `Conflict` for a row that exists
    already. Inside of `transaction()`, every call of the same task belongs to it: methods of the store compose without
    passing a connection around. Await nothing else there: every other task has to wait meanwhile.
    """

    identity: ClassVar[str]
    """How a column is declared whose values the database counts up."""

    tables: ClassVar[str]
    """The SQL for the names of all tables."""

    def __init__(self, share: ShardRange = WHOLE) -> None:
        """`share` is the part of the matches that this process plays; it reads all of them."""
        self.shard_range = share
        self.health = Health()
        self._turn = asyncio.Lock()
        self._owner: asyncio.Task[Any] | None = None
        self._has_begun = False
        self._is_closed = False
        self._is_usable = True

    async def fetch(self, sql: str, *parameters: Any) -> list[Row]:
        """All rows of an answer. For a statement that writes and has `RETURNING`, use `execute`."""
        if self._owner is asyncio.current_task():
            return await self._fetch(sql, parameters)
        with self.health.watching():
            # look-ups wait their turn, too: on the shared connection they would see uncommitted rows of other tasks
            async with self._exclusively():
                return await self._fetch(sql, parameters)

    async def fetch_one(self, sql: str, *parameters: Any) -> Row | None:
        """The first row, if there is one."""
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
        """A statement that writes, in a transaction of its own if none is open. Returns what it is `RETURNING`."""
        async with self.transaction():
            await self._begin_once()
            return await self._fetch(sql, parameters)

    async def execute_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """The same statement for each of some rows of parameters."""
        # no rows, no transaction: on a server, BEGIN and COMMIT would be two round trips for nothing
        if found := list(rows):
            async with self.transaction():
                await self._begin_once()
                await self._execute_many(sql, found)

    async def require_writable(self) -> None:
        """Raise `DatabaseTrouble` if nothing can be written, by writing something.

        It is another value each time: SQLite writes nothing to its file when a row stays as it is.
        """
        await self.execute(TRY, json_of(uuid4().hex))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[None]:
        """All that is written inside is written, or nothing; joins the transaction that the task has open already.

        What has begun to be committed is, also if the task is canceled meanwhile.
        """
        if self._owner is asyncio.current_task():
            yield
            return
        with self.health.watching():
            async with self._exclusively():
                try:
                    yield
                    # read here, since `_finish` resets it
                    wrote = self._has_begun
                    if wrote:
                        await to_its_end(self._finish())
                # a canceled task, too, must not leave its transaction open for the next one
                except BaseException as error:
                    await to_its_end(self._abort(error))
                    raise
        if wrote:
            self.health.wrote()

    @asynccontextmanager
    async def _exclusively(self) -> AsyncIterator[None]:
        # before the wait for a turn: nothing may keep this process from taking the database over
        if not self._is_usable:
            raise DatabaseTrouble(TroubleKind.CLOSED, "another process has not left the database yet")
        try:
            # a timer only if there is something to wait for, which is rare
            async with asyncio.timeout(PATIENCE if self._turn.locked() else None):
                await self._turn.acquire()
        except TimeoutError:
            raise DatabaseTrouble(TroubleKind.LOCKED, "no connection in time") from None
        try:
            # checked after the wait: the database may have been closed meanwhile
            if self._is_closed:
                raise DatabaseTrouble(TroubleKind.CLOSED, "the bot is leaving")
            await self._enter()
            self._owner, self._has_begun = asyncio.current_task(), False
            yield
        finally:
            self._owner, self._has_begun = None, False
            self._turn.release()

    async def _begin_once(self) -> None:
        # begun by the first statement that writes: a transaction that only reads needs no lock and no commit
        if not self._has_begun:
            self._has_begun = True
            await self._begin()

    async def _finish(self) -> None:
        with COMMITS.time():
            await self._commit()
        # here, within what runs to its end: a task that is canceled meanwhile must not roll back what is committed
        self._has_begun = False

    @abstractmethod
    async def _enter(self) -> None:
        """Called before each transaction and look-up: connect anew if need be."""

    @abstractmethod
    async def _begin(self) -> None:
        """Called before the first statement of a transaction that writes."""

    async def _abort(self, error: BaseException) -> None:
        """Take a transaction back that `error` has ended. By default, if it wrote."""
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
    async def count_on(self, table: str) -> None:
        """Let the next row of a table have an id above all those that were written with theirs."""

    async def close(self) -> None:
        """Disconnect, once the transaction under way has ended. Later calls raise `DatabaseTrouble` (`CLOSED`)."""
        async with self._turn:
            self._is_closed = True
            await self._close()

    @abstractmethod
    async def _close(self) -> None: ...


class Repository:
    """A part of the store: what is read and written about one subject."""

    def __init__(self, database: Database) -> None:
        self._database = database


async def to_its_end(work: Coroutine[Any, Any, None]) -> None:
    """Wait for some work even if the task is canceled meanwhile; only then it is."""
    task = asyncio.ensure_future(work)
    canceled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            # unlike `await task`, this does not cancel the work when the task that waits is canceled
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            canceled = error
    # an error takes precedence: a cancellation would hide that nothing was written
    if canceled is not None and task.exception() is None:
        raise canceled
    task.result()


def placeholders(values: Collection[Any]) -> str:
    """`?, ?, ?`, for the list after `IN`. An empty list is none: `IN (NULL)` finds nothing."""
    return ", ".join("?" for _ in values) or "NULL"


def assignments(names: Iterable[str]) -> str:
    """`a = ?, b = ?`, for the list after `SET`."""
    return ", ".join(f"{name} = ?" for name in names)
