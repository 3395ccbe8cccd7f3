"""The options of a game in words."""

from __future__ import annotations

import dataclasses

from engine.core import GameSpec, OptionValue, Setup, field_types
from engine.texts import SEAT_COLORS, Text, worded


def option_words(spec: GameSpec, name: str, value: OptionValue) -> Text:
    """An option with its value: `tie counts streets: no`."""
    return Text("{option}: {value}", option=spaced(name), value=_value_words(spec, name, value))


def _value_words(spec: GameSpec, name: str, value: OptionValue) -> str:
    """How the value of an option reads; seats go by their colors, texts by the name the game gives them."""
    field = next(field for field in dataclasses.fields(spec.options) if field.name == name)
    if value not in field.metadata["choices"] and field.metadata.get("file"):
        return str(field.metadata["file"](value))
    return spaced(worded(value, field_types(spec.options)[name], SEAT_COLORS))


def spaced(name: str) -> str:
    """A name or value of the code as people read it."""
    return name.replace("_", " ")


def unusual(spec: GameSpec, setup: Setup) -> tuple[Text, ...]:
    """The options of a match that are not as usual."""
    usual = dataclasses.asdict(spec.options())
    return tuple(option_words(spec, name, value) for name, value in setup.chosen().items() if value != usual[name])
