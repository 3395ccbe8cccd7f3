"""An independent computation of a league's standings, which compares every pair of players seat by seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Result:
    """A finished table: the owner of each seat and its merit (higher is better); empty merits mean it was called off.

    Seats of the same company win together. `people` tells for each seat whether a person had it at the beginning or the
    end; `lost` has the seats that were given up.
    """

    seats: tuple[int | None, ...]
    merits: tuple[tuple[float, int], ...] = ()
    companies: tuple[int, ...] = ()
    people: tuple[bool, ...] = ()
    lost: frozenset[int] = frozenset()

    def gained(self, user_id: int) -> Fraction | None:
        """The share of the other people that a player has beaten; `None` for a bye, where all rivals are computers."""
        own = self.seats.index(user_id)
        company = self.companies or range(len(self.seats))
        people = self.people or [seat is not None for seat in self.seats]
        others = [n for n in range(len(self.seats)) if company[n] != company[own] and people[n]]
        if not others:
            return Fraction() if own in self.lost else None
        if not self.merits:
            return HALF
        beaten = sum(self.merits[n] < self.merits[own] for n in others)
        equal = sum(self.merits[n] == self.merits[own] for n in others)
        return (beaten + Fraction(equal, 2)) / len(others)


@dataclass(frozen=True)
class Reading:
    """Computed standings: points and number of tables by user, and all users with their places, in order."""

    points: dict[int, Fraction]
    tables: dict[int, int]
    places: list[tuple[int, int]]


def compute_standings(players: Collection[int], results: Sequence[Result]) -> Reading:
    """Compute the standings of the players, in order of places and then of ids."""
    tables = {a: [result.gained(a) for result in results if a in result.seats] for a in players}
    mine = {a: [_mean(tables[a]) if points is None else points for points in tables[a]] for a in players}
    total = {a: sum(mine[a], Fraction()) for a in players}
    direct, strength = dict.fromkeys(players, Fraction()), dict.fromkeys(players, Fraction())
    for a in players:
        meetings = [
            (b, result) for result in results if a in result.seats for b in players if b != a and b in result.seats
        ]
        for b, meeting in meetings:
            own, other = meeting.gained(a) or 0, meeting.gained(b) or 0
            direct[a] += HALF * ((own > other) - (own < other)) if total[a] == total[b] else 0
        means = [total[b] / len(mine[b]) for b, _ in meetings]
        strength[a] = sum(means, Fraction()) / len(means) if means else Fraction()
    keys = {a: (total[a], direct[a], strength[a]) for a in players}
    ranked = [(a, 1 + sum(keys[b] > keys[a] for b in players)) for a in players]
    places = sorted(ranked, key=lambda item: (item[1], item[0]))
    return Reading(total, {a: len(mine[a]) for a in players}, places)


def _mean(gained: Sequence[Fraction | None]) -> Fraction:
    """The points for a bye: the mean of a player's other tables."""
    others = [gain for gain in gained if gain is not None]
    return sum(others, Fraction()) / len(others) if others else HALF
