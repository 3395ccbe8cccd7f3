"""Job: add the button of the story to the last board of a finished match."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import BrokenExecutor
from datetime import timedelta

from bot.features.services import Services
from bot.store.jobs import Job
from engine.story.telling import has_story

_log = logging.getLogger(__name__)

BOARD_RETRY_INTERVAL = timedelta(seconds=5)


async def run(services: Services, job: Job) -> Job | None:
    """Compute the story, and add its button to the last board.

    Raises:
        DISCORD_ERRORS: Discord may accept it later.
    """
    table = await services.tables.find(job.match_id)
    if table is None or table.match is None or not services.stories.wanted or not table.people:
        return None
    match = table.viewable_match()
    # replays the match: too slow for the event loop
    if not await asyncio.to_thread(has_story, match):
        return None
    try:
        await services.stories.of(table.id, match)
    except (TimeoutError, BrokenExecutor):
        _log.warning("match %d: the workers did not finish the story in time; it is retried", table.id)
        return job
    # the last board is not there yet
    if table.waiting is not None:
        return job.at(services.clock.now() + BOARD_RETRY_INTERVAL)
    await services.poster.show_story(table, attempts=job.attempts)
    return None
