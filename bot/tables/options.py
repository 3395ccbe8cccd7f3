"""The options of a game: those that a new table begins with, and how they read."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any

from bot.tables.people import escaped
from engine.core import GameSpec, OptionValue, Preset, Setup, field_types
from engine.errors import SetupError
from engine.texts import SEAT_COLORS, Seat, Text, term


def option_words(spec: GameSpec, name: str, value: OptionValue, *, written: Callable[[str], str] = escaped) -> Text:
    """An option with its value, for a message: `Streets count in a tie: no`. What a file says is `written` there as no
    markup; seats go by their colors, texts by the name the game gives them.
    """
    field = next(field for field in dataclasses.fields(spec.options) if field.name == name)
    return Text("{option}: {value}", option=option_title(field), value=value_words(spec, field, value, written=written))


def value_words(
    spec: GameSpec, field: dataclasses.Field[Any], value: OptionValue, *, written: Callable[[str], str] = str
) -> Text:
    """The value of an option without its title, as in a menu below it."""
    if value not in field.metadata["choices"] and field.metadata.get("file"):
        return Text("{value}", value=written(str(field.metadata["file"](value))))
    if field_types(spec.options)[field.name] is Seat:
        return term(SEAT_COLORS[int(value or 0)])
    return term(value.replace("_", " ")) if isinstance(value, str) else Text("{value}", value=value)


def plain_option_words(spec: GameSpec, name: str, value: OptionValue) -> Text:
    """An option with its value as plain text, as in a file."""
    return option_words(spec, name, value, written=str)


def option_title(field: dataclasses.Field[Any]) -> Text:
    """The title of an option."""
    return term(field.metadata["title"] or field.name.replace("_", " "))


def option_about(field: dataclasses.Field[Any]) -> Text:
    """The description of an option."""
    return term(field.metadata["description"])


def unusual(spec: GameSpec, setup: Setup) -> tuple[Text, ...]:
    """The options of a match that are not as usual."""
    usual = dataclasses.asdict(spec.options())
    return tuple(option_words(spec, name, value) for name, value in setup.chosen().items() if value != usual[name])


def starting_options(spec: GameSpec, chosen: Mapping[str, Any] | None = None) -> dict[str, OptionValue]:
    """The options that a new table begins with: those that moderators have `chosen`, else the first preset.

    Stored options that this version of the game does not have are left out.
    """
    valid = {name: value for name, value in (chosen or {}).items() if _are_possible(spec, {name: value})}
    # valid options may be impossible together
    if chosen is not None and _are_possible(spec, valid):
        return valid
    return dict(spec.presets[0].options) if spec.presets else {}


def preset_of(spec: GameSpec, options: Mapping[str, OptionValue]) -> Preset | None:
    """The preset that these options are, also if they were chosen one by one."""
    standard = {field.name: field.default for field in dataclasses.fields(spec.options)}
    return next((preset for preset in spec.presets if {**standard, **preset.options} == {**standard, **options}), None)


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
