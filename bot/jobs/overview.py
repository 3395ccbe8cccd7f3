"""Job: keep the overview of a server, one message that is edited in place, and delete it where it is not wanted."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from datetime import timedelta
from functools import partial

from bot.errors import DISCORD_ERRORS, reason
from bot.features.services import Services
from bot.features.view.overview import my_games_button, overview_layout, overview_words, visible_tables
from bot.interactions.parts import Layout
from bot.interactions.refusals import is_final, is_message_gone
from bot.store.codec import time_at_or_none, time_of
from bot.store.jobs import Job
from bot.tables.overviews import NO_CHANNEL, OverviewMessage, overview_of, remember_overview

_log = logging.getLogger(__name__)

EDIT_INTERVAL = timedelta(minutes=3)
"""The shortest time between two edits; each may cover many moves."""

REFRESH_INTERVAL = timedelta(hours=1)
"""After this time the message is edited even without changes, which shows whether it still exists."""


async def run(services: Services, job: Job) -> Job | None:
    """Update the message, or delete it. Raises `DISCORD_ERRORS` if it may succeed later."""
    channel_id = (await services.servers.guild_settings(job.guild_id)).overview
    message = await _in_channel(services, job, channel_id)
    guild, now = services.channels.server(job.guild_id), services.clock.now()
    if channel_id == NO_CHANNEL:
        return None
    # without its channel the message waits for another setting
    if guild is None or guild.get_channel(channel_id) is None:
        return job.at(now + EDIT_INTERVAL)
    words = overview_words(guild.id, await visible_tables(services, guild, channel_id))
    digest, looked = hashlib.sha256(words.encode()).hexdigest()[:16], time_at_or_none(job.state.get("looked"))
    changed = time_at_or_none(job.state.get("changed")) if job.state.get("shown") == digest else None
    is_current = job.state.get("shown") == digest and looked is not None and now - looked < REFRESH_INTERVAL
    if is_current and message.message_id is not None:
        return job.at(now + EDIT_INTERVAL)
    try:
        await _show(services, guild.id, message, partial(overview_layout, words, changed or now))
    except DISCORD_ERRORS as error:
        if not is_final(error, job.attempts):
            raise
        # moderators see the missing permissions in `/server settings` and `/server doctor`
        _log.info("the overview of server %d is not shown: %s", guild.id, reason(error))
    return job.at(now + EDIT_INTERVAL, shown=digest, changed=time_of(changed or now), looked=time_of(now))


async def _in_channel(services: Services, job: Job, channel_id: int) -> OverviewMessage:
    """The message in the chosen channel, after a message elsewhere was deleted. Raises `DISCORD_ERRORS`."""
    settings = services.store.settings
    message = await overview_of(settings, job.guild_id)
    if message.channel_id == channel_id:
        return message
    await _delete(services, message, job.attempts)
    await remember_overview(settings, job.guild_id, following := message.following(channel_id))
    return following


async def _delete(services: Services, message: OverviewMessage, attempts: int) -> None:
    try:
        located = await _locate(services, message)
        if located.message_id is not None:
            await services.channels.remove(located.channel_id, located.message_id)
    except DISCORD_ERRORS as error:
        if not is_final(error, attempts):
            raise
        _log.info("an overview stays in channel %d: %s", message.channel_id, reason(error))


async def _locate(services: Services, message: OverviewMessage) -> OverviewMessage:
    """The message with its id, which is searched for if a kill or a lost answer has left its delivery uncertain."""
    if message.message_id is not None or not message.is_sent:
        return message
    delivered = await services.channels.find(message.channel_id, my_games_button(message.number))
    return message.with_id(delivered.id) if delivered else message


async def _show(services: Services, guild_id: int, message: OverviewMessage, compose: Callable[[int], Layout]) -> None:
    """Edit the message, or post one if there is none; it is composed of its number. Raises `DISCORD_ERRORS`."""
    located = await _locate(services, message)
    if located.message_id is not None and not await _edit(services, located, compose):
        located = message.following(message.channel_id)
    if located.message_id is None:
        # stored before it is sent: a repetition has the same nonce, and can be found later
        await remember_overview(services.store.settings, guild_id, located.as_sent())
        composed, nonce = partial(compose, located.number), f"o{guild_id}-{located.number}"
        located = located.with_id(await services.channels.send(located.channel_id, composed, nonce=nonce))
    if located != message:
        await remember_overview(services.store.settings, guild_id, located)


async def _edit(services: Services, message: OverviewMessage, compose: Callable[[int], Layout]) -> bool:
    """Edit the message. Returns false if it was deleted. Raises `DISCORD_ERRORS`."""
    assert message.message_id is not None, "it was posted"
    try:
        await services.channels.edit(message.channel_id, message.message_id, partial(compose, message.number))
    except DISCORD_ERRORS as error:
        if not is_message_gone(error):
            raise
        return False
    return True
