"""Job: remove the controls from the newest board of a match that was called off."""

from __future__ import annotations

from bot.features.services import Services
from bot.store.jobs import Job


async def run(services: Services, job: Job) -> Job | None:
    """Remove the controls. Raises `DISCORD_ERRORS` if that may succeed later."""
    table = await services.tables.find(job.match_id)
    if table is None:
        return None
    # the job is written before the task that closes the table has read the table again
    async with table.lock:
        is_open = table.is_open
    if not is_open:
        await services.poster.take_controls(table, attempts=job.attempts)
    return None
