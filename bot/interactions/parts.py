"""Parts of messages for all features (Components V2), independent of games and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from math import ceil
from typing import Any, TypeAlias

import discord
from discord.ui import ActionRow, Container, LayoutView, MediaGallery, TextDisplay

from bot.interactions.controls import Control, Menu, Picker, UserMenu
from bot.interactions.emojis import NO_EMOJIS, current_emojis
from bot.interactions.phone import button_lines
from engine.proof import public_commitment
from engine.texts import Text

Layout = LayoutView

MAX_BUTTONS = 5
"""Discord: the most buttons of a row."""

Wording: TypeAlias = Callable[[Text], str]
"""Localizes a text for its reader."""

MAX_TEXT = 4000
"""Discord: the most characters of text in all of a message's components."""

GOLD = discord.Color(0xE8B24A)
SILENT = discord.AllowedMentions.none()


def calling(user_ids: Iterable[int | None]) -> discord.AllowedMentions:
    """Mentions that ping these users only."""
    # 0 is a forgotten user (`bot.store.user_data`)
    users = [discord.Object(user_id) for user_id in user_ids if user_id]
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


PLAIN, PRIMARY = discord.ButtonStyle.secondary, discord.ButtonStyle.primary
SUCCESS, DANGER = discord.ButtonStyle.success, discord.ButtonStyle.danger


def layout(*items: discord.ui.Item[Any]) -> Layout:
    """A message of these parts, with emojis in its texts if they fit."""
    # without discord.py's timeout of 180 s
    message = LayoutView(timeout=None)
    for item in items:
        message.add_item(item)
    texts = [part for part in message.walk_children() if isinstance(part, TextDisplay)]
    for emojis in (current_emojis(), NO_EMOJIS):
        contents = [emojis.insert_emojis(part.content) for part in texts]
        if sum(map(len, contents)) <= MAX_TEXT:
            break
    for part, content in zip(texts, contents, strict=True):
        part.content = content
    message.stop()  # ids of controls lead to their handlers, so discord.py need not keep the message
    return message


def card(*items: discord.ui.Item[Any]) -> Container[Any]:
    """A framed part of a public message, with a golden edge."""
    return Container(*items, accent_color=GOLD)


def row(*controls: Control | Menu | UserMenu | Picker) -> ActionRow[Any]:
    """Up to five buttons, or one menu."""
    return ActionRow(*controls)


def rows(controls: Sequence[Control]) -> list[ActionRow[Any]]:
    """Any number of buttons, five in a row; or evenly in as many rows, if that takes fewer lines on a phone or leaves
    no button alone.
    """
    count = ceil(len(controls) / MAX_BUTTONS)
    ways = (_parts(controls, MAX_BUTTONS), _parts(controls, ceil(len(controls) / max(1, count))))
    return [row(*part) for part in min(ways, key=_cost)]


def _cost(parts: Sequence[Sequence[Control]]) -> tuple[int, bool]:
    """The lines of some rows on a phone, and whether the last one has a single button."""
    return sum(map(button_lines, parts)), len(parts) > 1 == len(parts[-1])


def _parts(controls: Sequence[Control], size: int) -> list[Sequence[Control]]:
    return [controls[n : n + size] for n in range(0, len(controls), max(1, size))]


def sealed_luck(secret: str) -> Text:
    """A line for a message that the luck of a match is sealed, with the public commitment as a spoiler."""
    return Text("-# 🎲 The luck of this game is sealed: {digits}", digits=f"||{public_commitment(secret)}||")


def picture(filename: str, alt: str) -> MediaGallery[Any]:
    """A picture attached by this name, with its text description."""
    # Discord: 1,024 characters; discord.py's own documentation says 256
    return MediaGallery(discord.MediaGalleryItem(f"attachment://{filename}", description=alt[:1024]))


def words_layout(words: str) -> Layout:
    """A message with a string only."""
    return layout(TextDisplay(words[:MAX_TEXT]))


def text_layout(text: Text, localize: Wording, *controls: Control) -> Layout:
    """A message with a text only, perhaps with some buttons."""
    return layout(TextDisplay(localize(text)[:MAX_TEXT]), *([row(*controls)] if controls else []))


def stamp(moment: datetime, style: str = "f") -> str:
    """A time that Discord shows to each reader in their own time zone; with the style `R`, relative to now."""
    return f"<t:{int(moment.timestamp())}:{style}>"


# only the permissions that each game needs: threads are optional, and the doctor asks for their permissions
INVITE_PERMISSIONS = discord.Permissions(
    view_channel=True, send_messages=True, send_messages_in_threads=True, attach_files=True
)


def invitation(application_id: int) -> str:
    """The link to add the bot to a server."""
    scopes = ("bot", "applications.commands")
    return discord.utils.oauth_url(application_id, permissions=INVITE_PERMISSIONS, scopes=scopes)
