"""Who plays with whom in a round of a league: plain local search, which suits tables of any size.

Pairing programs for chess (the Dutch system, https://handbook.fide.com/chapter/C0403) know tables of two only. What is
aimed at is the same: nobody meets the same person twice while that can be avoided, in Swiss rounds those with about
equal points meet, and everybody begins about as often. The same seed gives the same tables, also after a restart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random

from bot.leagues.standings import Rounds, standings

AGAIN, APART = 1000, 1
"""What it costs to meet once more, by how often before, and to play against somebody so many places apart."""

TRIES, SWEEPS = 8, 30
"""Beginnings that are tried, and how often at most all swaps are looked at."""

FEW = 40
"""So many people are tried from several beginnings; with more, one takes long enough and is as good."""


def tables_of(
    players: Sequence[int], seats: int, rounds: Rounds, *, swiss: bool, seed: str
) -> list[tuple[int | None, ...]]:
    """The tables of the next round: every player at one, each with so many seats, `None` for computers.

    People are spread evenly, so that nobody is alone with computers unless there is nobody else.
    """
    if not players:
        return []
    random, met = Random(seed), _met(rounds)
    order = [one.user_id for one in standings(players, rounds)]
    rank = {user_id: n if swiss else 0 for n, user_id in enumerate(order)}
    sizes = _sizes(len(players), seats)
    tried = []
    for n in range(TRIES if len(players) <= FEW else 1):
        begin = list(order)
        if n or not swiss:
            random.shuffle(begin)
        tried.append(_improved(_cut(begin, sizes), met, rank))
    best = min(tried, key=lambda tables: sum(_cost(table, met, rank) for table in tables))
    return [_seated(table, seats, rounds, random) for table in best]


def _sizes(people: int, seats: int) -> list[int]:
    """How many people each table has: as equal as can be."""
    tables = -(-people // seats)
    return [people // tables + (n < people % tables) for n in range(tables)]


def _cut(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    ends = [sum(sizes[: n + 1]) for n in range(len(sizes))]
    return [list(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _met(rounds: Rounds) -> Counter[frozenset[int]]:
    tables = [table.people for one in rounds for table in one]
    return Counter(frozenset(pair) for people in tables for pair in combinations(people, 2))


def _cost(table: Sequence[int], met: Counter[frozenset[int]], rank: dict[int, int]) -> int:
    # squared: meeting twice more is worse than two who meet once more
    pairs = list(combinations(table, 2))
    again = sum(met[frozenset(pair)] ** 2 for pair in pairs)
    return AGAIN * again + APART * sum(abs(rank[one] - rank[other]) for one, other in pairs)


def _improved(tables: list[list[int]], met: Counter[frozenset[int]], rank: dict[int, int]) -> list[list[int]]:
    """Swap two people of different tables as long as that makes it better."""
    costs = [_cost(table, met, rank) for table in tables]
    for _ in range(SWEEPS):
        swapped = False
        for a, b in combinations(range(len(tables)), 2):
            # neither table costs anything, so no swap can make it better
            if not costs[a] + costs[b]:
                continue
            for i in range(len(tables[a])):
                for j in range(len(tables[b])):
                    swapped |= _swap(tables, costs, (a, i), (b, j), met, rank)
        if not swapped:
            break
    return tables


def _swap(
    tables: list[list[int]],
    costs: list[int],
    one: tuple[int, int],
    other: tuple[int, int],
    met: Counter[frozenset[int]],
    rank: dict[int, int],
) -> bool:
    """Swap two people if that makes it better. Returns whether."""
    (a, i), (b, j) = one, other
    first, second = list(tables[a]), list(tables[b])
    first[i], second[j] = second[j], first[i]
    new = _cost(first, met, rank), _cost(second, met, rank)
    if sum(new) >= costs[a] + costs[b]:
        return False
    tables[a], tables[b], costs[a], costs[b] = first, second, *new
    return True


def _seated(table: Sequence[int], seats: int, rounds: Rounds, random: Random) -> tuple[int | None, ...]:
    """Who has sat further back so far sits further in front now; by lot among equals. Computers sit behind."""
    before: Counter[int] = Counter()
    for one in rounds:
        for played in one:
            middle = len(played.seats) - 1
            before.update({user_id: 2 * n - middle for n, user_id in enumerate(played.seats) if user_id is not None})
    lot = {user_id: random.random() for user_id in table}
    people = sorted(table, key=lambda user_id: (-before[user_id], lot[user_id]))
    return (*people, *[None] * (seats - len(people)))


def groups_of(players: Sequence[int], size: int, last: Sequence[Sequence[int]] = ()) -> list[list[int]]:
    """Groups of about that size, the strongest first; `last` are the final orders of the groups of the season before.

    The last of each group and the first of the next have changed places. New people come last, in the given order.
    """
    orders = [[user_id for user_id in order if user_id in players] for order in last]
    for upper, lower in _neighbors(orders):
        upper[-1], lower[0] = lower[0], upper[-1]
    known = [user_id for order in orders for user_id in order]
    order = [*known, *(user_id for user_id in players if user_id not in known)]
    return _cut(order, _groups(len(order), size)) if order else []


def _neighbors(orders: Sequence[list[int]]) -> list[tuple[list[int], list[int]]]:
    """Each group of at least two with the one below it: the first and the last of a group are different people."""
    filled = [order for order in orders if len(order) > 1]
    return list(pairwise(filled))


def _groups(people: int, size: int) -> list[int]:
    number = max(1, round(people / size)) if size else 1
    return [people // number + (n < people % number) for n in range(number)]
