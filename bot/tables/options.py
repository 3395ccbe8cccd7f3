"""The options of a game: those that a new table begins with, and how they read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from bot.tables.people import escaped
from engine.core import GameSpec, OptionValue, Setup, field_types
from engine.errors import SetupError
from engine.texts import SEAT_COLORS, Seat, Text, term


def option_words(spec: GameSpec, name: str, value: OptionValue) -> Text:
    """An option with its value, for a message: `Streets count in a tie: no`. What a file says is no markup there."""
    return _option_words(spec, name, value, escaped)


def plain_option_words(spec: GameSpec, name: str, value: OptionValue) -> Text:
    """The same where nothing is markup, as in a menu or a file."""
    return _option_words(spec, name, value, str)


def _option_words(spec: GameSpec, name: str, value: OptionValue, written: Callable[[str], str]) -> Text:
    field = next(field for field in dataclasses.fields(spec.options) if field.name == name)
    return Text("{option}: {value}", option=option_title(field), value=_value_words(spec, field, value, written))


def option_title(field: dataclasses.Field[Any]) -> Text:
    """What people call an option."""
    return term(field.metadata["title"] or _spaced(field.name))


def option_about(field: dataclasses.Field[Any]) -> Text:
    """What an option does."""
    return term(field.metadata["description"])


def _value_words(
    spec: GameSpec, field: dataclasses.Field[Any], value: OptionValue, written: Callable[[str], str]
) -> Text:
    """How the value of an option reads; seats go by their colors, texts by the name the game gives them."""
    if value not in field.metadata["choices"] and field.metadata.get("file"):
        return Text("{value}", value=written(str(field.metadata["file"](value))))
    if field_types(spec.options)[field.name] is Seat:
        return term(SEAT_COLORS[int(value or 0)])
    return term(_spaced(value)) if isinstance(value, str) else Text("{value}", value=value)


def _spaced(name: str) -> str:
    """A name or value of the code as people read it."""
    return name.replace("_", " ")


def unusual(spec: GameSpec, setup: Setup) -> tuple[Text, ...]:
    """The options of a match that are not as usual."""
    usual = dataclasses.asdict(spec.options())
    return tuple(option_words(spec, name, value) for name, value in setup.chosen().items() if value != usual[name])


def starting_options(spec: GameSpec, chosen: Mapping[str, Any] | None = None) -> dict[str, OptionValue]:
    """The options that a new table begins with: those that moderators have `chosen`, else the first preset.

    They were stored a while ago: what this version of the game does not know is left out.
    """
    known = {name: value for name, value in (chosen or {}).items() if _are_possible(spec, {name: value})}
    if chosen is not None and _are_possible(spec, known):
        return known
    return dict(spec.presets[0].options) if spec.presets else {}


def require_possible(spec: GameSpec, options: Mapping[str, OptionValue]) -> None:
    """Raise `SetupError` unless a game can be played with some options, by however many players."""
    for seats in spec.seats:
        spec.setup(seats, options)


def _are_possible(spec: GameSpec, options: Mapping[str, OptionValue]) -> bool:
    try:
        require_possible(spec, options)
    except SetupError:
        return False
    return True
