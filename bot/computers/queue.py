"""A queue for the workers: what is more urgent comes first, and what is as urgent in the order in which it came."""

from __future__ import annotations

import asyncio
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count


class Priority(IntEnum):
    """How urgent a piece of work is; a lower number comes first."""

    MOVE = 0
    HINT = 1
    STORY = 2


class Queue:
    """A semaphore whose waiters have priorities."""

    def __init__(self, number: int) -> None:
        """`number` is how many pieces of work are under way at once."""
        self._free = number
        self._waiting: list[tuple[Priority, int, asyncio.Future[None]]] = []
        self._numbers = count()

    async def acquire(self, priority: Priority) -> None:
        """Wait for a turn. A waiter that is canceled gives up its place."""
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        # the number keeps the order of arrival, and the heap from comparing futures
        heappush(self._waiting, (priority, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn had come at that very moment
                self.release()
            raise

    def release(self) -> None:
        """End a turn; the next waiter gets it."""
        while self._waiting:
            _, _, turn = heappop(self._waiting)
            if not turn.done():
                # handed on directly: if it were free for a moment, a newcomer could jump the queue
                turn.set_result(None)
                return
        self._free += 1
