"""The matches in which the bot itself has something to do, so that after a start no other has to be looked at.

A computer thinks there, or a seat or a standing answer was given and what follows from it is not played yet.
"""

from __future__ import annotations

from bot.store.database import Database
from bot.store.settings import Settings

GOES_ON = ("match", "goes on")
"""Scope and name of the value that such a match has."""


class Going:
    """Where the bot has something to do."""

    def __init__(self, database: Database) -> None:
        self._settings = Settings(database)

    async def note(self, match_id: int, *, goes_on: bool = True) -> None:
        """Note that the bot has something to do in a match, or that it has not."""
        scope, name = GOES_ON
        if goes_on:
            await self._settings.put(scope, match_id, name, True)
        else:
            await self._settings.drop(scope, match_id, name)
