"""One test for each sentence of the rules."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from caravanserai_nard import GAME
from caravanserai_nard.board import OFF, pips
from caravanserai_nard.events import Way
from caravanserai_nard.frames import Answering, Doubling, Moving, Starting, Throwing
from caravanserai_nard.state import MAX_STAKE, Nard, Result

from engine.notation import format_action
from engine.texts import CHANCE, Seat

sys.path.insert(0, str(Path(__file__).parent))
from positions import BLUE, FAR, RED, begun, board, options, play, refusal, story

# --- 2 The board -----------------------------------------------------------------------------------------------------


def test_2_2_both_players_begin_with_the_same_checkers_by_their_own_count() -> None:
    state = begun()
    assert {24: 2, 13: 5, 8: 3, 6: 5} == {n: k for n in range(25) if (k := state.checkers(RED, n))}
    assert {1: 2, 12: 5, 17: 3, 19: 5} == {n: k for n in range(25) if (k := state.checkers(BLUE, n))}


def test_2_3_red_moves_down_and_blue_up() -> None:
    assert options(board({20: 1}, {12: 1}, (2, 1))) == {"move 20 18", "move 20 19"}
    assert options(board({20: 1}, {12: 1}, (2, 1), BLUE)) == {"move 12 14", "move 12 13"}
    assert ("2.3", "Your checkers move from 24 toward 1, so none gets from 20 to 22.") == refusal(
        board({20: 1}, {12: 1}, (2, 1)), "move 20 22"
    )
    assert "2.3" == refusal(board({20: 1}, {12: 1}, (2, 1)), "move 31 4")[0]


def test_2_4_each_player_has_167_pips_to_go() -> None:
    assert (167, 167) == tuple(map(pips, begun().sides))
    assert 25 + 20 == board({"bar": 1, 20: 1}, FAR, (2, 1)).pips(RED)


# --- 3 Rolling -------------------------------------------------------------------------------------------------------


def test_3_1_the_higher_die_begins_with_both_and_equal_dice_are_rolled_again() -> None:
    (decision,) = begun().decisions()
    assert CHANCE == decision.seat
    assert 30 == len(decision.options) == sum(decision.weights)
    assert "start 3 3" not in options(begun())
    blue = play(begun(), "start 2 5")
    assert (BLUE, (5, 2)) == (blue.turn, blue.dice)
    assert RED == play(begun(), "start 6 5").turn


def test_3_2_all_36_rolls_are_equally_likely() -> None:
    (decision,) = play(begun(), "start 6 5", "move 24 18", "move 18 13").decisions()
    weights = dict(zip(map(format_action, decision.options), decision.weights, strict=True))
    assert 36 == sum(weights.values())
    assert {1: 6, 2: 15} == Counter(weights.values())
    assert 1 == weights["throw 4 4"]


# --- 4 Moving --------------------------------------------------------------------------------------------------------


def test_4_1_one_checker_moves_by_one_die() -> None:
    state = board({24: 1, 13: 1}, FAR, (6, 4))
    assert options(state) == {"move 24 18", "move 24 20", "move 13 7", "move 13 9"}
    sentence = "From 24 to 14 is 10 pips; one checker moves 6 or 4 at a time."
    assert ("4.1", sentence) == refusal(state, "move 24 14")
    assert ("4.1", "You have no checker on point 20.") == refusal(state, "move 20 14")


def test_4_1_a_checker_must_be_able_to_land_in_between() -> None:
    over = play(board({24: 1, 6: 1}, {18: 2}, (6, 4)), "move 24 20", "move 20 14")
    assert 1 == over.checkers(RED, 14)
    assert options(board({24: 1, 3: 1}, {18: 2, 20: 2}, (6, 4))) == set(), "neither by 6 nor by 4"


def test_4_2_a_double_is_played_four_times() -> None:
    state = play(begun(), "start 6 5", "move 24 18", "move 18 13", "throw 3 3")
    assert (3, 3, 3, 3) == state.dice
    state = play(state, "move 1 4", "move 1 4", "move 12 15")
    assert (BLUE, (3,)) == (state.turn, state.dice)
    assert RED == play(state, "move 12 15").turn


def test_4_3_two_checkers_hold_a_point() -> None:
    state = board({24: 2}, {18: 2, 20: 1}, (6, 4))
    assert options(state) == {"move 24 20"}
    assert ("4.3", "Blue holds point 18 with 2 checkers.") == refusal(state, "move 24 18")
    assert "move 8 2" in options(board({8: 1, 2: 9}, FAR, (6, 5))), "any number of own checkers"


def test_4_4_both_dice_must_be_played_if_possible() -> None:
    # The 6 is blocked at once on 18 and 4; it can be played only after the 1.
    assert options(board({24: 1, 10: 1}, {18: 2, 9: 2, 4: 2}, (6, 1))) == {"move 24 23"}
    # After 9 to 8, the 6 would be blocked on 14 and 2.
    state = board({20: 1, 9: 1}, {14: 2, 2: 2}, (6, 1))
    assert options(state) == {"move 9 3", "move 20 19"}
    assert ("4.4", "Then you could not play the 6; you must use both dice if you can.") == refusal(state, "move 9 8")


def test_4_4_as_many_of_four_as_possible() -> None:
    # 20 to 15 is blocked after one move by 5, so the other checker has to go on.
    state = board({20: 1, 22: 1}, {10: 2}, (5, 5))
    after = play(state, "move 22 17", "move 20 15", "move 17 12")
    assert (RED, {"move 12 7"}) == (after.turn, options(after))


def test_4_5_the_larger_die_must_be_played_if_only_one_can() -> None:
    # After 20 to 14, the 5 is blocked; after 20 to 15, the 6 is.
    state = board({20: 1}, {9: 2}, (6, 5))
    assert options(state) == {"move 20 14"}
    sentence = "Only one of your dice can be played, so you must play the larger one."
    assert ("4.5", sentence) == refusal(state, "move 20 15")


def test_4_6_a_turn_without_a_move_is_over_at_once() -> None:
    state = board({"bar": 1}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2, 1: 1}, (1,), BLUE)
    assert "Blue plays 1 to 2." == story(state, "move 1 2")
    closed = play(state, "move 1 2", "throw 6 3")
    assert (BLUE, Throwing()) == (closed.turn, closed.frames[-1])
    assert "Red has no move with 6 and 3." in story(play(state, "move 1 2"), "throw 6 3")


# --- 5 Hitting -------------------------------------------------------------------------------------------------------


def test_5_1_a_blot_that_is_hit_goes_to_the_bar() -> None:
    state = play(board({24: 1}, {18: 1, 1: 1}, (6, 4)), "move 24 18")
    assert (0, 1) == (state.checkers(BLUE, 18), state.checkers(BLUE, 25))
    assert "Red plays 24 to 18 with a hit." == story(board({24: 1}, {18: 1, 1: 1}, (6, 4)), "move 24 18")
    assert 2 == play(board({24: 1}, {18: 1, 14: 1}, (6, 4)), "move 24 18", "move 18 14").checkers(BLUE, 25)


def test_5_1_nobody_moves_to_the_bar() -> None:
    assert "5.1" == refusal(board({24: 1}, FAR, (6, 4)), "move 24 bar")[0]


def test_5_2_a_checker_on_the_bar_enters_before_anything_else_moves() -> None:
    state = board({"bar": 1, 13: 1}, FAR, (6, 4))
    assert options(state) == {"move bar 19", "move bar 21"}
    sentence = "You have 1 checker on the bar, and nothing else may move before."
    assert ("5.2", sentence) == refusal(state, "move 13 7")
    assert options(board({13: 2}, {"bar": 2, 12: 1}, (6, 4), BLUE)) == {"move bar 6", "move bar 4"}
    assert options(board({"bar": 1}, {19: 2}, (6, 4))) == {"move bar 21"}
    assert ("5.2", "You have no checker on the bar.") == refusal(board({13: 2}, FAR, (6, 4)), "move bar 19")
    assert "5.2" == refusal(state, "move bar off")[0]


# --- 6 Bearing off ---------------------------------------------------------------------------------------------------


def test_6_1_checkers_are_borne_off_when_all_are_home() -> None:
    assert "move 6 off" in options(board({6: 1, 2: 1}, {12: 1}, (6, 1)))
    away = board({7: 1, 6: 1}, {12: 1}, (6, 5))
    sentence = "You bear off when all your checkers are home; one is still on point 7."
    assert ("6.1", sentence) == refusal(away, "move 6 off")
    assert "move 6 off" in options(play(away, "move 7 2")), "also in the same turn"
    assert "6.1" == refusal(away, "move off 3")[0]
    assert options(board({6: 1}, {24: 1, 20: 1}, (5, 1), BLUE)) >= {"move 24 off", "move 20 off"}


def test_6_2_a_die_bears_off_from_its_point_or_moves_within_the_home() -> None:
    assert options(board({5: 1, 3: 2}, {12: 1}, (5,))) == {"move 5 off"}
    assert options(board({6: 1, 3: 2}, {12: 1}, (3,))) == {"move 6 3", "move 3 off"}
    refused = refusal(board({6: 1, 5: 1}, {12: 1}, (3, 2)), "move 6 off")
    assert ("6.2", "Point 6 is 6 pips from the end; your dice are 3 or 2.") == refused


def test_6_3_a_larger_die_bears_off_the_rearmost_checker_only() -> None:
    assert options(board({3: 1, 2: 1}, {12: 1}, (6,))) == {"move 3 off"}
    behind = board({6: 1, 3: 1}, {12: 1}, (5,))
    assert options(behind) == {"move 6 1"}
    sentence = "No die shows 3, and a larger one bears off only your rearmost checker, which is on 6."
    assert ("6.3", sentence) == refusal(behind, "move 3 off")


# --- 7 The end of a game ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("way", "points", "blue"),
    [
        (Way.SINGLE, 1, {12: 3}),
        (Way.GAMMON, 2, {12: 5, 20: 10}),
        (Way.BACKGAMMON, 3, {12: 5, 20: 9, 3: 1}),
        (Way.BACKGAMMON, 3, {12: 5, 20: 9, "bar": 1}),
    ],
)
def test_7_1_and_7_2_a_game_counts_by_what_the_loser_has_left(
    way: Way, points: int, blue: dict[int | str, int]
) -> None:
    state = play(board({2: 1}, blue, (6, 5)), "move 2 off")
    outcome = state.outcome()
    assert outcome is not None
    assert ((1.0, 0.0), (points, 0), way) == (outcome.returns, outcome.scores, outcome.reason)


def test_7_3_a_match_goes_on_until_a_player_has_enough_points() -> None:
    last = board({2: 1}, {12: 3}, (6, 5), match=3)
    second = play(last, "move 2 off")
    assert (Starting(), (1, 0), begun().sides) == (second.frames[-1], scores(second), second.sides)
    won = play(replace(last, results=(Result(RED, 2, Way.GAMMON),)), "move 2 off")
    assert (3, 0) == scores(won)
    assert won.outcome() is not None
    beyond = play(replace(last, stake=4), "move 2 off")
    assert (4, 0) == scores(beyond), "points beyond the goal count"


def scores(state: Nard) -> tuple[int, int]:
    return state.points(RED), state.points(BLUE)


# --- 8 The cube ------------------------------------------------------------------------------------------------------

OPENING = "start 6 5", "move 24 18", "move 18 13"


def test_8_without_the_option_nobody_is_asked() -> None:
    assert Throwing() == play(begun(), *OPENING).frames[-1]


def test_8_1_a_player_may_double_before_every_roll_but_the_first() -> None:
    assert Moving() == play(begun(cube=True), "start 6 5").frames[-1]
    state = play(begun(cube=True), *OPENING)
    assert (Doubling(), {"roll", "double"}) == (state.frames[-1], options(state))
    assert ("8.1", "Roll the dice first, or offer a double.") == refusal(state, "move 1 4")
    assert Throwing() == play(state, "roll").frames[-1]
    assert "3.2" == refusal(play(state, "roll", "throw 2 1"), "double")[0]


def test_8_1_a_double_that_cannot_win_more_is_forbidden() -> None:
    state = play(begun(match=3, cube=True), *OPENING)
    assert state.may_double(BLUE)
    assert not replace(state, stake=2, results=(Result(BLUE, 1, Way.SINGLE),)).may_double(BLUE)
    assert replace(state, stake=2, results=(Result(RED, 1, Way.SINGLE),)).may_double(BLUE)
    assert replace(play(begun(cube=True), *OPENING), stake=2).may_double(BLUE), "a single game is not a match"


def test_8_2_a_double_is_taken_or_dropped() -> None:
    offered = play(begun(cube=True), *OPENING, "double")
    assert (Answering(), {"take", "drop"}) == (offered.frames[-1], options(offered))
    assert RED == offered.decisions()[0].seat
    assert "8.2" == refusal(offered, "roll")[0]
    after = play(offered, "take")
    assert (2, RED, BLUE, Throwing()) == (after.stake, after.owner, after.turn, after.frames[-1])


def test_8_3_a_dropped_double_counts_the_stake_as_it_was() -> None:
    outcome = play(begun(cube=True), *OPENING, "double", "drop").outcome()
    assert outcome is not None
    assert ((0, 1), (0.0, 1.0), Way.DROP) == (outcome.scores, outcome.returns, outcome.reason)
    twice = replace(play(begun(cube=True), *OPENING), stake=2, owner=BLUE)
    dropped = play(twice, "double", "drop").outcome()
    assert dropped is not None
    assert (0, 2) == dropped.scores


def test_8_4_only_the_owner_may_double_and_not_beyond_64() -> None:
    state = play(begun(cube=True), *OPENING)
    assert [True, False] == [replace(state, owner=owner).may_double(BLUE) for owner in (BLUE, RED)]
    assert not replace(state, stake=MAX_STAKE).may_double(BLUE)
    won = play(replace(board({2: 1}, {12: 3}, (6, 5)), stake=4), "move 2 off")
    assert (4, 0) == scores(won)


def test_8_5_the_crawford_game_is_played_without_the_cube_and_is_the_only_one() -> None:
    last = board({2: 1}, {12: 3}, (6, 5), match=3, cube=True)
    before = replace(last, results=(Result(RED, 1, Way.SINGLE),))
    crawford = play(before, "move 2 off")
    assert 3 == crawford.crawford == crawford.game
    assert Throwing() == play(crawford, *OPENING).frames[-1]
    blue_wins = replace(board({12: 3}, {23: 1}, (6, 5), BLUE, match=3, cube=True), results=crawford.results, crawford=3)
    after = play(blue_wins, "move 23 off")
    assert (2, 1) == scores(after)
    assert Doubling() == play(after, *OPENING).frames[-1]


# --- 9 Options -------------------------------------------------------------------------------------------------------


def test_9_section_8_applies_only_with_the_cube() -> None:
    section = GAME.rulebook.sections["8.2"]
    assert [False, True] == [GAME.plays(section, GAME.setup(2, {"cube": cube})) for cube in (False, True)]


def test_borne_off_checkers_are_never_lost() -> None:
    state = play(board({3: 1, 2: 1}, {12: 3}, (6, 5)), "move 3 off")
    assert [15, 15] == [sum(side) for side in state.sides]
    assert 14 == state.side(Seat(0))[OFF]
