"""Wait for conditions without polling."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

HANG = 60.0
"""Timeout for a hang, in seconds. No test result may depend on it."""


class Notifier:
    """Wakes waiting tasks after every change, so that they check their conditions again."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Wake all waiting tasks after a change."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        self._waiting.clear()

    async def until(self, look: Callable[[], T | None], patience: float | None = HANG) -> T:
        """Wait for a result of `look` other than None and False. Raises TimeoutError after `patience` seconds."""
        async with asyncio.timeout(patience):
            while True:
                result = look()
                if result is not None and result is not False:
                    return result
                # No await between the check and this line, so no change can be missed.
                future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
                self._waiting.add(future)
                try:
                    await future
                finally:
                    self._waiting.discard(future)
