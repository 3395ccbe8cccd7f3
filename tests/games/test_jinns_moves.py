"""Moves, partners, end and points, one test a sentence (rules 4 to 7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.jinns.events import Alone, CameAgain, Ended, EndReason, Missed, Occurrence, SharedTower, TookTower
from engine.games.jinns.pawns import Pile
from engine.games.jinns.ring import Square
from engine.texts import Seat
from engine.wording import Voice
from tests.games.jinns_positions import set_up, table

OWN = "Move a pile, or its top pawns."
NEUTRAL = "Move a pile, yours or neutral."

# --- a turn ---


def test_players_may_move_only_piles_topped_by_their_own_color() -> None:
    t = table({0: "Y1", 2: "B1", 4: "R1", 6: "G1", 8: "B1 Y1", 10: "Y1 B1"})
    assert {"0", "4", "8"} == {text.split()[1] for text in t.options()}


def test_a_pile_topped_by_a_rival_can_be_moved_only_by_that_rival() -> None:
    t = table({0: "B1", 2: "R1", 4: "Y1"}, seats=3)
    assert {"4"} == {text.split()[1] for text in t.options()}


@pytest.mark.parametrize("turn", [0, 1, 2])
def test_with_three_players_any_player_may_move_the_neutral_color(turn: int) -> None:
    t = table({0: "G1", 2: "Y1", 4: "B1", 6: "R1"}, seats=3, turn=turn)
    assert ["move 0 1 2", "move 0 1 6"] == t.options("move 0")


@pytest.mark.parametrize(("seats", "prompt"), [(2, OWN), (3, NEUTRAL), (4, OWN)])
def test_the_prompt_says_which_piles_the_player_may_move(seats: int, prompt: str) -> None:
    assert prompt == str(table({0: "G1", 2: "Y1", 4: "B1", 6: "R1"}, seats=seats).decision.prompt)


def test_the_top_pawn_may_carry_any_number_of_pawns_below_it_in_order() -> None:
    t = table({0: "B4 G1 Y1", 5: "R2", 9: "R3"})
    assert ["move 0 1 5", "move 0 2 5", "move 0 3 5"] == t.options("move 0")[:3]
    assert {0: "B4", 5: "R2 G1 Y1", 9: "R3"} == t.play("move 0 2 5").piles


def test_the_rest_of_a_pile_stays_behind_with_a_new_top() -> None:
    t = table({0: "B4 G1 Y1", 5: "R2", 9: "R3"}).play("move 0 1 5")
    assert "move 0 1 9" in t.options()


@pytest.mark.parametrize(("pile", "goals"), [("Y1", [4, 28]), ("Y2", [8, 24]), ("Y3", [12, 20]), ("Y4", [16])])
def test_the_strength_of_the_top_pawn_is_the_distance_of_the_move(pile: str, goals: list[int]) -> None:
    others = dict.fromkeys(range(4, 32, 4), "B1")
    assert goals == table({0: pile, **others}).goals(0)


def test_carried_pawns_do_not_change_the_distance() -> None:
    t = table({0: "R4 Y1", 4: "B1", 8: "B1", 28: "G1"})
    assert {"4", "28"} == {text.split()[3] for text in t.options("move 0")}


def test_empty_squares_are_skipped_and_do_not_end_a_move() -> None:
    assert [9, 30] == table({0: "Y1", 9: "B1", 30: "B1"}).goals(0)


def test_a_move_never_visits_a_square_twice_not_even_its_origin() -> None:
    t = table({0: "B1 Y3", 5: "B1", 9: "R1"})
    assert [] == t.options("move 0")


def test_the_moving_pawns_and_the_target_have_no_color_in_common() -> None:
    t = table({0: "R1 Y1", 5: "Y2 B1", 9: "R1 G1", 30: "G2"})
    assert ["move 0 1 30", "move 0 2 30"] == t.options("move 0")


def test_a_move_may_land_on_the_players_other_color_a_neutral_one_or_a_rivals() -> None:
    assert [5, 30] == table({0: "Y1", 5: "R1", 30: "B1"}).goals(0)
    assert [5, 30] == table({0: "Y1", 5: "G1", 30: "B1"}, seats=3).goals(0)


def test_a_tower_of_four_goes_at_once_to_the_player_who_completes_it() -> None:
    t = table({0: "B4 G1 Y1", 5: "R2", 9: "R3"}).play("move 0 3 5")
    assert (["R2 B4 G1 Y1"], {9: "R3"}) == (t.taken(0), t.piles)
    assert [TookTower(Seat(0), Square(5), Pile.parse("R2 B4 G1 Y1"), 4)] == t.shown(TookTower)


def test_the_events_of_a_move_say_where_it_lands_and_what_it_takes() -> None:
    t = table({0: "B4 G1 Y3", 5: "R1", 9: "G3", 17: "R3", 20: "B2"}).play("move 0 3 17")
    assert [
        "Yellow moves Y3, G1 and B4 from 0 to 17.",
        "A tower of four! 12 points for Yellow.",
    ] == t.sentences()[:2]


@pytest.mark.parametrize(
    ("seats", "notation", "gloss"),
    [
        (2, "move 0 3 17", "tower of four: points stay as they are"),
        (2, "move 0 1 17", "−6 for Yellow, +2 for Blue"),
        (4, "move 0 1 20 take3", "−3 for Yellow, −4 for Blue, +2 for Red, +2 for Green"),
        (4, "move 0 1 20 leave", "tower of three: −4 for Blue, +2 for Green"),
    ],
)
def test_the_gloss_of_a_move_says_what_it_builds_and_how_points_change(seats: int, notation: str, gloss: str) -> None:
    t = table({0: "B4 G1 Y3", 5: "R1", 9: "G3", 17: "R3", 20: "G2 B2", 24: "G1", 28: "R2"}, seats=seats)
    assert notation in t.options()
    assert gloss == Voice(t.match.names, state=t.state).gloss(t.match.parse(notation))


def test_a_player_who_cannot_move_misses_the_turn() -> None:
    t = table({0: "Y1 B1", 5: "R4", 9: "Y4"}, turn=1).play("move 0 1 5")
    assert [] == t.shown(Missed)
    t = table({0: "Y4 B1", 5: "R4"}, turn=1).play("move 0 1 5")
    assert ([Missed((Seat(0),))], Seat(1)) == (t.shown(Missed), t.due)
    assert "Yellow cannot move." in t.sentences()


def test_one_event_covers_the_missed_turns_of_all_other_players() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, seats=4, turn=1).play("move 0 1 5")
    assert [Alone(Seat(1))] == t.shown(Alone, Missed)


def test_a_player_who_missed_a_turn_may_move_again_later() -> None:
    t = table({0: "Y1 B1", 5: "R4", 20: "G4"}, turn=1).play("move 0 1 5")
    assert (Seat(0), ["move 0 1 5", "move 0 1 20"]) == (t.due, t.options())
    t = table({0: "Y1 B1", 5: "R2 G1"}, turn=1).play("move 5 1 0")
    assert ([Missed((Seat(0),))], Seat(1)) == (t.shown(Missed), t.due)
    t.play("move 0 1 5")
    assert t.due == 1


# --- partners ---

TRIO = {0: "Y1", 3: "B2 G1", 20: "B3"}


def test_partners_sit_opposite_each_other() -> None:
    state = table(TRIO, seats=4).state
    assert [2, 3, 0, 1] == [state.partner(Seat(seat)) for seat in range(4)]


def test_the_partners_color_may_not_be_covered_directly_but_may_lie_deeper() -> None:
    t = table({0: "Y1", 5: "B1 R1", 27: "R1 B1"}, seats=4)
    assert ["move 0 1 27 leave", "move 0 1 27 take3"] == t.options()


def test_a_rival_may_be_covered() -> None:
    assert ["move 0 1 5", "move 0 1 27"] == table({0: "Y1", 5: "B1", 27: "G1"}, seats=4).options()


@pytest.mark.parametrize(("half", "own", "others"), [("high", "G1 Y1", "R3 B2"), ("low", "R3 B2", "G1 Y1")])
def test_a_tower_of_four_is_split_with_the_partner(half: str, own: str, others: str) -> None:
    t = table({0: "G1 Y1", 3: "R3 B2", 20: "B3"}, seats=4)
    assert ["move 0 2 3 high", "move 0 2 3 low"] == t.options("move 0 2 3")
    t.play(f"move 0 2 3 {half}")
    assert ([own], [others], [], []) == (t.taken(0), t.taken(2), t.taken(1), t.taken(3))
    assert [half == "high"] == [str(event.own_pile) == "G1 Y1" for event in t.shown(SharedTower)]


def test_a_tower_of_three_may_be_taken_by_the_player_who_builds_it() -> None:
    t = table(TRIO, seats=4).play("move 0 1 3 take3")
    assert (["G1 Y1"], ["B2"], {20: "B3"}) == (t.taken(0), t.taken(2), t.piles)
    assert "A tower of three! Yellow keeps Y1 and G1: 2 points; Red gets B2: 2." in t.sentences()


def test_a_tower_of_three_may_stay_and_grow_later() -> None:
    t = table({**TRIO, 18: "R1"}, seats=4).play("move 0 1 3 leave")
    assert "B2 G1 Y1" == t.piles[3]
    assert [] == t.shown(SharedTower)


def test_a_tower_of_three_is_not_taken_on_a_later_turn() -> None:
    t = table({3: "B2 G1 Y1", 20: "G3", 9: "G2"}, seats=4)
    assert ["move 3 1 9", "move 3 1 20"] == t.options()


def test_gains_count_for_the_player_who_got_them_regardless_of_color() -> None:
    t = table({0: "Y1", 3: "R4 G2 B1", 20: "B3"}, seats=4).play("move 0 1 3 low")
    assert (["R4 G2"], ["B1 Y1"]) == (t.taken(0), t.taken(2))
    assert (4, 2) == (t.state.taken_points(Seat(0)), t.state.taken_points(Seat(2)))


# --- the end ---


def test_the_game_is_over_when_no_player_can_move() -> None:
    t = table({0: "Y4", 5: "B1"}, turn=1).play("move 5 1 0")
    assert EndReason.NO_MOVES is t.over
    assert "The game is over. Nobody can move anymore." == t.sentences()[-1]
    assert [] == t.shown(Missed)


SPLITS = ("move 0 1 5", "move 5 1 0") * 2


def test_the_third_occurrence_of_a_position_ends_the_game() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1).play(*SPLITS)
    assert EndReason.REPETITION is t.over
    assert "The game is over. The same position has come up too often." == t.sentences()[-1]


def test_a_repeated_position_is_announced_with_the_consequence_of_the_next_repetition() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1).play("move 0 1 5")
    assert (1, []) == (t.state.times, t.shown(CameAgain))
    t.play("move 5 1 0")
    assert (2, [CameAgain(Occurrence.SECOND, Occurrence.THIRD)]) == (t.state.times, t.shown(CameAgain))
    assert "This position has come up for the second time; the third ends the game." == t.sentences()[-1]


def test_the_last_allowed_repetition_is_announced_as_the_end_of_the_game() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1).play(*SPLITS)
    assert (3, Ended(EndReason.REPETITION)) == (t.state.times, t.told[-1])
    t = table({0: "Y4 B1", 5: "R4"}, turn=1, repetition_limit=2).play(*SPLITS[:2])
    assert (2, [], Ended(EndReason.REPETITION)) == (t.state.times, t.shown(CameAgain), t.told[-1])


def test_positions_during_setup_do_not_count_as_occurrences() -> None:
    assert (0, 1) == (set_up(stop=31).state.times, set_up().state.times)


def test_the_same_board_with_another_player_to_move_is_another_position() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1)
    t.match.state = replace(t.state, record=((Seat(0), t.state.board),) * 5)
    t.play("move 0 1 5", "move 5 1 0")
    assert t.over is None


def test_the_record_is_dropped_after_a_move_that_empties_a_square() -> None:
    t = table({0: "Y1 B1", 5: "R4", 20: "G4"}, turn=1).play("move 0 1 5")
    assert 2 == len(t.state.record)
    t.play("move 0 1 20")
    assert 1 == len(t.state.record)


def test_a_repeated_position_is_recognized_after_a_thousand_others() -> None:
    t = table({0: "Y4 B1", 5: "R4"}, turn=1)
    others = tuple((Seat(n % 2), (*t.state.board[1:], n)) for n in range(1000))
    t.match.state = replace(t.state, record=(*t.state.record, *others))
    assert t.play("move 0 1 5", "move 5 1 0", "move 0 1 5").over is None
    assert EndReason.REPETITION is t.play("move 5 1 0").over


def test_positions_with_different_histories_are_not_equal() -> None:
    state = table({0: "Y4 B1", 5: "R4"}).state
    assert state != replace(state, record=state.record * 2)


# --- points ---


def test_a_pile_scores_its_height_times_the_strength_of_its_top() -> None:
    assert (6, 4) == table({0: "B4 G1 Y2", 9: "R4 B2"}).scores


def test_taken_piles_score_for_their_holder_regardless_of_color() -> None:
    t = table({0: "Y1", 5: "G4"}, taken={0: "Y1 B1 R1 G2, Y1 B3"})
    assert ((15, 4), 14) == (t.scores, t.state.taken_points(Seat(0)))


def test_most_points_win() -> None:
    t = table({0: "Y4", 5: "B1"}, turn=1, taken={0: "B1 G1 R1 Y1"}).play("move 5 1 0")
    outcome = t.state.outcome()
    assert outcome is not None
    assert ((1.0, 0.0), (4, 2), (0,)) == (outcome.returns, outcome.scores, outcome.winners)


def test_equal_points_share_the_win() -> None:
    t = table({0: "Y4", 5: "B1"}, turn=1, taken={0: "B1 Y1"}).play("move 5 1 0")
    outcome = t.state.outcome()
    assert outcome is not None
    assert ((0.5, 0.5), (2, 2)) == (outcome.returns, outcome.scores)
