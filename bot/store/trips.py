"""SQLite for an event loop: one connection in a thread, and a trip there for each transaction.

With aiosqlite alone a statement takes four, to open a cursor, to execute, to fetch and to close, and each lets two
threads contend for the interpreter and costs more than the statement. On a trip nothing has to be awaited: SQLAlchemy
works there with the driver of the standard library, without its own way of waiting in the midst of a function.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import aiosqlite
import sqlalchemy
from sqlalchemy import Dialect, Executable, ScalarResult
from sqlalchemy.exc import TimeoutError as NoConnection

from bot.store.connections import Connection, Rows, T, Work

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncResult

PATIENCE = 30.0
"""Seconds that somebody waits for those before him."""


class Unbroken(asyncio.Future[T]):
    """What whoever waits for it waits for to the end: if he is broken off meanwhile, he leaves then."""

    def cancel(self, msg: Any | None = None) -> bool:
        """Called when whoever waits is broken off."""
        return False


class Thread(aiosqlite.Connection):
    """Has a connection of SQLAlchemy in the place of a driver's; both can be closed."""

    behind: sqlalchemy.Connection

    def __init__(self, engine: sqlalchemy.Engine) -> None:
        super().__init__(partial(self._open, engine), 0)
        self._thread.daemon = True  # nothing waits for it at the end

    def _open(self, engine: sqlalchemy.Engine) -> Any:
        self.behind = engine.connect()
        return self.behind

    async def carry_out(self, do: Callable[[], T]) -> T:
        """Do something there. Whoever is broken off meanwhile stays until it is done: nobody else may come between."""
        if not self._running:
            raise ValueError("the connection is closed")
        trip: Unbroken[T] = Unbroken()
        self._tx.put_nowait((trip, do))
        return await trip


class FileConnection:
    """The one to a file. What it is asked it does at once, wherever that is: on a trip in its thread.

    Elsewhere the event loop would wait for it, as at the start, when there is nothing else to do.
    """

    def __init__(self, thread: Thread) -> None:
        self.thread = thread
        self._behind = thread.behind

    async def carry_out(self, work: Work[T]) -> T:
        """A trip: do some work in the thread."""
        return await self.thread.carry_out(partial(self._finished, work))

    def _finished(self, work: Work[T]) -> T:
        try:
            work(self).send(None)
        except StopIteration as done:
            result: T = done.value
            return result
        raise RuntimeError("work in a thread waits for something")

    def take_back(self) -> None:
        """End a transaction, if there is one. After a commit that failed SQLAlchemy knows of none, and SQLite may."""
        if not self._behind.closed:
            self._behind.rollback()
            self._behind.connection.rollback()

    @property
    def dialect(self) -> Dialect:
        """Which SQL it understands."""
        return self._behind.dialect

    async def execute(self, statement: Executable, parameters: Any = None) -> Rows:
        """Carry out a statement."""
        return self._behind.execute(statement, parameters)

    async def scalar(self, statement: Executable, parameters: Any = None) -> Any:
        """The first value that a statement finds, if any."""
        return self._behind.scalar(statement, parameters)

    async def scalars(self, statement: Executable, parameters: Any = None) -> ScalarResult[Any]:
        """The first value of each row."""
        return self._behind.scalars(statement, parameters)

    @asynccontextmanager
    async def stream(self, statement: Executable) -> AsyncIterator[AsyncResult[*tuple[Any, ...]]]:
        """Rows that are too many to have them all in memory."""
        from sqlalchemy.ext.asyncio import AsyncResult  # slow to load, and the bot itself has no use for it

        yield AsyncResult(self._behind.execute(statement))

    async def exec_driver_sql(self, statement: str, parameters: Any = None) -> Rows:
        """Carry out a statement in the words of the driver."""
        return self._behind.exec_driver_sql(statement, parameters)

    async def run_sync(self, do: Callable[[sqlalchemy.Connection], T]) -> T:
        """Do something that knows nothing of event loops."""
        return do(self._behind)

    async def commit(self) -> None:
        """End the transaction: all of it is written."""
        self._behind.commit()

    async def rollback(self) -> None:
        """End it, if there is one: nothing is written."""
        self.take_back()


class FileEngine:
    """A file of SQLite. It has one connection: there is a single writer anyway, and readers see what was written."""

    def __init__(self, sync_engine: sqlalchemy.Engine) -> None:
        self.sync_engine = sync_engine
        self._turns = asyncio.Lock()
        self._connection: FileConnection | None = None

    @property
    def dialect(self) -> Dialect:
        """Which SQL it understands."""
        return self.sync_engine.dialect

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[FileConnection]:
        """The connection, for one after the other; what was not committed at the end is taken back.

        Raises:
            NoConnection: those before have it for too long.
        """
        await self._come_to_turn()
        try:
            connection = self._connection = self._connection or await self._opened()
            try:
                yield connection
            finally:
                connection.take_back()
        finally:
            self._turns.release()

    async def _opened(self) -> FileConnection:
        await (thread := Thread(self.sync_engine))
        return FileConnection(thread)

    async def _come_to_turn(self) -> None:
        try:
            async with asyncio.timeout(PATIENCE if self._turns.locked() else None):  # most need no clock
                await self._turns.acquire()
        except TimeoutError:
            raise NoConnection("others have the connection") from None

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[FileConnection]:
        """The connection; what was done with it is committed at the end, unless something goes wrong."""
        async with self.connect() as connection:
            yield connection
            await connection.commit()

    async def dispose(self) -> None:
        """Close it, once those before have done with it. Whoever comes later all the same opens it anew."""
        async with self._turns:
            if self._connection is not None:
                await self._connection.thread.close()
                self._connection = None


async def in_one_trip(connection: Connection, work: Work[T]) -> T:
    """Do some work with a connection: in the thread of one to a file, or as it is with a server."""
    return await (connection.carry_out(work) if isinstance(connection, FileConnection) else work(connection))
