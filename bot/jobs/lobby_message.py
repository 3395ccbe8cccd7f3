"""Job: update the message of a lobby that has ended."""

from __future__ import annotations

from bot.features.lobby.table_message import edit_lobby
from bot.features.services import Services
from bot.store.jobs import Job


async def run(services: Services, job: Job) -> Job | None:
    """Edit the message; it may be deleted. Raises `DISCORD_ERRORS` if the edit may succeed later."""
    table = await services.tables.find(job.match_id)
    if table is not None and not table.problem:
        await edit_lobby(services, table, attempts=job.attempts)
    return None
