"""The time, as the bot knows it. Nothing else reads a clock or waits, so that tests can turn the time forward.

Time limits for requests to Discord are not kept here, but in `bot.interactions.requests`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol

SHORTEST, LONGEST = 5.0, 300.0
"""Seconds until what did not succeed is tried again: they double from the one to the other."""


def backoff(failed: int, longest: float = 0.0) -> float:
    """Seconds to wait when so many attempts failed before; they double up to `longest`, by default `LONGEST`."""
    # at most 16: a job may fail forever, and 2.0 ** 1024 is an `OverflowError`
    return min(SHORTEST * 2.0 ** min(failed, 16), longest or LONGEST)


class Timer(Protocol):
    """Something that will be done later, unless it is canceled."""

    def cancel(self) -> None:
        """Do not do it."""


class Clock:
    """The clock of the machine. `latest` is the latest time that it has shown, until that is reset."""

    latest = datetime.min.replace(tzinfo=UTC)

    def now(self) -> datetime:
        """The time, in UTC."""
        now = datetime.now(UTC)
        self.latest = max(self.latest, now)
        return now

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)

    def later(self, seconds: float, do: Callable[[], None]) -> Timer:
        """Do something after some seconds."""
        return asyncio.get_running_loop().call_later(seconds, do)
