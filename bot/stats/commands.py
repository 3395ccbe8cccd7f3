"""The commands of `/stats`."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.dispatcher import Interaction, Request
from bot.groups import stats
from bot.stats import showing
from bot.view.named import game_named, suggest_games


@stats.command(name="player", description="How you have played, or somebody else here")
@app_commands.describe(who="by default yourself")
async def player(interaction: Interaction, who: discord.User | None = None) -> None:
    await _show(interaction, f"player/{(who or interaction.user).id}")


@stats.command(name="versus", description="How two people have done against each other")
@app_commands.describe(who="against whom", other="the other player, if not you")
async def versus(interaction: Interaction, who: discord.User, other: discord.User | None = None) -> None:
    await _show(interaction, f"versus/{(other or interaction.user).id}/{who.id}")


@stats.command(name="server", description="Who plays a game best in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the most played one")
@app_commands.autocomplete(title=suggest_games)
async def server(interaction: Interaction, title: str = "") -> None:
    await _show(interaction, "server", title)


@stats.command(name="records", description="The records of a game in this server")
@app_commands.rename(title="game")
@app_commands.describe(title="by default the most played one")
@app_commands.autocomplete(title=suggest_games)
async def records(interaction: Interaction, title: str = "") -> None:
    await _show(interaction, "records", title)


async def _show(interaction: Interaction, page: str, title: str = "") -> None:
    async def work(request: Request) -> None:
        await showing.show(request, f"{page}/{game_named(title).slug}" if title else page)

    await interaction.client.dispatcher.anywhere(interaction, work)
