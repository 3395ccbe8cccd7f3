"""The heartbeat: when the bot last looked at its jobs, which tells whether the machine slept or its clock was set."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from bot.deadlines import board_clocks
from bot.deadlines.board_clocks import heartbeat_key, last_heartbeat
from bot.deadlines.timeouts import Timeouts
from bot.services import Services
from bot.store.clock_steps import TOLERANCE, Step
from bot.store.reminded import LONG_AGO

_log = logging.getLogger(__name__)

STORE_INTERVAL = timedelta(minutes=1)
"""Between two writes: the worker looks with everything that is due, and a write for each would be one for each move."""


class Heartbeat:
    """Stores when the bot looked last, and corrects stored times when that was long ago, or is in the future.

    After a long gap nobody's clock has run. If the clock of the machine was set back, what it wrote ahead of time is
    moved back.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._timeouts = Timeouts(services)
        self._latest = LONG_AGO

    async def look(self, now: datetime) -> None:
        """Compare the time with that of the last look; called before anything that is due is done."""
        stored = await last_heartbeat(self._services.store)
        # between two looks, other tasks may have read the clock while it was ahead
        latest = max(stored or LONG_AGO, self._latest, self._services.clock.latest)
        self._latest = now
        if latest - now > TOLERANCE:
            await self._correct(Step(now, latest - now))
            return
        if stored is not None and now - stored > board_clocks.LULL:
            for match_id in await self._services.store.clocks.running():
                await self._timeouts.shift(match_id, stored)
        if stored is None or now - stored >= STORE_INTERVAL:
            await self._store(now)

    async def _correct(self, step: Step) -> None:
        """Move back all that was written while the clock was ahead, in one transaction with the heartbeat."""
        services = self._services
        async with services.store.transaction():
            changed = await services.store.clock_steps.correct(step)
            await self._store(step.now)
        services.clock.latest = step.now
        _log.warning("the clock of this machine was set back by %s; stored times are moved back with it", step.size)
        await services.tables.read_anew(changed)
        for match_id in changed.intersection(await services.store.clocks.running()):
            await self._timeouts.show_clocks(match_id)

    async def _store(self, now: datetime) -> None:
        store = self._services.store
        await store.settings.put(*heartbeat_key(store), now.isoformat())
