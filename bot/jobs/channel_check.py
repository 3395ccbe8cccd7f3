"""Job: close a match whose channel was deleted, or reopen its archived thread.

The job asks Discord twice, hours apart, and only while the server is available: in an outage, Discord reports channels
as unknown that come back with their server.
"""

from __future__ import annotations

from bot.features.lobby.deleted_channels import close_gone, recheck_later
from bot.features.services import Services
from bot.store.jobs import Job


async def run(services: Services, job: Job) -> Job | None:
    """Ask Discord for the channel. Raises `DISCORD_ERRORS` without a clear answer."""
    table = await services.tables.find(job.match_id)
    if table is None or not table.is_open:
        return None
    if not await services.channels.is_deleted(table.row.guild_id, table.row.channel_id):
        await services.channels.reopen(table.row.channel_id, attempts=job.attempts)
        return None
    if later := recheck_later(job, services.clock.now()):
        return later
    await close_gone(services, table)
    return None
