"""The page of `/server settings`, and what the doctor has found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.customs.customs import Customs
from bot.interactions.controls import NO_TABLE, Control, ControlId, Menu, Picker
from bot.interactions.parts import Layout, layout, row
from engine.texts import Text, joined

WRITTEN_IN = (
    discord.ChannelType.text,
    discord.ChannelType.news,
    discord.ChannelType.voice,
    discord.ChannelType.forum,
)
"""What people write in, or open threads in."""

PLACES = (*WRITTEN_IN, discord.ChannelType.category)
"""What games can be allowed in."""

NUMBERS = {0: Text("Any number of games"), 1: Text("1 game at once")} | {
    most: Text("{most} games at once", most=most) for most in (3, 5, 10, 25)
}
CALLS = {
    "yes": Text("Call people by mentions"),
    "no": Text("Write names only, without a ping"),
}

ABOUT = Text(
    "### Games in this server\n"
    "What you choose counts at once; games that are set or being played go on. "
    "Whoever has **Manage Server** may start games anywhere, and any number of them."
)
ABOUT_PLACES = Text(
    "**Where games may be started** – a channel stands for its threads, a category for its channels. "
    "None chosen: everywhere."
)
ABOUT_ROLES = Text(
    "**Who may start them** – members with any of these roles. None chosen: everybody. Joining is for all."
)
ABOUT_NUMBER = Text("**How many at once** – tables where people still gather count, too.")
ABOUT_CALLS = Text(
    "**Mentions** – how people hear that it is their move. "
    "Without a ping, reminders come by direct message or not at all."
)
GONE = Text("-# What was chosen here is gone, so only moderators can start games.")


def customs_layout(customs: Customs, channels: Sequence[int], roles: Sequence[int]) -> Layout:
    """A menu for everything; `channels` and `roles` are those of the chosen ones that still exist."""
    numbers = tuple((str(most), str(text)) for most, text in NUMBERS.items())
    calls = tuple((name, str(text)) for name, text in CALLS.items())
    return layout(
        TextDisplay(str(ABOUT)),
        *_asked(ABOUT_PLACES, _places(channels), gone=bool(customs.channels) and not channels),
        *_asked(ABOUT_ROLES, _roles(roles), gone=bool(customs.roles) and not roles),
        *_asked(ABOUT_NUMBER, Menu(_id("most"), numbers, chosen=str(customs.most))),
        *_asked(ABOUT_CALLS, Menu(_id("calls"), calls, chosen="yes" if customs.calls else "no")),
        row(
            Control(ControlId("checkhere", NO_TABLE), str(Text("Check this channel"))),
            Control(ControlId("checkall", NO_TABLE), str(Text("Check all channels"))),
            Control(ControlId("games", NO_TABLE), str(Text("Games"))),
        ),
    )


def _asked(about: Text, menu: Menu | Picker, *, gone: bool = False) -> tuple[discord.ui.Item[Any], ...]:
    """A menu below what it is for."""
    return TextDisplay(str(joined([about, *([GONE] if gone else [])], "\n"))), row(menu)


def _places(channels: Sequence[int]) -> Picker:
    return Picker.channels(_id("channels"), channels, str(Text("Everywhere")), PLACES)


def _roles(roles: Sequence[int]) -> Picker:
    return Picker.roles(_id("roles"), roles, str(Text("Everybody")))


def _id(name: str) -> ControlId:
    """Which custom a menu is for."""
    return ControlId("custom", NO_TABLE, text=name)
