"""SQLite for an event loop with one trip to its thread a transaction.

aiosqlite makes four of a statement, to open a cursor, to execute, to fetch and to close, and each lets two threads
contend for the interpreter and costs more than the statement.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine
from threading import current_thread
from typing import Any, TypeAlias, TypeVar

import aiosqlite
from sqlalchemy.ext.asyncio import AsyncConnection

T = TypeVar("T")
Work: TypeAlias = Callable[[AsyncConnection], Coroutine[Any, Any, T]]
"""Statements that belong together; they wait for nothing but the database."""


class Connection(aiosqlite.Connection):
    """One whose thread can do more than a single thing a trip."""

    async def carry_out(self, work: Coroutine[Any, Any, T]) -> T:
        """Do some work there. Whoever is broken off meanwhile stays until it is done: nobody else may come between."""
        trip, broken_off = asyncio.ensure_future(self._execute(self._finished, work)), None
        while not trip.done():
            try:
                await asyncio.wait({trip})
            except asyncio.CancelledError as error:
                broken_off = error
        if broken_off is not None:
            trip.exception()
            raise broken_off
        result: T = trip.result()
        return result

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

    async def _execute(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        if current_thread() is self._thread:  # in the midst of a trip
            return fn(*args, **kwargs)
        return await super()._execute(fn, *args, **kwargs)  # type: ignore[no-untyped-call]


async def in_one_trip(connection: AsyncConnection, work: Work[T]) -> T:
    """Do some work with a connection: in the thread of one to SQLite, or as it is with a server."""
    driver = (await connection.get_raw_connection()).driver_connection
    if isinstance(driver, Connection):
        return await driver.carry_out(work(connection))
    return await work(connection)


def connect(database: str, **options: Any) -> Connection:
    """A connection to be awaited, in place of that of `aiosqlite.connect`."""
    connection = Connection(lambda: sqlite3.connect(database, **options), 64)
    connection._thread.daemon = True  # as SQLAlchemy has it: nothing waits for it at the end
    return connection
