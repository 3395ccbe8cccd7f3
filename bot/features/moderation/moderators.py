"""Checks that a user is a moderator, and changes of their server's settings."""

from __future__ import annotations

import discord

from bot.errors import UserError
from bot.features.handlers import Request
from bot.interactions.places import is_moderator
from bot.store.shard_range import NO_SERVER
from bot.tables.guild_settings import GuildSettings
from bot.tables.moderation_log import line_job
from bot.tables.overviews import overview_job
from bot.tables.people import mention
from bot.tables.scheduled_events import events_job
from engine.texts import Text

MODERATORS_ONLY_TEXT = Text("This is for moderators: it needs the **Manage Server** permission.")


def server_of(request: Request) -> discord.Guild:
    """The server of a moderator. Raises `UserError` for other users, whose taps and commands arrive here, too."""
    interaction = request.response.interaction
    # the permission of a command is only a default: a server can let others use it
    if not is_moderator(interaction):
        raise UserError(MODERATORS_ONLY_TEXT)
    return request.services.servers.known.require(interaction.guild_id or NO_SERVER)


async def change_settings(request: Request, before: GuildSettings, after: GuildSettings, what: str | Text) -> None:
    """Store the settings of a moderator's server, with a line for its log."""
    if after == before:
        return
    line = Text("{user} changed {what}", user=mention(request.user_id), what=what)
    # also to the previous channel of the log, if that changes
    now, channels = request.services.clock.now(), sorted({before.log, after.log} - {0})
    lines = [line_job(line, now, by=request.user_id, channel_id=channel_id) for channel_id in channels]
    guild_id = server_of(request).id
    overview = [overview_job(guild_id, now)] if after.overview != before.overview else []
    events = [events_job(guild_id, now)] if after.events != before.events else []
    await request.services.servers.keep(guild_id, after, *lines, jobs=(*overview, *events))
    for job in (*overview, *events):
        request.services.worker.retry_for_user(job)
