"""Who looks after a server, and which server that is."""

from __future__ import annotations

import discord

from bot.dispatcher import Request
from bot.errors import UserError
from bot.interactions.places import is_moderator
from engine.texts import Text

ONLY_MODERATORS = Text("This is for moderators: it needs the permission **Manage Server**.")
NOT_THERE = Text("I cannot see this server at the moment. Is the bot itself a member of it?")


def server_of(request: Request) -> discord.Guild:
    """The server of a moderator. Raises `UserError` for everybody else; controls and commands come from outside."""
    interaction = request.response.interaction
    if not is_moderator(interaction):
        raise UserError(ONLY_MODERATORS)
    guild: discord.Guild | None = interaction.client.get_guild(interaction.guild_id)
    if guild is None:
        raise UserError(NOT_THERE)
    return guild
