"""Job: let computers think and play in a match."""

from __future__ import annotations

from bot.features.services import Services
from bot.store.jobs import Job
from bot.tables.faults import require_playable


async def run(services: Services, job: Job) -> Job | None:
    """Play until a person is due, or the match is over. An interrupted search starts over."""
    table = await services.tables.find(job.match_id)
    if table is None:
        return None
    require_playable(table)
    await services.computers.play(table)
    # still due: the bot is stopping
    return job if services.moves.thinker_due(table) else None
