"""The events of Jinns of the Lake. All are public."""

from __future__ import annotations

from enum import IntEnum, StrEnum

from engine.core import Event
from engine.games.jinns.pawns import Color, Pawn, Pile
from engine.games.jinns.ring import Square
from engine.texts import Seat, Text


class EndReason(StrEnum):
    """The reason why the game ended (rule 6)."""

    NO_MOVES = "no-moves"
    REPETITION = "repetition"

    @property
    def label(self) -> Text:
        """The reason as a sentence."""
        return _REASONS[self]


_REASONS = {
    EndReason.NO_MOVES: Text("Nobody can move anymore."),
    EndReason.REPETITION: Text("The same position has come up too often."),
}


class Occurrence(IntEnum):
    """The number of times that a position has occurred, or must occur to end the game (rule 6.2)."""

    # An enumeration, so that catalogs can have a word for each number.
    SECOND = 2
    THIRD = 3

    @property
    def label(self) -> str:
        """The ordinal as a word: `second`."""
        return self.name.lower()


class Storeys(IntEnum):
    """The height of a tower that partners share (rule 5)."""

    THREE = 3
    FOUR = 4

    @property
    def label(self) -> str:
        """The number as a word: `three`."""
        return self.name.lower()


class Placed(Event):
    template = "{seat} {seat:places|place} {pawn} on {square}."
    minor = True
    brief = "places {pawn} on {square}"

    seat: Seat
    pawn: Pawn
    square: Square


class Filled(Event):
    """The rest of a block was filled at random for a seat; `pawns` are on `first` to `last`."""

    template = "Squares {first} to {last} are filled at random for {seat}: {pawns}."
    brief = "{first} to {last} filled at random"

    seat: Seat
    pawns: tuple[Pawn, ...]
    first: Square
    last: Square


class LaidOut(Event):
    template = "All 32 pawns were laid out at random."
    brief = "pawns laid out at random"


class Chose(Event):
    template = "{seat} will play {color}."
    brief = "will play {color}"

    seat: Seat
    color: Color


class StaysNeutral(Event):
    template = "Nobody owns {color}; it is neutral."

    color: Color


class Began(Event):
    """The setup is complete."""

    template = "{seat} {seat:makes|make} the first move."

    seat: Seat


class Moved(Event):
    """`pawns` are the moving part of a pile, from the bottom up; they land on the pile at `target`."""

    template = "{seat} {seat:moves|move} {pawns} from {origin} to {target}."
    brief = "{pawns} from {origin} to {target}"

    seat: Seat
    origin: Square
    target: Square
    pawns: Pile


class TookTower(Event):
    """`tower` was completed on `square`, which is empty now."""

    template = "A tower of four! {points} points for {seat}."
    brief = "takes a tower of four: +{points}"

    seat: Seat
    square: Square
    tower: Pile
    points: int


class SharedTower(Event):
    """A tower of partners: the seat that moved gets `own_pile`, its partner `partner_pile`."""

    template = (
        "A tower of {storeys}! {seat:@ keeps|You keep} {own_pile}: {points} points; "
        "{partner} {partner:gets|get} {partner_pile}: {partner_points}."
    )
    brief = "tower of {storeys}: +{points}, {partner} +{partner_points}"

    seat: Seat
    partner: Seat
    square: Square
    storeys: Storeys
    own_pile: Pile
    points: int
    partner_pile: Pile
    partner_points: int


class Missed(Event):
    """`seats` miss their turn."""

    template = "{seats} cannot move."
    lasting = True

    seats: tuple[Seat, ...]


class Alone(Event):
    """Like `Missed` for all other seats, at least two."""

    template = "Nobody but {seat} can move."
    lasting = True

    seat: Seat


class CameAgain(Event):
    """A position was repeated, but not often enough to end the game (rule 6.2)."""

    template = "This position has come up for the {time} time; the {last} ends the game."
    minor = True

    time: Occurrence
    last: Occurrence


class Ended(Event):
    template = "The game is over. {reason}"
    minor = True

    reason: EndReason
