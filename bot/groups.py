"""The groups of commands. Features add theirs by `@game.command(...)`, in a module called `commands`."""

from __future__ import annotations

import discord
from discord.app_commands import AppCommandContext, AppInstallationType, Group

SERVERS, ANYWHERE = AppInstallationType(guild=True), AppInstallationType(guild=True, user=True)
"""Who installs a command: a server for its members, or also a person for themselves, in all servers."""

HERE_OR_DIRECT = AppCommandContext(guild=True, dm_channel=True)
"""Where a command is used: in a server, or in a direct message with the bot."""

game = Group(
    name="game",
    description="Start a board game in this channel, join it, look at it",
    allowed_installs=ANYWHERE,  # `/game mine` goes with its user
)

server = Group(
    name="server",
    description="Look after the games of this server",
    default_permissions=discord.Permissions(manage_guild=True),  # the bot asks again whether somebody has them
    guild_only=True,
)

admin = Group(
    name="admin",
    description="For whoever runs this bot",
    default_permissions=discord.Permissions(administrator=True),  # Discord knows no operators; the bot asks whose it is
    guild_only=True,
)
