"""Lulls: times in which the machine slept or was switched off, or its clock was set. They count for nobody."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.courtyard import Courtyard
from bot.pace import clocks
from bot.pace.clocks import last_look, looked_of
from bot.pace.ladder import Ladder

NOTED_EVERY = timedelta(minutes=1)


class Lull:
    """Notes when clocks were last looked after, and takes lulls out of them."""

    def __init__(self, court: Courtyard) -> None:
        self._court = court
        self._ladder = Ladder(court)

    async def look(self, now: datetime) -> None:
        """See whether there was a lull up to now; before any clock is looked after."""
        running = await self._court.store.clocks.running()
        looked = await last_look(self._court.store) if running else None
        if looked is not None and now < looked:  # noted first: done twice, it would count what has not passed
            await self._note(now)
        if looked is not None and abs(now - looked) > clocks.LULL:
            for match_id in running:
                await self._ladder.shift(match_id, looked)
        if running and (looked is None or now - looked >= NOTED_EVERY):
            await self._note(now)

    async def _note(self, now: datetime) -> None:
        store = self._court.store
        await store.settings.put(*looked_of(store), now.isoformat())
