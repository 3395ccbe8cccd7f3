"""The tables, and what any table has to respect."""

from __future__ import annotations

import re
from enum import StrEnum
from fractions import Fraction
from math import comb

import pytest

from engine.games.alibaba.data import CAVE
from engine.games.gangs.data import PRICES
from engine.town.data import HAND_SIZES, MARKS, VALUES, Gang, Graffiti, Thief
from engine.town.thieves import BEARERS, LINES, bears, line, number_of, square
from engine.town.track import FORK, MAIN, SIDE, START, Route, Space, all_spaces, landing, routes

PER_GANG = {gang: [MARKS[f"{gang[0].upper()}{n}"] for n in range(1, 5)] for gang in Gang}


@pytest.mark.parametrize("seats", HAND_SIZES)
def test_all_cards_are_dealt(seats: int) -> None:
    assert (seats, 24) == (len(HAND_SIZES[seats]), sum(HAND_SIZES[seats]))


def test_a_lap_has_52_spaces_plus_nine_on_side_streets() -> None:
    assert (52, 9, 61) == (len(MAIN), len(SIDE), len(set(map(str, all_spaces()))))


def test_the_main_route_has_start_16_empty_spaces_8_graffiti_and_5_double_jewels() -> None:
    assert 16 == sum(space.empty for space in MAIN)
    assert [2] * 4 == [sum(space.graffiti is kind for space in MAIN) for kind in Graffiti]
    assert 5 == sum(len(space.jewels) == 2 for space in MAIN)
    assert MAIN[0].meaning == START


def test_every_color_occurs_twice_in_every_quarter() -> None:
    for gang in Gang:
        assert [2] * 4 == [sum(gang in space.jewels for space in MAIN if space.quarter == q) for q in range(4)]


def test_every_space_has_a_unique_name_that_parses_back_to_it() -> None:
    assert all(space is Space.parse(str(space)) for space in all_spaces())
    assert [Space.parse("8"), Space.parse("8b")] == [MAIN[8], SIDE[8]]
    assert ["8b (empty)", "12 (green and red)", "5 (lamp)", "0 (Start)"] == [
        str(Space.parse(name).label) for name in ("8b", "12", "5", "0")
    ]


@pytest.mark.parametrize("text", ["", "b", "7b", "52", "08", "8c", "-1", "8 b", "8b (empty)", "Start"])
def test_malformed_space_names_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        Space.parse(text)


def test_the_code_of_a_thief_is_its_gang_and_its_group() -> None:
    assert [f"{gang[0].upper()}{group}" for gang in Gang for group in range(1, 5)] == list(Thief)
    assert [(gang, group) for gang in Gang for group in range(1, 5)] == [(thief.gang, thief.group) for thief in Thief]
    assert [*range(16)] == [thief.place for thief in Thief]
    assert [0, 1, 2, 3] == [gang.place for gang in Gang]


@pytest.mark.parametrize("kind", [Gang, Graffiti, Route, Thief])
def test_each_word_of_the_log_has_one_meaning(kind: type[StrEnum]) -> None:
    assert all(thing is kind(str(thing)) for thing in kind)
    for text in ("", "R5", "r1", "Red", "c", "1R"):
        with pytest.raises(ValueError, match="is not a valid"):
            kind(text)


def test_three_forks_have_two_routes_of_three_steps() -> None:
    assert [8, 9, 10, 29, 30, 31, 44, 45, 46] == sorted(SIDE)
    assert sorted(SIDE) == [step for step in range(52) if FORK[step] is not None]


def test_a_move_beyond_a_fork_needs_no_choice_and_one_inside_stays_on_its_route() -> None:
    assert ((), 2) == (routes(7, 4), len(routes(7, 1)))
    assert () == routes(8, 1)
    walks = (("8b", 1), ("8", 1), ("8b", 3))
    assert ["9b", "9", "11"] == [str(landing(Space.parse(origin), card, None)) for origin, card in walks]


def test_the_walk_continues_past_start() -> None:
    assert MAIN[1] == landing(MAIN[50], 3, None)


@pytest.mark.parametrize(("gang", "covered"), [("yellow", 16), ("green", 24), ("blue", 36), ("red", 36)])
def test_the_groups_of_a_gang_cover_the_printed_count_of_numbers(gang: str, covered: int) -> None:
    marks = [n for row in PER_GANG[Gang(gang)] for n in row]
    assert covered == len(set(marks))
    if gang != "red":
        assert len(marks) == covered


CHANCES = {
    "yellow": ("1/9", "1/5", "17/63"),
    "green": ("1/6", "3/10", "17/42"),
    "blue": ("1/4", "9/20", "17/28"),
    "red": ("1/3", "5/9", "74/105"),
}


@pytest.mark.parametrize("gang", CHANCES)
def test_the_printed_chances_of_a_strike_with_a_fresh_deck_are_right(gang: str) -> None:
    """The deck has 16 cards, 4 of each group; the number is equally likely 1 to 36."""
    rows = PER_GANG[Gang(gang)]
    for n, expected in enumerate(CHANCES[gang], start=1):
        free = [16 - 4 * sum(number in row for row in rows) for number in range(1, 37)]
        missed = sum(Fraction(comb(k, n), comb(16, n)) for k in free) / 36
        assert Fraction(expected) == 1 - missed


def test_the_black_die_selects_the_line_and_the_white_die_the_number_in_it() -> None:
    assert (1, 17, 18, 36) == (number_of(1, 1), number_of(3, 5), number_of(3, 6), number_of(6, 6))


def test_the_numbers_of_a_table_run_line_by_line() -> None:
    assert [(1, 6), (7, 12), (31, 36)] == [line(black) for black in (1, 2, 6)]
    assert [(0, 0), (0, 5), (2, 4), (5, 5)] == [square(number) for number in (1, 6, 17, 36)]


def test_the_lookup_tables_agree_with_the_marks() -> None:
    for thief in Thief:
        assert set(MARKS[thief]) == {n for n in range(37) if bears(thief, n)}
        assert set(MARKS[thief]) == {n for n in range(37) if thief in BEARERS[n]}
        assert {(n - 1) // 6 + 1 for n in MARKS[thief]} == LINES[thief]


def test_bandits_cost_nothing_then_a_quarter_half_and_three_quarters_of_their_value() -> None:
    for gang, value in VALUES.items():
        assert (0, value // 4, value // 2, 3 * value // 4) == PRICES[gang]


def test_the_cave_pays_triangular_thousands_for_up_to_seven_turns_and_less_beyond() -> None:
    assert [k * (k + 1) // 2 * 1000 for k in range(8)] == list(CAVE[:8])
    assert [35_000, 43_000, 52_000, 62_000, 73_000] == list(CAVE[8:])
