"""The worked examples of the rules, by their numbers."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.games.jinns.events import EndReason, Missed
from engine.games.jinns.offers import turn_decisions
from engine.games.jinns.pawns import Pile
from engine.texts import Seat
from tests.games.jinns_positions import fresh, set_up, table

IN_TURN = "YYYYBBBBRRRRGGGG" * 2
PATTERNS = {
    2: (IN_TURN, "AAAABBBB" * 4),
    3: ("YYYYGGBBBBGGRRRRGGYYYYGGBBBBRRRR", "AAAAAABBBBBBCCCCCCAAAAAABBBBCCCC"),
    4: (IN_TURN, "AAAABBBBCCCCDDDD" * 2),
}


@pytest.mark.parametrize("seats", PATTERNS)
def test_example_1_the_setup_follows_the_pattern(seats: int) -> None:
    t, placers = fresh(seats), ""
    while len(placers) < 32:
        placers += "ABCD"[t.due]
        t.play(t.options()[0])
    assert PATTERNS[seats] == ("".join(pile[0] for pile in t.piles.values()), placers)


@pytest.mark.parametrize("seats", PATTERNS)
def test_example_1_the_setup_puts_one_pawn_on_every_square_and_two_of_each_kind(seats: int) -> None:
    t = set_up(seats)
    assert list(range(32)) == sorted(t.piles)
    assert dict.fromkeys((color + n for color in "YBRG" for n in "1234"), 2) == Counter(t.piles.values())


def test_example_2_a_1_may_go_to_its_neighbor_in_either_direction() -> None:
    assert [3, 20] == table({0: "Y1", 3: "B1", 10: "R1", 20: "B3"}).goals(0)


def test_example_3_two_directions_to_the_same_square_are_one_move() -> None:
    assert ["move 0 1 10"] == table({0: "Y2", 3: "B1", 10: "R1", 20: "B3"}).options("move 0")


def test_example_3_a_4_cannot_move_with_three_other_piles() -> None:
    assert [] == table({0: "Y4", 3: "B1", 10: "R1", 20: "B3"}).options("move 0")


def test_example_4_a_pile_counts_once() -> None:
    assert [10, 20] == table({0: "Y2", 3: "B1 G2", 10: "R1", 20: "B3", 25: "G1"}).goals(0)


def test_example_5_any_number_of_pawns_from_the_top_may_move_to_a_pile_without_their_colors() -> None:
    t = table({0: "B4 G1 Y1", 5: "R2", 9: "G3"})
    assert {"move 0 1 5", "move 0 1 9", "move 0 2 5", "move 0 3 5"} == set(t.options("move 0"))
    t.play("move 0 3 5")
    assert (["R2 B4 G1 Y1"], 4, {9: "G3"}) == (t.taken(0), t.state.taken_points(Seat(0)), t.piles)


def test_example_6_moving_the_whole_pile_completes_a_tower_of_12_points() -> None:
    t = table({0: "B4 G1 Y3", 5: "B2", 9: "G3", 12: "R2"})
    assert [5, 12] == t.goals(0)
    assert "move 0 3 5" not in t.options()
    assert 12 == t.play("move 0 3 12").state.taken_points(Seat(0))


def test_example_7_points_on_the_board() -> None:
    assert (10, 2) == table({0: "B4 G1 Y2", 5: "G2 B1", 9: "R4"}).scores


@pytest.mark.parametrize(("neutral_tower", "points"), [("mover", 4), ("zero", 0)])
def test_example_8_with_three_players_any_player_may_move_green(neutral_tower: str, points: int) -> None:
    t = table({0: "Y2 G1", 4: "B1 R2"}, seats=3, turn=1, neutral_tower=neutral_tower).play("move 0 2 4")
    assert (["B1 R2 Y2 G1"], points) == (t.taken(1), t.state.taken_points(Seat(1)))


def test_example_8_a_green_pile_on_the_board_scores_for_no_player() -> None:
    assert (0, 0, 0) == table({0: "Y2 G4"}, seats=3).scores


def test_example_9_a_partners_pawn_may_not_be_covered_directly_but_may_lie_deeper() -> None:
    t = table({0: "Y1", 3: "R2", 6: "R3 B2"}, seats=4)
    assert ["move 0 1 6 leave", "move 0 1 6 take3"] == t.options()
    t.play("move 0 1 6 take3")
    assert (["B2 Y1"], ["R3"]) == (t.taken(0), t.taken(2))
    assert (2, 3) == (t.state.taken_points(Seat(0)), t.state.taken_points(Seat(2)))


EXAMPLE_10 = {0: "Y3", 3: "G2", 6: "B2", 9: "R3 G4 B1"}


def test_example_10_only_a_tower_of_four_asks_for_a_half() -> None:
    assert {"move 0 1 9 high", "move 0 1 9 low", "move 0 1 3"} == set(table(EXAMPLE_10, seats=4).options())


@pytest.mark.parametrize(("half", "points"), [("high", (6, 8)), ("low", (8, 6))])
def test_example_10_the_lower_half_can_be_the_better_one(half: str, points: tuple[int, int]) -> None:
    t = table(EXAMPLE_10, seats=4).play(f"move 0 1 9 {half}")
    assert points == (t.state.taken_points(Seat(0)), t.state.taken_points(Seat(2)))
    assert ["B1 Y3", "R3 G4"] == sorted(t.taken(0) + t.taken(2))


MISSING = {0: "Y4 B1", 5: "R4"}


def test_example_11_a_blocked_player_misses_the_turn_and_the_game_ends_if_all_are_blocked() -> None:
    t = table(MISSING, turn=1)
    assert ["move 0 1 5", "move 0 2 5"] == t.options()
    assert EndReason.NO_MOVES is t.play("move 0 2 5").over
    assert ({5: "R4 Y4 B1"}, (0, 3)) == (t.piles, t.scores)


def test_example_11_a_covered_pawn_does_not_move_nor_a_4_without_four_other_piles() -> None:
    state = table(MISSING, turn=1).state
    assert () == turn_decisions(state.board, Seat(0), state.owned, partners=False)


def test_example_12_a_loop_ends_at_the_third_occurrence() -> None:
    t = table(MISSING, turn=1).play("move 0 1 5")
    assert [Missed((Seat(0),))] == t.shown(Missed)
    t.play("move 5 1 0", "move 0 1 5")
    assert t.over is None
    t.play("move 5 1 0")
    assert (EndReason.REPETITION, (4, 2)) == (t.over, t.scores)


@pytest.mark.parametrize(("pile", "value"), [("Y1 B1 R1 G3", 12), ("Y4 R1 B2", 6), ("Y4 R1", 2), ("B4", 4)])
def test_example_13_piles_have_the_printed_values(pile: str, value: int) -> None:
    assert value == Pile.parse(pile).points
