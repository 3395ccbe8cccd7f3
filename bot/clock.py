"""The clock of the bot. All other modules read the time and wait by it, so that tests can advance the time.

Only `bot.interactions.requests` has timeouts of its own, for requests to Discord.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

MIN_PAUSE, MAX_PAUSE = 5.0, 300.0
"""Seconds until the next attempt after a failure: they double from the shortest to the longest."""


def backoff(failed: int) -> float:
    """Seconds to wait after a failure, with `failed` failures before it; they double up to `MAX_PAUSE`."""
    # at most 16: a job may fail forever, and 2.0 ** 1024 is an `OverflowError`
    return min(MIN_PAUSE * 2.0 ** min(failed, 16), MAX_PAUSE)


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock:
    """The clock of the machine. `latest` is the latest time that it has shown, until that is reset."""

    latest = datetime.min.replace(tzinfo=UTC)

    def now(self) -> datetime:
        """The time, in UTC."""
        now = datetime.now(UTC)
        self.latest = max(self.latest, now)
        return now

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)

    def later(self, seconds: float, do: Callable[[], None]) -> Timer:
        """Schedule a call after some seconds."""
        return asyncio.get_running_loop().call_later(seconds, do)
