"""The one place where transactions begin and end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.figures import COMMITS
from bot.store.rows import Taken


class Transactions:
    """Connections to the database, each for what belongs together."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    def reading(self) -> AbstractAsyncContextManager[AsyncConnection]:
        """A connection to look something up."""
        return self._engine.connect()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: all that is written in it, or nothing. Raises `Taken` for a row that exists already."""
        try:
            with COMMITS.time():
                async with self._engine.begin() as connection:
                    yield connection
        except IntegrityError as error:
            raise Taken from error
