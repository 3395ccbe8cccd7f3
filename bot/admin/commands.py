"""The command for the operator of the bot."""

from __future__ import annotations

from bot.admin import status
from bot.dispatcher import Interaction
from bot.groups import admin


@admin.command(name="status", description="How the bot is doing: games, boards, times, workers")
async def show_status(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, status.show_status)
