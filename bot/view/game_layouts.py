"""Looking at a table, message by message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import Container, TextDisplay

from bot.interactions.controls import Control, ControlId, Menu
from bot.interactions.parts import GOLD, Layout, layout, picture, row
from bot.posting.animations import animation_items, step_by_step, which_moves
from bot.posting.board_layouts import luck_control, your_move
from bot.posting.board_texts import turn_line
from bot.posting.pictures import Animation
from bot.posting.story_layouts import export_control, page_controls
from bot.tables.table import Table
from engine.texts import Seat, Text
from engine.turns import Turn


def look_layout(table: Table, text: str, shown: tuple[str, str], *, due: bool, follows: bool | None = None) -> Layout:
    """A look at the board for one person, with ways to look further.

    `follows` is whether they do, if they could.
    """
    move = [your_move(table)] if due else []
    further = [
        Control(ControlId(kind, table.id), table.say(label))
        for kind, label in (("past", Text("Log")), ("text", Text("As text")), ("film", Text("Replay")))
    ]
    next_step = [] if follows is None else [follow_control(table, follows=follows)]
    return layout(TextDisplay(text), picture(*shown), row(*move, *further, *next_step))


def follow_control(table: Table, *, follows: bool) -> Control:
    """To hear how a match ends without playing in it, or not to."""
    kind, label = ("unfollow", Text("Unfollow")) if follows else ("follow", Text("Follow"))
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
    ways = page_controls(table, "log", number, len(pages)) if len(pages) > 1 else []
    if ways:
        items.append(TextDisplay(table.say(Text("-# Page {number} of {pages}", number=number + 1, pages=len(pages)))))
    further = [luck_control(table), export_control(table)]
    if len(table.people) > 1:
        further.append(Control(ControlId("blockhere", table.id), table.say(Text("Block a player"))))
    return layout(*items, row(*ways, *further))


ALL, ROUND = "all", "round"
"""The whole game, and the turns since everybody had one: what controls carry; `12-16` are moves by their numbers."""


def replay_layout(table: Table, animation: Animation, scenes: Sequence[Turn], chosen: tuple[int, int]) -> Layout:
    """A moving picture for one person, with ways to others, to its single positions, and to show it around."""
    first, last = (scenes[number] for number in chosen)
    # by the numbers of moves, which do not change while the game goes on
    span = f"{first.moves[1]}-{last.moves[1]}"
    ways = [
        _replay_control(table, "replay", ROUND, Text("Last round")),
        _replay_control(table, "replay", ALL, Text("Whole game")),
        step_by_step(table, chosen[0]),
        _replay_control(table, "share", span, Text("Show to everyone")),
    ]
    return layout(*_animated(table, animation, scenes, chosen), row(*ways))


def shared_layout(
    table: Table, animation: Animation, scenes: Sequence[Turn], chosen: tuple[int, int], user: str
) -> Layout:
    """The same for everybody, and who has shown it."""
    by = table.say(Text("-# Shown by {user}.", user=user))
    items = (*_animated(table, animation, scenes, chosen), TextDisplay(by), row(step_by_step(table, chosen[0])))
    return layout(Container(*items, accent_color=GOLD))


def _animated(
    table: Table, animation: Animation, scenes: Sequence[Turn], chosen: tuple[int, int]
) -> list[discord.ui.Item[Any]]:
    first, last = chosen
    title = Text("Replay of {title}", title=table.title)
    return animation_items(table, animation, title, scenes[first : last + 1], scenes[-1])


def _replay_control(table: Table, kind: str, text: str, label: Text) -> Control:
    return Control(ControlId(kind, table.id, text=text), table.say(label))


def frame_layout(table: Table, scenes: Sequence[Turn], number: int, shown: tuple[str, str], you: Seat | None) -> Layout:
    """A single position with what led to it, and ways to the others."""
    scene, last = scenes[number], len(scenes) - 1
    which = which_moves([scene], scenes[-1]) if number else Text("How it began")
    words = [f"**{table.say(which)}**", *([turn_line(table, scene, you)] if scene.events else [])]
    targets = ((Text("First"), 0), (Text("Back"), number - 1), (Text("Forward"), number + 1), (Text("Last"), last))
    # the version only tells two ways apart that lead to the same position
    ways = [
        Control(
            ControlId("frame", table.id, way, str(max(0, to))), table.say(label), disabled=to in (number, -1, last + 1)
        )
        for way, (label, to) in enumerate(targets)
    ]
    # the fifth button of the row, which is full now
    back = Control(ControlId("replay", table.id), table.say(Text("Replay")))
    return layout(picture(*shown), TextDisplay("\n".join(words)), row(*ways, back))
