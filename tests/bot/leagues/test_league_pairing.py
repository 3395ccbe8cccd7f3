"""The pairing and the standings of leagues: a test for each sentence of the rules, and invariants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.features.leagues import pairing
from bot.features.leagues.pairing import REPEATED_BYE_COST, Costs, _fit, byes_so_far, groups_of, tables_of
from bot.features.leagues.standings import LeagueStanding, Lost, Played, standings
from tests.crowd.league_promises import without_meeting_again
from tests.crowd.standings import Result, compute_standings

Rounds = list[list[Played]]


def season(people: int, seats: int, number: int, *, swiss: bool, seed: int) -> Rounds:
    """A season in which every table has an order by lot."""
    random, rounds = Random(seed), Rounds()
    for n in range(number):
        tables = tables_of(range(people), seats, rounds, swiss=swiss, seed=f"{seed}:{n}")
        rounds.append([Played(table, tuple(random.choices(range(1, seats + 1), k=seats))) for table in tables])
    return rounds


def pairs(rounds: Rounds) -> Counter[tuple[int, int]]:
    return Counter(pair for tables in rounds for table in tables for pair in combinations(sorted(table.people), 2))


def orders(places: list[LeagueStanding]) -> list[tuple[int, int]]:
    return [(place.user_id, place.place) for place in places]


seasons = st.builds(
    season, st.integers(0, 14), st.integers(2, 5), st.integers(0, 4), swiss=st.booleans(), seed=st.integers(0, 999)
)


@settings(deadline=None, max_examples=40)
@given(seasons)
def test_every_player_plays_exactly_once_a_round(rounds: Rounds) -> None:
    seated = [sorted(user_id for table in tables for user_id in table.people) for tables in rounds]
    assert [sorted(set(people)) for people in seated] == seated
    assert len({tuple(people) for people in seated}) <= 1


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 60), st.integers(2, 6))
def test_computers_fill_the_missing_seats_and_are_spread_evenly(people: int, seats: int) -> None:
    tables = tables_of(range(people), seats, [], swiss=False, seed="x")
    assert sorted(user_id for table in tables for user_id in table if user_id is not None) == list(range(people))
    assert len(tables) == -(-people // seats)
    assert {len(table) for table in tables} <= {seats}
    computers = [table.count(None) for table in tables]
    assert max(computers, default=0) - min(computers, default=0) <= 1


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 12), st.integers(2, 4), st.booleans(), st.text(max_size=5))
def test_the_same_seed_gives_the_same_tables(people: int, seats: int, swiss: bool, seed: str) -> None:
    rounds = season(people, seats, 2, swiss=swiss, seed=1)
    first, again = (tables_of(range(people), seats, rounds, swiss=swiss, seed=seed) for _ in range(2))
    assert first == again


def matchings(people: list[int]) -> list[list[tuple[int, int]]]:
    """All ways to play in twos."""
    if not people:
        return [[]]
    first, *others = people
    return [[(first, b), *rest] for b in others for rest in matchings([other for other in others if other != b])]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("people", [4, 6, 8])
def test_two_player_pairings_minimize_repeat_meetings_and_avoid_third_ones(people: int, seed: int) -> None:
    random, ways = Random(seed), matchings(list(range(people)))
    rounds = [[Played(tuple(random.sample(range(people), 2)))] for _ in range(4 * people)]
    for n in range(0, 4 * people + 1, 4):
        met = pairs(rounds[:n])
        tables = tables_of(range(people), 2, rounds[:n], swiss=False, seed=f"{seed}:{n}")
        least = min(sum(met[pair] ** 2 for pair in way) for way in ways)
        assert least == sum(met[pair] ** 2 for pair in pairs([[Played(table) for table in tables]]))


@pytest.mark.parametrize(("people", "seats", "swiss"), [(20, 4, False), (20, 4, True), (8, 3, True)])
def test_pairs_meet_again_only_if_unavoidable_at_larger_tables(people: int, seats: int, swiss: bool) -> None:
    for seed in range(6):
        rounds = season(people, seats, 4, swiss=swiss, seed=seed)
        for n, tables in enumerate(rounds):
            met = {frozenset(pair) for pair in pairs(rounds[:n])}
            if any(frozenset(pair) in met for pair in pairs([tables])):
                sizes, had = [len(table.people) for table in tables], byes_so_far(rounds[:n])
                assert without_meeting_again(range(people), sizes, met, had) is None, f"seed {seed}, round {n + 1}"


@pytest.mark.parametrize("seed", range(10))
def test_players_have_met_even_if_one_of_them_left_before_the_end(seed: int) -> None:
    first = [Played((1, None), (1, 2), sat=((1, 2), (1, None))), Played((3, 4), (1, 2))]
    assert (1, 2) not in pairs(
        [[Played(seats) for seats in tables_of(range(1, 5), 2, [first], swiss=False, seed=f"{seed}")]]
    )


@pytest.mark.parametrize("seed", range(10))
def test_starting_in_the_first_seat_counts_even_if_a_substitute_finished(seed: int) -> None:
    first = [Played((3, 2), (1, 2), sat=((1, 2), (3, 2)))]
    assert [(2, 1)] == tables_of([1, 2], 2, [first], swiss=False, seed=f"{seed}")


@pytest.mark.parametrize("seed", range(10))
def test_a_substitute_and_the_replaced_player_both_count_as_met(seed: int) -> None:
    first = [Played((1, None), (1, 2), sat=((1, 2), (1, 3)))]
    assert {(1, 2), (1, 3)}.isdisjoint(
        pairs([[Played(seats) for seats in tables_of(range(1, 5), 2, [first], swiss=False, seed=f"{seed}")]])
    )


@pytest.mark.parametrize("seed", range(20))
def test_all_pairs_meet_about_equally_often(seed: int) -> None:
    met = pairs(season(8, 4, 7, swiss=False, seed=seed))
    often = [met[pair] for pair in combinations(range(8), 2)]
    assert max(often) - min(often) <= 2


@settings(deadline=None, max_examples=40)
@given(seasons)
def test_the_player_who_went_first_least_often_goes_first(rounds: Rounds) -> None:
    firsts: Counter[int | None] = Counter()
    for tables in rounds:
        assert all(firsts[table.seats[0]] == min(firsts[user_id] for user_id in table.people) for table in tables)
        firsts.update(table.seats[0] for table in tables)


def test_swiss_rounds_pair_players_with_similar_points() -> None:
    first = [Played((0, 1), (1, 2)), Played((2, 3), (1, 2)), Played((4, 5), (1, 2)), Played((6, 7), (1, 2))]
    tables = tables_of(range(8), 2, [first], swiss=True, seed="x")
    assert all((table[0] or 0) % 2 == (table[1] or 0) % 2 for table in tables)


@pytest.mark.parametrize("computer", [1, 4])
def test_points_are_the_share_of_human_opponents_beaten_and_ignore_computers(
    computer: int,
) -> None:
    points = Played((1, 2, 3, None), (2, 3, 3, computer)).points()
    assert points == {1: 1, 2: Fraction(1, 4), 3: Fraction(1, 4)}


def test_the_seat_of_a_player_who_left_still_counts_for_opponents() -> None:
    assert Played((1, None), (1, 2), sat=((1, 2), (1, None))).points() == {1: 1}


def test_a_bye_scores_the_average_of_the_other_tables_and_one_half_without_any() -> None:
    first = [Played((1, 2), (1, 2)), Played((3, None), (2, 1))]
    points = {standing.user_id: (standing.points, standing.tables) for standing in standings([1, 2, 3], [first])}
    assert points == {1: (1, 1), 2: (0, 1), 3: (Fraction(1, 2), 1)}
    second = [Played((3, 2), (1, 2)), Played((1, None), (2, 1))]
    third = [Played((3, 1), (2, 1)), Played((2, None), void=True)]
    points = {
        standing.user_id: (standing.points, standing.tables)
        for standing in standings([1, 2, 3], [first, second, third])
    }
    assert points == {1: (3, 3), 2: (0, 3), 3: (Fraction(3, 2), 3)}


def test_forgotten_rounds_count_as_lost_in_the_average_of_a_bye() -> None:
    rounds = [[Played((0, 2), (2, 1))], [Played((1, None), (2, 1))], [Played((1, 2), (1, 2))]]
    before, after = [{one.user_id: one.points for one in standings([1, 2], rounds[:n], {1: 1})} for n in (2, 3)]
    assert (before[1], after[1]) == (0, Fraction(3, 2))


def test_a_forfeited_bye_scores_zero() -> None:
    (standing,) = standings([1], [[Played((1, None), (3, 1), sat=((1, None), (1, None)), lost=(Lost(1, 0, 4),))]])
    assert (standing.points, standing.tables) == (0, 1)


@pytest.mark.parametrize(("people", "seats", "number"), [(7, 2, 7), (7, 2, 10), (5, 4, 6), (8, 3, 8), (45, 4, 9)])
@pytest.mark.parametrize("swiss", [True, False])
def test_no_player_has_a_second_bye_before_every_player_has_had_one(
    people: int, seats: int, number: int, swiss: bool
) -> None:
    for seed in range(3 if people < 40 else 1):
        had: Counter[int] = Counter()
        for tables in season(people, seats, number, swiss=swiss, seed=seed):
            full = max(len(table.people) for table in tables)
            resting = {person for table in tables if len(table.people) < full for person in table.people}
            assert max(had[player] for player in resting) <= min(had[player] for player in {*range(people)} - resting)
            had.update(resting)
        assert max(had.values()) - min(had[player] for player in range(people)) <= 1


def test_the_next_bye_goes_to_the_lowest_ranked_player_with_the_fewest_byes() -> None:
    first = [Played((0, 1), (1, 2)), Played((2, 3), (1, 2)), Played((4, None), (1, 2))]
    second = [Played((0, 2), (1, 2)), Played((1, 4), (1, 2)), Played((3, None), (1, 2))]
    places = {
        standing.user_id: standing.place
        for standing in standings(range(5), [first, second])
        if standing.user_id not in (3, 4)
    }
    for seed in range(5):
        tables = tables_of(range(5), 2, [first, second], swiss=True, seed=f"{seed}")
        (resting,) = [table[0] for table in tables if None in table]
        assert places[resting or 0] == max(places.values()) > min(places.values())


def test_a_table_that_somebody_left_is_no_bye_for_those_who_stayed() -> None:
    deserted = Played((2, None), (1, 2), sat=((2, 3), (2, None)))
    assert {} == byes_so_far([[Played((0, 1), (1, 2)), deserted]])
    assert {4: 1} == byes_so_far([[deserted, Played((4, None), (1, 2))]])


@pytest.mark.parametrize("seed", range(5))
def test_no_swap_of_two_players_makes_a_round_better(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pairing, "MAX_SWEEPS", 100)
    random, weights = Random(seed), {a: dict.fromkeys(range(12), 0) for a in range(12)}
    for a, b in combinations(range(12), 2):
        weights[a][b] = weights[b][a] = random.randrange(100)
    costs = Costs(weights, dict.fromkeys(range(12), 0))
    tables = pairing._improve([[*range(n, n + 3)] for n in range(0, 12, 3)], costs, 4)
    assert [*range(12)] == sorted(player for table in tables for player in table)
    assert not any(pairing._swap(one, other, costs) for one, other in combinations(tables, 2))


def test_a_table_costs_its_meetings_and_the_byes_of_its_players_if_it_is_not_full() -> None:
    weights = {a: {b: a * b for b in (1, 2, 3)} for a in (1, 2, 3)}
    costs = Costs(weights, {1: 100, 2: 200, 3: 400}, full=3)
    assert (302, 11, 313) == (costs.of([1, 2]), costs.of([1, 2, 3]), costs.of_all([[1, 2], [1, 2, 3]]))


def test_a_swap_counts_what_its_two_players_cost_where_they_come_to_and_not_with_each_other() -> None:
    """The only pairs that have not met are 1 with 4 and 2 with 3."""
    weights = {a: {b: int({a, b} in ({1, 2}, {1, 3}, {2, 4})) for b in range(1, 5)} for a in range(1, 5)}
    costs = Costs(weights, dict.fromkeys(range(1, 5), 0))
    for one, other in ([1, 2], [3, 4]), ([2, 1], [4, 3]), ([3, 4], [1, 2]):
        assert pairing._swap(one, other, costs)
        assert {frozenset({1, 4}), frozenset({2, 3})} == {frozenset(one), frozenset(other)}


@pytest.mark.parametrize(
    ("sizes", "small", "full"),
    [
        ((2, 2, 1), {1, 2, 5}, {1, 2, 3, 4, 5}),
        ((3, 2), {1, 2, 5}, {1, 2, 3, 4, 5}),
        # more byes than players without one
        ((3, 2, 2), {1, 2, 3, 4, 5}, {3, 4}),
        ((2, 2), set(), {1, 2, 3, 4, 5}),
    ],
)
def test_to_avoid_a_meeting_nobody_has_a_second_bye_before_everyone_had_one(
    sizes: tuple[int, ...], small: set[int], full: set[int]
) -> None:
    """3 and 4 have had a bye, the others have not."""
    costs = Costs({}, {n: REPEATED_BYE_COST * (n in (3, 4)) + n for n in range(1, 6)}, max(sizes))
    assert {size: full if size == max(sizes) else small for size in sizes} == _fit(sizes, costs)


def test_a_block_may_cost_a_second_bye_and_a_repeated_meeting_may_not() -> None:
    """Player 3 has had no bye, and 1 and 2 must not meet."""
    byes = {1: REPEATED_BYE_COST, 2: REPEATED_BYE_COST, 3: 0}

    def tables_apart(cost: int) -> list[list[int]]:
        weights = {a: {b: cost * ({a, b} == {1, 2}) for b in byes} for a in byes}
        return [
            sorted(table)
            for table in pairing._search_strangers([*byes], [2, 1], Costs(weights, byes, 2), Random(0), cost)
        ]

    assert [] == tables_apart(pairing.REPEATED_MEETING_COST)
    assert [2, 1] == [len(table) for table in tables_apart(pairing.BLOCKED_COST)]


@pytest.mark.parametrize(
    ("least", "people", "counts"), [(1, 1, [1]), (9, 12, [9]), (10, 40, [*range(10, 21)]), (10, 41, [10, 11, 12, 13])]
)
def test_more_tables_are_tried_up_to_two_people_each_and_few_more_for_many_people(
    least: int, people: int, counts: list[int]
) -> None:
    assert counts == [*pairing._table_counts(least, people)]


def test_the_seed_of_the_round_decides_the_first_bye() -> None:
    resting = [
        [table[0] for table in tables_of(range(5), 2, [], swiss=True, seed=f"{seed}") if None in table]
        for seed in range(40)
    ]
    assert {user_id for (user_id,) in resting} == set(range(5))


def test_seats_of_the_same_team_do_not_oppose_each_other() -> None:
    assert Played((1, 2, 3, 4), (1, 1, 3, 3), (0, 1, 0, 1)).points() == {1: Fraction(3, 4), 2: Fraction(3, 4)} | {
        3: Fraction(1, 4),
        4: Fraction(1, 4),
    }


def test_a_called_off_table_gives_every_player_half_a_point() -> None:
    assert Played((1, None, 3), void=True).points() == {1: Fraction(1, 2), 3: Fraction(1, 2)}
    assert Played((1, None), void=True, sat=((1, None), (1, None))).byes == (1,)


def test_an_unfinished_table_does_not_count() -> None:
    assert [(standing.points, standing.tables) for standing in standings([1, 2], [[Played((1, 2))]])] == [
        (0, 0),
        (0, 0),
    ]


def test_the_direct_result_breaks_a_tie() -> None:
    rounds = [[Played((2, 1), (1, 2)), Played((3, 4), (1, 2))], [Played((1, 3), (1, 2)), Played((4, 2), (1, 2))]]
    assert [2, 1] == [standing.user_id for standing in standings([1, 2], rounds)]


def test_a_direct_result_is_one_against_a_player_with_as_many_points() -> None:
    """1 and 2 have a point each. 2 has beaten 1; 1 has beaten 3 and 2 has lost to 4, who both have more points."""
    won = [[(2, 1), (3, 5), (4, 6)], [(1, 3), (4, 2)], [(3, 6), (5, 4)], [(7, 4)]]
    order = standings(range(1, 8), [[Played(pair, (1, 2)) for pair in pairs_won] for pairs_won in won])
    assert [4, 3, 2, 5, 7, 1, 6] == [standing.user_id for standing in order]


def test_the_strength_of_opponents_breaks_a_remaining_tie() -> None:
    rounds = [[Played((1, 2), (1, 2)), Played((3, 4), (1, 2))], [Played((2, 5), (1, 2)), Played((4, 6), (2, 1))]]
    order = orders(standings(range(1, 7), rounds))
    assert order.index((1, 1)) < [user_id for user_id, _ in order].index(3)


def test_players_with_an_unbreakable_tie_share_a_place() -> None:
    rounds = [[Played((1, 2), (1, 2)), Played((3, 4), (1, 2))]]
    assert [(1, 1), (3, 1), (2, 3), (4, 3)] == orders(standings([1, 2, 3, 4], rounds))


def second_reading(players: range, rounds: Rounds) -> list[tuple[int, int]]:
    """The order by comparing everybody with everybody, seat by seat."""
    over = [Result(table.seats, tuple((-place, 0) for place in table.places)) for tables in rounds for table in tables]
    return compute_standings(players, over).places


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 12), st.integers(2, 5), st.integers(0, 5), st.booleans(), st.integers(0, 999))
def test_standings_equal_those_of_a_second_implementation(
    people: int, seats: int, number: int, swiss: bool, seed: int
) -> None:
    rounds = season(people, seats, number, swiss=swiss, seed=seed)
    assert second_reading(range(people), rounds) == sorted(
        orders(standings(range(people), rounds)), key=lambda item: (item[1], item[0])
    )


@settings(deadline=None, max_examples=40)
@given(st.lists(st.integers(0, 99), unique=True), st.integers(0, 8))
def test_groups_hold_every_player_once_and_have_about_equal_sizes(players: list[int], size: int) -> None:
    groups = groups_of(players, size)
    assert players == [user_id for group in groups for user_id in group]
    assert max(map(len, groups), default=0) - min(map(len, groups), default=0) <= 1


def test_the_number_of_groups_comes_closest_to_the_chosen_size() -> None:
    for people, size in product(range(1, 30), range(1, 9)):
        off = [abs(people - size * number) for number in range(1, people + 1)]
        assert min(off) == off[len(groups_of(range(people), size)) - 1], (people, size)


UPPER, LOWER = [1, 2, 3, 4], [5, 6, 7, 8]


def groups_after(*gone: int, new: Sequence[int] = ()) -> list[list[int]]:
    """The groups after a season with two groups, without former players."""
    players = [*new, *(user_id for user_id in (*UPPER, *LOWER) if user_id not in gone)]
    return [sorted(group) for group in groups_of(players, 4, [UPPER, LOWER])]


def test_the_last_of_a_group_and_the_first_of_the_next_swap_groups() -> None:
    assert [[1, 2, 3, 5], [4, 6, 7, 8]] == groups_after()
    # farthest from the border that they have crossed
    assert [[5, 1, 2, 3], [6, 7, 8, 4]] == groups_of(range(1, 9), 4, [UPPER, LOWER])


def test_a_middle_group_sends_and_receives_two_players() -> None:
    groups = groups_of(range(1, 10), 3, [[1, 2, 3], [4, 5, 6], [7, 8, 9]])
    assert [[1, 2, 4], [3, 5, 7], [6, 8, 9]] == [sorted(group) for group in groups]


def test_a_promoted_player_stays_above_the_previous_members_when_groups_shrink() -> None:
    groups = groups_of(range(1, 7), 2, [[1, 2, 5], [3, 4, 6]])
    assert [[1, 3], [2, 4], [5, 6]] == [sorted(group) for group in groups]


def test_no_player_is_demoted_in_place_of_a_last_player_who_left() -> None:
    assert [[1, 2, 3, 5], [6, 7, 8, 9]] == groups_after(4, new=[9])


def test_the_last_player_is_demoted_even_if_the_first_one_below_has_left() -> None:
    assert [[1, 2, 3, 6], [4, 7, 8, 9]] == groups_after(5, new=[9])


def test_the_best_remaining_player_below_replaces_a_player_who_left() -> None:
    assert [[1, 3, 5, 6], [4, 7, 8, 9]] == groups_after(2, new=[9])


def test_new_players_begin_in_the_lowest_group() -> None:
    assert [[1, 2], [3, 9]] == groups_of([9, 1, 2, 3], 2, [[1, 2, 3]])


# --- blocked pairs ---


def partitions(people: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to sit at tables of these sizes, some of them several times."""
    if not people:
        yield []
        return
    first, *others = people
    for size in set(sizes):
        rest = list(sizes)
        rest.remove(size)
        for mates in combinations(others, size - 1):
            others_left = tuple(other for other in others if other not in mates)
            yield from ([(first, *mates), *more] for more in partitions(others_left, tuple(rest)))


