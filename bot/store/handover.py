"""Handover: a new process starts before its predecessor has stopped, so that no tap goes unanswered in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass


@dataclass(slots=True)
class Handover:
    """Whether a process has to wait for its predecessor, which still has the locks of the share."""

    wait: Callable[[], Awaitable[None]] | None = None

    @property
    def waits(self) -> bool:
        """Whether another process still has the database."""
        return self.wait is not None

    async def take_over(self) -> None:
        """Wait until this process has the locks of the database. Raises `StartError` if the other one does not stop."""
        if self.wait is not None:
            await self.wait()
            self.wait = None
