"""Everything that can happen in Dance of Muses. Cells and tiles go by their public names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core import Event
from engine.games.muses.cells import Cell, Way
from engine.games.muses.companies import Company
from engine.games.muses.tiles import Muse, Tile
from engine.texts import Seat


class EndReason(StrEnum):
    """Why the game ended (rule 9)."""

    HANDS = "hands"
    TARGET = "target"

    @property
    def label(self) -> str:
        """How people read it, after “The game is over:”."""
        return _REASONS[self]


_REASONS = {
    EndReason.HANDS: "all hands are played",
    EndReason.TARGET: "the points to reach are reached",
}


# --- Set-up ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HandBegan(Event):
    """The Muses are shuffled and dealt."""

    template = "Hand {hand} begins."

    hand: int


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    """A seat's hand; only that seat hears it."""

    template = "You hold {muses}."

    muses: tuple[Muse, ...]


@dataclass(frozen=True, slots=True)
class NeutralLaid(Event):
    """The tile that is left over."""

    template = "{tile} lies on {cell}, Neutral."

    tile: Tile
    cell: Cell


@dataclass(frozen=True, slots=True)
class Began(Event):
    """Who lays the first tile and dances first."""

    template = "{seat} {seat:begins|begin}."

    seat: Seat


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A tile laid face up."""

    template = "{seat} {seat:lays|lay} {tile} on {cell}."

    seat: Seat
    tile: Tile
    cell: Cell


@dataclass(frozen=True, slots=True)
class PlacedUnseen(Event):
    """A tile laid face down, as all others hear it."""

    template = "{seat} {seat:lays|lay} a Muse face down on {cell}: {tile}."

    seat: Seat
    tile: Tile
    cell: Cell


@dataclass(frozen=True, slots=True)
class PlacedFaceDown(Event):
    """A tile laid face down, as its owner hears it."""

    template = "You lay {muse} face down on {cell}: {tile}."

    muse: Muse
    tile: Tile
    cell: Cell


# --- Dance -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stepped(Event):
    """A Muse has moved alone."""

    template = "{seat:@:|You let} {tile} {seat:steps|step} {way} to {cell}."

    seat: Seat
    tile: Tile
    way: Way
    origin: Cell
    cell: Cell


@dataclass(frozen=True, slots=True)
class Pushed(Event):
    """A Muse has moved and pushed others, the nearest first."""

    template = "{seat:@:|You let} {tile} {seat:steps|step} {way} to {cell} and {seat:pushes|push} {pushed}."

    seat: Seat
    tile: Tile
    way: Way
    origin: Cell
    cell: Cell
    pushed: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class PowerUsed(Event):
    """A Muse uses her own power."""

    template = "{seat} {seat:uses|use} {tile}’s power."

    seat: Seat
    tile: Tile


@dataclass(frozen=True, slots=True)
class PowerBorrowed(Event):
    """A Muse uses the power of a neighbor."""

    template = "{seat} {seat:lets|let} {tile} use {copied}’s power."

    seat: Seat
    tile: Tile
    copied: Tile


@dataclass(frozen=True, slots=True)
class DieTurned(Event):
    """A die has another value."""

    template = "{tile}’s die shows {value}."

    tile: Tile
    value: int


@dataclass(frozen=True, slots=True)
class DiceSwapped(Event):
    """Two dice have changed places."""

    template = "{one} and {other} exchange their dice."

    one: Tile
    other: Tile


@dataclass(frozen=True, slots=True)
class PlacesSwapped(Event):
    """Two tiles have changed places, each with its die."""

    template = "{one} and {other} change places."

    one: Tile
    other: Tile


@dataclass(frozen=True, slots=True)
class Carried(Event):
    """A tile lifted to another cell with its die."""

    template = "{tile} moves from {origin} to {cell}."

    tile: Tile
    origin: Cell
    cell: Cell


# --- End of a hand ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TurnsRanOut(Event):
    """The safety limit (rule 7.2)."""

    template = "{turns} turns have been danced: the hand ends."

    turns: int


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    """Who a face-down tile was."""

    template = "{tile} is {muse}."

    tile: Tile
    muse: Muse


@dataclass(frozen=True, slots=True)
class ApolloWilled(Event):
    """Dice that have become 6 because they showed as many as their tile has suns."""

    template = "The will of Apollo turns the dice of {muses} to 6."

    muses: tuple[Muse, ...]


@dataclass(frozen=True, slots=True)
class RanksWon(Event):
    """The points of a company for its ranks."""

    template = "{company} wins rank {ranks}: +{points}."

    company: Company
    ranks: tuple[int, ...]
    points: int


@dataclass(frozen=True, slots=True)
class BonusWon(Event):
    """Who gets the bonus."""

    template = "The bonus goes to {company}: +{points}."

    company: Company
    points: int


@dataclass(frozen=True, slots=True)
class AllTied(Event):
    """No rank has a single winner, so there is no bonus either."""

    template = "Every rank is a tie: no points, no bonus."


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game is over."""

    template = "The game is over: {reason}."

    reason: EndReason
