"""Everything that can happen in Jinns of the Lake. Pawns and piles are texts such as `Y3`; nothing is secret."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core import Event
from engine.games.jinns.pawns import Color
from engine.texts import Seat


class EndReason(StrEnum):
    """Why the game ended (rule 6)."""

    NO_MOVES = "no-moves"
    REPETITION = "repetition"

    @property
    def label(self) -> str:
        """How people read it, after “The game is over:”."""
        return _REASONS[self]


_REASONS = {
    EndReason.NO_MOVES: "nobody can move any more",
    EndReason.REPETITION: "the same position has come up too often",
}

ORDINALS = {2: "second", 3: "third"}
"""How often a position has come, or may come -> how people say it."""


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A pawn on the next square of the ring."""

    template = "{seat} places {pawn} on {square}."

    seat: Seat
    pawn: str
    square: int


@dataclass(frozen=True, slots=True)
class Filled(Event):
    """The rest of a block that luck has placed for a seat; `pawns` stand on `first` to `last`."""

    template = "For {seat}, luck places {pawns} on squares {first} to {last}."

    seat: Seat
    pawns: tuple[str, ...]
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class LaidOut(Event):
    """A random set-up is complete."""

    template = "Luck has laid out all 32 pawns around the lake."


@dataclass(frozen=True, slots=True)
class Chose(Event):
    """A color finds its owner."""

    template = "{seat} will play {color}."

    seat: Seat
    color: Color


@dataclass(frozen=True, slots=True)
class StaysNeutral(Event):
    """The color that nobody has chosen."""

    template = "Nobody owns {color}; it is neutral."

    color: Color


@dataclass(frozen=True, slots=True)
class Began(Event):
    """The set-up is over."""

    template = "All pawns are on the quay, and {seat} begins."

    seat: Seat


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A move: `pawns` (bottom to top) go from `origin` to `target`, on top of the pawn `onto`."""

    template = "{seat} moves {pawns} from {origin} and lands on {target} ({onto})."

    seat: Seat
    origin: int
    target: int
    pawns: str
    onto: str


@dataclass(frozen=True, slots=True)
class TookTower(Event):
    """A tower of four leaves the board for who completed it."""

    template = "A tower of four! {seat} takes it: {points} points."

    seat: Seat
    square: int
    tower: str
    points: int


@dataclass(frozen=True, slots=True)
class SharedTower(Event):
    """Partners share a tower: `kept` goes to who moved, `given` to the partner."""

    template = "A tower of {storeys}! {seat} keeps {kept}: {points} points; {partner} gets {given}: {given_points}."

    seat: Seat
    partner: Seat
    square: int
    storeys: str
    kept: str
    points: int
    given: str
    given_points: int


@dataclass(frozen=True, slots=True)
class Missed(Event):
    """A seat without a move."""

    template = "{seat} has no move and misses the turn."

    seat: Seat


@dataclass(frozen=True, slots=True)
class CameAgain(Event):
    """A position has come before, but not yet so often that the game is over (rule 6.2)."""

    template = "This position has come for the {time} time; the {last} ends the game."

    time: str
    last: str


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over."""

    template = "The game is over: {reason}."

    reason: EndReason
