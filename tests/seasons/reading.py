"""A second reading of results: the standings of a league by comparing everybody with everybody, seat by seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Result:
    """A table that is over: whose each seat is, with its merit (more is better); without merits it was called off.

    Seats of the same company win together.
    """

    seats: tuple[int | None, ...]
    merits: tuple[tuple[float, int], ...] = ()
    companies: tuple[int, ...] = ()

    def gained(self, user_id: int) -> Fraction:
        """The share of the others that somebody is ahead of."""
        if not self.merits:
            return HALF
        own = self.seats.index(user_id)
        company = self.companies or range(len(self.seats))
        others = [n for n in range(len(self.seats)) if company[n] != company[own]]
        if not others:
            return HALF
        beaten = sum(self.merits[n] < self.merits[own] for n in others)
        equal = sum(self.merits[n] == self.merits[own] for n in others)
        return (beaten + Fraction(equal, 2)) / len(others)


@dataclass(frozen=True)
class Reading:
    """What a second reading finds of a league: points and tables by user, and everybody with their place."""

    points: dict[int, Fraction]
    tables: dict[int, int]
    places: list[tuple[int, int]]


def reading(players: Collection[int], results: Sequence[Result]) -> Reading:
    """Everybody in order, by place and then by user."""
    mine = {a: [one.gained(a) for one in results if a in one.seats] for a in players}
    total = {a: sum(mine[a], Fraction()) for a in players}
    direct, strength = dict.fromkeys(players, Fraction()), dict.fromkeys(players, Fraction())
    for a in players:
        meetings = [(b, one) for one in results if a in one.seats for b in players if b != a and b in one.seats]
        for b, one in meetings:
            own, other = one.gained(a), one.gained(b)
            direct[a] += HALF * ((own > other) - (own < other)) if total[a] == total[b] else 0
        means = [total[b] / len(mine[b]) for b, _ in meetings]
        strength[a] = sum(means, Fraction()) / len(means) if means else Fraction()
    keys = {a: (total[a], direct[a], strength[a]) for a in players}
    ranked = [(a, 1 + sum(keys[b] > keys[a] for b in players)) for a in players]
    places = sorted(ranked, key=lambda one: (one[1], one[0]))
    return Reading(total, {a: len(mine[a]) for a in players}, places)
