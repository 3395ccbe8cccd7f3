"""Moving pictures of any span of a match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.ui import TextDisplay

from bot.interactions.controls import Control
from bot.interactions.kinds import InVersion, declare_at_table
from bot.interactions.parts import picture
from bot.posting.board_texts import moves_of
from bot.posting.pictures import Animation, Pictures
from bot.tables.table import Table
from engine.core import State, View
from engine.match import Match
from engine.texts import Text
from engine.turns import Turn

MAX_LARGE_TURNS = 12
"""Most turns that are shown in the full size of a board; more of them are shown in half of it."""


async def animate(
    pictures: Pictures, table: Table, scenes: Sequence[Turn], chosen: tuple[int, int], *, contrast: bool
) -> Animation:
    """The animation of some scenes, the first and the last one by their numbers, from the position before them."""
    first, last = chosen
    match, chosen_scenes = table.viewable_match(), scenes[first - 1 : last + 1]
    large = last - first < MAX_LARGE_TURNS
    people = (table.seat_names, table.names_with_portraits)
    # a function, so that the views are made in the thread that draws, and not on the event loop
    return await pictures.animation(
        lambda: [view_of(match, scene) for scene in chosen_scenes], *people, large=large, contrast=contrast
    )


def view_of(match: Match, scene: Turn) -> View[State]:
    """The public view at the end of a scene, for players too."""
    return match.until(scene.end).view(None, since=scene.first)


def animation_items(
    table: Table, animation: Animation, heading: Text, shown: Sequence[Turn], last: Turn
) -> list[discord.ui.Item[Any]]:
    """The picture below its heading, and what it leaves out; `last` is the last scene of the match."""
    lines = [table.say(Text("### {heading}\n{moves}", heading=heading, moves=which_moves(shown, last)))]
    if animation.frames < animation.of:
        thin = Text("-# {shown} of {of} positions fit into the file.", shown=animation.frames, of=animation.of)
        lines.append(table.say(thin))
    alt = table.say(Text("An animation. It ends like this: {alt}", alt=animation.alt))
    return [TextDisplay("\n".join(lines)), picture(animation.filename, alt)]


def which_moves(shown: Sequence[Turn], last: Turn) -> Text:
    """The numbers of the moves on display, and of all moves."""
    template = "{moves:Move|Moves} {numbers} of {all}"
    # the setup has the number 0 and is not a move
    moves = shown[-1].moves[1] - max(1, shown[0].moves[0]) + 1
    return Text(template, moves=moves, numbers=moves_of(*shown), all=last.moves[1])


@declare_at_table("frame")
def frame(number: int = 0, way: InVersion[int] = 0) -> None:
    """A single position, by its number. The way tells buttons of a message apart that lead to the same position."""


def step_by_step(table: Table, first: int) -> Control:
    """A way to the single positions, from a scene on."""
    return frame.button(table, Text("Step by step"), number=first)
