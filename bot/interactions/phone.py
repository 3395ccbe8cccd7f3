"""Estimated height of texts and buttons on the screen of a phone, since the fonts of clients differ."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from bot.interactions.controls import Control
from bot.interactions.emojis import without_placeholders

LINE_WIDTH, CARD_WIDTH = 350, 330
"""Pixels of a line of text, in a message and in its card, a few less than it has: the widths of letters are rounded."""

NARROW_LETTERS, WIDE_LETTERS = frozenset("fijlrtI.,:;!'’·()/|[] -\u00a0\u202f"), frozenset("mwMW…+−×&%—")
NARROW, USUAL, CAPITAL, WIDE, EMOJI = 5.6, 9.5, 11, 13.5, 22
"""Pixels of letters of these kinds in text and in the labels of buttons, as wide as those of the local Discord, whose
font is wider than that of other clients; and of an emoji.
"""

FIRST_EMOJI = "\u2600"
"""The first character in the order of Unicode that is as wide as an emoji."""

STYLES = {"### ": 1.25, "## ": 1.47, "-# ": 0.85}
"""Factors of the widths in a heading and in small print, by the Markdown before it."""

HEIGHTS = {"### ": 22, "## ": 33, "-# ": 20}
LINE_HEIGHT = 23
"""Pixels of a line, by the Markdown before it."""

BREAK = 6
"""Pixels between a heading, small print and other lines."""

BOARD_TEXT, BOARD_GAP = 115, 11
"""Pixels of the words of a board that fit below its picture and above a line of buttons, and between two texts."""

MARKDOWN = re.compile(r"\*+|\\|\|\||^(#+|-#) ", re.MULTILINE)

SHOWN_AS = {
    r"<a?:\w+:\d+>": "▢▢",
    r"<[@#&!]+\d+>": "@somebody",
    r"\[([^]]+)\]\([^)]*\)": r"\1",
    r"<t:\d+:R>": "in 3 days",
    r"<t:\d+(:\w)?>": "November 27, 2026 10:00",
}
"""Parts of a text by their Markdown, and words as long as those that a reader sees instead."""

BUTTON_LINE, BUTTON, BUTTON_EMOJI = 360, 32, 26
"""Pixels of a line of buttons, a few less than it has, of a button without its label, with the gap beside it, a few
more than in the local Discord, and of an emoji beside the label.
"""

FORM_HEIGHT = 650
"""Pixels of a form that a phone shows without scrolling."""

FORM, QUESTION, RADIO_BUTTON = 130, 45, 48
"""Pixels of a form without its questions, of a question without its answers, and of a radio button."""

FORM_MENU_LINE, MENU_LINE = 32, 36
"""Characters of the chosen row of a menu, in a form and in a message."""

MENU_WIDTH = 300
"""Pixels of the question of a menu in a message."""


def lines_of(words: str, across: float | None = None) -> int:
    """The lines of a text; backslashes that escape Markdown are invisible."""
    visible = without_placeholders(words.replace("\\", "").replace("*", ""), " 🐪")
    return sum(_lines(line, across or LINE_WIDTH) for line in visible.splitlines())


def text_height(content: str, across: float | None = None) -> int:
    """The pixels of a text from top to bottom."""
    lines = as_read(content).splitlines()
    signs = [next((sign for sign in HEIGHTS if line.startswith(sign)), "") for line in lines]
    heights = [
        HEIGHTS.get(sign, LINE_HEIGHT) * max(1, lines_of(sign + MARKDOWN.sub("", line), across))
        for line, sign in zip(lines, signs, strict=True)
    ]
    breaks = sum(bool(first or second) for first, second in pairwise(signs))
    return sum(heights) + BREAK * breaks


def as_read(content: str) -> str:
    """A text with mentions, links and times about as long as a reader sees them."""
    for markdown, words in SHOWN_AS.items():
        content = re.sub(markdown, words, content)
    return content


def _lines(line: str, across: float) -> int:
    sign = next((sign for sign in STYLES if line.startswith(sign)), "")
    width, space = across / STYLES.get(sign, 1), width_of(" ")
    lines, room = 0, 0.0
    for word in line.removeprefix(sign).split():
        if (word_width := width_of(word)) > room:
            # a word that is wider than a line fills some
            full, word_width = divmod(word_width, width)
            lines, room = lines + 1 + int(full), width
        room -= word_width + space
    return lines


@lru_cache(maxsize=4096)  # the same words again and again, in different combinations
def width_of(words: str) -> float:
    """The pixels of words in a line of text or in the label of a button."""
    return sum(map(_letter_width, words))


def _letter_width(letter: str) -> float:
    if letter in NARROW_LETTERS:
        return NARROW
    if letter >= FIRST_EMOJI:
        return EMOJI
    return WIDE if letter in WIDE_LETTERS else CAPITAL if letter.isupper() else USUAL


def radio_form_height(answers: Iterable[int]) -> int:
    """The pixels of a form that has a group of radio buttons for each question; `answers` are their numbers."""
    return FORM + sum(QUESTION + RADIO_BUTTON * count for count in answers)


def button_lines(controls: Sequence[Control]) -> int:
    """The lines of a row of buttons, which wraps."""
    lines, room = 1, float(BUTTON_LINE)
    for control in controls:
        emoji = BUTTON_EMOJI if control.item.emoji else 0
        width = min(BUTTON_LINE, BUTTON + emoji + width_of(control.item.label or ""))
        if width > room:
            lines, room = lines + 1, BUTTON_LINE
        room -= width
    return lines
