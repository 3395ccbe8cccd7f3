"""Lulls: times in which the machine slept or was switched off, or its clock was set. They count for nobody."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.deadlines import board_clocks
from bot.deadlines.board_clocks import last_look, looked_of
from bot.deadlines.timeouts import Timeouts
from bot.services import Services

# there is a look with whatever is due; a write for each of them would be one for every move
NOTED_EVERY = timedelta(minutes=1)


class Lull:
    """Notes when clocks were last looked after, and takes lulls out of them."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._timeouts = Timeouts(services)

    async def look(self, now: datetime) -> None:
        """See whether there was a lull up to now; before any clock is looked after."""
        running = await self._services.store.clocks.running()
        looked = await last_look(self._services.store) if running else None
        if looked is not None and now < looked:  # set back; noted first, so that a crash repeats nothing
            await self._note(now)
        if looked is not None and abs(now - looked) > board_clocks.LULL:
            for match_id in running:
                await self._timeouts.shift(match_id, looked)
        if running and (looked is None or now - looked >= NOTED_EVERY):
            await self._note(now)

    async def _note(self, now: datetime) -> None:
        store = self._services.store
        await store.settings.put(*looked_of(store), now.isoformat())
