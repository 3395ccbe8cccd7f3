"""Starting before the process to be replaced has stopped, so that no tap goes unanswered in between."""

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
        """Return once the database is ours. Raises `StartError` if the other process does not leave."""
        if self.wait is not None:
            await self.wait()
            self.wait = None
