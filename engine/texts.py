"""Sentences as data: a template with the values it names, put into words at the very end, for one reader."""

from __future__ import annotations

import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any

from engine.languages import language


class Seat(int):
    """A place at the table, counted from 0 in order of play. Never a Discord user."""

    __slots__ = ()


CHANCE = Seat(-1)
"""The seat of dice, deals and draws."""

SEAT_COLORS = ("Red", "Blue", "Yellow", "Green", "Purple", "White")
"""Names of the seats in every game of the house, unless a game names its own."""


@dataclass(frozen=True, slots=True, init=False)
class Text:
    """A sentence, or a part of one, before anybody reads it.

    Fields are seats, numbers, words, enum members, coordinates, other texts, or tuples of them. Two forms after a
    colon leave the choice to the value: `{seat:plays|play}` and `{seat:@’s|your}` (anybody else, or the reader; `@`
    is the name), `{turns:turn|turns}` and `{artists:is|are}` (one, or another number).

    >>> str(Text("{seat} {seat:takes|take} {n} {n:coin|coins}.", seat=Seat(1), n=1200))
    'Blue takes 1,200 coins.'
    """

    template: str
    fields: tuple[tuple[str, Any], ...]

    def __init__(self, template: str, /, **fields: Any) -> None:
        # Frozen, and with an `__init__` of its own: only `object` can set them.
        object.__setattr__(self, "template", template)
        # Pairs, not a dict: texts are compared and hashed with the positions that hold them.
        object.__setattr__(self, "fields", tuple(fields.items()))

    def __str__(self) -> str:
        """In the words of the house, for logs and developers; for people use `engine.wording.say`."""
        return put_into_words(self, SEAT_COLORS)


def term(words: str) -> Text:
    """Words that the catalogs know from elsewhere, such as the title of a game.

    >>> str(term("Muscat"))
    'Muscat'
    """
    return Text(words)


def stored(value: Any) -> Any:
    """A text, or what is among its fields, as JSON.

    >>> stored(Text("{n} of {all}", n=2, all=Text("five")))
    {'template': '{n} of {all}', 'fields': {'n': 2, 'all': {'template': 'five', 'fields': {}}}}
    """
    if isinstance(value, Text):
        return {"template": value.template, "fields": {name: stored(field) for name, field in value.fields}}
    return [stored(part) for part in value] if isinstance(value, tuple) else value


def restored(value: Any) -> Any:
    """The text, or the field, that was stored so.

    >>> restored(stored(Text("{n} of five", n=2))) == Text("{n} of five", n=2)
    True
    """
    if isinstance(value, dict):
        return Text(value["template"], **{name: restored(field) for name, field in value["fields"].items()})
    return tuple(map(restored, value)) if isinstance(value, list) else value


SPOKEN = ("you", "luck", "yes", "no", "none")
"""Words that values are read as."""

ECHOED = 60
"""Most characters of foreign words that a sentence repeats."""


def shortened(words: str, most: int = ECHOED) -> str:
    """Words that somebody else wrote, as far as a sentence repeats them: a file or a command may hold thousands.

    >>> shortened("a long name", most=6)
    'a lon…'
    """
    return words if len(words) <= most else f"{words[: most - 1]}…"


def joined(texts: Sequence[Text], between: str = " ") -> Text:
    """Several texts as one.

    >>> str(joined([Text("Red wins."), Text("{n} points.", n=7)]))
    'Red wins. 7 points.'
    """
    parts = {f"part{n}": text for n, text in enumerate(texts)}
    return Text(between.join(f"{{{name}}}" for name in parts), **parts)


def rewritten(text: Text, write: Callable[[str], str]) -> Text:
    """The text with the strings and errors among its fields written differently; seats, numbers and members stay.

    >>> str(rewritten(Text("{seat} is {name}.", seat=Seat(0), name="ann"), str.title))
    'Red is Ann.'
    """
    return Text(text.template, **{name: _rewritten(value, write) for name, value in text.fields})


def _rewritten(value: Any, write: Callable[[str], str]) -> Any:
    if isinstance(value, Text):
        return rewritten(value, write)
    # Exactly `tuple`: a named tuple of a game is a value, not a list. So is a member of a `StrEnum`, below.
    if type(value) is tuple:
        return tuple(_rewritten(part, write) for part in value)
    return write(str(value)) if type(value) in (str, Word) or isinstance(value, Exception) else value


