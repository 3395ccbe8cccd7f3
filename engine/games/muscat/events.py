"""The events that no single verb causes: the last of a pile, the last round, and the end. All events are public."""

from __future__ import annotations

from enum import StrEnum

from engine.core import Event
from engine.texts import Seat, Text


class EndReason(StrEnum):
    """The reason why the game ended (rule 6)."""

    PALACE = "palace"
    EXHAUSTION = "exhaustion"
    NO_ACTION = "no-action"

    @property
    def label(self) -> Text:
        """The reason as a sentence."""
        return _REASONS[self]


_REASONS = {
    EndReason.PALACE: Text("The palace has enough artists."),
    EndReason.EXHAUSTION: Text("A player has run out of artists: none to bring in, and none who can go back to work."),
    EndReason.NO_ACTION: Text("The next player can do nothing at all."),
}


class PileRanOut(Event):
    """A warning: the last hidden artist of `seat` was turned up."""

    template = "{seat:@’s|your} pile is used up. A player with no artist to bring in or reemploy ends the game."

    seat: Seat


class LastRoundBegan(Event):
    template = "The palace has enough artists: this is the last round."


class Ended(Event):
    template = "The game is over. {reason}"
    minor = True

    reason: EndReason


class Exhausted(Ended):
    """The end by exhaustion (rule 6.2)."""

    template = "The game is over: {seat} {seat:has|have} nobody left to bring in or to send back to work."
    minor = False  # the reason in the picture does not name the seat

    seat: Seat


class Stuck(Ended):
    """The end without a possible action (rule 9); `seat` is the seat on turn."""

    template = "The game is over: {seat} can do nothing at all."
    minor = False  # see `Exhausted`

    seat: Seat
