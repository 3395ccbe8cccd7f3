"""The pairing of a league round, by a plain search that suits tables of any size.

Pairing programs for chess (the Dutch system, https://handbook.fide.com/chapter/C0403) support tables of two only. The
goals here are theirs: no second bye before every player has had one, no second meeting of two players if avoidable,
opponents with similar scores in Swiss rounds, and about the same number of first seats for each player. The same seed
gives the same tables, also after a restart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import combinations, pairwise, product
from random import Random
from typing import TypeAlias

from bot.features.leagues.standings import LeagueStanding, Rounds, standings
from bot.features.leagues.strangers import tables_of_strangers
from engine.values import Value

Weights: TypeAlias = Mapping[int, Mapping[int, int]]

BLOCKED_COST = 10**21
"""The cost of a meeting of two players of whom one has blocked the other: more than all other costs of a round."""

MAX_EXTRA_TABLES = 3
"""With many players, the number of additional tables to try so that blocked pairs do not meet."""

REPEATED_BYE_COST = 10**15
"""The cost of a bye for each earlier bye of the player: more than all repeated meetings of a round."""

REPEATED_MEETING_COST = 10**9
"""The cost of a repeated meeting, times the square of the earlier ones. In Swiss rounds a place apart costs one."""

BYE_PLACE_COST = 10**4
"""The cost of a bye for each place above the last one; the lot among equals costs less than one place."""

TRIES, MAX_FEW_PLAYERS, MAX_SWEEPS = 20, 40, 6
"""The number of starting orders to try with few players (with more, one is enough), and of sweeps over all swaps."""

MAX_SWAP_DISTANCE = 3
"""In Swiss rounds of many players, swaps are limited to tables at most this many apart."""


def tables_of(
    players: Sequence[int],
    seats: int,
    rounds: Rounds,
    *,
    swiss: bool,
    seed: str,
    apart: Collection[frozenset[int]] = frozenset(),
) -> list[tuple[int | None, ...]]:
    """The tables of the next round: each player at one table, each table with `seats` seats, `None` for computers.

    Players are spread evenly. A bye, a table with more computers than others, goes to the players with the fewest byes
    so far, the last in the standings first.

    Pairs in `apart` never meet. If more tables do not separate them, some players are alone with computers, as few as
    the search finds: those with the most of these pairs first, then those with the cheapest byes.
    """
    if not players:
        return []
    random = Random(seed)
    ranking = standings(players, rounds)
    order = [standing.user_id for standing in ranking]
    weights, byes = _weights(order, rounds, swiss, apart), _bye_costs(ranking, byes_so_far(rounds), random)
    best = _separate_blocked(order, seats, Costs(weights, byes), random, swiss=swiss)
    # the planned seats, since a substitute has not gone first
    earlier = (table.planned for tables in rounds for table in tables)
    held = Counter((seat, user_id) for planned in earlier for seat, user_id in enumerate(planned))
    return [_assign_seats(table, seats, held, random) for table in best]


class Costs(Value):
    """The costs of a round: of each meeting, and of a bye of each player, a table of fewer than `full` people."""

    weights: Weights
    byes: Mapping[int, int]
    full: int = 0

    def among(self, users: Collection[int]) -> Costs:
        """The costs of a round of some players only."""
        return Costs(self.weights, {user_id: self.byes[user_id] for user_id in users}, self.full)

    def of(self, table: Sequence[int]) -> int:
        """The cost of a table."""
        meetings = sum(self.weights[a][b] for a, b in combinations(table, 2))
        return meetings + (sum(map(self.byes.__getitem__, table)) if len(table) < self.full else 0)

    def of_all(self, tables: Sequence[Sequence[int]]) -> int:
        """The cost of all tables of a round."""
        return sum(map(self.of, tables))


def byes_so_far(rounds: Rounds) -> Counter[int]:
    """The byes of each player: plans at a table with more computers than another one of the same round."""
    byes: Counter[int] = Counter()
    for tables in rounds:
        people = [[user_id for user_id in table.planned if user_id is not None] for table in tables]
        full = max(map(len, people), default=0)
        byes.update(user_id for table in people if len(table) < full for user_id in table)
    return byes


def _bye_costs(ranking: Sequence[LeagueStanding], byes: Counter[int], random: Random) -> dict[int, int]:
    """The cost of a bye for each player: lowest with the fewest byes so far, then for the last in the standings."""
    lots = list(range(len(ranking)))
    random.shuffle(lots)
    fewest, last = min(byes[standing.user_id] for standing in ranking), max(standing.place for standing in ranking)
    return {
        standing.user_id: REPEATED_BYE_COST * (byes[standing.user_id] - fewest)
        + BYE_PLACE_COST * (last - standing.place)
        + lot
        for standing, lot in zip(ranking, lots, strict=True)
    }


def _separate_blocked(
    order: Sequence[int], seats: int, costs: Costs, random: Random, *, swiss: bool
) -> list[list[int]]:
    """The best tables without a meeting of a blocked pair, some of them with one player if need be."""
    group, alone = list(order), list[int]()
    while True:
        tables = _fewest_blocked_meetings(group, -(-len(group) // seats), costs.among(group), random, swiss=swiss)
        meetings = sum(_count_pairs(table, costs.weights, BLOCKED_COST) > 0 for table in tables)
        if not meetings:
            return [*tables, *([user_id] for user_id in alone)]
        # with many players a search takes seconds, so several are taken out at once
        for _ in range(meetings if len(group) > MAX_FEW_PLAYERS else 1):
            alone.append(_most_blocked(group, costs))
            group.remove(alone[-1])


def _most_blocked(group: Sequence[int], costs: Costs) -> int:
    """The player with the most blocks within a group; among equals, the one with the cheapest bye."""
    blocks = {a: sum(costs.weights[a][b] >= BLOCKED_COST for b in group) for a in group}
    return max(group, key=lambda user_id: (blocks[user_id], -costs.byes[user_id]))


def _fewest_blocked_meetings(
    order: Sequence[int], number: int, costs: Costs, random: Random, *, swiss: bool
) -> list[list[int]]:
    """The best tables with the fewest meetings of blocked pairs, and then with the fewest tables."""
    best, fewest = list[list[int]](), -1
    for count in _table_counts(number, len(order)):
        sizes = _even_sizes(len(order), count)
        tables = _arrange(order, sizes, Costs(costs.weights, costs.byes, sizes[0]), random, swiss=swiss)
        meetings = sum(_count_pairs(table, costs.weights, BLOCKED_COST) for table in tables)
        if fewest < 0 or meetings < fewest:
            best, fewest = tables, meetings
        if not meetings:
            break
    return best


def _table_counts(least: int, people: int) -> range:
    # a player alone with computers meets no other player: only as a last resort
    most = max(least, people // 2)
    return range(least, (most if people <= MAX_FEW_PLAYERS else min(most, least + MAX_EXTRA_TABLES)) + 1)


def _arrange(
    order: Sequence[int], sizes: Sequence[int], costs: Costs, random: Random, *, swiss: bool
) -> list[list[int]]:
    """Good tables of these sizes, searched in two ways."""
    best = _search_by_swaps(order, sizes, costs, random, swiss=swiss)
    # swaps missed tables of strangers in 8 of 426 random rounds with repeated meetings
    for least in (REPEATED_MEETING_COST, BLOCKED_COST):
        if any(_count_pairs(table, costs.weights, least) for table in best):
            best = min(best, _search_strangers(order, sizes, costs, random, least) or best, key=costs.of_all)
    return best


def _count_pairs(table: Sequence[int], weights: Weights, least: int) -> int:
    """The number of pairs at a table that cost `least` or more."""
    return sum(weights[a][b] >= least for a, b in combinations(table, 2))


def _search_by_swaps(
    order: Sequence[int], sizes: Sequence[int], costs: Costs, random: Random, *, swiss: bool
) -> list[list[int]]:
    """The cheapest tables that swaps reach from several starting orders."""
    distance = MAX_SWAP_DISTANCE if swiss and len(order) > MAX_FEW_PLAYERS else len(sizes)
    resting = _cheapest_byes(sizes, costs)
    best, least = list[list[int]](), -1
    for n in range(TRIES if len(order) <= MAX_FEW_PLAYERS else 1):
        start = list(order)
        # in Swiss rounds the standings are the first starting order: neighbors have similar scores
        if n or not swiss:
            random.shuffle(start)
        # the small tables are the last ones; the sort is stable for the others
        start.sort(key=resting.__contains__)
        tables = _improve(_split(start, sizes), costs, distance)
        cost = costs.of_all(tables)
        if least < 0 or cost < least:
            best, least = tables, cost
        # optimal
        if not least:
            break
    return best


def _cheapest_byes(sizes: Sequence[int], costs: Costs) -> frozenset[int]:
    """The players with the cheapest byes, as many as a round needs."""
    number = sum(size for size in sizes if size < costs.full)
    return frozenset(sorted(costs.byes, key=costs.byes.__getitem__)[:number])


def _fit(sizes: Sequence[int], costs: Costs) -> dict[int, frozenset[int]]:
    """Table size -> the players that may sit at such a table, so that byes stay spread evenly."""
    times = {user_id: cost // REPEATED_BYE_COST for user_id, cost in costs.byes.items()}
    # the most byes so far among the players with a bye in this round
    most = max((times[user_id] for user_id in _cheapest_byes(sizes, costs)), default=-1)
    full = frozenset(user_id for user_id, n in times.items() if n >= most)
    small = frozenset(user_id for user_id, n in times.items() if n <= most)
    return {size: small if size < costs.full else full for size in sizes}


def _search_strangers(
    order: Sequence[int], sizes: Sequence[int], costs: Costs, random: Random, least: int
) -> list[list[int]]:
    """Tables without any meeting that costs `least` or more; empty if the search finds none."""
    weights = costs.weights
    # a block costs more than a second bye
    fit = _fit(sizes, costs) if least < BLOCKED_COST else None
    strangers = {
        a: sorted((b for b in order if b != a and weights[a][b] < least), key=weights[a].__getitem__) for a in order
    }
    return _improve(tables_of_strangers(strangers, sizes, random, fit) or [], costs, len(sizes))


def _even_sizes(people: int, parts: int) -> list[int]:
    """The sizes of tables or groups: as equal as possible, the larger ones first."""
    return [people // parts + (n < people % parts) for n in range(parts)]


def _split(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    return [list(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _weights(order: Sequence[int], rounds: Rounds, swiss: bool, apart: Collection[frozenset[int]]) -> Weights:
    """The cost of each meeting of two players."""
    meetings = Counter(pair for tables in rounds for table in tables for pair in table.meetings)
    rank = {user_id: n if swiss else 0 for n, user_id in enumerate(order)}
    # squared: a third meeting of one pair costs more than the second meetings of two other pairs
    weights = {
        a: {b: REPEATED_MEETING_COST * meetings[a, b] ** 2 + abs(rank[a] - rank[b]) for b in order} for a in order
    }
    for a, b in apart:
        weights[a][b] += BLOCKED_COST
        weights[b][a] += BLOCKED_COST
    return weights


def _improve(tables: list[list[int]], costs: Costs, distance: int) -> list[list[int]]:
    """Swap players of different tables, at most `distance` apart, as long as that lowers the cost."""
    neighbors = [(a, b) for a, b in combinations(range(len(tables)), 2) if b - a <= distance]
    for _ in range(MAX_SWEEPS):
        swaps = [_swap(tables[a], tables[b], costs) for a, b in neighbors]
        if not any(swaps):
            break
    return tables


def _swap(one: list[int], other: list[int], costs: Costs) -> bool:
    """Make every swap between two tables that lowers their cost. Returns whether there was one."""
    # most tables cost nothing: this shortcut halves five rounds of two hundred players from 0.6 s to 0.3 s
    if not costs.of(one) + costs.of(other):
        return False
    weights, byes = costs.weights, costs.byes
    # 1 if a swap saves the player of `one` a bye, -1 if it adds one
    relief = (len(one) < costs.full) - (len(other) < costs.full)
    swapped = False
    for i, j in product(range(len(one)), range(len(other))):
        a, b = weights[one[i]], weights[other[j]]
        # only the costs of the two swapped players change
        gain = sum(a[c] - b[c] for n, c in enumerate(one) if n != i)
        gain += sum(b[c] - a[c] for n, c in enumerate(other) if n != j)
        gain += relief * (byes[one[i]] - byes[other[j]])
        if gain > 0:
            one[i], other[j], swapped = other[j], one[i], True
    return swapped


def _assign_seats(
    table: Sequence[int], seats: int, held: Counter[tuple[int, int | None]], random: Random
) -> tuple[int | None, ...]:
    """Give each seat to the player that has held it least often, by lot among equals; the last ones to computers."""
    # `min` returns the first of equals, so this draws lots among them
    random.shuffle(unseated := list(table))
    order: list[int | None] = []
    for seat in range(len(table)):
        counts = {user_id: held[seat, user_id] for user_id in unseated}
        order.append(chosen := min(unseated, key=counts.__getitem__))
        unseated.remove(chosen)
    return (*order, *[None] * (seats - len(table)))


def groups_of(players: Sequence[int], size: int, last: Sequence[Sequence[int]] = ()) -> list[list[int]]:
    """Groups of about `size` players, the strongest first; `last` has the final orders of the previous season's groups.

    The first of each group moves up, and the last one down. Players without a new sign-up are replaced by the best of
    the group below. New players come last, in the given order.
    """
    previous = [user_id for order in _promote(last) for user_id in order]
    returning = [user_id for user_id in previous if user_id in players]
    order = [*returning, *(user_id for user_id in players if user_id not in previous)]
    number = max(1, round(len(order) / size)) if size else 1
    return _split(order, _even_sizes(len(order), number)) if order else []


def _promote(orders: Sequence[Sequence[int]]) -> list[list[int]]:
    """The groups after promotion and relegation. Players without a new sign-up move too, and are not replaced.

    A promoted or relegated player has the place farthest from the border that they crossed.
    """
    moved = [list(order) for order in orders]
    # in a group of at least two, the first and the last are different people
    filled = [(order, group) for order, group in zip(orders, moved, strict=True) if len(order) > 1]
    for (upper, above), (lower, below) in pairwise(filled):
        best, worst = lower[0], upper[-1]
        above.remove(worst)
        below.remove(best)
        above.insert(0, best)
        below.append(worst)
    return moved
