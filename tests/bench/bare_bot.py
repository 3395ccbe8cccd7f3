"""D0: a bare discord.py bot that answers in the shape of a move, without any work, with ready bytes attached.

`/bare move market:B` answers with a board at once, as a typed move does. `/bare hold` shows a private message whose
*Confirm* is answered as a tapped move is: the private message changes, the board comes into the channel.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any, Self

import discord
from discord import app_commands
from discord.ui import ActionRow, Button, Container, DynamicItem, LayoutView, MediaGallery, TextDisplay
from PIL import Image, ImageDraw, ImageFont

BYTES = Path(os.environ["BENCH_PICTURE"]).read_bytes()
TEXTS = ("### Game", "🔴 **Red** placed the piper on 1B.", "🟦 **Blue** <@1>: Choose one action.")
ALT = "A board. " * 80

# loaded as any bot that draws would, for the comparison of memory
DRAWING = (Image.new("RGB", (1, 1)), ImageDraw.ImageDraw, ImageFont.FreeTypeFont)


class Confirm(DynamicItem[Button[Any]], template=r"bare:(?P<kind>[a-z]+)"):
    """A button that outlives restarts."""

    def __init__(self, kind: str, label: str) -> None:
        super().__init__(Button(custom_id=f"bare:{kind}", label=label))

    @classmethod
    async def from_custom_id(cls, _interaction: Any, item: Any, match: Any, /) -> Self:
        return cls(match["kind"], item.label)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.edit_message(view=held(), attachments=[])
        channel = interaction.client.get_partial_messageable(interaction.channel_id)
        await channel.send(view=board(), file=picture(), allowed_mentions=discord.AllowedMentions.none())


def layout(*items: discord.ui.Item[Any]) -> LayoutView:
    """A message of these parts, forgotten by discord.py once it is sent."""
    view = LayoutView(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    return view


def held() -> LayoutView:
    """The private message."""
    return layout(TextDisplay("`place B` ✓"), ActionRow(Confirm("do", "Confirm")))


def board() -> LayoutView:
    """The board message."""
    heading, *words = (TextDisplay[Any](text) for text in TEXTS)
    gallery: MediaGallery[Any] = MediaGallery(discord.MediaGalleryItem("attachment://board.png", description=ALT))
    row: ActionRow[Any] = ActionRow(Confirm("turn", "Your move"), Confirm("text", "As text"), Confirm("rules", "Rules"))
    return layout(Container(heading, gallery, *words, row, accent_color=0xE8B24A))


def picture() -> discord.File:
    """The bytes as an attachment."""
    return discord.File(io.BytesIO(BYTES), "board.png", description=ALT)


class Bare(discord.Client):
    """The client with its two commands."""

    def __init__(self) -> None:
        super().__init__(intents=discord.Intents(guilds=True), guild_ready_timeout=0.5)
        self.tree = app_commands.CommandTree(self)

    async def setup_hook(self) -> None:
        group = app_commands.Group(name="bare", description="Nothing but answers")

        @group.command(description="A move")
        async def move(interaction: discord.Interaction[Any], market: str) -> None:
            none = discord.AllowedMentions.none()
            await interaction.response.send_message(view=board(), file=picture(), allowed_mentions=none)

        @group.command(description="A private message with a button")
        async def hold(interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_message(view=held(), ephemeral=True)

        self.tree.add_command(group)
        self.add_dynamic_items(Confirm)
        await self.tree.sync()


if __name__ == "__main__":
    Bare().run(os.environ["DISCORD_TOKEN"], log_handler=None)
