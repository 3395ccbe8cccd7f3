"""What the positions of both games have in common: the camel, the movement cards, the purses and the decks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random
from typing import Self

from engine.core import Outcome, Setup, State
from engine.texts import Seat
from engine.town.cards import Cards
from engine.town.data import HAND_SIZES, LAP, WALK
from engine.town.thieves import Deck
from engine.town.track import QUARTER, Route, Space, space_at


@dataclass(frozen=True, slots=True)
class Town(State):
    """A position of either game. Only hands are hidden; the order of a deck is nowhere written down.

    `turn` counts finished turns of the game (cave) or of the lap (gangs). `walked` are the steps of the camel since the
    start, `route` is `Route.SIDE` while it is in a side street. `purses` has the money of each seat, `brought` how
    much of it the cave or the bandits have brought so far, `decks` the face-down cards of each gang.
    """

    setup: Setup
    turn: int
    walked: int
    route: Route
    cards: Cards
    purses: tuple[int, ...]
    brought: tuple[int, ...]
    decks: tuple[Deck, ...]
    ended: StrEnum | None

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.setup.seats

    @property
    def on_turn(self) -> Seat:
        """The seat on turn; at the end the one that would be."""
        return Seat(self.turn % self.setup.seats)

    def turn_of(self) -> Seat:
        """The seat on turn, even while another one is asked something."""
        return self.on_turn

    def if_on_turn(self, seat: Seat) -> Self | None:
        """A turn of another seat, with the camel where it is."""
        # One frame is the question that opens a turn; any other lies above it.
        return replace(self, turn=self.turn + (seat - self.on_turn) % self.seats) if len(self.frames) == 1 else None

    @property
    def clockwise(self) -> tuple[Seat, ...]:
        """All seats, the one on turn first."""
        return _CLOCKWISE[self.setup.seats][self.turn % self.setup.seats]

    @property
    def step(self) -> int:
        """Where in the lap the camel is, 0..51."""
        return self.walked % LAP

    @property
    def space(self) -> Space:
        """The space the camel is on."""
        return space_at(self.walked % LAP, self.route)

    @property
    def quarter(self) -> int:
        """The quarter of the town it is in, 0 to 3."""
        return self.walked % LAP // QUARTER

    @property
    def left(self) -> int:
        """Steps that are left of the two laps."""
        return WALK - self.walked

    def tally(self, seat: Seat) -> int:
        """What is in a purse."""
        return self.purses[seat]

    def outcome(self) -> Outcome | None:
        """Most money wins; seats with equally much share the win."""
        if self.ended is None:
            return None
        # Equal money shares the win (rules 3.9 of the cave and 3.7 of the gangs).
        best = max(self.purses)
        share = 1 / self.purses.count(best)
        return Outcome(tuple(share if purse == best else 0.0 for purse in self.purses), self.purses, self.ended)

    def observe(self, viewer: Seat | None) -> Self:
        """The position with all hands covered but the viewer's."""
        # All but the hands is open (rule 4).
        return replace(self, cards=self.cards.observe(viewer))

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A position with hands as they may be. Decks need no guess: a card is drawn when it is turned up."""
        return replace(self, cards=self.cards.guess(viewer, rng))


_CLOCKWISE = {
    seats: tuple(tuple(Seat((first + n) % seats) for n in range(seats)) for first in range(seats))
    for seats in HAND_SIZES
}
"""Number of seats, first one -> all of them in order."""
