"""Parts of messages that every room uses (Components V2). Nothing here knows a game or a table."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import ActionRow, LayoutView, MediaGallery, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu

Layout = LayoutView

GOLD = discord.Color(0xE8B24A)
SILENT = discord.AllowedMentions.none()

PRIMARY, SUCCESS, DANGER = discord.ButtonStyle.primary, discord.ButtonStyle.success, discord.ButtonStyle.danger


def layout(*items: discord.ui.Item[Any]) -> Layout:
    """A message of these parts."""
    message = LayoutView(timeout=None)
    for item in items:
        message.add_item(item)
    message.stop()  # our controls find their handler by id; discord.py need not remember the message
    return message


def row(*controls: Control | Menu) -> ActionRow[Any]:
    """Up to five buttons, or a menu."""
    return ActionRow(*controls)


def picture(filename: str, alt: str) -> MediaGallery[Any]:
    """A picture attached by this name, with its text twin."""
    return MediaGallery(discord.MediaGalleryItem(f"attachment://{filename}", description=alt[:1024]))


def text_layout(sentence: str) -> Layout:
    """A message of text only."""
    return layout(TextDisplay(sentence[:4000]))


def confirm_layout(match_id: int, question: str, kind: str, label: str) -> Layout:
    """A question before something that cannot be taken back."""
    sure = Control(ControlId(kind, match_id), label, DANGER)
    return layout(TextDisplay(question), row(sure, Control(ControlId("close", match_id), "Cancel")))
