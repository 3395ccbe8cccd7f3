"""Limits for the texts that people type: they are cut before anything is computed from them."""

from __future__ import annotations

from typing import Any

from discord.app_commands import Choice

MAX_TYPED = 100
"""Most letters of an option of a command, also while suggestions for it are shown."""

MAX_LINE = 200
"""Most letters of a line of a form: no form asks for more."""


def shorten_options(data: Any) -> None:
    """Cut the texts among the options of a command, in place, however deep Discord has nested them."""
    for option in data.get("options") or ():
        if isinstance(option.get("value"), str):
            option["value"] = shortened_words(option["value"], MAX_TYPED)
        shorten_options(option)


def suggestion(name: str, value: str) -> Choice[str]:
    """A suggestion for an option of a command; a name too long for Discord ends with a whole word."""
    # Discord: 100 characters each; a notation is shorter (`engine.notation.MAX_LENGTH`)
    return Choice(name=name if len(name) <= MAX_TYPED else f"{shortened_words(name, MAX_TYPED - 2)} …", value=value)


def shortened_words(text: str, most: int) -> str:
    """The first `most` letters of a text, without a word that this would cut in two unless it is the only one."""
    if len(text) <= most:
        return text
    cut = text[: most + 1]
    whole, space, _ = cut.rpartition(" ")
    return whole if space and whole.strip() else cut[:most]
