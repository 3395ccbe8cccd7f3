"""The house powers, one by one (rule 6.2), and what all have in common (rule 6)."""

from __future__ import annotations

import pytest

from engine.games.muses import GAME
from engine.games.muses.muse_table import table_of
from engine.games.muses.tiles import MUSES
from engine.wording import Voice
from tests.games.muses_positions import placed_tiles, position, table


def after_move(tiles: dict[str, str], muse: str) -> list[str]:
    """Targets of a Muse's power after her move; empty for a power without one."""
    game = table(tiles, has_moved=muse)
    return [text.split(" ", 2)[2] if text.count(" ") > 1 else "" for text in game.options("power")]


def floor_after(tiles: dict[str, str], notation: str) -> dict[str, str]:
    return placed_tiles(table(tiles, has_moved=notation.split()[1]).play(notation).state)


def test_three_muses_have_1_sun_three_have_2_and_three_have_3() -> None:
    suns = table_of("house").suns
    assert {"calliope": 3, "clio": 2, "erato": 1, "euterpe": 3, "melpomene": 1, "polyhymnia": 2} == dict(
        zip(map(str, MUSES[:6]), suns, strict=False)
    )
    assert [3, 3, 3] == [suns.count(number) for number in (1, 2, 3)]


def test_calliope_adds_1_to_the_die_of_a_neighbor() -> None:
    tiles = {"calliope": "0,0 r1", "clio": "1,1 b4", "hidden0=thalia": "0,1 y5", "urania": "2,2 n1"}
    assert ["clio", "hidden0"] == after_move(tiles, "calliope")
    assert "1,1 b5" == floor_after(tiles, "power calliope clio")["clio"]


def test_clio_takes_1_from_the_die_of_a_neighbor_that_shows_2_or_more() -> None:
    tiles = {"clio": "0,0 r4", "calliope": "1,1 b1", "hidden0=thalia": "0,1 y2", "urania": "2,2 n3"}
    assert ["hidden0"] == after_move(tiles, "clio")
    assert "0,1 y1" == floor_after(tiles, "power clio hidden0")["hidden0"]


def test_erato_exchanges_her_die_color_and_value_with_that_of_a_neighbor() -> None:
    tiles = {"erato": "0,0 r4", "calliope": "1,1 b1", "hidden0=thalia": "0,1 n2"}
    assert {"erato": "0,0 b1", "calliope": "1,1 r4"}.items() <= floor_after(tiles, "power erato calliope").items()
    assert {"erato": "0,0 n2", "hidden0": "0,1 r4"}.items() <= floor_after(tiles, "power erato hidden0").items()


def test_euterpe_gives_a_neighbor_the_value_of_her_die_if_they_differ() -> None:
    tiles = {"euterpe": "0,0 r4", "calliope": "1,1 b1", "hidden0=thalia": "0,1 y4"}
    assert ["calliope"] == after_move(tiles, "euterpe")
    assert {"euterpe": "0,0 r4", "calliope": "1,1 b4"}.items() <= floor_after(tiles, "power euterpe calliope").items()


def test_melpomene_takes_1_from_her_own_die_that_shows_2_or_more() -> None:
    tiles = {"melpomene": "0,0 r2", "calliope": "1,1 b1"}
    assert [""] == after_move(tiles, "melpomene")
    assert "0,0 r1" == floor_after(tiles, "power melpomene")["melpomene"]
    assert [] == table({"melpomene": "0,0 r1", "calliope": "1,1 b1"}).options("power melpomene")


def test_terpsichore_swaps_places_with_a_neighbor_and_each_keeps_its_die() -> None:
    tiles = {"terpsichore": "0,0 r4", "calliope": "1,1 b1", "hidden0=thalia": "0,1 y4"}
    assert {"terpsichore": "0,1 r4", "hidden0": "0,0 y4"}.items() <= floor_after(
        tiles, "power terpsichore hidden0"
    ).items()


def test_thalia_exchanges_the_dice_of_two_neighbors_each_pair_once() -> None:
    tiles = {"thalia": "0,0 r4", "calliope": "1,1 b1", "hidden0=clio": "0,1 y5", "erato": "1,0 n2", "urania": "2,2 r1"}
    assert ["calliope,erato", "calliope,hidden0", "erato,hidden0"] == after_move(tiles, "thalia")
    assert {"calliope": "1,1 y5", "hidden0": "0,1 b1"}.items() <= floor_after(
        tiles, "power thalia calliope,hidden0"
    ).items()


def test_thalia_needs_two_neighbors() -> None:
    assert 1 == table({"thalia": "0,0 r4", "calliope": "1,0 b1"}).play("step thalia e").due


def test_urania_moves_a_neighbor_to_an_empty_cell_beside_her_that_keeps_one_group() -> None:
    tiles = {"urania": "0,0 r1", "clio": "1,0 b3", "thalia": "2,1 y1"}
    assert ["clio,n14"] == after_move(tiles, "urania")
    assert "1,1 b3" == floor_after(tiles, "power urania clio,n14")["clio"]


