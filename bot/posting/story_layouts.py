"""The story of a match, message by message: the whole of it, its turning points, and how accurately all have played.

A button of the last board opens it for one person.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import discord
from discord.ui import LayoutView, TextDisplay

from bot.interactions.controls import Control, ControlId
from bot.interactions.kinds import InVersion, declare_at_table
from bot.interactions.parts import PRIMARY, Layout, card, layout, picture, row
from bot.interactions.phone import button_lines, text_height
from bot.posting import board_layouts
from bot.tables.table import Table
from engine.story.chapter import DRAW, Remark, chapter_of, lesson_text, luck_of
from engine.story.telling import Play, Story, Turning
from engine.texts import Seat, Text, joined

ROOM, LINE_OF_BUTTONS = 135, 52
"""Pixels of a text that fits on a phone between a picture and a line of buttons, below the line that an answer to a
command has above it; and of a second line of buttons.
"""

DIGITS = {"1": "1️⃣", "2": "2️⃣", "3": "3️⃣", DRAW: "🎲"}
"""The marks of the picture."""


@declare_at_table("retry")
def try_again(ply: InVersion[int], words: tuple[str, ...] = ()) -> None:
    """*Try it yourself*: the choice at a ply once more, after these words."""


@declare_at_table("sharestory")
def share_story() -> None:
    """*Show to everyone*: the story in the channel."""


@declare_at_table("export")
def export() -> None:
    """*Export*: the game as files."""


def story_layout(table: Table, story: Story, shown: tuple[str, str], own: Sequence[Turning] = ()) -> Layout:
    """The whole story for one person, with the lesson of the costliest of their `own` mistakes, if there are any.

    The picture has the title and the remarks, and the last page how accurately all played. Beside a lesson, that page
    also has the button to export: the message is to fit on the screen of a phone.
    """
    closer = board_layouts.story.button(table, Text("Look closer"), PRIMARY, page=1)
    if own:
        ways = [closer, _try_control(table, own[0].ply)]
        lesson = _lesson(table, own[0], ways)
        return layout(picture(*shown), TextDisplay(lesson), row(*_with_sharing(table, ways, lesson)))
    ways, sums = [closer, *_passing_on(table)], _sums(table, story)
    return layout(*_whole(shown, [fitting(ways, *sums)] if sums else []), row(*ways))


def _lesson(table: Table, mistake: Turning, ways: Sequence[Control]) -> str:
    """The advice to the player of a mistake, with its explanation if it fits on a phone."""
    return fitting(ways, *f"💡 {lesson_of(table, mistake)}".splitlines())


def fitting(ways: Sequence[Control], first: str, *more: str) -> str:
    """The first text, and those lines of others that a phone has room for between a picture and these buttons.

    A first line that is too long is in small print.
    """
    lines = [first if fits(ways, first) else f"-# {first}"]
    for line in more:
        lines += [line] if fits(ways, "\n".join((*lines, line))) else []
    return "\n".join(lines)


def fits(ways: Sequence[Control], words: str) -> bool:
    """Whether a phone has room for a text between a picture and these buttons."""
    return text_height(words) <= ROOM - LINE_OF_BUTTONS * (button_lines(ways) - 1)


def _passing_on(table: Table) -> list[Control]:
    return [_share_control(table), export.button(table, Text("Export"))]


def _with_sharing(table: Table, ways: Sequence[Control], words: str) -> Sequence[Control]:
    """These buttons, with *Show to everyone* if a phone has room for it below a picture and these words."""
    sharing = [*ways, _share_control(table)]
    return sharing if fits(sharing, words) else ways


def _share_control(table: Table) -> Control:
    return share_story.button(table, Text("Show to everyone"))


def shared_layout(
    table: Table, story: Story, shown: tuple[str, str], user: str, following: Sequence[Control]
) -> Layout:
    """The whole story for everyone, the user who shared it, and the buttons that lead on."""
    by = table.say(Text("-# Shown by {user}.", user=user))
    closer = board_layouts.story.button(table, Text("Look closer"), page=1)
    lines = [*map(with_mark, remarks_of(table, story)), *_sums(table, story), by]
    heading = TextDisplay[LayoutView](table.say(Text("### The story of {title}", title=table.title)))
    return layout(card(heading, *_whole(shown, lines), row(*following, closer)))


def _whole(shown: tuple[str, str], lines: Sequence[str]) -> list[discord.ui.Item[Any]]:
    words = [TextDisplay[LayoutView]("\n".join(lines))] if lines else []
    return [picture(*shown), *words]


def _sums(table: Table, story: Story) -> list[str]:
    """The accuracy and luck of all players, in small print."""
    return list(filter(None, (table.say(_accuracies(story)), table.say(_luck(table, story)))))


def lesson_of(table: Table, mistake: Turning) -> str:
    """The advice to the player of a mistake."""
    return table.say(lesson_text(table.viewable_match(), mistake, table.names), mistake.seat)


def _try_control(table: Table, ply: int) -> Control:
    return try_again.button(table, Text("Try it yourself"), ply=ply)


def remarks_of(table: Table, story: Story) -> tuple[Remark, ...]:
    """The sentences for the marks, with the names of the players."""
    return chapter_of(table.viewable_match(), story, table.names).remarks


def with_mark(remark: Remark) -> str:
    """With the mark it has in the picture."""
    return f"{DIGITS[remark.mark]} {remark.words}"


def _accuracies(story: Story) -> Text:
    """The accuracy of all players, in a line."""
    each = [
        Text("{seat} {accuracy}", seat=Seat(seat), accuracy=play.accuracy)
        for seat, play in enumerate(story.plays)
        if play.accuracy is not None
    ]
    return Text("-# Accuracy: {each}", each=joined(each, " · ")) if each else Text("")


def _luck(table: Table, story: Story) -> Text:
    """The gains of all players by luck, in a line; empty without any draws."""
    gains = luck_of(table.viewable_match(), story)
    percents = [f"{round(100 * gain):+}".replace("-", "−") for gain in gains]
    each = [Text("{seat} {gain}%", seat=Seat(seat), gain=gain) for seat, gain in enumerate(percents)]
    return Text("-# Luck: {each}", each=joined(each, " · ")) if any(gains) else Text("")


def pages_of(story: Story) -> int:
    """The picture, a page for each turning point, and how accurately everybody played."""
    return len(story.turnings) + 2


def turning_layout(
    table: Table, story: Story, number: int, shown: tuple[str, str], own: Sequence[Turning] = ()
) -> Layout:
    """A turning point: the board as the deciding player saw it, and the better choice.

    The player may try their `own` mistakes again. *Show to everyone* may take the place of the last line, but not of
    the choice.
    """
    turning = story.turnings[number - 1]
    remark = with_mark(remarks_of(table, story)[number - 1])
    about = table.say(Text("-# This is how {seat} saw the board.", seat=turning.seat))
    tries = [_try_control(table, turning.ply)] if turning.ply in {mistake.ply for mistake in own} else []
    ways = _with_sharing(table, [*_pages(table, story, number), *tries], remark)
    return layout(picture(*shown), TextDisplay(fitting(ways, remark, about)), row(*ways))


def accuracy_layout(table: Table, story: Story) -> Layout:
    """The accuracy of all players with an explanation, and the luckiest draw."""
    lines = [table.say(Text("### How accurately everyone played"))]
    lines += [table.say(_accuracy(Seat(seat), play)) for seat, play in enumerate(story.plays)]
    lines += [with_mark(remark) for remark in remarks_of(table, story) if remark.mark == DRAW]
    meaning = Text(
        "-# Accuracy is 0 for random choices and 100 for perfect ones. Only choices that mattered count, judged "
        "by what could be known at the time."
    )
    lines += filter(None, (table.say(_luck(table, story)), table.say(meaning)))
    ways = [*_pages(table, story, pages_of(story) - 1), *_passing_on(table)]
    return layout(TextDisplay("\n".join(lines)), row(*ways))


def _accuracy(seat: Seat, play: Play) -> Text:
    if play.accuracy is None:
        return Text("{seat}: no choice mattered", seat=seat)
    template = "{seat}: **{accuracy}** – best choice in {good} of {choices} that mattered"
    return Text(template, seat=seat, accuracy=play.accuracy, good=play.good, choices=play.choices)


def _pages(table: Table, story: Story, page: int) -> list[Control]:
    return page_controls(partial(board_layouts.story.id, table), page, pages_of(story))


def page_controls(to_page: Callable[[int], ControlId], page: int, pages: int) -> list[Control]:
    """To the pages before and after one of several."""
    return [
        Control(to_page(other), label, disabled=other not in range(pages))
        for label, other in ((Text("Previous"), page - 1), (Text("Next"), page + 1))
    ]
