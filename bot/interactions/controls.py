"""Buttons and menus that outlive restarts: all they know is in their id.

An id is `cv:kind:match:version~draft:text` (menus `cm:`, menus of people `cu:`, forms `cf:`): which handler, which
match in which version, what was chosen before in this turn (a few letters, left out for nothing), and the words or
name it carries. Handlers are found by `kind`; every room lists its own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord.ui import Button, DynamicItem, Select, UserSelect

FIELDS = r"(?P<kind>[a-z]+):(?P<match>\d{1,18}):(?P<version>\d{1,18})(~(?P<draft>[0-9a-f]{6}))?:(?P<text>.*)"
"""Numbers that a database can hold; ids come from outside."""


NO_TABLE = 0
"""What controls carry that belong to no match."""


@dataclass(frozen=True, slots=True)
class ControlId:
    """What a control carries, at most 100 characters as text."""

    kind: str
    match: int
    version: int = 0
    text: str = ""
    draft: str = ""

    @classmethod
    def of(cls, found: re.Match[str]) -> ControlId:
        """The id a pattern has found."""
        return cls(found["kind"], int(found["match"]), int(found["version"]), found["text"], found["draft"] or "")

    def __str__(self) -> str:
        stamp = f"{self.version}~{self.draft}" if self.draft else str(self.version)
        return f"{self.kind}:{self.match}:{stamp}:{self.text}"


class Control(DynamicItem[Button[Any]], template=f"cv:{FIELDS}"):
    """A button."""

    def __init__(
        self,
        control: ControlId,
        label: str = "…",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        *,
        disabled: bool = False,
    ) -> None:
        super().__init__(Button(custom_id=f"cv:{control}", label=label[:80], style=style, disabled=disabled))
        self.control = control

    @classmethod
    async def from_custom_id(cls, _interaction: Any, _item: Any, match: re.Match[str], /) -> Self:
        """Called by discord.py for a tap on a message of any age."""
        return cls(ControlId.of(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the tap to the reception."""
        await interaction.client.reception.tapped(interaction, self.control, ())


class Menu(DynamicItem[Select[Any]], template=f"cm:{FIELDS}"):
    """A select menu of at most 25 (value, label) rows."""

    def __init__(
        self,
        control: ControlId,
        rows: tuple[tuple[str, str], ...] = (("-", "-"),),
        placeholder: str = "",
        chosen: str | None = None,
    ) -> None:
        options = [
            discord.SelectOption(label=label[:100], value=value, default=value == chosen) for value, label in rows
        ]
        super().__init__(Select(custom_id=f"cm:{control}", options=options, placeholder=placeholder[:150] or None))
        self.control = control

    @classmethod
    async def from_custom_id(cls, _interaction: Any, item: Any, match: re.Match[str], /) -> Self:
        """Called by discord.py; the real menu, with the chosen values, is `item`."""
        menu = cls(ControlId.of(match))
        menu.item = item
        return menu

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice to the reception."""
        await interaction.client.reception.tapped(interaction, self.control, tuple(self.item.values))


class Guests(DynamicItem[UserSelect[Any]], template=f"cu:{FIELDS}"):
    """A menu of the people of a server, in which several can be chosen at once."""

    def __init__(self, control: ControlId, placeholder: str = "", most: int = 1) -> None:
        super().__init__(UserSelect(custom_id=f"cu:{control}", placeholder=placeholder[:150] or None, max_values=most))
        self.control = control

    @classmethod
    async def from_custom_id(cls, _interaction: Any, item: Any, match: re.Match[str], /) -> Self:
        """Called by discord.py; the real menu, with the chosen people, is `item`."""
        menu = cls(ControlId.of(match))
        menu.item = item
        return menu

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the ids of the people to the reception; bots are none."""
        chosen = tuple(str(user.id) for user in self.item.values if not user.bot)
        await interaction.client.reception.tapped(interaction, self.control, chosen)
