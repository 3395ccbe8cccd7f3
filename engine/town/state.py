"""The part of the position that both games share: the camel, the movement cards, the purses and the decks."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from random import Random
from typing import Self

from engine.core import Outcome, Setup, State
from engine.texts import Seat, Text
from engine.ties import explain_ties
from engine.town.cards import Cards
from engine.town.data import HAND_SIZES, LAP, WALK
from engine.town.thieves import Deck
from engine.town.track import QUARTER, Route, Space, space_at


class Town(State):
    """A position of either game. Only hands are hidden; the order of a deck is not part of the state.

    `turn` counts the finished turns of the game (cave) or of the lap (gangs). `walked` is the number of steps of the
    camel since the start; `route` is `Route.SIDE` while it is in a side street. `purses` has the money of each seat,
    `brought` its income from the cave or from bandits, and `decks` the face-down cards of each gang.
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
        """The number of players."""
        return self.setup.seats

    @property
    def on_turn(self) -> Seat:
        """The seat on turn; after the end, the seat that would be next."""
        return Seat(self.turn % self.setup.seats)

    def turn_of(self) -> Seat:
        """The seat on turn, even while another seat has a decision."""
        return self.on_turn

    def if_on_turn(self, seat: Seat) -> Self | None:
        """The position as if another seat's turn began with the camel where it is; `None` in the middle of a turn."""
        # The lowest frame is the one that opens a turn; any others are above it.
        return replace(self, turn=self.turn + (seat - self.on_turn) % self.seats) if len(self.frames) == 1 else None

    @property
    def clockwise(self) -> tuple[Seat, ...]:
        """All seats in order, starting with the one on turn."""
        return _CLOCKWISE[self.setup.seats][self.turn % self.setup.seats]

    @property
    def step(self) -> int:
        """The step of the lap that the camel is on, 0..51."""
        return self.walked % LAP

    @property
    def space(self) -> Space:
        """The space of the camel."""
        return space_at(self.walked % LAP, self.route)

    @property
    def quarter(self) -> int:
        """The quarter of the town that the camel is in, 0 to 3."""
        return self.walked % LAP // QUARTER

    @property
    def steps_left(self) -> int:
        """The remaining steps of the two laps."""
        return WALK - self.walked

    def tally(self, seat: Seat) -> int:
        """The money in a purse."""
        return self.purses[seat]

    def outcome(self) -> Outcome | None:
        """The seats with the most money share the win (rules 3.9 of the cave and 3.7 of the gangs)."""
        if self.ended is None:
            return None
        best = max(self.purses)
        share = 1 / self.purses.count(best)
        returns = tuple(share if purse == best else 0.0 for purse in self.purses)
        return Outcome(returns, self.purses, self.ended, explain_ties(returns, self.purses, SHARED))

    def observe(self, viewer: Seat | None) -> Self:
        """The position with all hands hidden except the viewer's; everything else is public (rule 4)."""
        return replace(self, cards=self.cards.observe(viewer))

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """A position with sampled hands. Decks need no sampling: their cards are drawn when they are turned up."""
        return replace(self, cards=self.cards.guess(viewer, rng))


SHARED = Text("Tied on money: the win is shared.")

_CLOCKWISE = {
    seats: tuple(tuple(Seat((first + n) % seats) for n in range(seats)) for first in range(seats))
    for seats in HAND_SIZES
}
"""Number of seats, first seat -> all seats in order."""
