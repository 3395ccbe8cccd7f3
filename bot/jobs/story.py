"""Job: post the story of a match that came to its end, below its last board."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import BrokenExecutor
from datetime import timedelta

from bot.services import Services
from bot.store.jobs import Job
from engine.story.telling import worth_telling

_log = logging.getLogger(__name__)

AFTER_THE_BOARD = timedelta(seconds=5)


async def run(services: Services, job: Job) -> Job | None:
    """Think it over, and post it. Raises `TROUBLE` if Discord may take it later."""
    table = await services.tables.find(job.match_id)
    if table is None or table.match is None or not services.stories.wanted or not table.people:
        return None
    match = table.shown()
    # replays the match: too slow for the event loop
    if not await asyncio.to_thread(worth_telling, match):
        return None
    try:
        story = await services.stories.of(table.id, match)
    except (TimeoutError, BrokenExecutor):
        _log.warning("the workers do not get ready with the story of match %d", table.id)
        return job
    # the story goes below the last board, which is not there yet
    if table.waiting is not None:
        return job.at(services.clock.now() + AFTER_THE_BOARD)
    await services.stories.post(table, match, story, attempts=job.attempts)
    return None
