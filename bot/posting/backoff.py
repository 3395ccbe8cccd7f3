"""The pauses between tries of what Discord does not take: they grow, and end as soon as any request succeeds."""

from __future__ import annotations

import asyncio

from bot.clock import SHORTEST, Clock, growing
from bot.posting.channels import Channels


class Backoff:
    """Pauses of those who try again by themselves."""

    def __init__(self, channels: Channels, clock: Clock) -> None:
        self._clock = clock
        self._waiting: set[asyncio.Event] = set()
        channels.on_success.append(self._wake)

    async def pause(self, tries: int) -> None:
        """Wait after so many tries more than one; for some seconds in any case, then until a request succeeds."""
        await self._clock.sleep(SHORTEST)
        over = asyncio.Event()
        self._waiting.add(over)
        timer = self._clock.later(growing(tries) - SHORTEST, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()
            self._waiting.discard(over)

    def _wake(self) -> None:
        for over in self._waiting:
            over.set()
