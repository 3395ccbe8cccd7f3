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
    description="Play and follow the game in this channel",
    allowed_installs=ANYWHERE,
)
"""What a player uses every day."""

table = Group(
    name="table",
    description="Set up and manage a table for a game in this channel",
    allowed_installs=ANYWHERE,
)
"""What a host does."""

me = Group(
    name="me",
    description="Your games, your settings, your data",
    allowed_installs=ANYWHERE,
)
"""What is one's own."""

stats = Group(
    name="stats",
    description="Results, ratings and records in this server",
    allowed_installs=ANYWHERE,
)
"""What has become of rated games."""

league = Group(
    name="league",
    description="Play a season of one game with the others in this server",
    guild_only=True,
)
"""What goes over many games."""

server = Group(
    name="server",
    description="Manage the games in this server",
    # only a default, which a server can change: the bot asks again whether somebody has it
    default_permissions=discord.Permissions(manage_guild=True),
    guild_only=True,
)

admin = Group(
    name="admin",
    description="For the operator of this bot",
    # Discord knows no operators: the bot asks whose application it is
    default_permissions=discord.Permissions(administrator=True),
    guild_only=True,
)
