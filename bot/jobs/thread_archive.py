"""Job: archive the thread of a game after its end, when the server wants it."""

from __future__ import annotations

import logging
from datetime import timedelta

from bot.errors import TROUBLE, reason
from bot.interactions.refusals import is_final
from bot.services import Services
from bot.store.codec import time_at_or_none, time_of
from bot.store.jobs import Job, JobKind
from bot.tables.guild_settings import AT_ONCE, DAY

_log = logging.getLogger(__name__)

SOON = timedelta(minutes=1)
"""Until the next look at a thread in which something is still to be posted."""

OPEN_FOR = {DAY: timedelta(hours=24), AT_ONCE: SOON}
"""So long a thread stays open after its game; where it is never archived, it has no entry."""

LOOK_AGAIN = timedelta(hours=1)
"""Until the next look whether the game of a thread is over."""

LAST = (JobKind.BOARD, JobKind.RETIRE, JobKind.LOBBY_MESSAGE, JobKind.STORY)
"""What is posted or edited after a game, and would open its thread again."""


async def run(services: Services, job: Job) -> Job | None:
    """See whether the game is over, and since when; archive its thread, unless another one is played there."""
    table, now = await services.tables.find(job.match_id), services.clock.now()
    if table is None:
        return None
    if table.is_open:
        return job.at(now + LOOK_AGAIN)
    open_for = OPEN_FOR.get((await services.servers.guild_settings(table.row.guild_id)).archive)
    if open_for is None:
        return None
    over = time_at_or_none(job.state.get("over"))
    if over is None:
        return job.at(now + open_for, over=time_of(now))
    if now < over + open_for:
        return job.at(over + open_for)
    if await services.store.matches.open_in(table.row.channel_id) is not None:
        # a rematch is played there: the time starts over when it ends
        return job.at(now + LOOK_AGAIN, over=None)
    # a list: with `await` in it, a generator is asynchronous, which `any` does not take
    if any([await services.store.jobs.find(kind, job.match_id) for kind in LAST]):
        return job.at(now + SOON)
    await _archive(services, table.row.channel_id, job.attempts)
    return None


async def _archive(services: Services, thread_id: int, attempts: int) -> None:
    """Archive a thread. Raises `TROUBLE` if that may succeed later; this number of attempts failed before."""
    try:
        await services.channels.archive(thread_id)
    except TROUBLE as error:
        if not is_final(error, attempts):
            raise
        _log.info("thread %d is not archived: %s", thread_id, reason(error))
