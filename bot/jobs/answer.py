"""Job: give an auto-answer that takes a while."""

from __future__ import annotations

from contextlib import suppress

from bot.errors import UserError
from bot.features.services import Services
from bot.store.jobs import Job
from bot.tables.asides import random_delay
from bot.tables.hours import present, when_free
from bot.tables.moves import NextStep
from bot.tables.preferences import preferences_of


async def run(services: Services, job: Job) -> Job | None:
    """Give the answer, or postpone it while its user sleeps or is about to answer themselves.

    The answer and the end of its job are one transaction, so it is given exactly once.
    """
    table = await services.tables.find(job.match_id)
    if table is None:
        return None
    preferences, now = await preferences_of(services.store.settings, job.user_id), services.clock.now()
    # an answer in quiet hours would show the others that the user has not seen the question; days away and days off do
    # not count, since the others would wait for them
    awake = when_free(present(preferences), now)
    if awake > now or services.auto_answers.is_at_it(table, job):
        # after a new delay: an answer exactly when quiet hours end would look automatic
        return job.at(awake + random_delay())
    # from here on as if its user had answered
    next_step = await services.auto_answers.give(table, job)
    if next_step is NextStep.BOARD:
        with suppress(UserError):  # the board is pending in the store
            await services.poster.deliver(table)
    elif next_step is NextStep.WAITING:
        services.poster.update_due(table)
    return None
