"""Job: post the board of a match that waits, where whoever moved could not, or the process before."""

from __future__ import annotations

from bot.courtyard import Courtyard
from bot.store.jobs import Job
from bot.store.matches import Status


async def run(court: Courtyard, job: Job) -> Job | None:
    """Post it, with all that computers and standing answers do before. Raises `TROUBLE`."""
    table = await court.tables.find(job.match_id)
    if table is None or table.problem or table.row.status is Status.ENDED:
        return None
    await court.moves.resume(table)
    await court.poster.post(table)
    return None
