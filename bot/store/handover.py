"""Coming before the process that one replaces has left, so that nobody finds the house empty."""

from __future__ import annotations

from collections.abc import Awaitable, Callable


class Handover:
    """Whether a process has to wait for its predecessor, which still has the locks of the share."""

    def __init__(self) -> None:
        self.wait: Callable[[], Awaitable[None]] | None = None

    @property
    def waits(self) -> bool:
        """Whether the database is still that of somebody else."""
        return self.wait is not None

    async def take_over(self) -> None:
        """Come back when the database is ours. Raises `StartError` if the other process does not leave."""
        if self.wait is not None:
            await self.wait()
            self.wait = None