def fewest(people: int, count: int, apart: frozenset[frozenset[int]]) -> int:
    """The smallest number of blocked pairs that meet, by trying everything."""
    sizes = tuple(people // count + (n < people % count) for n in range(count))
    ways = partitions(tuple(range(people)), sizes)
    return min(sum(frozenset(pair) in apart for group in way for pair in combinations(group, 2)) for way in ways)


blocks = st.sets(st.frozensets(st.integers(0, 7), min_size=2, max_size=2), max_size=14)


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 8), st.integers(2, 4), blocks, st.booleans(), st.integers(0, 99))
def test_two_players_with_a_block_never_meet_and_nobody_is_alone_if_other_tables_separate_them(
    people: int, seats: int, blocked: set[frozenset[int]], swiss: bool, seed: int
) -> None:
    apart = frozenset(pair for pair in blocked if max(pair) < people)
    rounds = season(people, seats, 2, swiss=swiss, seed=seed)
    tables = tables_of(range(people), seats, rounds, swiss=swiss, seed=f"{seed}", apart=apart)
    assert apart.isdisjoint(map(frozenset, pairs([[Played(table) for table in tables]])))
    assert sorted(player for table in tables for player in table if player is not None) == list(range(people))
    least = -(-people // seats)
    if not all(fewest(people, count, apart) for count in range(least, max(least, people // 2) + 1)):
        alone = sum(table.count(None) == seats - 1 for table in tables)
        assert alone == (seats == 2 and people % 2), "an odd player out at tables of two"


@pytest.mark.parametrize(("people", "seats"), [(2, 2), (3, 3), (5, 3), (9, 4)])
def test_a_player_who_blocks_every_other_player_is_alone_and_no_one_else_is(people: int, seats: int) -> None:
    apart = frozenset(frozenset((0, other)) for other in range(1, people))
    for seed in range(5):
        tables = tables_of(range(people), seats, [], swiss=False, seed=f"{seed}", apart=apart)
        alone = {table[0] for table in tables if table.count(None) == seats - 1}
        assert alone == ({0, 1} if people == 2 else {0})


def test_of_three_players_the_two_with_a_block_play_alone_in_turns() -> None:
    apart, rounds = [frozenset({1, 2})], list[list[Played]]()
    for n in range(4):
        tables = tables_of([1, 2, 3], 3, rounds, swiss=False, seed=f"{n}", apart=apart)
        rounds.append([Played(table, (1, 2, 3)) for table in tables])
    alone = [user_id for tables in rounds for table in tables if len(table.people) == 1 for user_id in table.people]
    assert [{1, 2}] * 2 == [set(alone[:2]), set(alone[2:])]


def test_a_large_league_separates_its_blocked_pairs() -> None:
    apart = frozenset(frozenset(Random(n).sample(range(100), 2)) for n in range(300))
    tables = tables_of(range(100), 4, [], swiss=True, seed="x", apart=apart)
    assert apart.isdisjoint(map(frozenset, pairs([[Played(table) for table in tables]])))


def test_a_large_clique_of_blocks_takes_few_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    searches, search = list[int](), pairing._fewest_blocked_meetings

    def counted(group: Sequence[int], *rest: Any, **options: Any) -> list[list[int]]:
        searches.append(len(group))
        return search(group, *rest, **options)

    monkeypatch.setattr(pairing, "_fewest_blocked_meetings", counted)
    monkeypatch.setattr(pairing, "tables_of_strangers", lambda *_: None)
    apart = frozenset(map(frozenset, combinations(range(40), 2)))
    tables = tables_of(range(60), 4, [], swiss=False, seed="x", apart=apart)
    assert apart.isdisjoint(map(frozenset, pairs([[Played(table) for table in tables]])))
    assert len(searches) < 6


def test_nobody_meets_twice_where_swaps_of_players_miss_such_tables() -> None:
    rounds = list[list[Played]]()
    for n in range(5):
        tables = tables_of(range(1, 15), 3, rounds, swiss=False, seed=f"71/{n}")
        rounds.append([Played(seats, places=tuple(range(1, 4))) for seats in tables])
    meetings = Counter(pair for tables in rounds for table in tables for pair in table.meetings)
    assert {1} == {*meetings.values()}
