"""The command for one's own settings."""

from __future__ import annotations

from bot.dispatcher import Interaction
from bot.groups import me
from bot.settings import preference_page


@me.command(name="settings", description="How you like to play, in all servers")
async def show_settings(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, preference_page.show_preferences)
