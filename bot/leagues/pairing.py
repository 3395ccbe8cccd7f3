"""Who plays with whom in a round of a league: plain search, which suits tables of any size.

Pairing programs for chess (the Dutch system, https://handbook.fide.com/chapter/C0403) know tables of two only. What is
aimed at is the same: nobody has a second bye before everyone has had one, nobody meets the same person twice while that
can be avoided, in Swiss rounds those with about equal points meet, and everybody begins about as often. The same seed
gives the same tables, also after a restart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from random import Random
from typing import TypeAlias

from bot.leagues.standings import LeagueStanding, Rounds, standings
from bot.leagues.strangers import tables_of_strangers

Weights: TypeAlias = Mapping[int, Mapping[int, int]]

APART = 10**21
"""The cost of a meeting of two players of whom one has blocked the other, above all other costs of a round together."""

MORE_TABLES = 3
"""How many more tables than needed are tried with many people, so that blocked pairs do not meet."""

BYE_AGAIN = 10**15
"""The cost of a small table for each time that a player has had one, above all meetings of a round together."""

AGAIN = 10**9
"""What it costs to meet once more, times the square of how often before; places apart cost one each in Swiss rounds."""

BYE_PLACE = 10**4
"""The cost of a small table for each place above the last one; the lot among equals costs less than one place."""

TRIES, FEW, SWEEPS = 20, 40, 6
"""Beginnings tried with few people (with more, one is as good), and how often at most all swaps are looked at."""

NEAR = 3
"""In Swiss rounds of many, people change places only with those of so many tables up or down."""


def tables_of(
    players: Sequence[int],
    seats: int,
    rounds: Rounds,
    *,
    swiss: bool,
    seed: str,
    apart: Collection[frozenset[int]] = frozenset(),
) -> list[tuple[int | None, ...]]:
    """The tables of the next round: every player at one, each with this number of seats, `None` for computers.

    People are spread evenly, so that a player is alone with computers only if there are no others. Tables with more
    computers than others go to the players who have had the fewest of them, the last in the standings first.

    Pairs that are to stay `apart` do not meet if they can be separated, at more tables if need be, unless this would
    leave a player alone with computers; else as few of them meet as possible.
    """
    if not players:
        return []
    random = Random(seed)
    ranking = standings(players, rounds)
    order = [one.user_id for one in ranking]
    weights, number = _weights(order, rounds, swiss, apart), -(-len(players) // seats)
    byes = _bye_costs(ranking, byes_so_far(rounds), random)
    best = _separated(order, number, Costs(weights, byes), random, swiss=swiss)
    # in the beginning, since who takes over later has not gone first
    began = (table.planned for one in rounds for table in one)
    held = Counter((seat, user_id) for seats_then in began for seat, user_id in enumerate(seats_then))
    return [_seated(table, seats, held, random) for table in best]


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of a round: of each meeting, and of a bye of each player, a table of fewer than `full` people."""

    weights: Weights
    byes: Mapping[int, int]
    full: int = 0

    def of(self, table: Sequence[int]) -> int:
        """The cost of a table."""
        meetings = sum(self.weights[a][b] for a, b in combinations(table, 2))
        return meetings + (sum(map(self.byes.__getitem__, table)) if len(table) < self.full else 0)

    def of_all(self, tables: Sequence[Sequence[int]]) -> int:
        """The cost of all tables of a round."""
        return sum(map(self.of, tables))


def byes_so_far(rounds: Rounds) -> Counter[int]:
    """How often each player was planned at a table with more computers than another one of the same round."""
    byes: Counter[int] = Counter()
    for tables in rounds:
        people = [[user_id for user_id in table.planned if user_id is not None] for table in tables]
        full = max(map(len, people), default=0)
        byes.update(user_id for table in people if len(table) < full for user_id in table)
    return byes


def _bye_costs(ranking: Sequence[LeagueStanding], byes: Counter[int], random: Random) -> dict[int, int]:
    """The cost of a bye for each player: least for those with the fewest so far, then for the last in the standings."""
    lots = list(range(len(ranking)))
    random.shuffle(lots)
    fewest, last = min(byes[one.user_id] for one in ranking), max(one.place for one in ranking)
    return {
        one.user_id: BYE_AGAIN * (byes[one.user_id] - fewest) + BYE_PLACE * (last - one.place) + lot
        for one, lot in zip(ranking, lots, strict=True)
    }


