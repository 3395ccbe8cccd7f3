"""A queue for the workers: by priority, then by order of arrival."""

from __future__ import annotations

import asyncio
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count


class Priority(IntEnum):
    """The urgency of a piece of work; a lower number comes first."""

    MOVE = 0
    HINT = 1
    STORY = 2


class Queue:
    """A semaphore whose waiters have priorities."""

    def __init__(self, number: int) -> None:
        """`number` is how many pieces of work are under way at once."""
        self._free = number
        self._waiting: list[tuple[Priority, int, int, asyncio.Future[None]]] = []
        self._numbers = count()

    def __len__(self) -> int:
        """The number of waiting pieces of work."""
        return len(self._waiting)

    def number(self) -> int:
        """A place in the order of arrival, for a caller that comes several times and keeps it."""
        return next(self._numbers)

    async def acquire(self, priority: Priority, since: int | None = None) -> None:
        """Wait for a turn, by default from now on, else from a `number` on. A waiter that is canceled gives it up."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        # the second number keeps the heap from comparing futures
        number = self.number()
        heappush(self._waiting, (priority, number if since is None else since, number, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had come at that very moment
                self.release()
            raise

    def release(self) -> None:
        """End a turn; the next waiter gets it."""
        while self._waiting:
            *_, turn = heappop(self._waiting)
            # a waiter that was canceled stays in the heap until here
            if not turn.done():
                # handed on directly: if it were free for a moment, a newcomer could jump the queue
                turn.set_result(None)
                return
        self._free += 1
