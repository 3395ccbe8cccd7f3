"""Job: take the controls off the newest board of a match that was called off."""

from __future__ import annotations

from bot.courtyard import Courtyard
from bot.store.jobs import Job


async def run(court: Courtyard, job: Job) -> Job | None:
    """Do it. Raises `TROUBLE` if Discord may take it later."""
    table = await court.tables.find(job.match_id)
    if table is not None and not table.is_open:
        await court.poster.take_controls(table)
    return None
