"""Job: post the actions of moderators and votes in the log channel of a server."""

from __future__ import annotations

import logging
from functools import partial

from bot.errors import DISCORD_ERRORS, reason
from bot.features.services import Services
from bot.interactions.parts import text_layout
from bot.interactions.refusals import is_final
from bot.store.jobs import Job
from engine.texts import Text, from_json

_log = logging.getLogger(__name__)


async def run(services: Services, job: Job) -> Job | None:
    """Post the first line, or drop it after a final refusal. Raises `DISCORD_ERRORS` if it may succeed later."""
    (channel_id, nonce, line), *more = job.state["lines"]
    channel_id = channel_id or (await services.servers.guild_settings(job.guild_id)).log
    after = job.at(services.clock.now(), lines=more) if more else None
    if not channel_id:
        return after
    # before texts had languages, a line was stored as a string
    text = Text("{line}", line=line) if isinstance(line, str) else from_json(line)
    try:
        await services.channels.send(channel_id, partial(text_layout, text, str), nonce=nonce)
    except DISCORD_ERRORS as error:
        if not is_final(error, job.attempts):
            raise
        _log.info(
            "a line of the moderation log was dropped, since channel %d refused it: %s", channel_id, reason(error)
        )
    return after
