"""The standings of a league, always computed from results. Players are ids here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations
from types import MappingProxyType
from typing import TypeAlias

from engine.values import Value

Rounds: TypeAlias = "Sequence[Sequence[Played]]"

HALF = Fraction(1, 2)


class Lost(Value):
    """A user's forfeit of a seat. Its `place` is behind all players who played on."""

    user_id: int
    seat: int
    place: int


class Played(Value):
    """A table of one round: the user of each seat, `None` for a computer, and the place of each seat once it is over.

    Seats of the same company, if there are companies, win together. A `void` table was called off. `sat` has the users
    of the seats at the beginning and at the end, if they differ from `seats`: also those without a counting result.
    `lost` are the forfeits of users, also of those without a result in `seats`.
    """

    seats: tuple[int | None, ...]
    places: tuple[int, ...] = ()
    companies: tuple[int, ...] = ()
    void: bool = False
    sat: tuple[tuple[int | None, ...], ...] = ()
    lost: tuple[Lost, ...] = ()

    @property
    def planned(self) -> tuple[int | None, ...]:
        """The user of each seat at the beginning."""
        return self.sat[0] if self.sat else self.seats

    @property
    def is_over(self) -> bool:
        """Whether its results count."""
        return self.void or bool(self.places)

    @property
    def meetings(self) -> set[tuple[int, int]]:
        """All pairs, in both orders, of users at the table at the same time."""
        groups = [[seat for seat in seats if seat is not None] for seats in self.sat or (self.seats,)]
        return {pair for people in groups for pair in permutations(people, 2)}

    @property
    def people(self) -> dict[int, int]:
        """The users with a result or a forfeit, each with their seat."""
        seated = {user_id: n for n, user_id in enumerate(self.seats) if user_id is not None}
        return seated | {lost.user_id: lost.seat for lost in self.lost}

    def are_rivals(self, one: int, other: int) -> bool:
        """Whether two seats play against each other: a user and their substitute do not, nor do teammates."""
        companies = self.companies or range(len(self.seats))
        return companies[one] != companies[other]

    def points(self) -> dict[int, Fraction]:
        """The points of each user with a rival: the share of rivals behind them, equals counting half; one half at a
        void table. Without an end, the result is empty.

        A bye has no points here (`byes`). A forfeit always has: zero.
        """
        if not self.is_over:
            return {}
        seated = [(n, user_id) for n, user_id in enumerate(self.seats) if user_id is not None and self._rivals(n)]
        return {user_id: self._share(n) for n, user_id in seated} | {lost.user_id: Fraction() for lost in self.lost}

    def ranks(self, points: Mapping[int, Fraction]) -> dict[int, tuple[int, Fraction]]:
        """The ranks of the users with `points` at the table, more being better: the first one to give up is last."""
        places = {lost.user_id: lost.place for lost in self.lost}
        return {user_id: (-places.get(user_id, 0), share) for user_id, share in points.items()}

    @property
    def byes(self) -> tuple[int, ...]:
        """The users with computers alone against them, at a table that is over: they get their average."""
        return self.byes_beside(self.points()) if self.is_over else ()

    def byes_beside(self, points: Collection[int]) -> tuple[int, ...]:
        """The byes of a table that is over; `points` has its users with points."""
        return tuple(user_id for user_id in self.people if user_id not in points)

    def _rivals(self, seat: int) -> list[int]:
        """The seats that count for the points of a seat: of other companies, with a person at the start or the end."""
        # a computer for the whole game does not count as a rival, or its tables would be worth more than others
        played = [any(who is not None for who in seats) for seats in zip(self.seats, *self.sat, strict=True)]
        # teammates do not count against each other (docs/leagues.md)
        return [n for n in range(len(self.seats)) if self.are_rivals(n, seat) and played[n]]

    def _share(self, seat: int) -> Fraction:
        if self.void:
            return HALF
        own, others = self.places[seat], [self.places[rival] for rival in self._rivals(seat)]
        # exact: sums of floats would separate users with equal points
        return Fraction(sum(2 if own < other else own == other for other in others), 2 * len(others))


