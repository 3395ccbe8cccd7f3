"""The one place where transactions begin and end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from bot.figures import COMMITS
from bot.store.files import rescue
from bot.store.rows import Taken
from bot.store.trouble import DatabaseTrouble, Health, Kind


class Transactions:
    """Connections to the database, each for what belongs together. Both kinds raise `DatabaseTrouble`."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.health = Health()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection to look something up."""
        with self.health.watching():
            async with self._engine.connect() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A transaction: all that is written in it, or nothing. Raises `Taken` for a row that exists already."""
        try:
            with COMMITS.time(), self.health.watching():
                async with self._engine.begin() as connection:
                    yield connection
        except IntegrityError as error:
            raise Taken from error
        except DatabaseTrouble as trouble:
            if trouble.kind is Kind.GONE:
                await rescue(self._engine)
            raise
        self.health.wrote()
