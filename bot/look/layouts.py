"""Looking at a table, message by message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import PRIMARY, Layout, layout, picture, row
from bot.tables.table import Table


def look_layout(table: Table, text: str, shown: tuple[str, str], *, due: bool) -> Layout:
    """A look at the board for one person."""
    move = [row(Control(ControlId("turn", table.id), "Your move", PRIMARY))] if due else []
    return layout(TextDisplay(text), picture(*shown), *move)


def log_layout(table: Table, pages: Sequence[str], number: int) -> Layout:
    """A page of what has happened, with ways to the others."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {table.title}\n{pages[number]}")]
    ways = [
        Control(ControlId("log", table.id, text=str(other)), label, disabled=other not in range(len(pages)))
        for label, other in (("Earlier", number - 1), ("Later", number + 1))
    ]
    if len(pages) > 1:
        items += [TextDisplay(f"-# Page {number + 1} of {len(pages)}"), row(*ways)]
    return layout(*items)
