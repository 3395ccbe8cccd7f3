"""Sentences from actions and events, with the names the table uses for its seats."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any

from engine.core import CHANCE, Action, Event, Seat, field_types, option_text


def say(event: Event, names: Sequence[str]) -> str:
    """What happened, as a sentence; `names` has one name per seat."""
    return type(event).template.format_map(_values(event, names))


def label(action: Action, names: Sequence[str]) -> str:
    """The short text of an option, for a button: `Elephant trainer 2A → 2C`. Fields that do not apply say nothing."""
    said = {name: text for name, text in _values(action, names).items() if getattr(action, name) is not None}
    if template := type(action).label:
        return template.format_map(dict.fromkeys(field_types(type(action)), "") | said).strip()
    return " ".join((action.verb.replace("-", " ").capitalize(), *said.values()))


def word(value: Any, hint: Any, names: Sequence[str]) -> str:
    """A single value as people read it: a seat by its name, an enum member by its `label` if it has one."""
    if hint is Seat and value is not None:
        return "luck" if value == CHANCE else names[value]
    if typing.get_origin(hint) is tuple:
        return listed([word(part, typing.get_args(hint)[0], names) for part in value])
    return option_text(getattr(value, "label", value))


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def _values(item: Action | Event, names: Sequence[str]) -> dict[str, str]:
    return {name: word(getattr(item, name), hint, names) for name, hint in field_types(type(item)).items()}
