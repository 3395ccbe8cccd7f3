"""A database in memory that answers at once: no thread of its own, which would take longer than the answers."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiosqlite
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.store import schema


class _Direct(aiosqlite.Connection):
    """A connection that does everything where it is asked."""

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return fn(*args, **kwargs)

    async def _connect(self) -> _Direct:
        self._connection = self._connector()
        return self

    def stop(self) -> asyncio.Future[Any] | None:
        """No thread has to be stopped."""
        return None


async def _connected(*_: Any, **__: Any) -> _Direct:
    return await _Direct(lambda: sqlite3.connect(":memory:"), 64)._connect()


@asynccontextmanager
async def in_memory() -> AsyncIterator[AsyncEngine]:
    """A new database with all tables."""
    engine = create_async_engine(
        "sqlite+aiosqlite://", async_creator=_connected, poolclass=AsyncAdaptedQueuePool, pool_size=1, max_overflow=0
    )
    async with engine.begin() as connection:
        await connection.run_sync(schema.metadata.create_all)
    yield engine
    await engine.dispose()
