"""A clock of the bot that can be moved ahead: the launcher installs it, the page's *1 hour later* moves it."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

from playground.clock import Clock, Timer

STEP = 1200.0
"""Seconds that pass at once: a bot may take a longer jump for a machine that was asleep."""


@dataclass(frozen=True, slots=True)
class _Handle:
    """A timer as a bot knows it: one that can be canceled."""

    clock: Clock
    timer: Timer

    def cancel(self) -> None:
        self.clock.cancel(self.timer)


class TravelClock:
    """Wall time plus the seconds that were passed so far; pending timers follow each jump."""

    def __init__(self, ahead: float) -> None:
        self._clock = Clock()
        self._clock.advance(ahead)
        self._loop: asyncio.AbstractEventLoop | None = None

    def install(self, package: str) -> None:
        """Let the class `Clock` of the module `clock` of a package go by this clock; without one, nothing happens."""
        if not _has_clock(package):
            return
        # by name: the playground imports no bot, and runs any
        bot_clock: Any = importlib.import_module(f"{package}.clock").Clock
        bot_clock.now = lambda _: datetime.fromtimestamp(self._clock.now(), UTC)
        bot_clock.later = lambda _, seconds, do: self._later(seconds, do)
        bot_clock.sleep = lambda _, seconds: self._sleep(seconds)

    def advance(self, seconds: float) -> None:
        """Let `seconds` pass at once; safe to call from another thread than the event loop's."""
        if self._loop is None or self._loop.is_closed():
            self._clock.advance(seconds)
        else:
            self._loop.call_soon_threadsafe(self._clock.advance, seconds)

    def _later(self, seconds: float, do: Callable[[], None]) -> _Handle:
        self._loop = asyncio.get_running_loop()
        return _Handle(self._clock, self._clock.call_later(seconds, do))

    async def _sleep(self, seconds: float) -> None:
        over = asyncio.Event()
        handle = self._later(seconds, over.set)
        try:
            await over.wait()
        finally:
            handle.cancel()


def _has_clock(package: str) -> bool:
    # the parent first, and only if it is a package: a module would be run by looking for something in it
    spec = find_spec(package)
    return spec is not None and spec.submodule_search_locations is not None and bool(find_spec(f"{package}.clock"))
