"""The position of Nard."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple, Self, TypeVar

from caravanserai_nard.board import Dice, Side, counted_by, held, pips
from caravanserai_nard.events import Way
from caravanserai_nard.options import Terms
from engine.core import Action, Frame, Outcome, State
from engine.texts import Seat, Text

A = TypeVar("A", bound=Action)

MAX_STAKE = 64
"""The largest number on the cube (rule 8.4)."""


class Question(Frame["Nard", A]):
    """A pending question of Nard."""

    __slots__ = ()


class Result(NamedTuple):
    """The result of a game of the match."""

    winner: Seat
    points: int
    way: Way


class Nard(State):
    """A position. Everything is public.

    `sides` has the checkers of both seats, each by its own count (see `board`). `turn` is the seat whose turn it is,
    `roll` its dice, and `dice` those that are left. `stake` is the number on the cube, and `owner` the seat that may
    double next, or `None` for both. `results` has the finished games. `crawford` is the number of the game without the
    cube, 0 before it.
    """

    frames: tuple[Question[Any], ...]
    terms: Terms
    sides: tuple[Side, Side]
    turn: Seat
    roll: Dice
    dice: Dice
    stake: int
    owner: Seat | None
    results: tuple[Result, ...]
    crawford: int

    @property
    def game(self) -> int:
        """The number of the current game, or of the last one after the end."""
        return len(self.results) + bool(self.frames)

    def side(self, seat: Seat) -> Side:
        """The checkers of a seat by its own count."""
        return self.sides[seat]

    def blocked(self, seat: Seat) -> int:
        """The points that the other seat holds, as a bit set by the count of this seat."""
        return held(self.sides[1 - seat])

    def checkers(self, seat: Seat, place: int) -> int:
        """The number of checkers of a seat on a place, which is numbered as on the board."""
        return self.sides[seat][counted_by(seat, place)]

    def pips(self, seat: Seat) -> int:
        """The pips that a seat still has to move (rule 2.4)."""
        return pips(self.sides[seat])

    def points(self, seat: Seat) -> int:
        """The points of a seat in the match."""
        return sum(result.points for result in self.results if result.winner == seat)

    @property
    def cube_in_play(self) -> bool:
        """Whether the current game is played with the cube."""
        return self.terms.cube and self.crawford != len(self.results) + 1

    def may_double(self, seat: Seat) -> bool:
        """Whether a seat may double before its roll (rules 8.1, 8.4 and 8.5)."""
        if not self.cube_in_play or self.stake == MAX_STAKE or self.owner not in (None, seat):
            return False
        return self.terms.single or self.points(seat) + self.stake < self.terms.goal

    def tally(self, seat: Seat) -> int:
        """The points of a seat in the match."""
        return self.points(seat)

    def outcome(self) -> Outcome | None:
        """The seat that won the last game wins the match."""
        if self.frames:
            return None
        last, scores = self.results[-1], (self.points(Seat(0)), self.points(Seat(1)))
        return Outcome((float(last.winner == 0), float(last.winner == 1)), scores, last.way)

    def account(self, seat: Seat) -> Text:
        """The points of each game that a seat won."""
        points = " + ".join(str(result.points) for result in self.results if result.winner == seat)
        return Text("games won: {points}", points=points) if points else Text("no game won")

    def diagram(self) -> Text:
        """The pip counts, for a picture without a board."""
        template = "Pips to go: {red} for {first}, {blue} for {second}."
        return Text(template, red=self.pips(Seat(0)), blue=self.pips(Seat(1)), first=Seat(0), second=Seat(1))

    # Everything is public, and dice are drawn when they are rolled, so there is nothing to hide.

    def observe(self, viewer: Seat | None) -> Self:
        """The position itself, since everything is public."""
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """The position itself."""
        return self
