"""The one who gives the standing answers that take a while."""

from __future__ import annotations

import dataclasses
from contextlib import suppress
from datetime import datetime
from functools import partial

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.habits.habits import Habits, habits_of
from bot.habits.times import when_free
from bot.rounds import Round
from bot.store.rows import Timer, TimerKind
from bot.tables.asides import a_while
from bot.tables.moves import Following
from bot.tables.table import Table


class Answering:
    """Gives answers when their while is over, by the timers in the store.

    Written in one transaction with the end of its timer, an answer is given once, whatever happens.
    """

    def __init__(self, court: Courtyard) -> None:
        self._court = court

    def round(self) -> Round[int]:
        """Gives the answers of everybody for whom one is due."""
        store, kind = self._court.store, TimerKind.ANSWER
        ripe, earliest = partial(store.timers.ripe, kind), partial(store.timers.earliest, kind)
        return Round(self._court.clock, store, ripe, earliest, self.serve)

    async def serve(self, user_id: int) -> None:
        """Give the answers of a user that are due."""
        habits, now = await habits_of(self._court.store.settings, user_id), self._court.clock.now()
        for timer in await self._court.store.timers.of(TimerKind.ANSWER, user_id):
            if timer.at <= now:
                await self._answer(timer, habits, now)

    async def _answer(self, timer: Timer, habits: Habits, now: datetime) -> None:
        """Give an answer, or put it off while its user sleeps, or is about to answer himself."""
        await self._court.poster.caught_up(timer.match_id)
        table = await self._court.tables.find(timer.match_id)
        # somebody who answers in his sleep lets others know that he has not seen the question
        awake = when_free(dataclasses.replace(habits, away=""), now)
        if table and (awake > now or self._court.standing.is_at_it(table, timer)):
            later = dataclasses.replace(timer, at=awake + a_while())
            await self._court.store.timers.settle([(timer, later)])
            return
        following = await self._court.standing.give(table, timer) if table else None
        if table and following:
            await self._tell(table, following)
        else:
            await self._court.store.timers.settle([(timer, None)])

    async def _tell(self, table: Table, following: Following) -> None:
        """The channel hears of it as if its user had answered."""
        if following is Following.BOARD:
            with suppress(Declined):  # it was logged, and is tried again
                await self._court.poster.deliver(table)
        elif following is Following.WAITING:
            self._court.poster.update_due(table)
