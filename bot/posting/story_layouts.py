"""The story of a match, message by message: the whole of it, its turning points, and how accurately all have played."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import discord
from discord.ui import Container, TextDisplay

from bot.interactions.controls import Control, ControlId
from bot.interactions.kinds import declare_at_table
from bot.interactions.parts import GOLD, Layout, layout, picture, row
from bot.tables.table import Table
from engine.story.chapter import DRAW, Remark, chapter_of, luck_of
from engine.story.telling import Play, Story
from engine.texts import Seat, Text, joined

DIGITS = {"1": "1️⃣", "2": "2️⃣", "3": "3️⃣", DRAW: "🎲"}
"""The marks of the picture."""


@declare_at_table("story")
def show_story(page: int = 0) -> None:
    """A page of the story of a match."""


@declare_at_table("export")
def export() -> None:
    """*Export*: the game as files."""


def story_layout(table: Table, story: Story, shown: tuple[str, str], *, posted: bool = True) -> Layout:
    """The whole story; `posted` in the channel, or as the first page for one person."""
    heading = table.say(Text("### The story of {title}", title=table.title))
    sums = [table.say(_accuracies(story)), table.say(_luck(table, story))]
    lines = [*map(marked, remarks_of(table, story)), *filter(None, sums)]
    items: list[discord.ui.Item[Any]] = [TextDisplay(heading), picture(*shown), TextDisplay("\n".join(lines))]
    if posted:
        further = show_story.button(table, Text("Look closer"), page=1)
        return layout(Container(*items, row(further), accent_color=GOLD))
    return layout(*items, _ways(table, story, 0))


def remarks_of(table: Table, story: Story) -> tuple[Remark, ...]:
    """The sentences for the marks, with the names of the players."""
    return chapter_of(table.shown(), story, table.names).told


def marked(remark: Remark) -> str:
    """With the mark it has in the picture."""
    return f"{DIGITS[remark.mark]} {remark.words}"


def _accuracies(story: Story) -> Text:
    """How accurately everybody played, in a line."""
    each = [
        Text("{seat} {accuracy}", seat=Seat(seat), accuracy=play.accuracy)
        for seat, play in enumerate(story.plays)
        if play.accuracy is not None
    ]
    return Text("-# Accuracy: {each}", each=joined(each, " · ")) if each else Text("")


def _luck(table: Table, story: Story) -> Text:
    """What draws have brought to everybody, in a line; nothing without any."""
    gains = luck_of(table.shown(), story)
    percents = [f"{round(100 * gain):+}".replace("-", "−") for gain in gains]
    each = [Text("{seat} {gain}%", seat=Seat(seat), gain=gain) for seat, gain in enumerate(percents)]
    return Text("-# Luck: {each}", each=joined(each, " · ")) if any(gains) else Text("")


def pages_of(story: Story) -> int:
    """The picture, a page for each turning point, and how accurately everybody played."""
    return len(story.turnings) + 2


def turning_layout(table: Table, story: Story, number: int, shown: tuple[str, str]) -> Layout:
    """A turning point: the board as the player who had to choose saw it, and what would have been better."""
    words = marked(remarks_of(table, story)[number - 1])
    about = table.say(Text("-# This is how {seat} saw the board.", seat=story.turnings[number - 1].seat))
    return layout(picture(*shown), TextDisplay(f"{words}\n{about}"), _ways(table, story, number))


def accuracy_layout(table: Table, story: Story) -> Layout:
    """How accurately everybody played, and what that means; and the luckiest draw."""
    lines = [table.say(Text("### How accurately everyone played"))]
    lines += [table.say(_accuracy(Seat(seat), play)) for seat, play in enumerate(story.plays)]
    lines += [marked(remark) for remark in remarks_of(table, story) if remark.mark == DRAW]
    meaning = Text(
        "-# Accuracy is 0 for random choices and 100 for perfect ones. Only choices that mattered count, judged "
        "by what could be known at the time."
    )
    return layout(TextDisplay("\n".join((*lines, table.say(meaning)))), _ways(table, story, pages_of(story) - 1))


def _accuracy(seat: Seat, play: Play) -> Text:
    if play.accuracy is None:
        return Text("{seat}: no choice mattered", seat=seat)
    template = "{seat}: **{accuracy}** – best choice in {good} of {choices} that mattered"
    return Text(template, seat=seat, accuracy=play.accuracy, good=play.good, choices=play.choices)


def _ways(table: Table, story: Story, page: int) -> discord.ui.ActionRow[Any]:
    ways = page_controls(partial(show_story.id, table), page, pages_of(story))
    return row(*ways, export.button(table, Text("Export")))


def page_controls(to_page: Callable[[int], ControlId], page: int, pages: int) -> list[Control]:
    """To the pages before and after one of several."""
    return [
        Control(to_page(other), label, disabled=other not in range(pages))
        for label, other in ((Text("Previous"), page - 1), (Text("Next"), page + 1))
    ]
