"""Action <-> text, the only codec: `place B`, `rise 2C`, `step clio e`.

The same string is the log row, the id of a button, the value of a suggestion and part of an error.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable
from enum import StrEnum
from typing import Any

from engine.core import SEAT_COLORS, Action, Seat, field_types
from engine.errors import NotationError

MAX_LENGTH = 60
"""Longest notation of a seat's action, in characters; it has to fit into a Discord component id."""


def format_action(action: Action) -> str:
    """The notation of an action: its verb and its fields, separated by single spaces."""
    return " ".join((action.verb, *field_values(action)))


def field_values(action: Action) -> tuple[str, ...]:
    """The fields of an action as text, in order; fields that do not apply stand at the end and are left out."""
    values = ((hint, getattr(action, name)) for name, hint in field_types(type(action)).items())
    return tuple(_to_text(hint, value) for hint, value in values if value is not None)


def parse_action(text: str, verbs: Iterable[type[Action]]) -> Action:
    """The action a notation stands for.

    Raises:
        NotationError: unknown verb, wrong number of fields, or a value the field cannot have.
    """
    verb, *words = text.split(" ")
    known = {cls.verb: cls for cls in verbs}
    if verb not in known:
        raise NotationError("unknown-verb", f"“{verb}” is not something to do here; try {', '.join(known)}.", text)
    hints = field_types(known[verb])
    if len(words) > len(hints):
        raise NotationError("fields", f"“{verb}” takes {len(hints)} values, not {len(words)}.", text)
    try:
        values = {name: _from_text(hint, word) for (name, hint), word in zip(hints.items(), words, strict=False)}
        return known[verb](**values, **dict.fromkeys(list(hints)[len(words) :]))
    except ValueError as error:
        raise NotationError("value", f"“{text}” has a value that cannot be: {error}.", text) from error


def _to_text(hint: Any, value: Any) -> str:
    if hint is Seat:
        return SEAT_COLORS[value].lower()
    if hint is bool:
        return "yes" if value else "no"
    if typing.get_origin(hint) is tuple:
        return ",".join(_to_text(typing.get_args(hint)[0], part) for part in value) or "-"
    return str(value)


def _from_text(hint: Any, text: str) -> Any:
    if hint is Seat:
        return Seat(SEAT_COLORS.index(text.capitalize()))
    if hint is bool:
        return ("no", "yes").index(text) == 1
    if typing.get_origin(hint) is tuple:
        parts = () if text == "-" else text.split(",")
        return tuple(_from_text(typing.get_args(hint)[0], part) for part in parts)
    if isinstance(hint, type) and issubclass(hint, StrEnum | int):
        return hint(text)
    return text
