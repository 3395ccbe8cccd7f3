"""The standings of a league, always computed from results. Knows people by their ids only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise, permutations
from typing import TypeAlias

Rounds: TypeAlias = "Sequence[Sequence[Played]]"

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Played:
    """A table of one round: who has each seat, `None` for a computer, and the place of each seat once it is over.

    Seats of the same company, if there are companies, win together. A `void` table was called off. `sat` is who had
    each seat in the beginning and in the end, also those whose result does not count, if that is not the same.
    """

    seats: tuple[int | None, ...]
    places: tuple[int, ...] = ()
    companies: tuple[int, ...] = ()
    void: bool = False
    sat: tuple[tuple[int | None, ...], ...] = ()

    @property
    def meetings(self) -> set[tuple[int, int]]:
        """All pairs, in both orders, of users who were there together."""
        there = [[one for one in seats if one is not None] for seats in self.sat or (self.seats,)]
        return {pair for people in there for pair in permutations(people, 2)}

    @property
    def people(self) -> tuple[int, ...]:
        """The users who play there."""
        return tuple(user_id for user_id in self.seats if user_id is not None)

    def points(self) -> dict[int, Fraction]:
        """What each user gets: the share of the others that they are ahead of, equals counting half; for a void table
        one half. Nobody gets anything before the end.
        """
        if self.void:
            return dict.fromkeys(self.people, HALF)
        return {user_id: self._share(n) for n, user_id in enumerate(self.seats) if user_id is not None and self.places}

    def _share(self, seat: int) -> Fraction:
        companies = self.companies or tuple(range(len(self.seats)))
        # teammates do not count against each other (docs/leagues.md)
        rivals = [place for place, one in zip(self.places, companies, strict=True) if one != companies[seat]]
        if not rivals:
            return HALF
        own = self.places[seat]
        # exact: sums of floats would tell people apart who have equal points
        return Fraction(sum(2 if own < other else own == other for other in rivals), 2 * len(rivals))


@dataclass(frozen=True, slots=True)
class LeagueStanding:
    """Somebody in a league: those who cannot be told apart share a `place`. `opposition` is the mean of the points a
    table that the people they met have, `firsts` how often they were alone in the first place.
    """

    user_id: int
    place: int
    points: Fraction
    tables: int
    opposition: Fraction
    firsts: int


def standings(players: Collection[int], rounds: Rounds) -> list[LeagueStanding]:
    """Everybody in order: by points, the result against each other, the strength of those they met; else shared."""
    over = [table for tables in rounds for table in tables if table.points()]
    gained = {user_id: [table.points()[user_id] for table in over if user_id in table.people] for user_id in players}
    total = {user_id: sum(points, Fraction()) for user_id, points in gained.items()}
    opposition = {user_id: _opposition(user_id, over, gained) for user_id in players}
    # by id among equals: the order of `players` makes no difference
    ordered = sorted(players, key=lambda user_id: (-total[user_id], user_id))
    keys: dict[int, tuple[Fraction, ...]] = {}
    for points, tied in groupby(ordered, key=total.__getitem__):
        direct = _direct(tuple(tied), over)
        keys |= {user_id: (points, direct[user_id], opposition[user_id]) for user_id in direct}
    ordered.sort(key=lambda user_id: keys[user_id], reverse=True)
    place, found = 1, list[LeagueStanding]()
    for n, (before, user_id) in enumerate(pairwise([None, *ordered]), start=1):
        assert user_id is not None, "only the first one has nobody before"
        place = place if before is not None and keys[before] == keys[user_id] else n
        firsts = sum(points == 1 for points in gained[user_id])
        one = LeagueStanding(user_id, place, total[user_id], len(gained[user_id]), opposition[user_id], firsts)
        found.append(one)
    return found


def _opposition(user_id: int, over: Sequence[Played], gained: Mapping[int, Sequence[Fraction]]) -> Fraction:
    met = [other for table in over if user_id in table.people for other in table.people if other != user_id]
    means = [sum(gained[other], Fraction()) / len(gained[other]) for other in met if gained.get(other)]
    return sum(means, Fraction()) / len(means) if means else Fraction()


def _direct(tied: Sequence[int], over: Sequence[Played]) -> dict[int, Fraction]:
    """What those who have equal points gained from each other, at all tables where some of them met."""
    direct = dict.fromkeys(tied, Fraction())
    for table in over:
        points = {user_id: share for user_id, share in table.points().items() if user_id in direct}
        for user_id, own in points.items():
            others = [share for other, share in points.items() if other != user_id]
            direct[user_id] += sum((HALF * ((own > other) - (own < other)) for other in others), Fraction())
    return direct
