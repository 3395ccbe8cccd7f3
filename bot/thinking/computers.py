"""Computers play when they have thought: each table by itself, outside of its lock, and one board for all they do."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from bot.clock import Clock, growing
from bot.errors import Declined
from bot.store.trouble import DatabaseTrouble
from bot.tables.moves import Moves
from bot.tables.table import Table
from bot.tables.tables import Tables
from bot.thinking.thinkers import Thinkers
from engine.match import Match

_log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds for moves that are being written when the bot goes."""

Publish = Callable[[Table], Awaitable[None]]
"""Posts the board that waits, or brings the newest one up to date. Raises `Declined` if Discord does not take it."""


class Computers:
    """Lets computers think at their tables. Whatever changes there makes them begin anew."""

    def __init__(self, tables: Tables, moves: Moves, thinkers: Thinkers, publish: Publish, clock: Clock) -> None:
        self._moves = moves
        self._thinkers = thinkers
        self._publish = publish
        self._clock = clock
        self._closed = False
        self._playing: dict[int, asyncio.Task[None]] = {}
        self._finishing: set[asyncio.Task[None]] = set()
        self._tries: dict[int, int] = {}  # by match, since something went wrong there
        tables.watch(self._changed)

    def _changed(self, table: Table) -> None:
        """The position of a table is a new one, or somebody else sits there: what was thought of it is void."""
        if task := self._playing.pop(table.id, None):
            task.cancel()
        if self._moves.thinker_due(table) is not None and not self._closed:
            self._playing[table.id] = self._start(table, self._think(table))

    async def _think(self, table: Table) -> None:
        """Think until a person is due, or the match is over. May be broken off at any time."""
        before = table.playing()
        match = before.copy()
        while (due := self._moves.thinker_due(table, match)) is not None:
            seat, player = due
            match.play(seat, await self._thinkers.choose(player, match.view(seat)))
            await self._moves.go_on(table, match)
        self._playing.pop(table.id, None)  # from here on nothing is broken off: a transaction, then a message
        finishing = self._start(table, self._finish(table, before, match))
        self._finishing.add(finishing)
        finishing.add_done_callback(self._finishing.discard)

    async def _finish(self, table: Table, before: Match, after: Match) -> None:
        if await self._moves.computers_played(table, before, after):
            self._tries.pop(table.id, None)
            with suppress(Declined):  # it was logged, and is tried again
                await self._publish(table)

    def _start(self, table: Table, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        task.add_done_callback(partial(self._ended, table))
        return task

    def _ended(self, table: Table, task: asyncio.Task[None]) -> None:
        """What went wrong, as with a database that is locked, is begun anew: nobody else would."""
        if task.cancelled() or (error := task.exception()) is None:
            return
        tries = self._tries.get(table.id, 0)
        self._tries[table.id] = tries + 1
        if not isinstance(error, DatabaseTrouble):  # of which the log has a line
            _log.error("the computers of match %d begin anew in %g s", table.id, growing(tries), exc_info=error)
        self._clock.later(growing(tries), partial(self._retry, table))

    def _retry(self, table: Table) -> None:
        if not self._closed:
            self._start(table, self._begin_anew(table))

    async def _begin_anew(self, table: Table) -> None:
        async with table.lock:  # which puts the table in step with the store first
            self._changed(table)

    async def close(self) -> None:
        """Stop thinking; what is written by now is finished."""
        self._closed = True
        for task in self._playing.values():
            task.cancel()
        if self._finishing:
            await asyncio.wait(self._finishing, timeout=GRACE)
        self._thinkers.close()
