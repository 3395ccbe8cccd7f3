"""Job: give a standing answer that takes a while."""

from __future__ import annotations

import dataclasses
from contextlib import suppress

from bot.courtyard import Courtyard
from bot.errors import Declined
from bot.habits.habits import habits_of
from bot.habits.times import when_free
from bot.store.jobs import Job
from bot.tables.asides import a_while
from bot.tables.moves import Following
from bot.tables.table import Table


async def run(court: Courtyard, job: Job) -> Job | None:
    """Give the answer, or put it off while its user sleeps, or is about to answer themselves.

    Written in one transaction with the end of its job, an answer is given once, whatever happens.
    """
    table = await court.tables.find(job.match_id)
    if table is None:
        return None
    habits, now = await habits_of(court.store.settings, job.user_id), court.clock.now()
    # somebody who answers in their sleep lets others know that they have not seen the question
    awake = when_free(dataclasses.replace(habits, away=""), now)
    if awake > now or court.standing.is_at_it(table, job):
        return job.at(awake + a_while())
    following = await court.standing.give(table, job)
    if following is not None:
        await _tell(court, table, following)
    return None


async def _tell(court: Courtyard, table: Table, following: Following) -> None:
    """The channel hears of it as if its user had answered."""
    if following is Following.BOARD:
        with suppress(Declined):  # the board waits in the store
            await court.poster.deliver(table)
    elif following is Following.WAITING:
        court.poster.update_due(table)
