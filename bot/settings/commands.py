"""The commands for what is one's own."""

from __future__ import annotations

from bot.dispatcher import Interaction
from bot.groups import me
from bot.settings import auto_answer_page, my_data, preference_page


@me.command(name="settings", description="How you like to play, in all servers")
async def show_settings(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, preference_page.show_preferences)


@me.command(name="answers", description="Let small questions on other players’ turns be answered for you")
async def show_answers(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, auto_answer_page.show_answers)


@me.command(name="data", description="What I store about you: get it as a file, or have it deleted")
async def show_data(interaction: Interaction) -> None:
    await interaction.client.dispatcher.anywhere(interaction, my_data.show)
