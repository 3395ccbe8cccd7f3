"""A bot clock that can be advanced: installed by the launcher, moved by the page's *1 hour later*."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

from playground.clock import Clock, Timer

MAX_STEP = 1200.0
"""Maximum step in seconds: a bot may mistake a longer jump for a suspended machine."""


@dataclass(frozen=True, slots=True)
class _Handle:
    """A cancelable timer with the interface that the bot expects."""

    clock: Clock
    timer: Timer

    def cancel(self) -> None:
        self.clock.cancel(self.timer)


class TravelClock:
    """Wall time plus the total of all `advance` calls. Pending timers follow each jump."""

    def __init__(self, ahead: float) -> None:
        self._clock = Clock()
        self._clock.advance(ahead)
        self._loop: asyncio.AbstractEventLoop | None = None

    def install(self, package: str) -> None:
        """Make a package's `clock.Clock` follow this clock, if the package has one."""
        if not _has_clock(package):
            return
        # By name, since the playground imports no bot and can run any.
        bot_clock: Any = importlib.import_module(f"{package}.clock").Clock
        bot_clock.now = lambda _: datetime.fromtimestamp(self._clock.now(), UTC)
        bot_clock.later = lambda _, seconds, do: self._later(seconds, do)
        bot_clock.sleep = lambda _, seconds: self._sleep(seconds)

    def advance(self, seconds: float) -> None:
        """Advance by `seconds`. Safe to call from threads other than the event loop's."""
        if self._loop is None or self._loop.is_closed():
            self._clock.advance(seconds)
        else:
            self._loop.call_soon_threadsafe(self._clock.advance, seconds)

    def _later(self, seconds: float, do: Callable[[], None]) -> _Handle:
        self._loop = asyncio.get_running_loop()
        return _Handle(self._clock, self._clock.call_later(seconds, do))

    async def _sleep(self, seconds: float) -> None:
        done = asyncio.Event()
        handle = self._later(seconds, done.set)
        try:
            await done.wait()
        finally:
            handle.cancel()


def _has_clock(package: str) -> bool:
    # Check the parent first, and only if it is a package: looking inside a module would execute it.
    spec = find_spec(package)
    return spec is not None and spec.submodule_search_locations is not None and bool(find_spec(f"{package}.clock"))
