"""Job: let the message of a lobby that is over say so."""

from __future__ import annotations

from bot.lobby.table_message import lobby_updated
from bot.services import Services
from bot.store.jobs import Job


async def run(services: Services, job: Job) -> Job | None:
    """Edit it; it may be gone."""
    table = await services.tables.find(job.match_id)
    if table is None or table.problem or await lobby_updated(services, table):
        return None
    # as it was read: the worker tries it again
    return job
