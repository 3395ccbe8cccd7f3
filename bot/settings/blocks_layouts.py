"""The page of blocked players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import MENU_ROWS, NO_TABLE, Control, ControlId, Menu, UserMenu
from bot.interactions.parts import Layout, Wording, layout, row
from bot.store.blocks import Block
from bot.tables.table import Table
from engine.texts import Text, joined

ABOUT = Text(
    "### Players you have blocked\nYou are not seated together any more: no invitation, rematch or free seat brings "
    "you together, and a league seats you apart if it can. They are not told. A game that you already play together "
    "goes on; you leave tables where it has not begun."
)


def blocks_layout(blocks: Sequence[Block], say: Wording, page: int, note: Text | None, *, in_server: bool) -> Layout:
    """The blocks of a user, a page of a menu at a time, and a menu to block another player where there are people."""
    count = Text("You have blocked {n} {n:player|players}.", n=len(blocks)) if blocks else Text("You block nobody.")
    lines = [*([note] if note else []), ABOUT, Text("-# {count}", count=count)]
    items: list[discord.ui.Item[Any]] = [TextDisplay(say(joined(lines, "\n")))]
    if in_server:
        items.append(row(UserMenu(ControlId("block", NO_TABLE), say(Text("Block a player")))))
    if blocks:
        pages = [blocks[n : n + MENU_ROWS] for n in range(0, len(blocks), MENU_ROWS)]
        items.append(row(_unblock_menu(pages[page % len(pages)], say)))
        # of a page beyond the last one, as an old button has it, `%` makes one that there is
        items += [_next_page((page + 1) % len(pages), say)] if len(pages) > 1 else []
    return layout(*items)


def _unblock_menu(blocks: Sequence[Block], say: Wording) -> Menu:
    rows = tuple((block.digest, block.name or say(Text("somebody"))) for block in blocks)
    return Menu(ControlId("unblock", NO_TABLE), rows, say(Text("Unblock a player")))


def _next_page(page: int, say: Wording) -> discord.ui.ActionRow[Any]:
    return row(Control(ControlId("blocks", NO_TABLE, page), say(Text("More names"))))


def people_layout(table: Table, people: Mapping[int, str]) -> Layout:
    """The people of a table, by id, to choose whom to block."""
    question = Text(
        "### Whom do you want to block?\nYou are not seated together any more, and they are not told. A game that you "
        "already play together goes on; you leave tables where it has not begun. `/me settings` has the list."
    )
    # the newest ones: a menu has no more rows
    rows = [(str(user_id), name or table.say(Text("somebody"))) for user_id, name in people.items()][:MENU_ROWS]
    menu = Menu(ControlId("blocked", table.id), tuple(rows), table.say(Text("Choose a player")))
    return layout(TextDisplay(table.say(question)), row(menu))
