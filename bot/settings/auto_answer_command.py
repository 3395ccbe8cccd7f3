"""The command for questions outside one's own turn."""

from __future__ import annotations

from bot.dispatcher import Interaction
from bot.groups import me
from bot.settings import auto_answer_page


@me.command(name="answers", description="Let small questions outside your turn be answered for you")
async def show_answers(interaction: Interaction) -> None:
    await interaction.client.dispatcher.at_table(interaction, auto_answer_page.show_answers)
