"""Looks after the clocks of all tables: when their time has come, and at once where something was done."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from bot.courtyard import Courtyard
from bot.pace import clocks as clocks_of
from bot.pace.clocks import last_look, needs_clocks
from bot.pace.ladder import Ladder
from bot.rounds import Round
from bot.store.trouble import patiently
from bot.tables.table import Table
from engine.texts import Seat

_log = logging.getLogger(__name__)

GRACE = 5.0
"""Seconds for looks that are under way when the bot goes."""


class Watch:
    """The one who looks after the clocks of a house."""

    def __init__(self, court: Courtyard) -> None:
        self._court = court
        self._ladder = Ladder(court)
        self._round = Round(court.clock, court.store, self.ripe, court.store.clocks.earliest, self._serve)
        self._looking: set[asyncio.Task[None]] = set()
        self._closed = False
        court.tables.watch(self.heard)

    def start(self) -> None:
        """Begin with what fell due while nobody looked."""
        self._round.start()

    async def close(self) -> None:
        """Finish what is under way."""
        self._closed = True
        await self._round.close()
        if self._looking:
            await asyncio.wait(self._looking, timeout=GRACE)
            for task in self._looking:
                task.cancel()

    def heard(self, table: Table) -> None:
        """Something was done at a table: a vote may be over by that, or somebody be waited for."""
        for seat, clock in table.clocks.items():
            if clock.out or clock.verdict:
                self._do(partial(self._ladder.look, table.id, seat))
        if needs_clocks(table):
            self._do(partial(self._ladder.call, table.id))

    def _do(self, work: Callable[[], Awaitable[None]]) -> None:
        if self._closed:
            return
        task = asyncio.create_task(_logged(patiently(self._court.clock, work)))
        self._looking.add(task)
        task.add_done_callback(self._looking.discard)

    async def look_round(self) -> float:
        """See to all clocks whose time has come, and say in how many seconds to look again."""
        return await self._round.look_round()

    async def ripe(self, now: datetime) -> Sequence[tuple[int, Seat]]:
        """The clocks whose time has come, after a time that counts for nobody was taken out of all."""
        clocks = self._court.store.clocks
        running = await clocks.running()
        if not running:
            return []
        looked = await last_look(self._court.store)
        if looked is not None and now < looked:  # noted first: done twice, it would count what has not passed
            await self._note_look(now)
        if looked is not None and abs(now - looked) > clocks_of.LULL:
            for match_id in running:
                await self._ladder.shift(match_id, looked)
        await self._note_look(now)
        return await clocks.ripe(now)

    async def _note_look(self, now: datetime) -> None:
        store = self._court.store
        await store.settings.put(*clocks_of.looked_of(store), now.isoformat())

    async def _serve(self, key: tuple[int, Seat]) -> None:
        await self._ladder.look(*key)


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    """A look that nobody waits for: what goes wrong with it must not be lost."""
    try:
        await work
    except Exception:
        _log.exception("a clock was not looked at")
