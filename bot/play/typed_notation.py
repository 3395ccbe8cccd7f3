"""Reading what somebody typed as a move, and offering what could be typed next; the position does not matter here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from enum import Enum
from itertools import combinations, pairwise

from bot.play.narrowing import meant
from engine.core import Action, field_types, members
from engine.notation import field_values, format_action, is_value, parse_action

# each further word doubles the ways
MOST_WORDS = 8
"""More words than these are not put together in other ways."""

Verbs = Sequence[type[Action]]


def read_typed(text: str, verbs: Verbs, options: Sequence[Action] = ()) -> Action:
    """The action that somebody typed, whatever its capitals and spaces. Raises `NotationError`.

    What is written as one of `options` is that one, also where capitals make a difference in the notation, or the parts
    of a value are in another order and mean nothing else.
    """
    typed = " ".join(text.split())
    if (option := typed_option(options, typed.split(" "))) is not None:
        return option
    cls, words = verb_of(text, verbs)
    if cls is None:
        return parse_action(" ".join(words), verbs)
    # what cannot be read is parsed as it is, and the parser says what is wrong with it
    values = next(_ways_to_read(words, list(field_types(cls).values())), words)
    return parse_action(" ".join((cls.verb, *values)), verbs)


def typed_option(options: Sequence[Action], words: Sequence[str]) -> Action | None:
    """The option that is written in these words, or the only one whose words have the same parts in another order."""
    typed = [word.casefold() for word in words]
    written = [(option, [word.casefold() for word in format_action(option).split(" ")]) for option in options]
    for option, its in written:
        if its == typed:
            return option
    alike = [option for option, its in written if _parts(its) == _parts(typed)]
    return alike[0] if len(alike) == 1 else None


def _parts(words: Sequence[str]) -> list[list[str]]:
    # the notation joins the parts of a value by commas
    return [sorted(word.split(",")) for word in words]


def verb_of(text: str, verbs: Verbs) -> tuple[type[Action] | None, list[str]]:
    """The verb that a text begins with, the longest one if there are several, and the words behind it."""
    for cls in sorted(verbs, key=lambda cls: len(cls.verb), reverse=True):
        pattern = cls.verb.replace("-", r"[-\s]*")
        if found := re.match(rf"\s*/?{pattern}(?!-)", text, re.IGNORECASE):
            return cls, text[found.end() :].split()
    return None, text.split()


def usage(cls: type[Action]) -> str:
    """A move as it is typed, with its fields in their places: `place market`."""
    return " ".join((cls.verb, *(field.name.replace("_", "-") for field in fields(cls))))


def _ways_to_read(words: Sequence[str], hints: Sequence[object]) -> Iterator[tuple[str, ...]]:
    """The words as values of these fields; some of them are perhaps one value, typed with spaces."""
    for number in range(min(len(hints), len(words)), 0, -1):
        for parts in _put_together(words, number):
            values = [_value(part, hint) for part, hint in zip(parts, hints, strict=False)]
            if all(value is not None for value in values):
                yield tuple(value for value in values if value is not None)


def _put_together(words: Sequence[str], number: int) -> Iterator[tuple[str, ...]]:
    """The words as so many parts, in every way if they are few."""
    if len(words) > MOST_WORDS:
        return
    for cuts in combinations(range(1, len(words)), number - 1):
        edges = (0, *cuts, len(words))
        yield tuple(" ".join(words[start:end]) for start, end in pairwise(edges))


def _value(typed: str, hint: object) -> str | None:
    """The word of the notation for what somebody typed, if it can be a value of this type."""
    word = meant(typed, hint)
    # as it was typed first: in some notations capitals make a difference
    ways = (word, word.upper(), word.lower(), word.capitalize())
    return next((way for way in ways if is_value(hint, way)), None)


# --- what could be typed next ---


def continuations(text: str, verbs: Verbs, options: Sequence[Action], seats: int) -> list[str]:
    """Moves that go on as a text begins: verbs first, then field by field, as far as the values can be known.

    Of what is no word of the game but a place in it, such as a market, those of `options` are known. Words that belong
    to a seat are offered only where there are so many `seats`.
    """
    cls = next((cls for cls in verbs if text.strip().casefold() == cls.verb), None)
    if cls is None and " " not in text.strip():
        return [cls.verb for cls in verbs if cls.verb.startswith(text.strip().casefold())]
    cls, words = verb_of(text, verbs)
    return _with_values(cls, words, options, seats) if cls else []


def _with_values(cls: type[Action], words: list[str], options: Sequence[Action], seats: int) -> list[str]:
    """The move as far as it can be read, and with one more value or another end of the last word."""
    hints = list(field_types(cls).values())
    known: list[str] = []
    while words and len(known) < len(hints) and (value := _value(words[0], hints[len(known)])):
        known.append(value)
        words = words[1:]
    if words[0 if len(known) == len(hints) else 1 :]:
        return []
    so_far = [" ".join((cls.verb, *known))]
    begun = words[0].casefold() if words else ""
    values = _values(hints[len(known)], options, seats) if len(known) < len(hints) else []
    further = [f"{so_far[0]} {value}" for value in values if value.casefold().startswith(begun)]
    return further if words or not known else so_far + further


def _values(hint: object, options: Sequence[Action], seats: int) -> list[str]:
    """The values of a type: those that are to be had, then all others, where they are words."""
    found = (zip(field_types(type(option)).values(), field_values(option), strict=False) for option in options)
    values = [value for pairs in found for kind, value in pairs if kind is hint]
    words = list(map(str, members(hint, seats))) if isinstance(hint, type) and issubclass(hint, Enum) else []
    return list(dict.fromkeys((*values, *words)))
