"""Every refusal says why, with the pawn in the way and the section of the rules."""

from __future__ import annotations

import pytest

from tests.games.jinns_positions import fresh, set_up, table, yellow_fours

BOARD = {0: "B4 G1 Y2", 4: "R1", 8: "B2", 12: "R3 Y4", 16: "G1", 20: "Y1 B3"}


@pytest.mark.parametrize(
    ("notation", "sentence", "rule"),
    [
        ("move 32 1 4", "There is no square 32; they are numbered 0 to 31.", "2.2"),
        ("move 0 1 -4", "There is no square -4; they are numbered 0 to 31.", "2.2"),
        ("move 1 1 4", "Square 1 is empty.", "4.1"),
        ("move 20 1 0", "The pile on 20 is topped by blue 3; you can move yellow and red.", "4.1"),
        ("move 0 4 8", "Only 3 pawns stand on 0; 4 cannot move.", "4.2"),
        ("move 4 2 8", "Only one pawn stands on 4; 2 cannot move.", "4.2"),
        ("move 4 0 8", "A move takes at least one pawn.", "4.2"),
        ("move 4 5 7", "Only one pawn stands on 4; 5 cannot move.", "4.2"),
        ("move 0 1 7", "Square 7 is empty; a move ends on a pile.", "4.3"),
        ("move 0 1 4", "Yellow 2 on 0 moves 2 piles and so reaches 8 or 16, not 4.", "4.3"),
        ("move 4 1 16", "Red 1 on 4 moves 1 pile and so reaches 8 or 0, not 16.", "4.3"),
        ("move 0 3 8", "Blue 2 stands on 8; no pile has two pawns of a color.", "4.4"),
        ("move 0 1 8 high", "“Keep the upper two” is for partners; you play for yourself.", "5"),
        ("place 2", "“Place” is not possible now. To decide: Move a pile, or its top pawns.", "4"),
        ("choose B", "“Choose” is not possible now. To decide: Move a pile, or its top pawns.", "4"),
    ],
)
def test_an_illegal_move_is_refused_with_a_reason(notation: str, sentence: str, rule: str) -> None:
    assert (sentence, rule) == table(BOARD).refusal(notation)


@pytest.mark.parametrize(
    ("notation", "sentence", "rule"),
    [
        ("move 0 1 4", "Red 1 on 4 is your partner’s; you cannot cover it.", "4.5"),
        ("move 8 1 12", "This makes a tower of three: add “leave” or “take”.", "5.2"),
        ("move 8 1 12 high", "This makes a tower of three: add “leave” or “take”.", "5.2"),
        ("move 16 3 12", "Blue 1 stands on 12; no pile has two pawns of a color.", "4.4"),
        ("move 20 1 16 take3", "This makes a tower of four: add “upper” or “lower”, the half that you keep.", "5.1"),
        (
            "move 0 1 24 leave",
            "This makes a pile of two, which stays; “Leave the tower” is for towers of three or four.",
            "5.2",
        ),
    ],
)
def test_a_move_against_the_partner_rules_is_refused_with_a_reason(notation: str, sentence: str, rule: str) -> None:
    board = {0: "Y1", 4: "R1", 8: "Y1", 12: "G2 B1", 16: "R2 B1 G1", 20: "Y1", 24: "B2"}
    board[16] = "R2 B1 G1" if not notation.startswith("move 16") else "R2 B1 Y1"
    assert (sentence, rule) == table(board, seats=4).refusal(notation)


def test_the_refusal_of_a_neutral_pile_names_the_violated_rule_and_neutral_colors_are_movable() -> None:
    t = table({0: "Y2 G1", 4: "B1 R2", 8: "B3"}, seats=3)
    too_many = ("Only 2 pawns stand on 0; 3 cannot move.", "4.2")
    not_yours = ("The pile on 4 is topped by red 2; you can move yellow and green.", "4.1")
    assert (too_many, not_yours) == (t.refusal("move 0 3 4"), t.refusal("move 4 1 8"))


@pytest.mark.parametrize(
    ("first", "notation", "sentence", "rule"),
    [
        (
            ("place 3", "place 3"),
            "place 3",
            "Both yellow pawns of strength 3 are on the quay already; left: 1, 2 and 4.",
            "3.1",
        ),
        (
            ("place 3", "place 3", "place 1"),
            "place rest",
            "Square 3 is the last one of this round; choose its strength yourself.",
            "3.1",
        ),
        (
            (),
            "move 0 1 1",
            "“Move” is not possible now. To decide: Choose the yellow pawn for square 0.",
            "3.1",
        ),
    ],
)
def test_an_illegal_placement_is_refused_with_a_reason(
    first: tuple[str, ...], notation: str, sentence: str, rule: str
) -> None:
    assert (sentence, rule) == fresh().play(*first).refusal(notation)


def test_a_random_rest_is_refused_where_the_pawns_left_allow_only_one() -> None:
    sentence = "Of yellow and green only one strength each is left; place the pawns yourself."
    assert (sentence, "3.1") == yellow_fours("3 3").refusal("place rest")


@pytest.mark.parametrize(
    ("piles", "left"),
    [
        ({0: "Y4", 5: "B1", 9: "R1"}, "Yellow 4 on 0 moves 4 piles, but only 2 others are left."),
        ({0: "Y3", 5: "R1"}, "Yellow 3 on 0 moves 3 piles, but only 1 other is left."),
    ],
)
def test_a_pawn_that_goes_too_far_is_told_how_many_piles_are_left(piles: dict[int, str], left: str) -> None:
    assert (left, "4.3") == table(piles).refusal("move 0 1 5")


def test_a_pawn_that_reaches_one_pile_both_ways_names_it_once_and_the_upper_of_two_pawns_in_the_way() -> None:
    sentence = "Yellow 1 on 0 moves 1 pile and so reaches 5, not 0."
    assert (sentence, "4.3") == table({0: "Y1", 5: "R1"}).refusal("move 0 1 0")
    sentence = "Red 2 stands on 5; no pile has two pawns of a color."
    assert (sentence, "4.4") == table({0: "B1 R1 Y1", 5: "B3 R2", 9: "R1", 12: "G1"}).refusal("move 0 3 5")


def test_a_color_that_already_has_an_owner_cannot_be_chosen() -> None:
    t = set_up(3, colors="draft", stop=32).play("choose R")
    assert ("Red already has an owner.", "3.4") == t.refusal("choose R")
    assert "3.4" == t.refusal("move 0 1 1")[1]
