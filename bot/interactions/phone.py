"""Estimated height of texts and buttons on the screen of a phone, since the fonts of clients differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from bot.interactions.controls import Control
from bot.interactions.emojis import without_placeholders

LINE = 42
"""Characters of a line of text."""

STYLES = {"### ": 34, "-# ": 47}
"""Characters of a line of a heading and of small print, by the Markdown before it."""

BUTTON_LINE, BUTTON, LETTER, EMOJI = 366, 40, 8, 26
"""Pixels of a line of buttons, of a button without its label, with the gap beside it, of a letter of its label, and of
an emoji beside the label.
"""

FORM_HEIGHT = 650
"""Pixels of a form that a phone shows without scrolling."""

FORM, QUESTION, MENU, RADIO_BUTTON = 130, 45, 46, 48
"""Pixels of a form without its questions, of a question without its answers, of a menu and of a radio button."""

FORM_MENU_LINE, MENU_LINE = 32, 36
"""Characters of the chosen row of a menu, in a form and in a message."""


def lines_of(words: str) -> int:
    """The lines of a text; backslashes that escape Markdown are invisible."""
    visible = without_placeholders(words.replace("\\", "").replace("*", ""), " 🐪")
    return sum(map(_lines, visible.splitlines()))


def _lines(line: str) -> int:
    sign = next((sign for sign in STYLES if line.startswith(sign)), "")
    return len(wrap(line.removeprefix(sign), STYLES.get(sign, LINE)))


def radio_form_height(answers: Iterable[int]) -> int:
    """The pixels of a form that has a group of radio buttons for each question; `answers` are their numbers."""
    return FORM + sum(QUESTION + RADIO_BUTTON * count for count in answers)


def menu_form_height(questions: int) -> int:
    """The pixels of a form that has a menu for each question."""
    return FORM + questions * (QUESTION + MENU)


def button_lines(controls: Sequence[Control]) -> int:
    """The lines of a row of buttons, which wraps."""
    lines, room = 1, BUTTON_LINE
    for control in controls:
        emoji = EMOJI if control.item.emoji else 0
        width = min(BUTTON_LINE, BUTTON + emoji + LETTER * len(control.item.label or ""))
        if width > room:
            lines, room = lines + 1, BUTTON_LINE
        room -= width
    return lines
