"""Job: let the message of a lobby that is over say so."""

from __future__ import annotations

from bot.courtyard import Courtyard
from bot.lobby.showing import lobby_updated
from bot.store.jobs import Job


async def run(court: Courtyard, job: Job) -> Job | None:
    """Edit it; it may be gone."""
    table = await court.tables.find(job.match_id)
    if table is None or table.problem or await lobby_updated(court, table):
        return None
    return job
