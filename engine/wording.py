"""What people read: events, texts and options in words, with the names the table uses for its seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Action, Event, State, field_types
from engine.languages import language
from engine.texts import SEAT_COLORS, Seat, Text, Word, filled, put_into_words, worded

OPEN = "…"
"""What stands for a field that is not chosen yet."""


@dataclass(frozen=True, slots=True)
class Voice:
    """How somebody is spoken to.

    `names` has one name per seat, whatever the reader calls them; `you` is the seat of the reader, if they want to be
    called so. `state` is the position as they see it, if options should be worded by what they mean in it.
    """

    names: Sequence[str] = SEAT_COLORS
    you: Seat | None = None
    state: State | None = None

    def say(self, said: Text | Event) -> str:
        """A text, or what happened, as a sentence."""
        if isinstance(said, Text):
            return put_into_words(said, self.names, self.you)
        return filled(type(said).template, self._words(said))

    def brief(self, event: Event) -> str:
        """The short form of what happened, without the name of whose it is."""
        short = filled(type(event).brief, self._words(event))
        # Not `capitalize`, which would lower all other letters.
        return short[:1].upper() + short[1:]

    def _words(self, event: Event) -> dict[str, Word]:
        """The fields of an event in words."""
        hints = field_types(type(event))
        return {name: worded(getattr(event, name), hint, self.names, self.you) for name, hint in hints.items()}

    def label(self, action: Action) -> str:
        """The short text of an option, for a button: `Elephant trainer 2A → 2C`."""
        return self.beginning(action, len(field_types(type(action))))

    def beginning(self, action: Action, known: int) -> str:
        """The same with only the first fields of it: `Elephant trainer 2A → …`. Those that do not apply say nothing."""
        names = list(field_types(type(action)))
        # A position has names for whole options only; a beginning is put together of its fields.
        if known == len(names) and self.state and (whole := self.state.named(action)):
            return self.say(whole)
        told = {name: self.field(action, name) for name in names[:known] if getattr(action, name) is not None}
        if not (template := language().translated(type(action).label)):
            return " ".join((verb_words(action.verb), *told.values(), *[OPEN] * (known < len(names))))
        blank = {name: OPEN if n >= known else "" for n, name in enumerate(names)}
        # Fields that do not apply are blank and leave their spaces behind.
        return template.format_map(blank | told).strip()

    def field(self, action: Action, name: str) -> Word:
        """What a field of an option is called."""
        if self.state and (said := self.state.named(action, name)):
            return worded(said, Text, self.names, self.you)
        return worded(getattr(action, name), field_types(type(action))[name], self.names, self.you)

    def gloss(self, action: Action) -> str:
        """What an option means in the position, where its label does not say it; else nothing."""
        told = self.state.gloss(action) if self.state else None
        return self.say(told) if told else ""

    def suggested(self, options: Sequence[Action]) -> tuple[Action, ...]:
        """Those of these options that the position suggests, in its order."""
        return tuple(one for one in self.state.suggested() if one in options) if self.state else ()


def say(said: Text | Event, names: Sequence[str] = SEAT_COLORS, you: Seat | None = None) -> str:
    """A text, or what happened, as a sentence for somebody who sees no position.

    >>> say(Text("{seat} {seat:wins|win}.", seat=Seat(1)), ("Ann", "Ben"))
    'Ben wins.'
    """
    return Voice(names, you).say(said)


def label(action: Action, names: Sequence[str] = SEAT_COLORS) -> str:
    """The short text of an option where no position is at hand.

    >>> from engine.match import Undo
    >>> label(Undo(7))
    'Undo 7'
    """
    return Voice(names).label(action)


def verb_words(verb: str) -> str:
    """How a verb reads.

    >>> verb_words("turn-up")
    'Turn up'
    """
    return language().translated(verb.replace("-", " ").capitalize())
