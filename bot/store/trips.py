"""SQLite for an event loop with one trip to its thread a transaction.

aiosqlite makes four of a statement, to open a cursor, to execute, to fetch and to close, and each lets two threads
contend for the interpreter and costs more than the statement. On a trip nothing has to be awaited: SQLAlchemy works
there with the driver of the standard library, without its own way of waiting in the midst of a function.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from threading import current_thread
from typing import Any, TypeAlias, TypeVar

import aiosqlite
import sqlalchemy
from sqlalchemy import CursorResult, Executable
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection, AsyncAdapt_aiosqlite_dbapi
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.util import await_only

T = TypeVar("T")
Work: TypeAlias = Callable[[AsyncConnection], Coroutine[Any, Any, T]]
"""Statements that belong together; they wait for nothing but the database."""


class Unbroken(asyncio.Future[T]):
    """What whoever waits for it waits for to the end: if he is broken off meanwhile, he leaves then."""

    def cancel(self, msg: Any | None = None) -> bool:
        """Called when whoever waits is broken off."""
        return False


class Connection(aiosqlite.Connection):
    """One whose thread can do more than a single thing a trip."""

    @property
    def on_a_trip(self) -> bool:
        """Whether this is asked in its thread."""
        return current_thread() is self._thread

    async def carry_out(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work there. Whoever is broken off meanwhile stays until it is done: nobody else may come between."""
        if not self._running:
            work.close()
            raise ValueError("the connection is closed")
        trip: Unbroken[T] = Unbroken()
        self._tx.put_nowait((trip, partial(self._finished, work)))
        return await trip

    def _finished(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of work that nowhere has to wait; a transaction that it has not ended is taken back."""
        try:
            work.send(None)
        except StopIteration as done:
            result: T = done.value
            return result
        finally:
            self._conn.rollback()
        raise RuntimeError("work in a thread waits for something")


class _Adapted(AsyncAdapt_aiosqlite_connection):
    """What SQLAlchemy has of a `Connection`: on a trip the very one of `sqlite3`."""

    __slots__ = ()
    _connection: Any
    """A `Connection`."""

    def cursor(self, server_side: bool = False) -> Any:
        return self._connection._conn.cursor() if self._connection.on_a_trip else super().cursor(server_side)

    def commit(self) -> None:
        self._connection._conn.commit() if self._connection.on_a_trip else super().commit()

    def rollback(self) -> None:
        self._connection._conn.rollback() if self._connection.on_a_trip else super().rollback()


class Driver(AsyncAdapt_aiosqlite_dbapi):
    """Makes such connections."""

    def __init__(self) -> None:
        super().__init__(aiosqlite, sqlite3)

    def connect(self, database: str, **options: Any) -> _Adapted:
        connection = Connection(lambda: sqlite3.connect(database, **options), 64)
        connection._thread.daemon = True  # as SQLAlchemy has it: nothing waits for it at the end
        opened: Any = await_only(connection)
        return _Adapted(self, opened)


class _Direct(AsyncConnection):
    """A connection on a trip: whatever it is asked is done at once."""

    __slots__ = ()

    async def execute(self, statement: Executable, parameters: Any = None, **options: Any) -> CursorResult[Any]:
        return _behind(self).execute(statement, parameters, **options)

    async def exec_driver_sql(self, statement: str, parameters: Any = None, *options: Any) -> CursorResult[Any]:
        return _behind(self).exec_driver_sql(statement, parameters, *options)

    async def commit(self) -> None:
        _behind(self).commit()

    async def rollback(self) -> None:
        _behind(self).rollback()


@asynccontextmanager
async def connected(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection. One to SQLite is given back without a task of its own, for there is nothing to wait for."""
    connection = await engine.connect()
    at_once = has_thread(connection)  # a broken one could not tell any more
    try:
        yield connection
    finally:
        await (connection.close() if at_once else connection.__aexit__(None, None, None))


async def in_one_trip(connection: AsyncConnection, work: Work[T]) -> T:
    """Do some work with a connection: in the thread of one to SQLite, or as it is with a server."""
    if isinstance(driver := _driver(connection), Connection):
        return await driver.carry_out(work(_Direct(connection.engine, _behind(connection))))
    return await work(connection)


def has_thread(connection: AsyncConnection) -> bool:
    """Whether this is the one connection to SQLite."""
    return isinstance(_driver(connection), Connection)


def _driver(connection: AsyncConnection) -> Any:
    return _behind(connection).connection.driver_connection


def _behind(connection: AsyncConnection) -> sqlalchemy.Connection:
    """The connection that one to be awaited stands for."""
    assert connection.sync_connection is not None, "it is open"
    return connection.sync_connection
