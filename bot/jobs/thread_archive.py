"""Job: archive the thread of a game a while after it was over, for a rematch and a look at the log."""

from __future__ import annotations

import logging
from datetime import timedelta

from bot.errors import TROUBLE, reason
from bot.interactions.channels import passes
from bot.services import Services
from bot.store.codec import time_at_or_none, time_of
from bot.store.jobs import Job

_log = logging.getLogger(__name__)

OPEN_FOR = timedelta(hours=24)
"""So long a thread stays open after its game."""

LOOK_AGAIN = timedelta(hours=1)
"""Until the next look whether the game of a thread is over."""


async def run(services: Services, job: Job) -> Job | None:
    """See whether the game is over, and since when; archive its thread, unless another one is played there."""
    table, now = await services.tables.find(job.match_id), services.clock.now()
    if table is None:
        return None
    if table.is_open:
        return job.at(now + LOOK_AGAIN)
    over = time_at_or_none(job.state.get("over"))
    if over is None:
        return job.at(now + OPEN_FOR, over=time_of(now))
    if now < over + OPEN_FOR:
        return job.at(over + OPEN_FOR)
    if await services.store.matches.open_in(table.row.channel_id) is not None:
        # a rematch is played there: the day starts over when it ends
        return job.at(now + LOOK_AGAIN, over=None)
    await _archive(services, table.row.channel_id)
    return None


async def _archive(services: Services, thread_id: int) -> None:
    """Archive a thread. Raises `TROUBLE` if that may go better later."""
    try:
        await services.channels.archive(thread_id)
    except TROUBLE as error:
        if passes(error):
            raise
        _log.info("thread %d is not archived: %s", thread_id, reason(error))
