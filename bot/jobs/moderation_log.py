"""Job: post what moderators and votes did in the channel that moderators chose for it."""

from __future__ import annotations

import logging

from bot.errors import TROUBLE, reason
from bot.interactions.channels import is_temporary
from bot.interactions.parts import words_layout
from bot.services import Services
from bot.store.jobs import Job

_log = logging.getLogger(__name__)


async def run(services: Services, job: Job) -> Job | None:
    """Post the first line. Raises `TROUBLE` if Discord may take it later; one that it refuses is given up."""
    (channel_id, nonce, words), *more = job.state["lines"]
    channel_id = channel_id or (await services.servers.guild_settings(job.guild_id)).log
    if channel_id:
        await _post(services, channel_id, nonce, words)
    return job.at(services.clock.now(), lines=more) if more else None


async def _post(services: Services, channel_id: int, nonce: str, words: str) -> None:
    try:
        await services.channels.send(channel_id, words_layout(words), nonce=nonce)
    except TROUBLE as error:
        if is_temporary(error):
            raise
        _log.info("nothing is logged for moderators in channel %d: %s", channel_id, reason(error))
