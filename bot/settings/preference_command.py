"""The command for one's own settings."""

from __future__ import annotations

from discord import app_commands

from bot.dispatcher import Interaction
from bot.groups import ANYWHERE
from bot.settings import preference_page


@app_commands.command(name="settings", description="How you like to play, in all servers")
async def settings(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, preference_page.show_preferences)


settings.allowed_installs = ANYWHERE
