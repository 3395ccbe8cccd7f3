"""The commands for those who look after a server."""

from __future__ import annotations

from bot.dispatcher import Interaction
from bot.groups import server
from bot.moderation import barring, server_games, server_settings


@server.command(name="settings", description="Where games may be played, who may start them, how many at a time")
async def show_settings(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, server_settings.show_guild_settings)


@server.command(name="games", description="All games in this server: find problems, end or unstick them")
async def list_games(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, server_games.list_games)


@server.command(name="players", description="Bar people from games in this server, or let them play again")
async def show_bars(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, barring.show)


@server.command(name="doctor", description="Check whether I have the permissions I need in this server’s channels")
async def examine(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, server_settings.examine_server)
