"""Job: archive the thread of a game after its end, at the time that the server has set."""

from __future__ import annotations

import logging
from datetime import timedelta

from bot.errors import DISCORD_ERRORS, reason
from bot.features.services import Services
from bot.interactions.refusals import is_final
from bot.store.codec import time_at_or_none, time_of
from bot.store.jobs import Job, JobKind
from bot.tables.guild_settings import AT_ONCE, DAY

_log = logging.getLogger(__name__)

SOON = timedelta(minutes=1)
"""Until the next check of a thread with pending messages."""

OPEN_TIMES = {DAY: timedelta(hours=24), AT_ONCE: SOON}
"""Setting -> the time for which a thread stays open after its game; `never` has no entry."""

CHECK_INTERVAL = timedelta(hours=1)
"""Between two checks whether the game of a thread is over."""

POSTING_JOBS = (JobKind.BOARD, JobKind.RETIRE, JobKind.LOBBY_MESSAGE, JobKind.STORY)
"""Jobs that post or edit after a game, and would reopen its thread."""


async def run(services: Services, job: Job) -> Job | None:
    """Archive the thread some time after its game, unless another game is played there."""
    table, now = await services.tables.find(job.match_id), services.clock.now()
    if table is None:
        return None
    if table.is_open:
        return job.at(now + CHECK_INTERVAL)
    open_for = OPEN_TIMES.get((await services.servers.guild_settings(table.row.guild_id)).archive)
    if open_for is None:
        return None
    over = time_at_or_none(job.state.get("over"))
    if over is None:
        return job.at(now + open_for, over=time_of(now))
    if now < over + open_for:
        return job.at(over + open_for)
    if await services.store.matches.open_in(table.row.channel_id) is not None:
        # a rematch is played there: the time starts over when it ends
        return job.at(now + CHECK_INTERVAL, over=None)
    # a list: with `await` in it, a generator is asynchronous, which `any` does not accept
    if any([await services.store.jobs.find(kind, job.match_id) for kind in POSTING_JOBS]):
        return job.at(now + SOON)
    await _archive(services, table.row.channel_id, job.attempts)
    return None


async def _archive(services: Services, thread_id: int, attempts: int) -> None:
    """Archive a thread. Raises `DISCORD_ERRORS` if that may succeed later; `attempts` have failed before."""
    try:
        await services.channels.archive(thread_id)
    except DISCORD_ERRORS as error:
        if not is_final(error, attempts):
            raise
        _log.info("thread %d stays open, since Discord refused to archive it: %s", thread_id, reason(error))
