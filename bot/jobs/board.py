"""Job: post the board of a match that waits, where the move itself, or the last process, could not."""

from __future__ import annotations

from bot.services import Services
from bot.store.jobs import Job
from bot.store.matches import Status


async def run(services: Services, job: Job) -> Job | None:
    """Post it, with all that computers and auto-answers do before. Raises `TROUBLE`."""
    table = await services.tables.find(job.match_id)
    if table is None or table.problem or table.row.status is Status.ENDED:
        return None
    # first, so that what needs no person is on this board instead of on another one
    await services.moves.resume(table)
    await services.poster.post(table)
    return None
