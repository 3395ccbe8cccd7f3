"""SQLite for an event loop with one trip to its thread a statement.

aiosqlite makes four of it, to open a cursor, to execute, to fetch and to close, and one more to end what was only read;
each lets two threads contend for the interpreter, and costs more than the statement.
"""

from __future__ import annotations

import sqlite3
from typing import Any

import aiosqlite

AHEAD = 1000
"""Rows that are fetched with the statement that asks for them; whoever wants more makes further trips."""


class Cursor(aiosqlite.Cursor):
    """Has the first rows once a statement is executed."""

    _ahead: list[Any]

    async def execute(self, sql: str, parameters: Any = ()) -> Cursor:
        """Execute a statement and fetch the first rows of what it returns."""
        self._ahead = await self._execute(self._fetched, sql, parameters)  # type: ignore[no-untyped-call]
        return self

    async def fetchall(self) -> list[Any]:
        """All rows that were not taken yet."""
        ahead, self._ahead = self._ahead, []
        return ahead if len(ahead) < AHEAD else [*ahead, *await super().fetchall()]

    async def fetchmany(self, size: int | None = None) -> list[Any]:
        """The next rows; none behind the last one."""
        wanted = size or self.arraysize
        ahead, self._ahead = self._ahead[:wanted], self._ahead[wanted:]
        return ahead or list(await super().fetchmany(wanted))

    async def fetchone(self) -> Any:
        """The next row, if there is one."""
        return next(iter(await self.fetchmany(1)), None)

    async def close(self) -> None:
        """Let go of what was not fetched."""
        self._cursor.close()

    def _fetched(self, sql: str, parameters: Any) -> list[Any]:
        return self._cursor.execute(sql, parameters).fetchmany(AHEAD)


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
