"""The worked examples of the rules, and the rulings that no sentence of the rules tells."""

from __future__ import annotations

import pytest

from engine.games.muses.scoring import NOBODY, bonus_size, deciding_ties, ranking, winners
from engine.texts import Seat
from tests.games.muses_positions import dealt, floor_of, placed_tiles, table

ALL = "calliope,clio,erato,euterpe,melpomene,polyhymnia,terpsichore,thalia,urania"

# --- Worked examples -------------------------------------------------------------------------------------------------


def test_example_1_scoring_with_three_companies() -> None:
    """Dice 6-4-3, 6-4-4, 5-5-3: rank 1 is a tie, rank 2 goes to c, rank 3 to b, the bonus to c: 0, 1 and 2 points."""
    names = ("calliope", "clio", "erato", "euterpe", "melpomene", "polyhymnia", "terpsichore", "thalia", "urania")
    dice = ("r6", "r4", "r3", "b6", "b4", "b4", "y5", "y5", "y3")
    floor, _ = floor_of({name: f"{n},0 {die}" for n, (name, die) in enumerate(zip(names, dice, strict=True))})
    ranks = ranking(floor, 3)
    assert (NOBODY, 2, 1) == ranks.winners
    assert 2 == ranks.bonus
    assert [0, 1, 2] == [ranks.points(company) + (company == ranks.bonus) for company in range(3)]


PUSH = {"calliope": "0,0 r2", "clio": "1,0 b1", "hidden2=thalia": "2,0 y3", "urania": "1,1 r4"}


def test_example_2_a_push() -> None:
    after = {"calliope": "1,0 r3", "clio": "2,0 b2", "hidden2": "3,0 y4", "urania": "1,1 r4"}
    assert after == placed_tiles(table(PUSH, powers="none").play("step calliope e").state)


def test_example_3_the_group_rule() -> None:
    game = table({"calliope": "0,0 r1", "clio": "1,1 b1", "erato": "2,2 y1"}, powers="none")
    assert ["step calliope e", "step calliope s", "step erato n", "step erato w"] == game.options()
    sentence, rule = game.refusal("step clio n")
    assert ("5.2", True) == (rule, "Erato would be cut off" in sentence)


def test_example_4_a_power_before_the_move_ends_the_hand() -> None:
    game = table({"calliope": "0,0 r3", "clio": "1,0 b5", "thalia": "0,1 y1"}).play("power calliope clio")
    assert game.over
    assert {"calliope": "0,0 r3", "clio": "1,0 b6", "thalia": "0,1 y1"} == placed_tiles(game.state)
    done = game.play("turn-up").state.finished
    assert done is not None
    assert (6, 6, 1) == done.floor.values


def test_example_5_a_move_ends_the_hand() -> None:
    """The face-down tile counts for its company, and Erato's power is void."""
    game = table({"erato": "0,0 r4", "hidden1=thalia": "1,0 b5"}, seats=2).play("step erato e")
    assert game.over
    assert {"erato": "1,0 r5", "hidden1": "2,0 b6"} == placed_tiles(game.state)
    done = game.play("turn-up").state.finished
    assert done is not None
    assert ((5,), (6,)) == done.ranking.dice


def test_example_6_melpomene() -> None:
    game = table({"melpomene": "0,0 r1", "calliope": "1,1 b1"})
    assert [] == game.options("power melpomene")
    game.play("step melpomene e")
    assert ["power melpomene", "done"] == game.options()
    assert "1,0 r1" == placed_tiles(game.play("power melpomene").state)["melpomene"]


def test_example_7_exchange_of_dice_and_suns() -> None:
    tiles = {"erato": "0,0 r3", "calliope": "1,0 b2", "thalia": "2,0 n5"}

    def ended(*notations: str) -> tuple[tuple[int, ...], ...]:
        done = table(tiles, seats=2).play(*notations, "turn-up").state.finished
        assert done is not None
        return done.ranking.dice

    assert ((3,), (2,)) == ended("step thalia n")
    swapped = table(tiles, seats=2, has_moved="erato").play("power erato calliope", "step thalia n", "turn-up")
    done = swapped.state.finished
    assert done is not None
    assert ((6,), (2,)) == done.ranking.dice


def test_example_8_polyhymnia() -> None:
    tiles = {"polyhymnia": "0,0 r2", "calliope": "1,0 b2", "hidden0=clio": "0,1 r3", "terpsichore": "1,1 y1"}
    others = ("calliope", "terpsichore", "hidden0")
    expected = [f"power polyhymnia {copied},{other}" for copied in ("calliope", "terpsichore") for other in others]
    assert sorted(expected) == sorted(table(tiles, has_moved="polyhymnia").options("power"))


def test_example_9_urania() -> None:
    """Clio goes to (1,-1) or (1,1) and nowhere else."""
    game = table({"urania": "0,0 r1", "clio": "1,0 b1", "thalia": "2,0 y1"}, has_moved="urania")
    assert ["power urania clio,n12", "power urania clio,n14", "done"] == game.options()


def test_example_10_the_bonus_grows_only_if_one_was_paid() -> None:
    assert [1, 2] == [bonus_size(2, 2, paid=paid) for paid in (False, True)]


def test_example_11_the_last_tile_of_a_layout() -> None:
    game = table({"clio": "0,0 r1", "erato": "1,0 r1"}, hands=("thalia", "urania", ""))
    assert {"down"} == {text.split()[3] for text in game.options()}
    game = table({"hidden0=clio": "0,0 r1", "erato": "1,0 r1"}, hands=("thalia", "urania", ""))
    assert {"up"} == {text.split()[3] for text in game.options()}


