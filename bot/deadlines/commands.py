"""The command for the pace of a table."""

from __future__ import annotations

from bot.deadlines import pace_and_votes
from bot.dispatcher import Interaction
from bot.groups import table


@table.command(name="pace", description="See how much time everyone has for a turn; the host can change it")
async def show_pace(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, pace_and_votes.show_pace)
