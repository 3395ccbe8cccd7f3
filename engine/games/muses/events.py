"""The events of Dance of Muses, with the public names of cells and tiles."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from engine.core import Event
from engine.games.muses.cells import Cell, Way
from engine.games.muses.companies import Company
from engine.games.muses.tiles import OWNERS, TILE_NAMES, TILE_NAMES_FIRST, Muse, Tile
from engine.texts import Seat, Text


class EndReason(StrEnum):
    """The reason why the game ended (rule 9)."""

    HANDS = "hands"
    TARGET = "target"

    @property
    def label(self) -> Text:
        """The reason as a sentence."""
        return _REASONS[self]


_REASONS = {
    EndReason.HANDS: Text("The last hand has been played."),
    EndReason.TARGET: Text("Somebody has reached the points that end the game."),
}


_set_derived = object.__setattr__
"""Sets the derived fields of a frozen event, such as the name of its tile."""


# --- Setup -----------------------------------------------------------------------------------------------------------


class HandBegan(Event):
    template = "Hand {hand} begins."
    brief = "hand {hand} begins"

    hand: int


class Dealt(Event):
    """The hand of a seat, visible to that seat only."""

    template = "You hold {muses}."
    minor = True

    muses: tuple[Muse, ...]


class NeutralLaid(Event):
    template = "The Neutral tile, which belongs to nobody, lies on {cell}."
    minor = True

    tile: Tile
    cell: Cell


class Began(Event):
    """The seat that lays the first tile and has the first turn of the dance."""

    template = "{seat} {seat:goes|go} first."

    seat: Seat


class Placed(Event):
    template = "{seat} {seat:lays|lay} {tile} on {cell}."
    brief = "lays {tile} on {cell}"

    seat: Seat
    tile: Tile
    cell: Cell


class PlacedUnseen(Event):
    """What others see of `PlacedFaceDown`."""

    template = "{seat} {seat:lays|lay} a Muse face down on {cell}."
    brief = "lays a Muse face down on {cell}"

    seat: Seat
    tile: Tile
    cell: Cell


class PlacedFaceDown(Event):
    """Visible to the owner of the tile only; others get `PlacedUnseen`."""

    template = "You lay {muse} face down on {cell}."
    brief = "lays {muse} face down on {cell}"

    muse: Muse
    tile: Tile
    cell: Cell


# --- Dance -----------------------------------------------------------------------------------------------------------


class Stepped(Event):
    template = "{subject} {seat:steps|step} {way} to {cell}."
    brief = "{called} steps to {cell}"

    seat: Seat
    tile: Tile
    way: Way
    origin: Cell
    cell: Cell
    called: Text = field(init=False, repr=False, compare=False)
    subject: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_derived(self, "called", TILE_NAMES[self.tile])
        _set_derived(self, "subject", _SUBJECTS[self.seat, self.tile])


class Pushed(Event):
    """A step of `tile` against other tiles; `pushed` begins with the nearest."""

    template = "{subject} {seat:steps|step} {way} to {cell} and {seat:pushes|push} {ahead}."
    brief = "{called} pushes on to {cell}"

    seat: Seat
    tile: Tile
    way: Way
    origin: Cell
    cell: Cell
    pushed: tuple[Tile, ...]
    called: Text = field(init=False, repr=False, compare=False)
    subject: Text = field(init=False, repr=False, compare=False)
    ahead: tuple[Text, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_derived(self, "called", TILE_NAMES[self.tile])
        _set_derived(self, "subject", _SUBJECTS[self.seat, self.tile])
        # The owner is named again only if `their own` would be ambiguous.
        alone = all(OWNERS.get(tile, self.seat) == self.seat for tile in (self.tile, *self.pushed))
        called = _NAMES_ALONE[self.seat] if alone else TILE_NAMES
        _set_derived(self, "ahead", tuple([called[tile] for tile in self.pushed]))


def _subject(seat: Seat, tile: Tile) -> Text:
    """The seat and its moving tile, naming the seat once: `Red: Clio`, `Red’s hidden Muse`, `You let Clio`."""
    if OWNERS.get(tile) == seat:
        return Text("{seat:@’s hidden Muse|You let the Muse you hid}", seat=seat)
    return Text("{seat:@:|You let} {called}", seat=seat, called=TILE_NAMES[tile])


# Created once, since searches create an event for every step.
_SUBJECTS = {(seat, tile): _subject(seat, tile) for seat in OWNERS.values() for tile in Tile}
"""Seat and moving tile -> beginning of the sentence."""


_NAMES_ALONE = {
    seat: {**TILE_NAMES, tile: Text("{seat:their own hidden Muse|the Muse you hid}", seat=seat)}
    for tile, seat in OWNERS.items()
}
"""Seat -> names of tiles in a sentence without hidden tiles of other seats."""


class PowerUsed(Event):
    template = "{seat} {seat:uses|use} {tile}’s power."
    brief = "uses {tile}’s power"

    seat: Seat
    tile: Tile


class PowerBorrowed(Event):
    template = "{seat} {seat:lets|let} {tile} use {copied}’s power."
    brief = "{tile} uses {copied}’s power"

    seat: Seat
    tile: Tile
    copied: Tile


class DieTurned(Event):
    template = "The die on {called} now shows {value}."
    brief = "die on {called}: {before} → {value}"

    tile: Tile
    before: int
    value: int
    called: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_derived(self, "called", TILE_NAMES[self.tile])


class DiceSwapped(Event):
    template = "{called} and {partner} swap dice."
    brief = "swaps two dice"

    one: Tile
    other: Tile
    called: Text = field(init=False, repr=False, compare=False)
    partner: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_derived(self, "called", TILE_NAMES_FIRST[self.one])
        _set_derived(self, "partner", TILE_NAMES[self.other])


class PlacesSwapped(Event):
    """`one` and `other` take their dice along."""

    template = "{called} and {partner} swap places."
    brief = "swaps two places"

    one: Tile
    other: Tile
    called: Text = field(init=False, repr=False, compare=False)
    partner: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_derived(self, "called", TILE_NAMES_FIRST[self.one])
        _set_derived(self, "partner", TILE_NAMES[self.other])


class Carried(Event):
    """`tile` takes its die along."""

    template = "{called} moves from {origin} to {cell}."
    brief = "{called} moves to {cell}"

    tile: Tile
    origin: Cell
    cell: Cell
    called: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _set_derived(self, "called", TILE_NAMES_FIRST[self.tile])


# --- End of a hand ---------------------------------------------------------------------------------------------------


class HandEnded(Event):
    """The dice that ended the hand, with their owners."""

    template = "The hand ends with {sixes}."
    brief = "ends the hand"

    sixes: tuple[Text, ...]


class TurnsRanOut(Event):
    """The hand ended by the safety limit (rule 7.2)."""

    template = "The hand ends after {turns} turns."
    brief = "{turns} turns are over: the hand ends"

    turns: int


class TurnedUp(Event):
    template = "Turned up: {muses}."

    muses: tuple[Text, ...]


class ApolloWilled(Event):
    template = "These dice show their suns and become 6: {muses}."

    muses: tuple[Muse, ...]


class RanksWon(Event):
    template = "{ranks:Rank|Ranks} {ranks} {ranks:goes|go} to {seats}: +{points}."

    company: Company
    seats: tuple[Seat, ...]
    ranks: tuple[int, ...]
    points: int


class BonusWon(Event):
    """`rank` is the first one with a winner, who gets the bonus."""

    template = "Rank {rank} also brings the bonus: +{points}."

    company: Company
    rank: int
    points: int


class AllTied(Event):
    template = "Every rank is tied: no points, no bonus."


class Ended(Event):
    template = "The game is over. {reason}"
    minor = True

    reason: EndReason
