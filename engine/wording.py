"""Formatting of events, texts and options for readers, with the names that a table uses for its seats."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Action, Event, State, field_types
from engine.languages import language
from engine.texts import SEAT_COLORS, Seat, Text, Word, capitalize, fill_template, format_text, format_value, verb_text
from engine.values import Value

OPEN = "…"
"""Placeholder for a field that is not chosen yet."""


class Voice(Value):
    """The settings for formatting sentences for one reader.

    `names` has a name for each seat. `you` is the seat of the reader, if sentences should address them as “you”.
    `state` is the position as the reader sees it, if options should be described by their meaning in it.

    >>> Voice(("Ann", "Ben"), you=Seat(1)).say(Text("{seat} {seat:wins|win}.", seat=Seat(1)))
    'You win.'
    """

    names: Sequence[str] = SEAT_COLORS
    you: Seat | None = None
    state: State | None = None

    def say(self, message: Text | Event) -> str:
        """The sentence of a text or an event."""
        if isinstance(message, Text):
            return format_text(message, self.names, self.you)
        return fill_template(type(message).template, self._words(message))

    def brief(self, event: Event) -> str:
        """The short form of an event, without the name of its seat."""
        return capitalize(fill_template(type(event).brief, self._words(event)))

    def _words(self, event: Event) -> dict[str, Word]:
        """The formatted fields of an event."""
        hints = field_types(type(event))
        return {name: format_value(getattr(event, name), hint, self.names, self.you) for name, hint in hints.items()}

    def label(self, action: Action) -> str:
        """The label of an option on a button: `Elephant trainer 2A → 2C`."""
        return self.beginning(action, len(field_types(type(action))))

    def quote(self, action: Action) -> str:
        """An option as sentences quote it: its label, with words in place of signs such as arrows."""
        spelled_out = self.state.spelled_out(action) if self.state else None
        return self.say(spelled_out) if spelled_out else self.label(action)

    def beginning(self, action: Action, known: int) -> str:
        """The label of an option of which only the first `known` fields are chosen: `Elephant trainer 2A → …`.

        Fields that do not apply are left out.
        """
        names = list(field_types(type(action)))
        # A position names only whole options; the label of a partial one consists of its fields.
        if known == len(names) and self.state and (whole := self.state.named(action)):
            return self.say(whole)
        values = {name: self.field(action, name) for name in names[:known] if getattr(action, name) is not None}
        if not (template := language().translate(type(action).label)):
            return " ".join((verb_words(action.verb, action.sense), *values.values(), *[OPEN] * (known < len(names))))
        blank = {name: OPEN if n >= known else "" for n, name in enumerate(names)}
        # `strip`: fields that do not apply are blank, but the spaces around them remain.
        return template.format_map(blank | values).strip()

    def field(self, action: Action, name: str) -> Word:
        """The displayed value of a field of an option."""
        if self.state and (descriptive := self.state.named(action, name)):
            return format_value(descriptive, Text, self.names, self.you)
        return format_value(getattr(action, name), field_types(type(action))[name], self.names, self.you)

    def gloss(self, action: Action) -> str:
        """The meaning of an option in the position; empty if its label is enough."""
        gloss = self.state.gloss(action) if self.state else None
        return format_text(gloss, self.names, self.you, begins=False) if gloss else ""

    def suggested(self, options: Sequence[Action]) -> tuple[Action, ...]:
        """The options that the position suggests, in its order."""
        return tuple(action for action in self.state.suggested() if action in options) if self.state else ()


def say(message: Text | Event, names: Sequence[str] = SEAT_COLORS, you: Seat | None = None) -> str:
    """The sentence of a text or an event, for a reader without a position.

    >>> say(Text("{seat} {seat:wins|win}.", seat=Seat(1)), ("Ann", "Ben"))
    'Ben wins.'
    """
    return Voice(names, you).say(message)


def label(action: Action, names: Sequence[str] = SEAT_COLORS) -> str:
    """The label of an option, without a position.

    >>> from engine.match import Undo
    >>> label(Undo(7))
    'Undo 7'
    """
    return Voice(names).label(action)


def verb_words(verb: str, sense: str = "") -> str:
    """The display form of a verb; its `sense` is the context of the translation.

    >>> verb_words("turn-up"), verb_words("place", "laying a tile")
    ('Turn up', 'Place')
    """
    return str(verb_text(verb, sense))
