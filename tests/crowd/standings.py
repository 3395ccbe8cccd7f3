"""A second reading of results: the standings of a league by comparing everybody with everybody, seat by seat."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Result:
    """A table that is over: whose each seat is, with its merit (more is better); without merits it was called off.

    Seats of the same company win together. `people` is whether a person began or ended in a seat, `lost` has the seats
    that were given up.
    """

    seats: tuple[int | None, ...]
    merits: tuple[tuple[float, int], ...] = ()
    companies: tuple[int, ...] = ()
    people: tuple[bool, ...] = ()
    lost: frozenset[int] = frozenset()

    def gained(self, user_id: int) -> Fraction | None:
        """The share of the other people that a player is ahead of; `None` if all rivals are computers, which is
        a bye.
        """
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
    """What a second reading finds of a league: points and tables by user, and everybody with their place."""

    points: dict[int, Fraction]
    tables: dict[int, int]
    places: list[tuple[int, int]]


def reading(players: Collection[int], results: Sequence[Result]) -> Reading:
    """Everybody in order, by place and then by user."""
    tables = {a: [one.gained(a) for one in results if a in one.seats] for a in players}
    mine = {a: [one if one is not None else _mean(tables[a]) for one in tables[a]] for a in players}
    total = {a: sum(mine[a], Fraction()) for a in players}
    direct, strength = dict.fromkeys(players, Fraction()), dict.fromkeys(players, Fraction())
    for a in players:
        meetings = [(b, one) for one in results if a in one.seats for b in players if b != a and b in one.seats]
        for b, one in meetings:
            own, other = one.gained(a) or 0, one.gained(b) or 0
            direct[a] += HALF * ((own > other) - (own < other)) if total[a] == total[b] else 0
        means = [total[b] / len(mine[b]) for b, _ in meetings]
        strength[a] = sum(means, Fraction()) / len(means) if means else Fraction()
    keys = {a: (total[a], direct[a], strength[a]) for a in players}
    ranked = [(a, 1 + sum(keys[b] > keys[a] for b in players)) for a in players]
    places = sorted(ranked, key=lambda one: (one[1], one[0]))
    return Reading(total, {a: len(mine[a]) for a in players}, places)


def _mean(gained: Sequence[Fraction | None]) -> Fraction:
    """The worth of a bye: the mean of all tables that are none."""
    others = [one for one in gained if one is not None]
    return sum(others, Fraction()) / len(others) if others else HALF
