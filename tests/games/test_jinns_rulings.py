"""The rulings where the printed rules are silent or slip and that no sentence of ours tells, by their numbers."""

from __future__ import annotations

import pytest

from engine.games.jinns.events import EndReason, Missed
from engine.games.jinns.pawns import Color
from engine.texts import Seat
from tests.games.jinns_positions import fresh, set_up, table


@pytest.mark.parametrize("seats", [2, 4])
def test_ruling_2_the_second_round_of_the_placement_begins_with_yellow_again(seats: int) -> None:
    t = set_up(seats, stop=16)
    assert "the yellow pawn for square 16" in str(t.decision.prompt)
    assert t.due == 0


def test_ruling_3_with_three_players_the_placers_color_comes_before_green_until_it_runs_out() -> None:
    t = set_up(3, stop=24)
    assert ((0, 0, 0, 0), Seat(1)) == (t.state.stock(Color.GREEN), t.due)
    assert "YYYYGG" == "".join(pile[0] for square, pile in sorted(t.piles.items()) if square < 6)


def test_ruling_7_a_moving_part_never_lands_on_the_rest_of_its_own_pile() -> None:
    t = table({0: "B1 Y2", 5: "G1", 9: "R1"})
    assert not [text for text in t.options() if text.split()[1] == text.split()[3]]
    assert [5, 9] == t.goals(0)


def test_ruling_8_the_lower_half_scores_by_its_own_top() -> None:
    t = table({0: "Y1", 3: "R1 G4 B1", 20: "B3"}, seats=4).play("move 0 1 3 low")
    assert 8 == t.state.taken_points(Seat(0))


def test_ruling_9_the_mover_keeps_the_two_above_the_base_as_one_pile() -> None:
    t = table({0: "Y1", 3: "R4 B1", 20: "B3"}, seats=4).play("move 0 1 3 take3")
    assert (["B1 Y1"], ["R4"]) == (t.taken(0), t.taken(2))


def test_ruling_10_partners_score_separately_unless_the_option_joins_them() -> None:
    captured = {0: "B1 Y1", 1: "G1 B2", 2: "Y3"}
    ends = [
        table({0: "Y4", 5: "B1"}, seats=4, turn=1, taken=captured, team_score=team).play("move 5 1 0").state.outcome()
        for team in (False, True)
    ]
    assert [((2, 6, 3, 0), (0, 1, 0, 0)), ((5, 6, 5, 6), (0, 0.5, 0, 0.5))] == [
        (end.scores, end.returns) for end in ends if end
    ]


def test_ruling_11_repetition_ends_the_game_but_forbids_no_move() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1).play("move 0 1 5", "move 5 1 0", "move 0 1 5")
    assert "move 5 1 0" in t.options()
    assert EndReason.REPETITION is t.play("move 5 1 0").over


def test_ruling_15_a_missed_turn_is_not_a_decision_and_rivals_can_restore_moves() -> None:
    t = table({0: "R2 Y1 B1", 5: "G1"}, turn=1)
    t.play("move 0 1 5")
    assert ([], Seat(0), ["move 0 1 5", "move 0 2 5"]) == (t.shown(Missed), t.due, t.options())


def test_ruling_17_a_green_topped_tower_scores_four_times_its_top_for_the_mover() -> None:
    t = table({0: "B1 R1 G3", 2: "Y1", 4: "Y2", 6: "Y3"}, seats=3).play("move 0 3 6")
    assert (["Y3 B1 R1 G3"], 12) == (t.taken(0), t.state.taken_points(Seat(0)))


DRAFTS = {2: ([1, 0, 1, 0], ["BG", "YR"]), 3: ([2, 1, 0], ["R", "B", "Y"]), 4: ([3, 2, 1, 0], ["G", "R", "B", "Y"])}


@pytest.mark.parametrize("seats", DRAFTS)
def test_ruling_18_colors_are_chosen_from_last_to_first_seat_and_the_first_seat_begins(seats: int) -> None:
    t = set_up(seats, colors="draft", stop=32)
    order, colors = DRAFTS[seats]
    choosing_seats = []
    while t.options("choose"):
        choosing_seats.append(int(t.due))
        t.play(t.options("choose")[0])
    assert (order, Seat(0)) == (choosing_seats, t.due)
    assert colors == ["".join(t.state.colors(Seat(seat))) for seat in range(seats)]


def test_ruling_18_the_layout_is_complete_before_colors_are_chosen() -> None:
    t = fresh(3, colors="draft")
    assert t.options("lay")
    t = set_up(3, colors="draft", stop=32)
    assert (32, ["choose Y", "choose B", "choose R", "choose G"]) == (len(t.piles), t.options())


def test_ruling_18_with_three_players_the_leftover_color_is_neutral() -> None:
    t = set_up(3, colors="draft", stop=32).play("choose G", "choose R", "choose Y")
    assert [None, Seat(2)] == [t.state.owner(Color.BLUE), t.state.owner(Color.GREEN)]
    assert "Nobody owns blue; it is neutral." in t.sentences()


def test_ruling_18_opposite_seats_stay_partners_regardless_of_colors() -> None:
    t = set_up(4, colors="draft", stop=32).play("choose G", "choose Y", "choose B", "choose R")
    state = t.state
    assert [state.owned[2], state.owned[0]] == [state.partner_colors(Seat(seat)) for seat in (0, 2)]
    assert ("R", "Y") == (state.colors(Seat(0))[0], state.colors(Seat(2))[0])
