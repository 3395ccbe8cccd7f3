"""Buttons and menus that outlive restarts: all they know is in their id.

An id is `cv:kind:match:version~draft:text` (menus `cm:`, those of people `cu:`, of channels or roles `cs:`, forms
`cf:`): which handler, which match in which version, what was chosen before in this turn (a few letters, left out for
nothing), and the words or name it carries. Handlers are found by `kind`; every feature lists its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord.ui import Button, ChannelSelect, DynamicItem, RoleSelect, Select, UserSelect

FIELDS = r"(?P<kind>[a-z]+):(?P<match>\d{1,18}):(?P<version>\d{1,18})(~(?P<draft>[0-9a-f]{6}))?:(?P<text>.*)"
"""Numbers that a database can hold; ids come from outside."""


MENU_ROWS = MOST_PICKED = 25
"""Most rows of a menu, and most channels or roles that somebody can choose in one; Discord allows no more."""

BIGINT = 1 << 63
"""Less than this are all ids, and all numbers that a database can hold."""

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
        # for `from_custom_id`, where it does not matter: that button is never sent
        label: str = "…",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        *,
        disabled: bool = False,
    ) -> None:
        # Discord: 80 characters on a button, 100 in a row of a menu, 150 in its placeholder
        super().__init__(Button(custom_id=f"cv:{control}", label=label[:80], style=style, disabled=disabled))
        self.control = control

    @classmethod
    async def from_custom_id(cls, _interaction: Any, _item: Any, match: re.Match[str], /) -> Self:
        """Called by discord.py for a tap on a message of any age."""
        return cls(ControlId.of(match))

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the tap to the dispatcher."""
        await interaction.client.dispatcher.tapped(interaction, self.control, ())


class Menu(DynamicItem[Select[Any]], template=f"cm:{FIELDS}"):
    """A select menu of at most 25 rows: value, label, and what the label does not say, if there is anything."""

    def __init__(
        self,
        control: ControlId,
        # for `from_custom_id`, where the rows do not matter: `item` takes the place of this menu
        rows: Sequence[tuple[str, ...]] = (("-", "-"),),
        placeholder: str = "",
        chosen: str | None = None,
    ) -> None:
        options = [
            discord.SelectOption(
                label=label[:100], value=value, description="".join(more)[:100] or None, default=value == chosen
            )
            for value, label, *more in rows
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
        """Hand the choice to the dispatcher."""
        await interaction.client.dispatcher.tapped(interaction, self.control, tuple(self.item.values))


class UserMenu(DynamicItem[UserSelect[Any]], template=f"cu:{FIELDS}"):
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
        """Hand the ids of the people to the dispatcher; bots are none."""
        # Discord's client offers bots in this menu, too
        chosen = tuple(str(user.id) for user in self.item.values if not user.bot)
        await interaction.client.dispatcher.tapped(interaction, self.control, chosen)


class Picker(DynamicItem[ChannelSelect[Any] | RoleSelect[Any]], template=f"cs:{FIELDS}"):
    """A menu of channels or roles, which Discord's client fills in: none, one, or as many as Discord allows."""

    @classmethod
    def channels(
        cls,
        control: ControlId,
        chosen: Sequence[int],
        placeholder: str,
        types: Sequence[discord.ChannelType],
        most: int = MOST_PICKED,
    ) -> Self:
        """For channels of some types."""
        known = [discord.SelectDefaultValue.from_channel(discord.Object(channel)) for channel in chosen]
        item: ChannelSelect[Any] = ChannelSelect(
            custom_id=f"cs:{control}",
            channel_types=list(types),
            placeholder=placeholder[:150],
            min_values=0,  # so that all can be taken away again
            max_values=most,
            default_values=known[:most],
        )
        return cls(item)

    @classmethod
    def roles(cls, control: ControlId, chosen: Sequence[int], placeholder: str) -> Self:
        """For roles."""
        known = [discord.SelectDefaultValue.from_role(discord.Object(role)) for role in chosen]
        item: RoleSelect[Any] = RoleSelect(
            custom_id=f"cs:{control}",
            placeholder=placeholder[:150],
            min_values=0,
            max_values=MOST_PICKED,
            default_values=known[:MOST_PICKED],
        )
        return cls(item)

    @classmethod
    async def from_custom_id(cls, _interaction: Any, item: Any, _match: re.Match[str], /) -> Self:
        """Called by discord.py; `item` is the menu of the message."""
        return cls(item)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        """Hand the choice to the dispatcher, as ids."""
        # parsed here, since `channels` and `roles` make this item from a menu and not from an id
        found = re.fullmatch(f"cs:{FIELDS}", self.item.custom_id)
        assert found is not None, "discord.py found it by this pattern"
        data: Any = interaction.data
        values = tuple(str(value) for value in data.get("values", ()))
        await interaction.client.dispatcher.tapped(interaction, ControlId.of(found), values)


CONTROLS: tuple[type[DynamicItem[Any]], ...] = (Control, Menu, UserMenu, Picker)
"""Whatever in a message can be used, for discord.py to know it."""


def id_in(text: str) -> int | None:
    """The id that a row of a menu or a control carries; nothing for what can be none, since both come from outside."""
    # the length first: Python raises an error for numbers with more than 4,300 digits
    number = int(text) if text.isdecimal() and len(text) < 20 else BIGINT
    return number if number < BIGINT else None


def is_known(custom_id: str) -> bool:
    """Whether an id, which comes from outside, is that of one of `CONTROLS`."""
    # without `cf:`: a form that was sent is no component (`Caravanserai.on_interaction`)
    return re.fullmatch(f"c[vmus]:{FIELDS}", custom_id) is not None
