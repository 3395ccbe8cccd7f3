"""The heartbeat: the time of the last check for due jobs. It shows whether the machine slept or its clock was set."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from bot.features.deadlines import board_clocks
from bot.features.deadlines.board_clocks import heartbeat_key, last_heartbeat
from bot.features.deadlines.timeouts import Timeouts
from bot.features.services import Services
from bot.interactions.clock_check import MAX_OFFSET
from bot.store.clock_steps import TOLERANCE, Step
from bot.store.reminded import LONG_AGO

_log = logging.getLogger(__name__)

STORE_INTERVAL = timedelta(minutes=1)
"""Between two writes: the worker checks with each due job, and a write for each check would be one for each move."""


class Heartbeat:
    """Stores the time of the last check, and corrects stored times if that is long ago or in the future.

    After a long gap no player's clock has run. If the clock of the machine was ahead and was set back, what it wrote
    moves back with it. If it was right and is behind now, stored times stay: it will be set forward again.
    """

    def __init__(self, services: Services, offset: Callable[[], timedelta | None]) -> None:
        """`offset` returns the lead of the machine's clock over Discord's, or `None` while that is unknown."""
        self._services = services
        self._offset = offset
        self._timeouts = Timeouts(services)
        self._latest = LONG_AGO
        self._is_behind = False

    async def check(self, now: datetime) -> None:
        """Compare the time with that of the last check; called before any due job runs."""
        stored = await last_heartbeat(self._services.store)
        # between two checks, other tasks may have read the clock while it was ahead
        latest = max(stored or LONG_AGO, self._latest, self._services.clock.latest)
        if latest - now > TOLERANCE:
            await self._handle_set_back(Step(now, latest - now))
            return
        self._latest, self._is_behind = now, False
        if stored is not None and now - stored > board_clocks.MAX_GAP:
            for match_id in await self._services.store.clocks.running():
                await self._timeouts.skip_gap(match_id, stored)
        if stored is None or now - stored >= STORE_INTERVAL:
            await self._store(now)

    async def _handle_set_back(self, step: Step) -> None:
        offset = self._offset()
        if offset is None or offset >= -MAX_OFFSET:
            await self._correct(step)
        elif not self._is_behind:
            self._is_behind = True
            _log.warning("the clock of this machine was set back by %s, and is wrong now; stored times stay", step.size)

    async def _correct(self, step: Step) -> None:
        """Move back all times written while the clock was ahead, in one transaction with the heartbeat."""
        services, self._latest = self._services, step.now
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