def _separated(order: Sequence[int], number: int, costs: Costs, random: Random, *, swiss: bool) -> list[list[int]]:
    """The best tables of those with as few meetings of blocked pairs as possible, and then as few tables."""
    best, fewest = list[list[int]](), -1
    for count in _numbers_of_tables(number, len(order)):
        sizes = _even(len(order), count)
        tables = _arranged(order, sizes, Costs(costs.weights, costs.byes, sizes[0]), random, swiss=swiss)
        meetings = sum(_meet(table, costs.weights, APART) for table in tables)
        if fewest < 0 or meetings < fewest:
            best, fewest = tables, meetings
        if not meetings:
            break
    return best


def _numbers_of_tables(least: int, people: int) -> range:
    # one person alone would be an easy win, which a block must not bring
    most = max(least, people // 2)
    return range(least, (most if people <= FEW else min(most, least + MORE_TABLES)) + 1)


def _arranged(
    order: Sequence[int], sizes: Sequence[int], costs: Costs, random: Random, *, swiss: bool
) -> list[list[int]]:
    """Good tables of these sizes, searched in two ways."""
    best = _best(order, sizes, costs, random, swiss=swiss)
    # swaps missed them in 8 of 426 random rounds in which people met again
    for least in (AGAIN, APART):
        if any(_meet(table, costs.weights, least) for table in best):
            best = min(best, _strangers(order, sizes, costs, random, least) or best, key=costs.of_all)
    return best


def _meet(table: Sequence[int], weights: Weights, least: int) -> int:
    """How many pairs at a table cost `least` or more."""
    return sum(weights[a][b] >= least for a, b in combinations(table, 2))


def _best(order: Sequence[int], sizes: Sequence[int], costs: Costs, random: Random, *, swiss: bool) -> list[list[int]]:
    """The tables that cost least, of several beginnings from which people were swapped."""
    near = NEAR if swiss and len(order) > FEW else len(sizes)
    resting = _resting(sizes, costs)
    best, least = list[list[int]](), -1
    for n in range(TRIES if len(order) <= FEW else 1):
        begin = list(order)
        # in Swiss rounds the standings themselves are the first beginning: neighbors have near points
        if n or not swiss:
            random.shuffle(begin)
        # the small tables are the last ones; a sort keeps the order of the others
        begin.sort(key=resting.__contains__)
        tables = _improved(_cut(begin, sizes), costs, near)
        cost = costs.of_all(tables)
        if least < 0 or cost < least:
            best, least = tables, cost
        # it cannot get any better
        if not least:
            break
    return best


def _resting(sizes: Sequence[int], costs: Costs) -> frozenset[int]:
    """The players for whom the byes of a round cost least."""
    number = sum(size for size in sizes if size < costs.full)
    return frozenset(sorted(costs.byes, key=costs.byes.__getitem__)[:number])


def _fit(sizes: Sequence[int], costs: Costs) -> dict[int, frozenset[int]]:
    """Who may sit at a table of each size, so that byes stay spread evenly."""
    times = {user_id: cost // BYE_AGAIN for user_id, cost in costs.byes.items()}
    # the one among those who rest that has had the most byes
    most = max((times[user_id] for user_id in _resting(sizes, costs)), default=-1)
    full = frozenset(user_id for user_id, n in times.items() if n >= most)
    small = frozenset(user_id for user_id, n in times.items() if n <= most)
    return {size: small if size < costs.full else full for size in sizes}


def _strangers(order: Sequence[int], sizes: Sequence[int], costs: Costs, random: Random, least: int) -> list[list[int]]:
    """Tables without any meeting that costs `least` or more, where a search for them finds some."""
    weights = costs.weights
    # a block weighs more than a second bye
    fit = _fit(sizes, costs) if least < APART else None
    strangers = {
        a: sorted((b for b in order if b != a and weights[a][b] < least), key=weights[a].__getitem__) for a in order
    }
    return _improved(tables_of_strangers(strangers, sizes, random, fit) or [], costs, len(sizes))


def _even(people: int, parts: int) -> list[int]:
    """How many people each table or group has: as equal as can be, the larger ones first."""
    return [people // parts + (n < people % parts) for n in range(parts)]


def _cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    return [list(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _weights(order: Sequence[int], rounds: Rounds, swiss: bool, apart: Collection[frozenset[int]]) -> Weights:
    """What it costs when two meet."""
    met = Counter(pair for one in rounds for table in one for pair in table.meetings)
    rank = {user_id: n if swiss else 0 for n, user_id in enumerate(order)}
    # squared: two who meet a third time cost more than two other pairs that meet a second time
    weights = {a: {b: AGAIN * met[a, b] ** 2 + abs(rank[a] - rank[b]) for b in order} for a in order}
    for a, b in apart:
        weights[a][b] += APART
        weights[b][a] += APART
    return weights


def _improved(tables: list[list[int]], costs: Costs, near: int) -> list[list[int]]:
    """Swap two people of different tables, at most `near` apart, as long as that makes it better."""
    neighbors = [(a, b) for a, b in combinations(range(len(tables)), 2) if b - a <= near]
    for _ in range(SWEEPS):
        swaps = [_swapped(tables[a], tables[b], costs) for a, b in neighbors]
        if not any(swaps):
            break
    return tables


def _swapped(one: list[int], other: list[int], costs: Costs) -> bool:
    """Make every swap of two tables that makes them better. Returns whether there was one."""
    # so it is with most tables: five rounds of two hundred people take 0.3 s by this, and 0.6 s without
    if not costs.of(one) + costs.of(other):
        return False
    weights, byes = costs.weights, costs.byes
    # whether a player of `one` has a bye less after a swap, or one more
    relief = (len(one) < costs.full) - (len(other) < costs.full)
    swapped = False
    for i, j in product(range(len(one)), range(len(other))):
        a, b = weights[one[i]], weights[other[j]]
        # only what the two who move cost changes, not the rest of both tables
        gain = sum(a[c] - b[c] for n, c in enumerate(one) if n != i)
        gain += sum(b[c] - a[c] for n, c in enumerate(other) if n != j)
        gain += relief * (byes[one[i]] - byes[other[j]])
        if gain > 0:
            one[i], other[j], swapped = other[j], one[i], True
    return swapped


def _seated(
    table: Sequence[int], seats: int, held: Counter[tuple[int, int | None]], random: Random
) -> tuple[int | None, ...]:
    """Whoever went first least often does now, and so on for each seat; by lot among equals. Computers sit behind."""
    # `min` takes the first of equals, so this draws lots among them
    random.shuffle(left := list(table))
    seated: list[int | None] = []
    for seat in range(len(table)):
        counts = {user_id: held[seat, user_id] for user_id in left}
        seated.append(chosen := min(left, key=counts.__getitem__))
        left.remove(chosen)
    return (*seated, *[None] * (seats - len(table)))


def groups_of(players: Sequence[int], size: int, last: Sequence[Sequence[int]] = ()) -> list[list[int]]:
    """Groups of about that size, the strongest first; `last` are the final orders of the groups of the season before.

    The first of each group moves up, and the last one down. Places of people who have left are for the best of those
    who stayed below. New people come last, in the given order.
    """
    known = [user_id for order in _moved(last) for user_id in order]
    here = [user_id for user_id in known if user_id in players]
    order = [*here, *(user_id for user_id in players if user_id not in known)]
    number = max(1, round(len(order) / size)) if size else 1
    return _cut(order, _even(len(order), number)) if order else []


def _moved(orders: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups after promotion, people who have left included: they move in nobody's place.

    Whoever has moved stands farthest from the border that they have crossed.
    """
    moved = [list(order) for order in orders]
    # the first and the last of a group of at least two are different people
    filled = [(order, group) for order, group in zip(orders, moved, strict=True) if len(order) > 1]
    for (upper, above), (lower, below) in pairwise(filled):
        best, worst = lower[0], upper[-1]
        above.remove(worst)
        below.remove(best)
        above.insert(0, best)
        below.append(worst)
    return moved
