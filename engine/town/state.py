"""What the positions of both games have in common: the figure, the movement cards and the purses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.core import Outcome, Setup, State
from engine.texts import Seat
from engine.town.cards import Cards
from engine.town.data import LAP, WALK
from engine.town.track import Space, space_at


@dataclass(frozen=True, slots=True)
class Town(State):
    """A position of either game; only hands are hidden.

    `turn` counts finished turns of the game (cave) or of the lap (gangs). `total` are the steps walked, `side` says
    that the figure stands on route b of a fork. `purses` has the money of each seat.
    """

    setup: Setup
    turn: int
    total: int
    side: bool
    cards: Cards
    purses: tuple[int, ...]
    ended: StrEnum | None

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.setup.seats

    @property
    def on_turn(self) -> Seat:
        """The seat on turn; at the end the one that would be."""
        return Seat(self.turn % self.setup.seats)

    @property
    def step(self) -> int:
        """Where in the lap the figure stands, 0..51."""
        return self.total % LAP

    @property
    def space(self) -> Space:
        """The space the figure stands on."""
        return space_at(self.total % LAP, self.side)

    @property
    def left(self) -> int:
        """Steps that are left of the two laps."""
        return WALK - self.total

    def outcome(self) -> Outcome | None:
        """Most money wins; who has as much shares the win."""
        if self.ended is None:
            return None
        best = max(self.purses)
        share = 1 / self.purses.count(best)
        return Outcome(tuple(share if purse == best else 0.0 for purse in self.purses), self.purses, self.ended)


def put(items: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """The same numbers with another one at an index."""
    return (*items[:index], value, *items[index + 1 :])
