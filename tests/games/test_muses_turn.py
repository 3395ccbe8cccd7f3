"""The move, pushing, and the group rule (rule 5); the same Muse's power before or after it (rule 6.1)."""

from __future__ import annotations

import pytest

from tests.games.muses_positions import placed_tiles, table

PAIR = {"clio": "0,0 r1", "hidden1=erato": "1,0 b1", "calliope": "0,1 n1", "thalia": "1,1 r2"}
"""Own, foreign, face down and Neutral, all in a block."""


@pytest.mark.parametrize("tile", ["clio", "hidden1", "calliope", "thalia"])
def test_any_tile_may_be_moved_regardless_of_owner(tile: str) -> None:
    assert table(PAIR, power_timing="after").options(f"step {tile}")


def test_a_step_goes_one_cell_north_east_south_or_west_and_never_diagonally() -> None:
    game = table({"clio": "0,0 r1", "erato": "1,1 b1", "thalia": "0,2 r1"}, powers="none")
    ways = {text.split()[2] for text in game.options("step")}
    assert ways <= {"n", "e", "s", "w"}
    assert {"clio": "0,1 r2"}.items() <= placed_tiles(game.play("step clio s").state).items()


def test_a_step_pushes_any_number_of_tiles_in_the_way() -> None:
    row = {"calliope": "0,0 r1", "clio": "1,0 r1", "erato": "2,0 b1", "hidden0=urania": "3,0 b1", "thalia": "4,0 n1"}
    game = table(row, powers="none").play("step calliope e")
    pushed = {"calliope": "1,0 r2", "clio": "2,0 r2", "erato": "3,0 b2", "hidden0": "4,0 b2", "thalia": "5,0 n2"}
    assert pushed == placed_tiles(game.state)
    assert [
        "Red: Calliope steps east to N13 and pushes Clio, Erato, their own hidden Muse and Thalia."
    ] == game.sentences()


def test_a_chain_ends_at_the_first_empty_cell() -> None:
    game = table({"calliope": "0,0 r1", "clio": "1,0 r1", "erato": "3,0 b1", "thalia": "2,1 n1"}, powers="none")
    assert {"clio": "2,0 r2", "erato": "3,0 b1"}.items() <= placed_tiles(game.play("step calliope e").state).items()


def test_every_tile_that_moves_gains_1_and_no_other_does() -> None:
    before = {"calliope": "0,0 r1", "clio": "1,0 b4", "thalia": "0,1 n3"}
    game = table(before, powers="none").play("step calliope e")
    assert {"calliope": "1,0 r2", "clio": "2,0 b5", "thalia": "0,1 n3"} == placed_tiles(game.state)


def test_after_the_move_all_tiles_must_form_one_group() -> None:
    game = table({"clio": "0,0 r1", "erato": "1,1 b1", "thalia": "2,2 y1"})
    assert ["step clio e", "step clio s", "step thalia n", "step thalia w"] == game.options("step")


def test_tiles_may_be_separated_during_a_move() -> None:
    """While Clio slides away Erato touches no other Muse; at the end she touches Thalia again."""
    ring = {"clio": "0,0 r1", "erato": "1,0 b1", "thalia": "3,0 y1", "urania": "3,1 y1", "calliope": "2,1 r1"}
    assert "step clio e" in table(ring).options("step")


def test_a_turn_has_exactly_one_move_and_no_pass() -> None:
    game = table(PAIR, powers="none")
    assert set(game.options()) == set(game.options("step"))
    assert 1 == game.play("step clio w").due


def test_a_turn_ends_automatically_when_no_power_can_be_used() -> None:
    lonely = {"clio": "0,0 r1", "erato": "1,1 b1", "thalia": "2,1 y1"}
    assert 1 == table(lonely).play("step clio s").due  # Clio finds no die above 1 but her own


def test_a_turn_ends_automatically_after_the_power() -> None:
    game = table({"calliope": "0,0 r1", "erato": "1,1 b1"}).play("step calliope s")
    assert ["power calliope erato", "done"] == game.options()
    assert 1 == game.play("power calliope erato").due
    first = table({"calliope": "0,0 r1", "erato": "1,1 b1"}).play("power calliope erato", "step calliope s")
    assert 1 == first.due


def test_done_skips_the_power() -> None:
    game = table({"calliope": "0,0 r1", "erato": "1,1 b1"}).play("step calliope s", "done")
    assert (1, {"calliope": "0,1 r2", "erato": "1,1 b1"}) == (game.due, placed_tiles(game.state))


def test_after_a_power_the_same_muse_must_move() -> None:
    game = table({"calliope": "0,0 r1", "erato": "1,1 b1"}).play("power calliope erato")
    assert {"step calliope"} == {text.rpartition(" ")[0] for text in game.options()}


def test_after_the_move_only_the_muse_that_stepped_may_use_her_power() -> None:
    """Erato was pushed and has a power of her own."""
    game = table({"calliope": "0,0 r1", "erato": "1,0 b1"}).play("step calliope e")
    assert ["power calliope erato", "done"] == game.options()


def test_a_face_down_tile_has_no_power() -> None:
    game = table({"hidden0=calliope": "0,0 r1", "erato": "1,1 b1"})
    assert [] == game.options("power hidden0")
    assert 1 == game.play("step hidden0 s").due


def test_the_power_of_a_rivals_or_neutral_muse_may_be_used() -> None:
    game = table({"calliope": "0,0 b1", "erato": "1,1 n1"})
    assert game.options("power calliope")
    assert game.options("power erato")


def test_a_muse_that_cannot_move_may_use_her_power_only_if_that_frees_her() -> None:
    """Terpsichore joins two ends of a line; in the place of an end she can move."""
    line = {"clio": "0,0 r2", "terpsichore": "1,1 b1", "thalia": "2,2 y1"}
    game = table(line)
    assert [] == game.options("step terpsichore")
    assert ["power terpsichore clio", "power terpsichore thalia"] == game.options("power terpsichore")
    stuck = table({"clio": "0,0 r2", "calliope": "1,1 b1", "thalia": "2,2 y1"})
    assert [] == stuck.options("power calliope")


def test_a_muse_may_not_use_her_power_if_she_could_not_move_afterwards() -> None:
    """Terpsichore at the end would change into the middle of the line, where no Muse moves."""
    line = {"terpsichore": "0,0 r2", "clio": "1,1 b1", "thalia": "2,2 y1"}
    game = table(line)
    assert game.options("step terpsichore")
    assert [] == game.options("power terpsichore")


def test_a_power_that_ends_the_hand_needs_only_a_muse_that_could_have_moved() -> None:
    game = table({"calliope": "0,0 r1", "erato": "1,1 b5"}).play("power calliope erato")
    assert game.over


def test_a_muse_without_a_legal_move_cannot_end_the_hand_with_her_power() -> None:
    stuck = table({"clio": "0,0 r5", "calliope": "1,1 b1", "thalia": "2,2 y1"})
    assert [] == stuck.options("power calliope")


def test_the_turn_passes_clockwise() -> None:
    game = table(PAIR, powers="none", seat=2)
    assert 0 == game.play("step clio w").due
