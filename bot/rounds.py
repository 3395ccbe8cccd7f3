"""Rounds: somebody sleeps until the earliest time that is stored, and then sees to all that has fallen due."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Generic, TypeVar

from bot.clock import Clock, Timer, growing
from bot.store.store import Store
from bot.store.trouble import DatabaseTrouble

K = TypeVar("K")

_log = logging.getLogger(__name__)

NAP, SHORTEST_NAP = 300.0, 1.0
"""Seconds between two looks. Nobody sleeps long: a machine may be suspended, or its clock set."""

AT_ONCE = 8
"""What is seen to side by side."""

GRACE = 5.0
"""Seconds for what is under way when the bot goes."""


class Round(Generic[K]):
    """Sees to what falls due, by times that stand in the store.

    `ripe` are those for whom a time has come, `earliest` when the next one comes, if any does. `serve` sees to one of
    them, and moves or forgets its time; what goes wrong with one is logged, and keeps no other waiting.
    """

    def __init__(
        self,
        clock: Clock,
        store: Store,
        ripe: Callable[[datetime], Awaitable[Sequence[K]]],
        earliest: Callable[[], Awaitable[datetime | None]],
        serve: Callable[[K], Awaitable[None]],
    ) -> None:
        self._clock = clock
        self._store = store
        self._ripe = ripe
        self._earliest = earliest
        self._serve = serve
        self._alarm: Timer | None = None
        self._looking: asyncio.Task[None] | None = None
        self._closed = False
        self._tries = 0  # since the database is in trouble

    def start(self) -> None:
        """Begin with what fell due while nobody looked."""
        self._looking = asyncio.create_task(self._go_round())

    async def close(self) -> None:
        """Finish what is under way."""
        self._closed = True
        if self._alarm is not None:
            self._alarm.cancel()
        if self._looking is not None:
            await asyncio.wait({self._looking}, timeout=GRACE)
            self._looking.cancel()

    async def _go_round(self) -> None:
        try:
            nap = await self.look_round()
            self._tries = 0
        except DatabaseTrouble:  # the log has a line about it
            nap = growing(self._tries)
            self._tries += 1
        except Exception:
            _log.exception("a round was not finished")
            nap = NAP
        if not self._closed:
            self._alarm = self._clock.later(nap, self.start)

    async def look_round(self) -> float:
        """See to all that is due, and say in how many seconds to look again. Raises `DatabaseTrouble`."""
        await self._store.require_well()  # or somebody would be told again and again what cannot be noted
        slots, ripe = asyncio.Semaphore(AT_ONCE), await self._ripe(self._clock.now())
        served = await asyncio.gather(*(self._within(slots, one) for one in ripe))
        await self._store.require_well()
        earliest = await self._earliest()
        if earliest is None or not all(served):
            return NAP
        return min(max((earliest - self._clock.now()).total_seconds(), SHORTEST_NAP), NAP)

    async def _within(self, slots: asyncio.Semaphore, one: K) -> bool:
        async with slots:
            try:
                await self._serve(one)
            except DatabaseTrouble:  # the log has a line about it
                return False
            except Exception:
                _log.exception("%s was not seen to", one)
                return False
        return True
