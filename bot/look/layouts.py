"""Looking at a table, message by message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import PRIMARY, Layout, layout, picture, row
from bot.tables.table import Table
from engine.texts import Text


def look_layout(table: Table, text: str, shown: tuple[str, str], *, due: bool, follows: bool | None = None) -> Layout:
    """A look at the board for one person, with ways to look further.

    `follows` is whether he does, if he could.
    """
    move = [Control(ControlId("turn", table.id), table.say(Text("Your move")), PRIMARY)] if due else []
    further = [
        Control(ControlId(kind, table.id), table.say(label))
        for kind, label in (("past", Text("Log")), ("text", Text("As text")))
    ]
    following = [] if follows is None else [follow_control(table, follows=follows)]
    return layout(TextDisplay(text), picture(*shown), row(*move, *further, *following))


def follow_control(table: Table, *, follows: bool) -> Control:
    """To hear how a match ends without playing in it, or not to."""
    kind, label = ("unfollow", Text("Follow no more")) if follows else ("follow", Text("Follow"))
    return Control(ControlId(kind, table.id), table.say(label))


def games_layout(rows: Sequence[tuple[str, str]], threads: Sequence[Text]) -> Layout:
    """The games of a channel, to choose one from, and those of its threads; `rows` are ids and labels."""
    items: list[discord.ui.Item[Any]] = []
    if rows:
        menu = Menu(ControlId("game", int(rows[0][0])), tuple(rows), str(Text("Choose a game to look at")))
        items += [TextDisplay(str(Text("### Games of this channel"))), row(menu)]
    if threads:
        items.append(TextDisplay("\n".join(map(str, (Text("### Games in its threads"), *threads)))))
    return layout(*items)


def log_layout(table: Table, pages: Sequence[str], number: int) -> Layout:
    """A page of what has happened, with ways to the others."""
    items: list[discord.ui.Item[Any]] = [TextDisplay(f"### {table.title}\n{pages[number]}")]
    ways = [
        Control(ControlId("log", table.id, text=str(other)), table.say(label), disabled=other not in range(len(pages)))
        for label, other in ((Text("Earlier"), number - 1), (Text("Later"), number + 1))
    ]
    if len(pages) > 1:
        page = Text("-# Page {number} of {pages}", number=number + 1, pages=len(pages))
        items += [TextDisplay(table.say(page)), row(*ways)]
    return layout(*items)
