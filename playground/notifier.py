"""Waiting without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

HANG = 60.0
"""Seconds after which something has certainly gone wrong: a bound for waiting, never what decides."""


class Notifier:
    """Notified after every change; those who wait check their condition again."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Something changed."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, look: Callable[[], T | None], patience: float | None = HANG) -> T:
        """The first result of `look` that is neither None nor False; raises TimeoutError after `patience` seconds."""
        async with asyncio.timeout(patience):
            while True:
                found = look()
                if found is not None and found is not False:
                    return found
                # no await between the look and this line, so no change can slip through unnoticed
                future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.add(future)
                try:
                    await future
                finally:
                    self._waiting.discard(future)
