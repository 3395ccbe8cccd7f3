"""Whether a table may be opened in a channel: by the settings of the server and the bot's permissions."""

from __future__ import annotations

from typing import Any

import discord

from bot.errors import UserError
from bot.features.dispatcher import channel_of
from bot.features.services import Services
from bot.interactions.permissions import Doing
from bot.interactions.places import is_moderator, require_permissions, require_place, require_role
from bot.store.matches import UNLIMITED, OpenLimits
from bot.store.shard_range import NO_SERVER
from bot.tables.company import require_not_barred
from bot.tables.lobbies import limit_reached


async def require_setting(
    services: Services, interaction: discord.Interaction[Any], need: Doing = Doing.GAME
) -> OpenLimits:
    """Raise `UserError` unless the user may open a table in this channel, and the bot has all permissions for it.

    Returns the limits on open tables. Moderators may open any number anywhere.
    """
    # for its errors: no channel, or a server without this bot
    channel_of(interaction)
    guild_id, now = interaction.guild_id or NO_SERVER, services.clock.now()
    await require_not_barred(services.store, guild_id, interaction.user.id, now)
    guild_settings = await services.servers.guild_settings(guild_id)
    require_place(interaction, guild_settings)
    require_role(interaction, guild_settings)
    require_permissions(interaction, need)
    return UNLIMITED if is_moderator(interaction) else OpenLimits(guild_settings.most, guild_settings.hosted)


async def require_beginning(services: Services, interaction: discord.Interaction[Any]) -> None:
    """Raise `UserError` unless the game of an open table may start, by any user."""
    guild_id = interaction.guild_id or NO_SERVER
    guild_settings = await services.servers.guild_settings(guild_id)
    require_place(interaction, guild_settings)
    # counts running games instead of open tables, since this table is already open
    most = 0 if is_moderator(interaction) else guild_settings.most
    if most and await services.store.matches.running_in_server(guild_id) >= most:
        raise UserError(limit_reached(most))
    require_permissions(interaction)
