"""A clock that tests can advance, and the snowflake ids based on it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

# the first second of 2015: https://discord.com/developers/docs/reference#snowflakes
DISCORD_EPOCH_MS = 1_420_070_400_000


@dataclass(eq=False)
class Timer:
    """A scheduled action on a `Clock`."""

    due: float
    action: Callable[[], None]
    handle: asyncio.TimerHandle | None = None


class Clock:
    """Wall time plus the total of all `advance` calls. Timers follow it.

    Interaction deadlines (3 seconds, 15 minutes) and the age of messages use this clock, so no test has to sleep.
    `rate` is the number of its seconds per real second.
    """

    def __init__(self, rate: float = 1.0) -> None:
        self.rate = rate
        # Based on the monotonic clock, so that changes of the system time do not affect tests.
        self._start = time.time() - time.monotonic() * rate
        self.ahead = 0.0
        self._timers: set[Timer] = set()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._start + time.monotonic() * self.rate + self.ahead

    def isoformat(self, moment: float | None = None) -> str:
        """Format a moment (default: now) as Discord does."""
        return datetime.fromtimestamp(self.now() if moment is None else moment, UTC).isoformat()

    def advance(self, seconds: float) -> None:
        """Jump ahead by `seconds`. Timers due in between fire in order before this returns."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self.ahead += seconds
        # a copy, since an action may add timers
        for timer in sorted(self._timers, key=lambda timer: timer.due):
            if timer.due <= self.now():
                self._fire(timer)
            else:
                self._arm(timer)

    def call_later(self, delay: float, action: Callable[[], None]) -> Timer:
        """Run `action` once, `delay` seconds from now on this clock."""
        timer = Timer(self.now() + delay, action)
        self._timers.add(timer)
        self._arm(timer)
        return timer

    def cancel(self, timer: Timer) -> None:
        """Cancel a timer. Does nothing if it has already fired."""
        self._timers.discard(timer)
        if timer.handle:
            timer.handle.cancel()

    def stop(self) -> None:
        """Cancel all timers."""
        for timer in list(self._timers):
            self.cancel(timer)

    def _arm(self, timer: Timer) -> None:
        if timer.handle:
            timer.handle.cancel()
        # The event loop counts real seconds.
        delay = max(0.0, timer.due - self.now()) / self.rate
        timer.handle = asyncio.get_running_loop().call_later(delay, self._fire, timer)

    def _fire(self, timer: Timer) -> None:
        if timer in self._timers:
            self.cancel(timer)
            timer.action()


class Snowflakes:
    """Discord's ids: milliseconds on the clock in the upper bits, strictly increasing."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.last = 0

    def next(self) -> int:
        """A new id, larger than all earlier ones."""
        # In Discord's ids, the lower 22 bits identify the worker, the process and a counter.
        stamp = (int(self._clock.now() * 1000) - DISCORD_EPOCH_MS) << 22
        # Several ids may fall into one millisecond, and after a restart the clock may be behind.
        self.last = max(stamp, self.last + 1)
        return self.last


def moment_of(snowflake: int) -> float:
    """The creation time of an id, in seconds since 1970."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000
