"""Whether a game may be set, or begin, where somebody is: by the customs of the server, and by what the bot may do."""

from __future__ import annotations

from typing import Any

import discord

from bot.courtyard import Courtyard
from bot.customs.doctor import Doing
from bot.customs.places import is_moderator, require_permissions, require_place, require_role
from bot.errors import Declined
from bot.reception import channel_of
from bot.store.matches import ANY_NUMBER, OpenLimits
from bot.store.share import NO_SERVER
from bot.tables.lobbies import crowded


async def require_setting(
    court: Courtyard, interaction: discord.Interaction[Any], need: Doing = Doing.GAME
) -> OpenLimits:
    """Raise `Declined` unless somebody may set a table where they are, and the bot may do what that needs.

    Returns how many tables may be open at once. Moderators may set any number anywhere.
    """
    channel_of(interaction)
    customs = await court.servers.customs(interaction.guild_id or NO_SERVER)
    require_place(interaction, customs)
    require_role(interaction, customs)
    require_permissions(interaction, need)
    return ANY_NUMBER if is_moderator(interaction) else OpenLimits(customs.most, customs.hosted)


async def require_beginning(court: Courtyard, interaction: discord.Interaction[Any]) -> None:
    """Raise `Declined` unless a game may begin at a table that was set before, whoever lets it begin."""
    guild_id = interaction.guild_id or NO_SERVER
    customs = await court.servers.customs(guild_id)
    require_place(interaction, customs)
    most = 0 if is_moderator(interaction) else customs.most
    if most and await court.store.matches.running_in_server(guild_id) >= most:
        raise Declined(crowded(most))
    require_permissions(interaction)