def test_polyhymnia_uses_the_power_of_a_face_up_neighbor_as_her_own() -> None:
    tiles = {"polyhymnia": "0,0 r2", "melpomene": "1,0 b5", "hidden0=calliope": "0,1 y3", "thalia": "1,1 n1"}
    moves = after_move(tiles, "polyhymnia")
    assert ["melpomene", "thalia,melpomene,thalia", "thalia,melpomene,hidden0", "thalia,thalia,hidden0"] == moves
    assert "0,0 r1" == floor_after(tiles, "power polyhymnia melpomene")["polyhymnia"]


def test_a_power_borrowed_by_polyhymnia_works_from_her_cell() -> None:
    """Urania's power moves neighbors of Polyhymnia around Polyhymnia."""
    tiles = {"polyhymnia": "0,0 r2", "urania": "1,0 b5", "thalia": "0,1 y3"}
    result = after_move(tiles, "polyhymnia")
    assert "urania,thalia,l12" in result
    assert "urania,urania,l13" in result
    assert "-1,-1 y3" == floor_after(tiles, "power polyhymnia urania,thalia,l12")["thalia"]


def test_actions_with_the_same_result_stay_different_actions() -> None:
    tiles = {"polyhymnia": "0,0 r2", "erato": "1,0 b2", "thalia": "0,1 y3"}
    moves = after_move(tiles, "polyhymnia")
    assert {"erato,thalia", "erato,erato", "thalia,erato,thalia"} <= set(moves)


@pytest.mark.parametrize("power", ["carry", "places"])
def test_powers_move_tiles_without_adding_1(power: str) -> None:
    if power == "carry":
        tiles = {"urania": "0,0 r1", "clio": "1,0 b3", "thalia": "1,1 y1"}
        assert "1,-1 b3" == floor_after(tiles, "power urania clio,n12")["clio"]
    else:
        tiles = {"terpsichore": "0,0 r4", "calliope": "1,1 b1"}
        assert {"terpsichore": "1,1 r4", "calliope": "0,0 b1"} == floor_after(tiles, "power terpsichore calliope")


def test_an_exchange_of_equal_dice_is_allowed() -> None:
    assert ["calliope"] == after_move({"erato": "0,0 r1", "calliope": "1,1 r1"}, "erato")


def test_a_power_without_a_target_is_not_offered() -> None:
    assert [] == table({"clio": "0,0 r4", "calliope": "1,1 b1"}).options("power clio")


def test_the_player_on_turn_can_use_a_power_on_a_rivals_die() -> None:
    """Blue uses Melpomene, who carries Red's die."""
    state = position({"melpomene": "0,0 r3", "calliope": "1,1 b1"}, seat=1, has_moved="melpomene")
    game = table({"melpomene": "0,0 r3", "calliope": "1,1 b1"}, seat=1, has_moved="melpomene")
    assert "0,0 r2" == placed_tiles(game.play("power melpomene").state)["melpomene"]
    assert "0,0 r3" == placed_tiles(state)["melpomene"]


def test_the_power_of_a_face_up_neutral_muse_may_be_used() -> None:
    tiles = {"calliope": "0,0 n2", "clio": "0,1 r3", "erato": "1,1 b4"}
    assert "power calliope clio" in table(tiles).options("power calliope")
    assert "power calliope clio" in table(tiles, has_moved="calliope").options("power calliope")
    covered = {"hiddenN=calliope": "0,0 n2", "clio": "0,1 r3", "erato": "1,1 b4"}
    assert [] == table(covered).options("power hiddenN")
    assert "so may the Neutral one if she lies face up" in GAME.rulebook.sections["6"].text


def test_every_use_of_a_power_is_announced() -> None:
    tiles = {"polyhymnia": "0,0 r2", "erato": "1,0 b2", "urania": "0,1 y3"}
    game = table(tiles, has_moved="polyhymnia").play("power polyhymnia erato,urania")
    assert ["Red lets Polyhymnia use Erato’s power.", "Polyhymnia and Urania swap dice."] == game.sentences()
    lift = table(tiles, has_moved="urania").play("power urania erato,l14")
    assert ["Red uses Urania’s power.", "Erato moves from N13 to L14."] == lift.sentences()


def test_a_typed_use_of_a_borrowed_power_copies_no_die_of_its_lender() -> None:
    tiles = {"polyhymnia": "0,0 r2", "melpomene": "1,0 b5", "euterpe": "0,1 y3"}
    game = table(tiles, has_moved="polyhymnia")
    voice = Voice(game.match.names, state=game.state)
    typed = game.match.parse("power polyhymnia melpomene")
    assert "Her own die 2 → 1 (as Melpomene)" == voice.label(typed)