def test_example_12_the_tie_break() -> None:
    assert (1,) == winners((5, 5), (1, 2), (16, 15))
    assert (0,) == winners((5, 5), (1, 1), (16, 15))
    assert (0, 1) == winners((5, 5), (1, 1), (16, 16))


@pytest.mark.parametrize(
    ("points", "bonuses", "sums", "expected"),
    [
        ((5, 5, 5), (2, 1, 0), (9, 9, 9), ["bonuses decide, 2 to 1 and 0"]),
        ((5, 5, 5), (2, 2, 1), (9, 8, 20), ["bonuses decide, 2 to 1", "dice of the last hand decide, 9 to 8 in all"]),
        ((5, 5, 5), (2, 2, 1), (9, 9, 20), ["bonuses decide, 2 to 1"]),
        ((5, 5, 5), (2, 2, 1), (9, 9, 8), ["bonuses decide, 2 to 1"]),
        ((5, 5, 5), (1, 1, 1), (9, 9, 9), []),
        ((5, 5, 5), (1, 1, 1), (7, 9, 8), ["dice of the last hand decide, 9 to 8 and 7 in all"]),
        ((5, 5, 4), (1, 1, 3), (9, 8, 20), ["dice of the last hand decide, 9 to 8 in all"]),
        ((5, 4, 3), (0, 3, 1), (7, 9, 8), []),
    ],
)
def test_each_tie_breaker_that_separates_companies_is_named(
    points: tuple[int, ...], bonuses: tuple[int, ...], sums: tuple[int, ...], expected: list[str]
) -> None:
    deciding = [str(text) for text in deciding_ties(points, bonuses, sums)]
    assert all(part in text for part, text in zip(expected, deciding, strict=True)), deciding


# --- Rulings ---------------------------------------------------------------------------------------------------------


def test_ruling_1_the_neutral_tile_of_two_players_is_hidden_from_every_viewer() -> None:
    state = dealt(2, f"deal {ALL}").state
    assert [None] * 3 == [state.observe(viewer).muse(13) for viewer in (Seat(0), Seat(1), None)]


def test_ruling_5_face_down_and_neutral_tiles_can_be_targets() -> None:
    tiles = {"calliope": "0,0 r1", "hidden1=clio": "1,0 b1", "thalia": "0,1 n1"}
    assert ["power calliope thalia", "power calliope hidden1"] == table(tiles, has_moved="calliope").options("power")


def test_ruling_12_a_power_before_the_move_must_leave_the_muse_a_move() -> None:
    line = {"clio": "0,0 r2", "terpsichore": "1,1 b1", "thalia": "2,2 y1"}
    assert table(line).options("power terpsichore"), "the effect gives her a move"
    stuck = {"clio": "0,0 r2", "calliope": "1,1 b1", "thalia": "2,2 y1"}
    assert [] == table(stuck).options("power calliope"), "no move before or after"


def test_ruling_19_teammates_do_not_see_each_others_tiles() -> None:
    state = dealt(4, f"deal {ALL}", "first red", "place clio n13 down").state
    assert (None, None) == state.observe(Seat(0)).held(Seat(2))
    assert state.observe(Seat(2)).muse(9) is None


def test_ruling_20_the_owner_of_a_hidden_tile_still_sees_it() -> None:
    state = dealt(4, f"deal {ALL}", "first red", "place clio n13 down").state
    assert "clio" == state.observe(Seat(0)).muse(9)


def test_ruling_22_three_hands_and_a_target() -> None:
    """The higher bonus belongs to the third hand alone, and the target does not change it."""
    assert [1, 1, 2] == [bonus_size(hand, 3, paid=hand > 1) for hand in (1, 2, 3)]
    tiles = {"calliope": "0,0 r5", "clio": "1,0 b1"}
    game = table(tiles, seats=2, powers="none", target=7, points=(5, 0)).play("step calliope n", "turn-up")
    assert ("target", (7, 0)) == (game.state.ended, game.state.points)


SLIDE = {"clio": "0,0 r1", "erato": "1,0 b1", "thalia": "2,1 y1"}


def slides(tiles: dict[str, str], muse: str) -> set[str]:
    game = table(tiles, diagonal_slide=True, powers="none")
    return {text.split()[2] for text in game.options(f"step {muse}")} & {"ne", "se", "sw", "nw"}


def test_ruling_23_a_diagonal_slide() -> None:
    assert {"ne", "se"} == slides(SLIDE, "clio"), "to the west she would lose the group"
    assert {"ne", "sw"} == slides({**SLIDE, "urania": "0,1 n1"}, "clio"), "both cells beside the southeast are full"
    assert {"ne"} == slides({**SLIDE, "urania": "1,1 n1"}, "clio"), "a slide pushes nobody"
    game = table(SLIDE, diagonal_slide=True, powers="none").play("step clio se")
    assert {"clio": "1,1 r2", "erato": "1,0 b1", "thalia": "2,1 y1"} == placed_tiles(game.state)
    assert {"n", "e", "s", "w"} >= {text.split()[2] for text in table(SLIDE, powers="none").options()}


def test_ruling_23_a_slide_counts_as_a_move_for_ruling_12() -> None:
    """Calliope joins two parts and cannot step, but she can slide to the southwest."""
    bridge = {"calliope": "0,0 r1", "clio": "-2,0 b1", "erato": "-1,-1 y1", "thalia": "0,2 r1", "urania": "1,1 b1"}
    assert [] == table(bridge).options("power calliope")
    sliding = table(bridge, diagonal_slide=True)
    assert ["step calliope sw"] == sliding.options("step calliope")
    assert ["power calliope erato", "power calliope urania"] == sliding.options("power calliope")
