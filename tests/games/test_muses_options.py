"""Options of the host (rule 10)."""

from __future__ import annotations

import dataclasses

from engine.games.muses import GAME
from engine.games.muses.options import MusesOptions
from tests.games.muses_positions import Table, dealt, placed_tiles, position, table

ALL = "calliope,clio,erato,euterpe,melpomene,polyhymnia,terpsichore,thalia,urania"
TILES = {"calliope": "0,0 r1", "clio": "1,1 b2", "thalia": "1,0 y1"}


def test_the_choices_match_the_rules_with_the_default_first() -> None:
    choices = {field.name: field.metadata["choices"] for field in dataclasses.fields(MusesOptions)}
    assert {
        "powers": ("house", "none"),
        "hands": (2, 1, 3),
        "target": (None, 7),
        "neutral_face_4p": ("up", "down"),
        "diagonal_slide": (False, True),
        "power_timing": ("either", "after"),
    } == choices
    assert all(field.default == choices[field.name][0] for field in dataclasses.fields(MusesOptions))


def test_every_option_is_described_in_the_rules() -> None:
    text = GAME.rulebook.sections["10"].text
    assert all(f"**{field.metadata['title']}**" in text for field in dataclasses.fields(MusesOptions))


def test_without_powers_a_turn_is_a_single_step() -> None:
    game = table(TILES, powers="none")
    assert {"step"} == {text.split()[0] for text in game.options()}
    assert 1 == game.play("step calliope s").due


def test_the_chosen_number_of_hands_is_played() -> None:
    for hands in (1, 2, 3):
        state = position({"calliope": "0,0 r5", "clio": "1,0 b1"}, hand=hands)
        game = Table(dataclasses.replace(state, setup=GAME.setup(3, {"hands": hands})))
        assert game.play("step calliope n", "turn-up").state.ended == "hands"
        game = Table(dataclasses.replace(state, hand=hands - 1, setup=GAME.setup(3, {"hands": hands})))
        assert game.play("step calliope n", "turn-up").state.ended is None


def test_with_four_players_the_neutral_tile_can_lie_face_down() -> None:
    assert {"hiddenN": "0,0 n1"} == placed_tiles(dealt(4, f"deal {ALL}", neutral_face_4p="down").state)
    assert {"urania": "0,0 n1"} == placed_tiles(dealt(4, f"deal {ALL}").state)


def test_with_powers_after_the_move_a_turn_begins_with_a_step() -> None:
    game = table(TILES, power_timing="after")
    assert {"step"} == {text.split()[0] for text in game.options()}
    assert game.play("step calliope s").options("power calliope")


def test_with_powers_before_or_after_a_turn_begins_with_either() -> None:
    assert {"step", "power"} == {text.split()[0] for text in table(TILES).options()}


def test_diagonal_slides_are_offered_in_addition_to_steps() -> None:
    ways = {text.split()[2] for text in table(TILES, diagonal_slide=True).options("step")}
    assert ways > {"n", "e", "s", "w"}
    assert ways - {"n", "e", "s", "w"} <= {"ne", "se", "sw", "nw"}
