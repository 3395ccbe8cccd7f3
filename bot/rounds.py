"""Those who go their rounds: they sleep until something falls due, look after it, and sleep again."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Collection
from datetime import datetime

from bot.clock import Clock
from bot.clock import Timer as Alarm

_log = logging.getLogger(__name__)

NAP, SHORTEST_NAP = 300.0, 1.0
"""Seconds between two looks at what is due. Nobody sleeps long: a machine may be suspended, or its clock set."""

AT_ONCE = 8
"""Users who are served side by side."""

GRACE = 5.0
"""Seconds for what is under way when the bot goes."""


class Rounds(ABC):
    """Serves users when something of theirs, noted in the store, falls due."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._alarm: Alarm | None = None
        self._round: asyncio.Task[None] | None = None
        self._closed = False

    @abstractmethod
    async def ripe(self, now: datetime) -> Collection[int]:
        """The users for whom something has fallen due."""

    @abstractmethod
    async def earliest(self) -> datetime | None:
        """When the next thing falls due."""

    @abstractmethod
    async def serve(self, user_id: int) -> None:
        """Look after what has fallen due for a user, and note when to look again."""

    def start(self) -> None:
        """Begin with what fell due while nobody looked."""
        self._round = asyncio.create_task(self._go_round())

    async def close(self) -> None:
        """Finish what is under way."""
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._round is not None:
            await asyncio.wait({self._round}, timeout=GRACE)
            self._round.cancel()

    async def _go_round(self) -> None:
        try:
            nap = await self.look_round()
        except Exception:
            _log.exception("nobody was served")
            nap = NAP
        if not self._closed:
            self._alarm = self._clock.later(nap, self.start)

    async def look_round(self) -> float:
        """Serve whoever is due, and say in how many seconds to look again."""
        slots, users = asyncio.Semaphore(AT_ONCE), await self.ripe(self._clock.now())
        served = await asyncio.gather(*(self._within(slots, user_id) for user_id in users))
        earliest = await self.earliest()
        if earliest is None or not all(served):
            return NAP
        return min(max((earliest - self._clock.now()).total_seconds(), SHORTEST_NAP), NAP)

    async def _within(self, slots: asyncio.Semaphore, user_id: int) -> bool:
        """Serve one of several users; what goes wrong with one must not keep the others waiting."""
        async with slots:
            try:
                await self.serve(user_id)
            except Exception:
                _log.exception("user %d could not be served", user_id)
                return False
        return True
