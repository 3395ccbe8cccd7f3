"""Who plays with whom in a round of a league: plain search, which suits tables of any size.

Pairing programs for chess (the Dutch system, https://handbook.fide.com/chapter/C0403) know tables of two only. What is
aimed at is the same: nobody meets the same person twice while that can be avoided, in Swiss rounds those with about
equal points meet, and everybody begins about as often. The same seed gives the same tables, also after a restart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise, product
from random import Random
from typing import TypeAlias

from bot.leagues.standings import Rounds, standings
from bot.leagues.strangers import tables_of_strangers

Weights: TypeAlias = Mapping[int, Mapping[int, int]]

AGAIN = 1_000_000
"""What it costs to meet once more, times the square of how often before; places apart cost one each in Swiss rounds."""

TRIES, FEW, SWEEPS = 20, 40, 6
"""Beginnings tried with few people (with more, one is as good), and how often at most all swaps are looked at."""

NEAR = 3
"""In Swiss rounds of many, people change places only with those of so many tables up or down."""


def tables_of(
    players: Sequence[int], seats: int, rounds: Rounds, *, swiss: bool, seed: str
) -> list[tuple[int | None, ...]]:
    """The tables of the next round: every player at one, each with so many seats, `None` for computers.

    People are spread evenly, so that nobody is alone with computers unless there is nobody else.
    """
    if not players:
        return []
    random = Random(seed)
    order = [one.user_id for one in standings(players, rounds)]
    weights, sizes = _weights(order, rounds, swiss), _even(len(players), -(-len(players) // seats))
    best = _best(order, sizes, weights, random, swiss=swiss)
    if any(weights[a][b] >= AGAIN for table in best for a, b in combinations(table, 2)):
        # swaps missed them in 8 of 426 random rounds in which people met again
        best = _strangers(order, sizes, weights, random) or best
    began = (table.sat[0] if table.sat else table.seats for one in rounds for table in one)
    # in the beginning, since who takes over later has not gone first
    held = Counter((seat, user_id) for seats_then in began for seat, user_id in enumerate(seats_then))
    return [_seated(table, seats, held, random) for table in best]


def _best(
    order: Sequence[int], sizes: Sequence[int], weights: Weights, random: Random, *, swiss: bool
) -> list[list[int]]:
    """The tables that cost least, of several beginnings from which people were swapped."""
    near = NEAR if swiss and len(order) > FEW else len(sizes)
    best, least = list[list[int]](), -1
    for n in range(TRIES if len(order) <= FEW else 1):
        begin = list(order)
        # in Swiss rounds the standings themselves are the first beginning: neighbors have near points
        if n or not swiss:
            random.shuffle(begin)
        tables = _improved(_cut(begin, sizes), weights, near)
        cost = sum(_cost(table, weights) for table in tables)
        if least < 0 or cost < least:
            best, least = tables, cost
        # it cannot get any better
        if not least:
            break
    return best


def _strangers(order: Sequence[int], sizes: Sequence[int], weights: Weights, random: Random) -> list[list[int]]:
    """Tables at which nobody meets anybody again, where a search for them finds some."""
    strangers = {
        a: sorted((b for b in order if b != a and weights[a][b] < AGAIN), key=weights[a].__getitem__) for a in order
    }
    return _improved(tables_of_strangers(strangers, sizes, random) or [], weights, len(sizes))


def _even(people: int, parts: int) -> list[int]:
    """How many people each table or group has: as equal as can be, the larger ones first."""
    return [people // parts + (n < people % parts) for n in range(parts)]


def _cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    return [list(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _weights(order: Sequence[int], rounds: Rounds, swiss: bool) -> Weights:
    """What it costs when two meet."""
    met = Counter(pair for one in rounds for table in one for pair in table.meetings)
    rank = {user_id: n if swiss else 0 for n, user_id in enumerate(order)}
    # squared: two who meet a third time cost more than two other pairs that meet a second time
    return {a: {b: AGAIN * met[a, b] ** 2 + abs(rank[a] - rank[b]) for b in order} for a in order}


def _cost(table: Sequence[int], weights: Weights) -> int:
    return sum(weights[a][b] for a, b in combinations(table, 2))


def _improved(tables: list[list[int]], weights: Weights, near: int) -> list[list[int]]:
    """Swap two people of different tables, at most `near` apart, as long as that makes it better."""
    neighbors = [(a, b) for a, b in combinations(range(len(tables)), 2) if b - a <= near]
    for _ in range(SWEEPS):
        swaps = [_swapped(tables[a], tables[b], weights) for a, b in neighbors]
        if not any(swaps):
            break
    return tables


def _swapped(one: list[int], other: list[int], weights: Weights) -> bool:
    """Make every swap of two tables that makes them better. Returns whether there was one."""
    # so it is with most tables: five rounds of two hundred people take 0.3 s by this, and 0.6 s without
    if not _cost(one, weights) + _cost(other, weights):
        return False
    swapped = False
    for i, j in product(range(len(one)), range(len(other))):
        a, b = weights[one[i]], weights[other[j]]
        # only what the two who move cost changes, not the rest of both tables
        gain = sum(a[c] - b[c] for n, c in enumerate(one) if n != i)
        gain += sum(b[c] - a[c] for n, c in enumerate(other) if n != j)
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
