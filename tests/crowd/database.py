"""An in-memory database without a thread of its own, since switching threads would take longer than the queries."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from typing import Any

from bot.store.database import Database, Row
from bot.store.migrate import migrate
from bot.store.sqlite import SQLite, translate_errors

BLANK: list[bytes] = []
"""The content of an empty database, once there is one."""


class InMemory(Database):
    """SQLite on the caller's thread; simulated processes use the same connection one after another."""

    identity = SQLite.identity

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self.connection = connection

    async def _enter(self) -> None:
        """Do nothing: the connection is open already."""

    async def _begin(self) -> None:
        """Do nothing: `sqlite3` begins transactions implicitly."""

    async def advance_ids(self, table: str) -> None:
        """Do nothing: SQLite always continues above the largest id."""

    async def _fetch(self, sql: str, parameters: Sequence[Any]) -> list[Row]:
        with translate_errors(sql):
            return self.connection.execute(sql, parameters).fetchall()

    async def _execute_many(self, sql: str, rows: Sequence[Sequence[Any]]) -> None:
        with translate_errors(sql):
            self.connection.executemany(sql, rows)

    async def _commit(self) -> None:
        self.connection.commit()

    async def _rollback(self) -> None:
        self.connection.rollback()

    async def table_names(self) -> set[str]:
        return set(await self.fetch_column("SELECT name FROM sqlite_master WHERE type = 'table'"))

    async def _close(self) -> None:
        self.connection.close()


@asynccontextmanager
async def in_memory() -> AsyncIterator[InMemory]:
    """An empty database with the current schema."""
    # closed after a simulated kill, too: since Python 3.13, a connection that is left open warns when it is collected
    with closing(sqlite3.connect(":memory:", cached_statements=256)) as connection:
        connection.deserialize(await _migrated())
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA foreign_keys = ON")
        database = InMemory(connection)
        yield database
        await database.close()


async def _migrated() -> bytes:
    """The content of an empty database. Creating all tables takes thirty times as long as copying them."""
    if not BLANK:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.row_factory = sqlite3.Row
            await migrate(InMemory(connection), "memory")
            BLANK.append(connection.serialize())
    return BLANK[0]
