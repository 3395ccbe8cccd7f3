"""Division of a table's options into pages, each no longer than the screen of a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from discord.ui import ActionRow

from bot.interactions.controls import Control, ControlId
from bot.interactions.parts import row
from engine.core import GameSpec
from engine.texts import Text

MAX_FIELDS = 3
"""Maximum menus on a page of game options."""

PRESET_FIELDS = 2
"""The room that presets take, in menus."""

TABLE_FIELDS = 3
"""The room that start, rating and hints take, in menus."""

MAX_SHARED_FIELDS = 5
"""Maximum menus on a page with the options of the game and those of the table."""

Page = tuple[str, ...]
"""The names of the options on a page."""


def game_pages(spec: GameSpec) -> tuple[Page, ...]:
    """The options of a game in pages, at least one; presets belong to the first."""
    # None reserves the place of the presets
    entries = [*([None] * PRESET_FIELDS if spec.presets else []), *(option.name for option in fields(spec.options))]
    starts = range(0, len(entries), MAX_FIELDS) or [0]
    parts = (entries[start : start + MAX_FIELDS] for start in starts)
    return tuple(tuple(name for name in part if name) for part in parts)


def shares_page(spec: GameSpec) -> bool:
    """Whether the options of the game and of the table fit on one page."""
    return len(fields(spec.options)) + PRESET_FIELDS * bool(spec.presets) + TABLE_FIELDS <= MAX_SHARED_FIELDS


def page_of(spec: GameSpec, name: str) -> int:
    """The number of the page with an option; 0 for an unknown one."""
    return next((number for number, page in enumerate(game_pages(spec)) if name in page), 0)


def page_row(
    spec: GameSpec, control: Callable[[int], ControlId], current: int, *, table: bool = False
) -> Iterator[ActionRow[Any]]:
    """The buttons to the other pages, if there are any; with `table`, the last page has the options of the table."""
    count = len(game_pages(spec))
    labels = [Text("Options {number}", number=n) for n in range(1, count + 1)] if count > 1 else [Text("Options")]
    if table and not shares_page(spec):
        labels.append(Text("Start and hints"))
    if len(labels) > 1:
        yield row(*(Control(control(n), label, disabled=n == current) for n, label in enumerate(labels)))