class LeagueStanding(Value):
    """The standing of a player; equals share a `place`. `opposition` is the mean of their opponents' points a
    table, `direct` their balance against players with equal points.
    """

    user_id: int
    place: int
    points: Fraction
    tables: int
    opposition: Fraction
    direct: Fraction


def standings(
    players: Collection[int], rounds: Rounds, forgotten: Mapping[int, int] = MappingProxyType({})
) -> list[LeagueStanding]:
    """All players in order: by points, then by results against each other, then by the strength of their opponents.

    Each table is read once for all players. Rounds that a player had before *Forget me* are `forgotten`.
    """
    over = [table for tables in rounds for table in tables if table.is_over]
    shares = [table.points() for table in over]
    played = _points_of(players, shares)
    byes = Counter(user_id for table, points in zip(over, shares, strict=True) for user_id in table.byes_beside(points))
    gained = {
        user_id: points + [_average(points, forgotten.get(user_id, 0))] * byes[user_id]
        for user_id, points in played.items()
    }
    total = {user_id: sum(points, Fraction()) for user_id, points in gained.items()}
    opposition, direct = _opposition(over, gained, total), _direct(over, shares, total)
    keys = {user_id: (total[user_id], direct[user_id], opposition[user_id]) for user_id in players}
    # by id among equals, so the order of `players` does not matter
    ordered = sorted(players)
    ordered.sort(key=keys.__getitem__, reverse=True)
    place, order = 1, list[LeagueStanding]()
    for n, (before, user_id) in enumerate(pairwise([None, *ordered]), start=1):
        assert user_id is not None, "only the first one has no predecessor"
        place = place if before is not None and keys[before] == keys[user_id] else n
        points, direct_points, strength = keys[user_id]
        order.append(LeagueStanding(user_id, place, points, len(gained[user_id]), strength, direct_points))
    return order


def _points_of(players: Collection[int], shares: Sequence[Mapping[int, Fraction]]) -> dict[int, list[Fraction]]:
    """The points of each player at each table with other people."""
    played: dict[int, list[Fraction]] = {user_id: [] for user_id in players}
    for points in shares:
        for user_id in points.keys() & played.keys():
            played[user_id].append(points[user_id])
    return played


def _average(points: Sequence[Fraction], forgotten: int) -> Fraction:
    """The worth of a bye: the mean of the other tables, or one half without any. Forgotten tables count as lost."""
    # or *Forget me* after a loss would be worth half a point
    tables = len(points) + forgotten
    return sum(points, Fraction()) / tables if tables else HALF


def _opposition(
    over: Sequence[Played], gained: Mapping[int, Sequence[Fraction]], total: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """The strength of each player's opponents: the mean of their points a table."""
    means = {user_id: total[user_id] / len(points) for user_id, points in gained.items() if points}
    opponents: dict[int, list[Fraction]] = {user_id: [] for user_id in gained}
    for table in over:
        people = table.people
        for user_id in opponents.keys() & people.keys():
            others = [other for other, seat in people.items() if seat != people[user_id]]
            opponents[user_id] += [means[other] for other in others if other in means]
    return {
        user_id: sum(shares, Fraction()) / len(shares) if shares else Fraction()
        for user_id, shares in opponents.items()
    }


def _direct(
    over: Sequence[Played], shares: Sequence[Mapping[int, Fraction]], total: Mapping[int, Fraction]
) -> dict[int, Fraction]:
    """The balance of each player against rivals with equal points, over all tables with at least two of them."""
    wins = dict.fromkeys(total, 0)
    for table, points in zip(over, shares, strict=True):
        seats, ranks = table.people, table.ranks(points)
        for one, other in combinations([user_id for user_id in points if user_id in total], 2):
            if total[one] == total[other] and table.are_rivals(seats[one], seats[other]):
                won = (ranks[one] > ranks[other]) - (ranks[one] < ranks[other])
                wins[one] += won
                wins[other] -= won
    return {user_id: HALF * won for user_id, won in wins.items()}
