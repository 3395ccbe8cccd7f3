"""SQLite for an event loop with one trip to its thread a statement.

aiosqlite makes four of it, to open a cursor, to execute, to fetch and to close, and one more to end what was only read;
each lets two threads contend for the interpreter, and costs more than the statement.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

import aiosqlite


class Cursor(aiosqlite.Cursor):
    """Has all rows once a statement is executed."""

    _rows: Sequence[sqlite3.Row] = ()

    async def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Execute a statement and fetch what it returns."""
        self._rows = await self._execute(self._fetched, sql, parameters)  # type: ignore[no-untyped-call]
        return self

    async def fetchall(self) -> Sequence[sqlite3.Row]:
        """All rows."""
        return self._rows

    async def close(self) -> None:
        """Let go of what is fetched already."""
        self._cursor.close()

    def _fetched(self, sql: str, parameters: Any) -> Sequence[sqlite3.Row]:
        self._cursor.execute(sql, parameters)
        return self._cursor.fetchall() if self._cursor.description else ()


class Connection(aiosqlite.Connection):
    """One that SQLAlchemy uses."""

    def cursor(self) -> Cursor:  # type: ignore[override]  # nothing has to be awaited for it
        """A cursor, without a trip."""
        return Cursor(self, self._conn.cursor())

    async def rollback(self) -> None:
        """Take back what was written, if anything was."""
        if self.in_transaction:
            await super().rollback()


def connect(database: str, **options: Any) -> Connection:
    """A connection to be awaited, in place of that of `aiosqlite.connect`."""
    connection = Connection(lambda: sqlite3.connect(database, **options), 64)
    connection._thread.daemon = True  # as SQLAlchemy has it: nothing waits for it at the end
    return connection
