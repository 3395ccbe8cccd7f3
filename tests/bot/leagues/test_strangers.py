"""Tables without repeated meetings: for all players, with the best partners first, or `None`."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from bot.features.leagues.strangers import tables_of_strangers


def test_the_best_stranger_sits_with_the_player_who_has_fewest() -> None:
    strangers = {1: [3, 2], 2: [1, 4, 3], 3: [4, 1, 2], 4: [3, 2]}
    assert [[1, 3], [2, 4]] == tables_of_strangers(strangers, [2, 2], Random(1))


def test_a_choice_that_leaves_others_without_a_table_is_taken_back() -> None:
    strangers = {1: [2, 3], 2: [3, 1], 3: [2, 1, 4], 4: [3]}
    tables = tables_of_strangers(strangers, [2, 2], Random(1))
    assert tables is not None
    assert {frozenset((3, 4)), frozenset((1, 2))} == set(map(frozenset, tables))


def test_players_sit_at_tables_of_the_sizes_that_are_theirs() -> None:
    everyone = {n: [other for other in range(1, 6) if other != n] for n in range(1, 6)}
    fit = {2: frozenset({1, 2, 3, 4, 5}), 3: frozenset({1, 2, 4})}
    tables = tables_of_strangers(everyone, [3, 2], Random(1), fit)
    assert tables is not None
    assert [{1, 2, 4}, {3, 5}] == sorted(map(set, tables), key=len, reverse=True)
    assert tables_of_strangers(everyone, [3, 2], Random(1), {2: frozenset({1, 2}), 3: frozenset({1, 2, 3, 4})}) is None


def test_a_search_does_not_try_players_who_sit_at_another_table_already() -> None:
    everyone = {n: [other for other in range(12) if other != n] for n in range(12)}
    tables = tables_of_strangers(everyone, [4, 4, 4], Random(1))
    assert [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]] == tables, "else it would end without tables"


@pytest.mark.parametrize("sizes", [(2, 2, 2), (3, 3), (2, 4), (3, 2, 1)])
def test_tables_are_found_where_there_are_some_and_nobody_at_them_has_met(sizes: tuple[int, ...]) -> None:
    random = Random(str(sizes))
    for _ in range(30):
        met = {pair for pair in combinations(range(6), 2) if random.random() < 0.35}
        strangers = {
            n: [other for other in range(6) if other != n and tuple(sorted((n, other))) not in met] for n in range(6)
        }
        tables = tables_of_strangers(strangers, sizes, random)
        assert (tables is not None) == _exist(frozenset(range(6)), sizes, met)
        if tables is not None:
            assert sorted(sizes) == sorted(map(len, tables))
            assert [*range(6)] == sorted(user_id for table in tables for user_id in table)
            assert not any(tuple(sorted(pair)) in met for table in tables for pair in combinations(table, 2))


def _exist(players: frozenset[int], sizes: tuple[int, ...], met: set[tuple[int, int]]) -> bool:
    if not sizes:
        return True
    return any(
        not met & set(combinations(sorted(table), 2)) and _exist(players - set(table), sizes[1:], met)
        for table in combinations(sorted(players), sizes[0])
    )
