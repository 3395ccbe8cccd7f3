"""Buttons and menus that survive restarts: their ids contain all their fields.

An id is `cv:kind:match:version~draft:text` (menus `cm:`, those of people `cu:`, of channels or roles `cs:`, forms
`cf:`): the kind of control, the match and its version, a checksum of the earlier choices of this turn (left out if
there are none), and further fields. The fields of each kind are those of its handler (`bot/interactions/kinds.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any, Self

import discord
from discord.ui import Button, ChannelSelect, DynamicItem, RoleSelect, Select, UserSelect

from engine.texts import Text
from engine.values import Value

FIELDS = r"(?P<kind>[a-z]+):(?P<match>\d{1,18}):(?P<version>\d{1,18})(~(?P<draft>[0-9a-f]{6}))?:(?P<text>.*)"
"""Numbers have at most 18 digits, which fit into the database; ids come from outside."""


MENU_ROWS = MAX_PICKED = 25
"""Discord's limits for the rows of a menu, and for the chosen channels or roles."""

BIGINT = 1 << 63
"""The exclusive limit of ids, and of numbers in the database."""

NO_TABLE = 0
"""The match in ids of controls without a match."""


class ControlId(Value):
    """The id of a control, at most 100 characters as text."""

    kind: str
    match: int
    version: int = 0
    text: str = ""
    draft: str = ""

    @classmethod
    def of(cls, match: re.Match[str]) -> ControlId:
        """The id in a match of `FIELDS`."""
        return cls(match["kind"], int(match["match"]), int(match["version"]), match["text"], match["draft"] or "")

    def __str__(self) -> str:
        stamp = f"{self.version}~{self.draft}" if self.draft else str(self.version)
        return f"{self.kind}:{self.match}:{stamp}:{self.text}"


class Control(DynamicItem[Button[Any]], template=f"cv:{FIELDS}"):
    """A button."""

    def __init__(
        self,
        control: ControlId,
        label: Text | str = "…",
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        *,
        disabled: bool = False,
        emoji: discord.PartialEmoji | None = None,
    ) -> None:
        # Discord: 80 characters on a button, 100 in a row of a menu, 150 in its placeholder
        super().__init__(
            Button(custom_id=f"cv:{control}", label=str(label)[:80], style=style, disabled=disabled, emoji=emoji)
        )


class Menu(DynamicItem[Select[Any]], template=f"cm:{FIELDS}"):
    """A select menu of at most 25 rows: value, label, and what the label does not say, if there is anything; `emojis`
    are for the rows, none or one for each. With `several`, any number of rows can be chosen, also none.
    """

    def __init__(
        self,
        control: ControlId,
        rows: Sequence[tuple[Text | str, ...]] = (("-", "-"),),
        placeholder: Text | str = "",
        chosen: str | Sequence[str] | None = None,
        emojis: Sequence[discord.PartialEmoji | None] = (),
        *,
        several: bool = False,
    ) -> None:
        defaults = [chosen] if isinstance(chosen, str) else [*(chosen or ())]
        options = [
            discord.SelectOption(
                label=str(label)[:100],
                value=str(value),
                description="".join(map(str, more))[:100] or None,
                emoji=emoji,
                default=value in defaults,
            )
            for (value, label, *more), emoji in zip_longest(rows, emojis)
        ]
        limits = (0, len(options)) if several else (1, 1)
        select: Select[Any] = Select(
            custom_id=f"cm:{control}",
            options=options,
            placeholder=str(placeholder)[:150] or None,
            min_values=limits[0],
            max_values=limits[1],
        )
        super().__init__(select)


class UserMenu(DynamicItem[UserSelect[Any]], template=f"cu:{FIELDS}"):
    """A menu of the members of a server; `most` can be chosen at once."""

    def __init__(self, control: ControlId, placeholder: Text | str = "", most: int = 1) -> None:
        hint = str(placeholder)[:150] or None
        super().__init__(UserSelect(custom_id=f"cu:{control}", placeholder=hint, max_values=most))


class Picker(DynamicItem[ChannelSelect[Any] | RoleSelect[Any]], template=f"cs:{FIELDS}"):
    """A menu of channels or roles, which Discord's client fills in; none can be chosen, too."""

    @classmethod
    def channels(
        cls,
        control: ControlId,
        chosen: Sequence[int],
        placeholder: Text | str,
        types: Sequence[discord.ChannelType],
        most: int = MAX_PICKED,
    ) -> Self:
        """A menu of channels of some types."""
        defaults = [discord.SelectDefaultValue.from_channel(discord.Object(channel)) for channel in chosen]
        item: ChannelSelect[Any] = ChannelSelect(
            custom_id=f"cs:{control}",
            channel_types=list(types),
            placeholder=str(placeholder)[:150],
            min_values=0,  # so that all can be deselected
            max_values=most,
            default_values=defaults[:most],
        )
        return cls(item)

    @classmethod
    def roles(cls, control: ControlId, chosen: Sequence[int], placeholder: Text | str) -> Self:
        """A menu of roles."""
        defaults = [discord.SelectDefaultValue.from_role(discord.Object(role)) for role in chosen]
        item: RoleSelect[Any] = RoleSelect(
            custom_id=f"cs:{control}",
            placeholder=str(placeholder)[:150],
            min_values=0,
            max_values=MAX_PICKED,
            default_values=defaults[:MAX_PICKED],
        )
        return cls(item)


def id_in(text: str) -> int | None:
    """The id in a row of a menu or in a control; `None` if the text is not an id, since both come from outside."""
    # the length first: Python raises an error for numbers with more than 4,300 digits
    number = int(text) if text.isdecimal() and len(text) < 20 else BIGINT
    return number if number < BIGINT else None


def chosen_name(data: Any, user_id: int) -> str:
    """The name of a user chosen in a `UserMenu`, as sent by Discord with the id; empty without one."""
    try:
        resolved, key = data["resolved"], str(user_id)
        member, user = (resolved.get("members") or {}).get(key) or {}, resolved["users"][key]
        return str(member.get("nick") or user.get("global_name") or user.get("username") or "")
    except (AttributeError, KeyError, TypeError):
        return ""


def used_control(data: Any) -> tuple[ControlId, tuple[str, ...]] | None:
    """The id of a tapped control with the chosen values, or `None` if it is not one of ours.

    Reads nothing else of the control and its message. Raises an exception of any type for unreadable data.
    """
    # without `cf:`: a submitted form is not a component (`Caravanserai.on_interaction`)
    match = re.fullmatch(f"c(?P<sort>[vmus]):{FIELDS}", str(data["custom_id"]))
    if match is None:
        return None
    values = () if match["sort"] == "v" else tuple(str(value) for value in data.get("values") or ())
    if match["sort"] == "u":
        users = data["resolved"]["users"] if values else {}
        # Discord's client offers bots in this menu, too
        values = tuple(value for value in values if value in users and not users[value].get("bot"))
    return ControlId.of(match), values
