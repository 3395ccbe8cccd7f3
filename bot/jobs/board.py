"""Job: post the pending board of a match, if the move itself or the previous process could not."""

from __future__ import annotations

from bot.features.services import Services
from bot.store.jobs import Job
from bot.store.matches import Status
from bot.tables.faults import require_playable


async def run(services: Services, job: Job) -> Job | None:
    """Post the board, after the moves of computers and auto-answers. Raises `DISCORD_ERRORS` and `GameFault`."""
    table = await services.tables.find(job.match_id)
    if table is None or table.row.status is Status.ENDED:
        return None
    require_playable(table)
    # first, so that this board already shows moves that need no person
    await services.moves.resume(table)
    await services.poster.post(table)
    return None
