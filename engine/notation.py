"""The notation of actions: `place B`, `rise 2C`, `step clio e`.

This is the only codec between actions and text: for log entries, button ids, autocomplete values and error messages.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable
from dataclasses import fields
from enum import StrEnum
from functools import cache
from typing import Any

from engine.core import Action, field_types, required_fields
from engine.errors import NotationError
from engine.languages import ENGLISH, language
from engine.texts import SEAT_COLORS, Seat, Text, joined, shortened, term, verb_text

# Discord allows 100 characters in a component id, which also contains the match, the seat and the version.
MAX_LENGTH = 60
"""Maximum length of the notation of a seat's action, in characters: it must fit into a Discord component id."""

MAX_DIGITS = 9
"""Maximum length of a number, since error messages quote it."""


def format_action(action: Action) -> str:
    """The notation of an action: its verb and the values of its fields, separated by single spaces.

    >>> from engine.match import Undo
    >>> format_action(Undo(7))
    'undo 7'
    """
    return " ".join((action.verb, *field_values(action)))


def field_values(action: Action) -> tuple[str, ...]:
    """The fields of an action as text, in order, without trailing fields that do not apply.

    >>> from engine.match import Redo, Undo
    >>> field_values(Undo(7)), field_values(Redo())
    (('7',), ())
    """
    values = [(hint, getattr(action, name)) for name, hint in field_types(type(action)).items()]
    return tuple([value_word(hint, value) for hint, value in values if value is not None])


def shown_values(action: Action) -> tuple[str, ...]:
    """The fields of an action as people type them in the language of the reader, see `shown_word`."""
    values = ((hint, getattr(action, name)) for name, hint in field_types(type(action)).items())
    return tuple(shown_word(hint, value) for hint, value in values if value is not None)


def shown_word(hint: Any, value: Any) -> str:
    """A value as people type it in the language of the reader.

    This is the name that people read if the value has one (`shown`), the translated label if the notation is the
    English label, and the notation for other values.

    >>> shown_word(Seat, Seat(1)), shown_word(int, 7)
    ('blue', '7')
    """
    if (name := getattr(value, "shown", None)) is not None:
        return str(name)
    word = value_word(hint, value)
    label = SEAT_COLORS[value] if hint is Seat else getattr(value, "label", word)
    if not isinstance(label, str) or label.casefold() != word:
        return word
    translated = str(term(label)).lower()
    return word if " " in translated else translated


def shown_verb(action: type[Action]) -> str:
    """A verb as people type it in the language of the reader: the notation, or the words on the button.

    >>> from engine.match import Undo
    >>> shown_verb(Undo)
    'undo'
    """
    return action.verb if language() is ENGLISH else str(verb_text(action.verb, action.sense))


def shown_action(action: Action) -> str:
    """The notation of an action as people type it in the language of the reader, see `shown_word`.

    >>> from engine.match import Undo
    >>> shown_action(Undo(7))
    'undo 7'
    """
    return " ".join((shown_verb(type(action)), *shown_values(action)))


def read_value(hint: Any, text: str) -> str | None:
    """The notation of a value from its displayed name; `None` if the type has no such names, or not this one."""
    if not hasattr(hint, "read"):
        return None
    try:
        return str(hint.read(text))
    except ValueError:
        return None


def parse_action(text: str, verbs: Iterable[type[Action]]) -> Action:
    """Parse the notation of an action.

    Raises:
        NotationError: unknown verb, wrong number of fields, or an invalid value.

    >>> from engine.match import Undo
    >>> parse_action("undo 7", [Undo])
    Undo(ply=7)
    >>> parse_action("undo 07", [Undo])  # one spelling for each action
    Traceback (most recent call last):
        ...
    engine.errors.NotationError: “07” does not fit in “Undo”. Needed: the first ply that is taken back.
    """
    # Split at single spaces, so that each action has one spelling: two spaces leave an empty word, which no field
    # accepts.
    verb, *words = text.split(" ")
    classes = {cls.verb: cls for cls in verbs}
    if verb not in classes:
        verbs_here = joined([verb_text(cls.verb, cls.sense) for cls in classes.values()], ", ")
        sentence = Text("“{verb}” is not a move here; try {known}.", verb=shortened(verb), known=verbs_here)
        raise NotationError("unknown-verb", sentence, text)
    hints = field_types(classes[verb])
    least, most = required_fields(classes[verb]), len(hints)
    if not least <= len(words) <= most:
        number = most if least == most else Text("{least} to {most}", least=least, most=most)
        template = "“{verb}” takes {number} {most:value|values}, not {given}."
        named = verb_text(verb, classes[verb].sense)
        sentence = Text(template, verb=named, number=number, most=most, given=len(words))
        raise NotationError("fields", sentence, text)
    values: dict[str, Any] = dict.fromkeys(hints)
    # Trailing fields that do not apply may be missing.
    for (name, hint), word in zip(hints.items(), words, strict=False):
        try:
            values[name] = _from_word(hint, word)
        except ValueError as error:
            template = "“{word}” does not fit in “{verb}”. Needed: {field}."
            named, field = verb_text(verb, classes[verb].sense), _description(classes[verb], name)
            sentence = Text(template, word=shortened(word), verb=named, field=field)
            raise NotationError("value", sentence, text) from error
    return classes[verb](**values)


def _description(action: type[Action], name: str) -> Text | str:
    """The description of a field of an action; its name if it has none."""
    described = {field.name: field.metadata.get("description") for field in fields(action)}[name]
    return term(described) if described else name.replace("_", " ")


def is_value(hint: Any, word: str) -> bool:
    """Whether a word is the canonical notation of a value of this type.

    >>> is_value(int, "3"), is_value(int, "03"), is_value(Seat, "red")
    (True, False, True)
    """
    try:
        _from_word(hint, word)
    except ValueError:
        return False
    return True


def _from_word(hint: Any, word: str) -> Any:
    """The value of a word. Raises `ValueError` unless it is the canonical notation: `3`, never `03`."""
    if isinstance(hint, type) and issubclass(hint, int) and len(word) > MAX_DIGITS:
        raise ValueError(word)
    value = _from_text(hint, word)
    # One spelling for each action: if both `03` and `3` were valid, one option would have two ids and two logs.
    if not word or value_word(hint, value) != word:
        raise ValueError(word)
    return value


def value_word(hint: Any, value: Any) -> str:
    """The canonical notation of a value."""
    if hint is Seat:
        return SEAT_COLORS[value].lower()
    if hint is bool:
        return "yes" if value else "no"
    if part := _item_type(hint):
        # Empty words are invalid, so an empty tuple needs a word of its own.
        return ",".join(value_word(part, item) for item in value) or "-"
    return str(value)


@cache
def _item_type(hint: Any) -> Any:
    """The type of the items, if this is a type of tuples."""
    return typing.get_args(hint)[0] if typing.get_origin(hint) is tuple else None


def _from_text(hint: Any, text: str) -> Any:
    if hint is Seat:
        return Seat(SEAT_COLORS.index(text.capitalize()))
    if hint is bool:
        # For any other word, `index` raises the ValueError that callers expect.
        return ("no", "yes").index(text) == 1
    if part := _item_type(hint):
        words = () if text == "-" else text.split(",")
        return tuple(_from_text(part, word) for word in words)
    if hasattr(hint, "parse"):
        return hint.parse(text)
    if isinstance(hint, type) and issubclass(hint, StrEnum | int):
        return hint(text)
    return text
