"""The command for one's own data."""

from __future__ import annotations

from bot.dispatcher import Interaction
from bot.groups import me
from bot.settings import my_data


@me.command(name="data", description="What I keep of you: get it as a file, or have it forgotten")
async def show_data(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, my_data.show)
