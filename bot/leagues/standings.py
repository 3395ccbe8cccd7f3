"""The standings of a league, always computed from results. Knows people by their ids only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from typing import TypeAlias

Rounds: TypeAlias = "Sequence[Sequence[Played]]"

HALF = Fraction(1, 2)


@dataclass(frozen=True, slots=True)
class Played:
    """A table of one round: who has each seat, `None` for a computer, and the place of each seat once it is over.

    Seats of the same company, if there are companies, win together. A `void` table was called off. `sat` is who had
    each seat in the beginning and in the end, also those whose result does not count, if that is not the same.
    `forfeits` are the seats that were given up.
    """

    seats: tuple[int | None, ...]
    places: tuple[int, ...] = ()
    companies: tuple[int, ...] = ()
    void: bool = False
    sat: tuple[tuple[int | None, ...], ...] = ()
    forfeits: frozenset[int] = frozenset()

    @property
    def planned(self) -> tuple[int | None, ...]:
        """Who had each seat in the beginning."""
        return self.sat[0] if self.sat else self.seats

    @property
    def is_over(self) -> bool:
        """Whether its results count."""
        return self.void or bool(self.places)

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
        """What each user with a rival gets: the share of the rivals that they are ahead of, equals counting half; for a
        void table one half. There are no points before the end.

        The seats of a bye are not among them (`byes`), unless they were given up: those get nothing.
        """
        if not self.is_over:
            return {}
        seated = [(n, user_id) for n, user_id in enumerate(self.seats) if user_id is not None]
        return {user_id: self._share(n) for n, user_id in seated if self._rivals(n) or n in self.forfeits}

    @property
    def byes(self) -> tuple[int, ...]:
        """The users who had computers alone against them, at a table that is over: they get their average."""
        return self.byes_beside(self.points()) if self.is_over else ()

    def byes_beside(self, points: Collection[int]) -> tuple[int, ...]:
        """The byes of a table that is over, of which these users have `points`."""
        return tuple(user_id for user_id in self.people if user_id not in points)

    def _rivals(self, seat: int) -> list[int]:
        """The seats that count for the points of a seat: those that people of other companies began or ended in."""
        companies = self.companies or tuple(range(len(self.seats)))
        # a computer that sat there all the time is no rival, or its tables would be worth more than others
        played = [any(who is not None for who in seats) for seats in zip(self.seats, *self.sat, strict=True)]
        # teammates do not count against each other (docs/leagues.md)
        return [n for n, one in enumerate(companies) if one != companies[seat] and played[n]]

    def _share(self, seat: int) -> Fraction:
        rivals = self._rivals(seat)
        if not rivals:
            return Fraction()
        if self.void:
            return HALF
        own, others = self.places[seat], [self.places[rival] for rival in rivals]
        # exact: sums of floats would tell people apart who have equal points
        return Fraction(sum(2 if own < other else own == other for other in others), 2 * len(others))


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
    """Everybody in order: by points, the result against each other, the strength of those they met; else shared.

    Each table is read once, however many players there are.
    """
    over = [table for tables in rounds for table in tables if table.is_over]
    shares = [table.points() for table in over]
    played = _points_of(players, shares)
    byes = Counter(user_id for table, points in zip(over, shares, strict=True) for user_id in table.byes_beside(points))
    gained = {user_id: points + [_average(points)] * byes[user_id] for user_id, points in played.items()}
    total = {user_id: sum(points, Fraction()) for user_id, points in gained.items()}
    opposition, direct = _opposition(over, gained, total), _direct(shares, total)
    keys = {user_id: (total[user_id], direct[user_id], opposition[user_id]) for user_id in players}
    # by id among equals, so the order of `players` does not matter
    ordered = sorted(players)
    ordered.sort(key=keys.__getitem__, reverse=True)
    place, order = 1, list[LeagueStanding]()
    for n, (before, user_id) in enumerate(pairwise([None, *ordered]), start=1):
        assert user_id is not None, "only the first one has nobody before"
        place = place if before is not None and keys[before] == keys[user_id] else n
        firsts = sum(points == 1 for points in played[user_id])
        one = LeagueStanding(user_id, place, total[user_id], len(gained[user_id]), opposition[user_id], firsts)
        order.append(one)
    return order


def _points_of(players: Collection[int], shares: Sequence[Mapping[int, Fraction]]) -> dict[int, list[Fraction]]:
    """The points of each player at each table against people."""
    played: dict[int, list[Fraction]] = {user_id: [] for user_id in players}
    for points in shares:
        for user_id in points.keys() & played.keys():
            played[user_id].append(points[user_id])
    return played


def _average(points: Sequence[Fraction]) -> Fraction:
    """The worth of a bye: the mean of the other tables, or one half without any."""
    return sum(points, Fraction()) / len(points) if points else HALF


def _opposition(
    over: Sequence[Played], gained: Mapping[int, Sequence[Fraction]], total: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """The strength of those whom each player met: the mean of their points a table."""
    means = {user_id: total[user_id] / len(points) for user_id, points in gained.items() if points}
    met: dict[int, list[Fraction]] = {user_id: [] for user_id in gained}
    for table in over:
        people = table.people
        for user_id in met.keys() & set(people):
            met[user_id] += [means[other] for other in people if other != user_id and other in means]
    return {user_id: sum(rivals, Fraction()) / len(rivals) if rivals else Fraction() for user_id, rivals in met.items()}


def _direct(shares: Sequence[Mapping[int, Fraction]], total: Mapping[int, Fraction]) -> dict[int, Fraction]:
    """The balance of each player against those with equal points, over all tables where some of them met."""
    wins = dict.fromkeys(total, 0)
    for points in shares:
        for one, other in combinations([user_id for user_id in points if user_id in total], 2):
            if total[one] == total[other]:
                won = (points[one] > points[other]) - (points[one] < points[other])
                wins[one] += won
                wins[other] -= won
    return {user_id: HALF * won for user_id, won in wins.items()}
