"""Typed texts: they are shortened before any use, and compared without capitals and accents."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Any

from discord.app_commands import Choice

MAX_TYPED = 100
"""Characters of an option of a command, also in requests for suggestions."""

MAX_LINE = 200
"""Characters of a line of a form; all forms have smaller limits."""


def shorten_options(data: Any) -> None:
    """Shorten the texts in the options of a command, in place, at all levels of nesting."""
    for option in data.get("options") or ():
        if isinstance(option.get("value"), str):
            option["value"] = shortened_words(option["value"], MAX_TYPED)
        shorten_options(option)


def suggestion(name: str, value: str) -> Choice[str]:
    """A suggestion for an option of a command; a name too long for Discord ends with a whole word."""
    # Discord: 100 characters each; a notation is shorter (`engine.notation.MAX_LENGTH`)
    return Choice(name=name if len(name) <= MAX_TYPED else f"{shortened_words(name, MAX_TYPED - 2)} …", value=value)


def shortened_words(text: str, most: int) -> str:
    """The first `most` characters of a text, without a broken last word unless it is the only one."""

    if len(text) <= most:
        return text
    cut = text[: most + 1]
    whole, space, _ = cut.rpartition(" ")
    return whole if space and whole.strip() else cut[:most]


@lru_cache(maxsize=4096)  # titles and sections are compared with every text that is typed
def fold(text: str) -> str:
    """The text without capitals and accents, letter by letter, so that places in it stay where they are."""
    return "".join(unicodedata.normalize("NFD", sign)[0].lower()[:1] for sign in unicodedata.normalize("NFC", text))
