"""An independent computation of a league's standings, which compares every pair of players seat by seat."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeVar

T = TypeVar("T", Fraction, tuple[float, int])
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Result:
    """A finished table: the owner of each seat and its merit (higher is better); empty merits mean it was called off.

    Seats of the same company win together. `people` tells for each seat whether a person had it at the beginning or the
    end; `lost` has the seat and the merit of each user who gave up.
    """

    seats: tuple[int | None, ...]
    merits: tuple[tuple[float, int], ...] = ()
    companies: tuple[int, ...] = ()
    people: tuple[bool, ...] = ()
    lost: Mapping[int, tuple[int, tuple[float, int]]] = field(default_factory=dict)

    @property
    def users(self) -> set[int]:
        """All users for whom the table counts."""
        return {user_id for user_id in self.seats if user_id is not None} | self.lost.keys()

    def seat_of(self, user_id: int) -> int:
        """The seat that a user gave up, or has."""
        return self.lost[user_id][0] if user_id in self.lost else self.seats.index(user_id)

    def gained(self, user_id: int) -> Fraction | None:
        """The share of the other people that a player has beaten; `None` for a bye, where all rivals are computers."""
        if user_id in self.lost:
            return Fraction()
        company, own = self._company(user_id), self.seats.index(user_id)
        people = self.people or [seat is not None for seat in self.seats]
        others = [n for n in range(len(self.seats)) if self._companies[n] != company and people[n]]
        if not others:
            return None
        if not self.merits:
            return HALF
        beaten = sum(self.merits[n] < self.merits[own] for n in others)
        equal = sum(self.merits[n] == self.merits[own] for n in others)
        return (beaten + Fraction(equal, 2)) / len(others)

    def won(self, a: int, b: int) -> int:
        """1 if a player was ahead of another one, -1 if behind, else 0; a player who gave up is behind the others."""
        if self._company(a) == self._company(b):
            return 0
        if a in self.lost and b in self.lost:
            return _sign(self.lost[a][1], self.lost[b][1])
        if a in self.lost or b in self.lost:
            return -1 if a in self.lost else 1
        return _sign(self.gained(a) or Fraction(), self.gained(b) or Fraction())

    @property
    def _companies(self) -> Sequence[int]:
        return self.companies or range(len(self.seats))

    def _company(self, user_id: int) -> int:
        return self._companies[self.seat_of(user_id)]


@dataclass(frozen=True)
class Reading:
    """Computed standings: points and number of tables by user, and all users with their places, in order."""

    points: dict[int, Fraction]
    tables: dict[int, int]
    places: list[tuple[int, int]]


def compute_standings(players: Collection[int], results: Sequence[Result]) -> Reading:
    """Compute the standings of the players, in order of places and then of ids."""
    tables = {a: [result.gained(a) for result in results if a in result.users] for a in players}
    mine = {a: [_mean(tables[a]) if points is None else points for points in tables[a]] for a in players}
    total = {a: sum(mine[a], Fraction()) for a in players}
    direct, strength = dict.fromkeys(players, Fraction()), dict.fromkeys(players, Fraction())
    for a in players:
        played = [result for result in results if a in result.users]
        meetings = [(b, result) for result in played for b in result.users & {*players} - {a}]
        direct[a] = HALF * sum(result.won(a, b) for b, result in meetings if total[a] == total[b])
        apart = [b for b, result in meetings if result.seat_of(a) != result.seat_of(b)]
        means = [total[b] / len(mine[b]) for b in apart]
        strength[a] = sum(means, Fraction()) / len(means) if means else Fraction()
    keys = {a: (total[a], direct[a], strength[a]) for a in players}
    ranked = [(a, 1 + sum(keys[b] > keys[a] for b in players)) for a in players]
    places = sorted(ranked, key=lambda item: (item[1], item[0]))
    return Reading(total, {a: len(mine[a]) for a in players}, places)


def _sign(own: T, other: T) -> int:
    return (own > other) - (own < other)


def _mean(gained: Sequence[Fraction | None]) -> Fraction:
    """The points for a bye: the mean of a player's other tables."""
    others = [gain for gain in gained if gain is not None]
    return sum(others, Fraction()) / len(others) if others else HALF