def put_into_words(text: Text, names: Sequence[str], you: Seat | None = None) -> str:
    """The text as somebody reads it; see `engine.wording.say`.

    >>> put_into_words(Text("{seat} {seat:plays|play}.", seat=Seat(0)), ("Ann", "Ben"))
    'Ann plays.'
    >>> put_into_words(Text("{seat} {seat:plays|play}.", seat=Seat(0)), ("Ann", "Ben"), you=Seat(0))
    'You play.'
    """
    return filled(text.template, {name: worded(value, type(value), names, you) for name, value in text.fields})


def filled(template: str, words: Mapping[str, Word]) -> str:
    """The template in the language of the reader, with words for its fields; one that begins with the reader begins
    with a capital.
    """
    read = language()
    sentence = read.translated(template).format_map(words)
    # Only a field at the very beginning can begin the sentence.
    begins = template.startswith("{") and sentence.startswith(read.reader)
    return f"{sentence[0].upper()}{sentence[1:]}" if begins else sentence


class Word(str):
    """A value in words, which also knows which form of others goes with it (see `Text`)."""

    form: int = 0

    def __format__(self, asked: str) -> str:
        """Itself, the one of several forms of another word that agrees with it, or a form of its own: one that the
        catalog of a language has under this name, with a capital if `^` follows.
        """
        if not asked:
            return self
        if "|" in asked:
            given = asked.split("|")
            return given[min(self.form, len(given) - 1)].replace("@", self)
        form = asked.removesuffix("^")
        word = language().inflected(self, form) if form else self
        return word[:1].upper() + word[1:] if asked.endswith("^") else word


def worded(value: Any, hint: Any, names: Sequence[str], you: Seat | None = None) -> Word:
    """A single value as people read it: a seat by its name, an enum member by its `label` if it has one.

    `hint` is the value's type, or a type hint such as `tuple[Seat, ...]`.

    >>> str(worded((Seat(0), Seat(1)), tuple[Seat, ...], SEAT_COLORS))
    'Red and Blue'
    """
    word = Word(_spoken(value, hint, names, you))
    word.form = _form(value, hint, you, word)
    return word


def _spoken(value: Any, hint: Any, names: Sequence[str], you: Seat | None) -> str:
    if hint is Seat and value is not None:
        # CHANCE is -1, which as an index would name the last seat.
        word = "luck" if value == CHANCE else "you" if value == you else ""
        return language().translated(word) if word else names[value]
    if isinstance(value, Text):
        return put_into_words(value, names, you)
    if isinstance(value, date):
        return language().day(value)
    # Exactly `int`: seats and flags are ints as well.
    if type(value) is int:
        return number(value)
    # Exactly `tuple`, as in `_rewritten`.
    if type(value) is tuple:
        hints = typing.get_args(hint)
        return listed([worded(part, hints[0] if hints else type(part), names, you) for part in value])
    label = getattr(value, "label", value if isinstance(value, Enum) else None)
    if isinstance(label, Text):
        return put_into_words(label, names, you)
    return option_text(value) if label is None else language().translated(str(label))


def seats_called(names: Sequence[str]) -> tuple[str, ...]:
    """Names that a game has for its seats, in the language of the reader; those of people stay as they are."""
    return tuple(map(language().translated, names))


def _form(value: Any, hint: Any, you: Seat | None, word: str) -> int:
    """Which of the forms of a template goes with a value: the first one for true, one thing, and all but the reader."""
    # First, since a seat is an `int`, too.
    if hint is Seat:
        return int(value == you)
    if isinstance(value, int):
        return int(not value) if isinstance(value, bool) else language().form(value)
    # Exactly `tuple`, as in `_rewritten`.
    if type(value) is tuple:
        return language().form(len(value))
    return language().agreement(word) if value else 1


def number(value: int) -> str:
    """A number in the language of the reader: `12,000` and `−5`."""
    return language().number(value)


def option_text(value: Any) -> str:
    """How a plain value reads: `yes`, `no`, `none`, or itself.

    >>> option_text(True), option_text(None), option_text(3)
    ('yes', 'none', '3')
    """
    if isinstance(value, bool):
        return language().translated("yes" if value else "no")
    return language().translated("none") if value is None else str(value)


def listed(words: Sequence[str]) -> str:
    """Words in a row, in the language of the reader: `a`, `a and b`, `a, b and c`."""
    return language().listed(words)
