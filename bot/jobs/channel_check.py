"""Job: see whether the channel of a match was deleted, and close the match by that.

Discord is asked twice, five minutes apart: one answer alone may be a mistake of Discord's.
"""

from __future__ import annotations

from datetime import timedelta

from bot.lobby.deleted_channels import close_gone
from bot.services import Services
from bot.store.jobs import Job

ASK_AGAIN = timedelta(minutes=5)


async def run(services: Services, job: Job) -> Job | None:
    """Ask Discord. Raises `TROUBLE` if it does not say."""
    table = await services.tables.find(job.match_id)
    if table is None or not table.is_open or await services.channels.exists(table.row.channel_id):
        return None
    if not job.state.get("missing"):
        return job.at(services.clock.now() + ASK_AGAIN, missing=True)
    await close_gone(services, table)
    return None
