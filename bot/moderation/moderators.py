"""Who looks after a server, which server that is, and how its settings are changed."""

from __future__ import annotations

import discord

from bot.errors import UserError
from bot.handlers import Request
from bot.interactions.places import is_moderator
from bot.store.shard_range import NO_SERVER
from bot.tables.guild_settings import GuildSettings
from bot.tables.moderation_log import line_job
from bot.tables.people import mention
from engine.texts import Text

ONLY_MODERATORS = Text("This is for moderators: it needs the **Manage Server** permission.")


def server_of(request: Request) -> discord.Guild:
    """The server of a moderator. Raises `UserError` for everybody else; controls and commands come from outside."""
    interaction = request.response.interaction
    # the permission that a command has is only a default: a server can let others use it
    if not is_moderator(interaction):
        raise UserError(ONLY_MODERATORS)
    return request.services.servers.known.require(interaction.guild_id or NO_SERVER)


async def change_settings(request: Request, before: GuildSettings, after: GuildSettings, what: str | Text) -> None:
    """Store the settings of a moderator's server, and let its log say what they have changed."""
    if after == before:
        return
    line = Text("{user} changed {what}", user=mention(request.user_id), what=what)
    now, channels = request.services.clock.now(), sorted({before.log, after.log} - {0})  # a log that ends says so
    told = [line_job(line, now, by=request.user_id, channel_id=channel_id) for channel_id in channels]
    await request.services.servers.keep(server_of(request).id, after, *told)
