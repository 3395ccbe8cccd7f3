"""Time that tests can push forward, and the ids made from it."""

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
    """An action waiting for its moment on a `Clock`."""

    due: float
    action: Callable[[], None]
    handle: asyncio.TimerHandle | None = None


class Clock:
    """Wall time plus whatever `advance` has added; timers follow it.

    The three seconds of an interaction, its fifteen minutes and the age of a message are all read here,
    so no test has to sleep. With another `rate` than 1, so many of its seconds pass in each real one.
    """

    def __init__(self, rate: float = 1.0) -> None:
        self.rate = rate
        # by the monotonic clock: a machine that sets its clock must not move the test's time
        self._start = time.time() - time.monotonic() * rate
        self.ahead = 0.0
        self._timers: set[Timer] = set()

    def now(self) -> float:
        """Seconds since 1970."""
        return self._start + time.monotonic() * self.rate + self.ahead

    def isoformat(self, moment: float | None = None) -> str:
        """A moment (default: now) as Discord writes it."""
        return datetime.fromtimestamp(self.now() if moment is None else moment, UTC).isoformat()

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass at once; timers that fall due on the way fire in their order before this returns."""
        if seconds < 0:
            raise ValueError("time does not run backwards")
        self.ahead += seconds
        # a copy: what a timer does may add others
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
        """Forget a timer; harmless when it has already fired."""
        self._timers.discard(timer)
        if timer.handle:
            timer.handle.cancel()

    def stop(self) -> None:
        """Forget every timer."""
        for timer in list(self._timers):
            self.cancel(timer)

    def _arm(self, timer: Timer) -> None:
        if timer.handle:
            timer.handle.cancel()
        # the event loop counts real seconds
        delay = max(0.0, timer.due - self.now()) / self.rate
        timer.handle = asyncio.get_running_loop().call_later(delay, self._fire, timer)

    def _fire(self, timer: Timer) -> None:
        if timer in self._timers:
            self.cancel(timer)
            timer.action()


class Snowflakes:
    """Discord's ids: milliseconds on the clock in the upper bits, strictly rising."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.last = 0

    def next(self) -> int:
        """A fresh id, larger than every earlier one."""
        # Discord: the lower 22 bits are of the worker, the process and a counter
        stamp = (int(self._clock.now() * 1000) - DISCORD_EPOCH_MS) << 22
        # several ids within one millisecond, and after a restart with an older clock
        self.last = max(stamp, self.last + 1)
        return self.last


def moment_of(snowflake: int) -> float:
    """The creation time inside an id, in seconds since 1970."""
    return ((snowflake >> 22) + DISCORD_EPOCH_MS) / 1000
