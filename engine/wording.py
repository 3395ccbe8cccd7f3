"""What people read: events, texts and options in words, with the names the table uses for its seats."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Action, Event, field_types
from engine.texts import SEAT_COLORS, Seat, Text, Word, filled, put_into_words, worded


def say(said: Text | Event, names: Sequence[str] = SEAT_COLORS, you: Seat | None = None) -> str:
    """A text, or what happened, as a sentence.

    `names` has one name per seat, whatever the reader calls them; `you` is the seat of the reader, if he wants to be
    called so.
    """
    if isinstance(said, Text):
        return put_into_words(said, names, you)
    return filled(type(said).template, _words(said, names, you))


def label(action: Action, names: Sequence[str] = SEAT_COLORS) -> str:
    """The short text of an option, for a button: `Elephant trainer 2A → 2C`. Fields that do not apply say nothing."""
    told = {name: text for name, text in _words(action, names).items() if getattr(action, name) is not None}
    if template := type(action).label:
        return template.format_map(dict.fromkeys(field_types(type(action)), "") | told).strip()
    return " ".join((action.verb.replace("-", " ").capitalize(), *told.values()))


def _words(item: Action | Event, names: Sequence[str], you: Seat | None = None) -> dict[str, Word]:
    hints = field_types(type(item))
    return {name: worded(getattr(item, name), hint, names, you) for name, hint in hints.items()}
