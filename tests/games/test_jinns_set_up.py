"""The set-up, one test a sentence (rules 2 and 3)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.games.jinns import GAME
from engine.games.jinns.events import Filled, LaidOut
from engine.games.jinns.pawns import Color, Pawn
from engine.games.jinns.ring import Square
from engine.texts import CHANCE, Seat
from tests.games.jinns_positions import Table, fresh, set_up, yellow_fours


def test_each_color_has_eight_pawns_two_of_each_strength() -> None:
    t = fresh()
    assert [(2, 2, 2, 2)] * 4 == [t.state.stock(color) for color in Color]


def test_the_squares_are_filled_in_order() -> None:
    t = fresh()
    for square in range(8):
        assert square == t.state.placed
        t.play(t.options()[0])
        assert list(range(square + 1)) == sorted(t.piles)


@pytest.mark.parametrize(
    ("seats", "colors"),
    [(2, ["YR", "BG"]), (3, ["Y", "B", "R"]), (4, ["Y", "B", "R", "G"])],
)
def test_each_seat_owns_its_colors(seats: int, colors: list[str]) -> None:
    state = fresh(seats).state
    assert colors == ["".join(state.colors(Seat(seat))) for seat in range(seats)]


def test_with_three_players_green_is_neutral() -> None:
    assert fresh(3).state.owner(Color.GREEN) is None


def test_the_placer_chooses_among_the_remaining_strengths() -> None:
    t = fresh().play("place 3", "place 3")
    assert ["place 1", "place 2", "place 4", "place rest"] == t.options()


def test_a_placement_with_one_strength_left_is_still_a_decision() -> None:
    t = set_up(stop=31)
    assert (Seat(1), ["place 4"]) == (t.due, t.options())


def fill_rest(seats: int, *first: str) -> Table:
    t = fresh(seats).play(*first, "place rest")
    while t.due == CHANCE:
        t.play(t.options()[-1])
    return t


@pytest.mark.parametrize(("seats", "end"), [(2, 4), (3, 6), (4, 4)])
def test_place_rest_leaves_the_rest_of_the_block_to_luck(seats: int, end: int) -> None:
    t = fill_rest(seats, "place 1")
    assert (end, Seat(1)) == (t.state.placed, t.due)


def pawns(*texts: str) -> tuple[Pawn, ...]:
    return tuple(map(Pawn.parse, texts))


def test_every_pawn_placed_by_luck_is_recorded() -> None:
    t = fresh().play("place 2", "place rest")
    assert (CHANCE, ["lay Y1", "lay Y2", "lay Y3", "lay Y4"]) == (t.due, t.options())
    t.play("lay Y4", "lay Y2", "lay Y1")
    assert {0: "Y2", 1: "Y4", 2: "Y2", 3: "Y1"} == t.piles
    assert [Filled(Seat(0), pawns("Y4", "Y2", "Y1"), Square(1), Square(3))] == t.shown(Filled)


def test_each_remaining_pawn_is_equally_likely() -> None:
    assert (2, 1, 2, 2) == fresh().play("place 2", "place rest").decision.weights


def test_in_a_block_of_two_colors_luck_continues_with_the_second() -> None:
    t = fresh(3).play("place 1", "place 1", "place 2", "place rest", "lay Y4")
    assert ["lay G1", "lay G2", "lay G3", "lay G4"] == t.options()


def test_the_last_square_of_a_block_is_placed_by_hand() -> None:
    assert "place rest" not in fresh().play("place 1", "place 1", "place 2").options()


def test_place_rest_is_offered_while_the_remaining_squares_can_be_filled_in_several_ways() -> None:
    """Neutral pawns of a round for three may be open when the own ones are not any more."""
    t = yellow_fours(green="3 4")
    assert ["place 4", "place rest"] == t.options()
    t.play("place rest", "lay Y4", "lay Y4", "lay G4", "lay G3")
    assert [Filled(Seat(0), pawns("Y4", "Y4", "G4", "G3"), Square(20), Square(23))] == t.shown(Filled)
    assert ["place 4"] == yellow_fours(green="3 3").options()


def test_place_rest_can_complete_the_setup() -> None:
    t = fresh()
    while t.state.is_setting_up:
        t.play("place rest" if "place rest" in t.options() else t.options()[-1])
    assert (32, Seat(0)) == (len(t.piles), t.due)
    assert t.options("move")


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_first_player_makes_the_first_move_and_play_goes_clockwise(seats: int) -> None:
    t = set_up(seats)
    for n in range(seats + 1):
        assert n % seats == t.due
        t.play(t.options()[0])


@pytest.mark.parametrize(("seats", "moves"), [(2, 20), (3, 24), (4, 10)])
def test_the_first_player_has_many_moves(seats: int, moves: int) -> None:
    """The means of the first positions are known; no single one is far away."""
    assert abs(moves - len(set_up(seats).options())) <= moves // 3


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_seat_that_places_is_on_turn(seats: int) -> None:
    """A picture reads `turn` of the position, and shows the remaining pawns of the seat that is due."""
    t = fresh(seats)
    while t.options("place"):
        assert t.state.turn == t.due
        t.play(t.options()[0])
    assert t.state.turn == t.due == 0


def test_after_luck_fills_a_round_the_next_seat_is_on_turn() -> None:
    t = fresh(3).play("place rest", "lay Y1", "lay Y1", "lay Y2", "lay Y2", "lay G1")
    assert 0 == t.state.turn
    assert t.play("lay G1").state.turn == t.due == 1


def test_luck_lays_out_all_pawns() -> None:
    t = set_up(2, setup="random")
    assert dict.fromkeys((color + n for color in "YBRG" for n in "1234"), 2) == Counter(t.piles.values())
    assert [LaidOut()] == t.shown(LaidOut)
    assert Seat(0) == t.due


def test_in_a_random_setup_each_remaining_pawn_is_equally_likely() -> None:
    t = fresh(2, setup="random").play("lay Y3", "lay Y3", "lay B1")
    weights = dict(zip(t.options(), t.decision.weights, strict=True))
    assert (15, 1, 2, 29) == (len(weights), weights["lay B1"], weights["lay G4"], sum(weights.values()))
    assert "lay Y3" not in weights
