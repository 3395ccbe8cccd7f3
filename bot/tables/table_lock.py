"""The lock of a table, which remembers when it is unknown how much of a change is stored."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType

from bot.store.failures import DatabaseUnavailable


class TableLock(asyncio.Lock):
    """The lock for all changes of a table.

    When the database is unavailable, it is unknown how much of a change was written: the next task that enters gets the
    table as it is stored, by `refresh`, or the same `DatabaseUnavailable`.
    """

    def __init__(self, refresh: Callable[[], Awaitable[None]] | None = None) -> None:
        super().__init__()
        self._refresh = refresh
        self.in_doubt = False

    async def __aenter__(self) -> None:
        await super().__aenter__()
        if self.in_doubt and self._refresh is not None:
            try:
                await self._refresh()
            # a canceled task, too, must not keep the lock
            except BaseException:
                self.release()
                raise
            self.in_doubt = False  # and not before: who looks meanwhile waits, too

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # a cancellation may have come between the commit and the change in memory
        self.in_doubt |= isinstance(error, DatabaseUnavailable | asyncio.CancelledError)
        await super().__aexit__(kind, error, traceback)
