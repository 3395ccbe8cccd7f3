"""Names and consequences of the options of Dance of Muses, and stories of its games."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest

from engine.coaching import ideas
from engine.core import CHANCE, Action
from engine.games.muses import GAME
from engine.games.muses.actions import Power, Step
from engine.games.muses.cells import cell_name
from engine.games.muses.floor import TOP, Floor
from engine.games.muses.frames.luck import Rolling, TurningUp
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS
from engine.texts import Seat
from engine.wording import Voice
from kit.playouts import LIGHT, Case, some_steps, steps_of
from tests.engine.playouts import cases
from tests.games.muses_positions import position

NAMES = ("Bartholomäus", "Maximilianus", "Xenophonidas", "Wilhelminahe")
HOUSE = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")
OTHER_TABLE = HOUSE.replace('"swap_places"\nwhose = "own"', '"swap_places"\nwhose = "two neighbors"').replace(
    '"copy_die"\nwhose = "neighbor"', '"copy_die"\nwhose = "own"'
)
"""The powers that the house does not use in place of their like."""

CASES = [case for case in cases() if case.spec is GAME]
CASES += [Case("muses with other powers", GAME, GAME.setup(3, {"powers": OTHER_TABLE}), LIGHT)]


def choices_of(*kinds: type[Action]) -> Iterator[tuple[Muses, Voice, Any, Floor]]:
    """Options in random games: the position as its seat sees it, its voice, the option, and the dice after it."""
    for case in CASES:
        for _, step in some_steps(case, 60):
            state = step.before.observe(step.seat)
            assert isinstance(state, Muses)
            (decision,) = state.decisions()
            for action in (action for action in decision.options if isinstance(action, kinds)):
                yield state, voice(state, step.seat), action, state.apply(step.seat, action)[0].floor  # type: ignore[attr-defined]


def voice(state: Muses, seat: Seat) -> Voice:
    return Voice(NAMES[: state.seats], seat, state)


@pytest.mark.parametrize(
    ("die", "line"),
    [
        ("r2", "Your die on Thalia equals her 2 suns, so it counts 6 at the end: leave it there."),
        ("r1", "Your die on Thalia shows 1; at 2, equal to her suns, it counts 6 at the end."),
        ("r3", "A die equal to the suns of its tile becomes a 6 at the end"),
        ("r5", "The Red die on Thalia shows 5, and a 6 ends the hand"),
    ],
)
def test_advice_names_the_muse_whose_die_matters(die: str, line: str) -> None:
    state = position({"thalia": f"0,0 {die}", "erato": "1,0 b1"})
    assert voice(state, Seat(0)).say(ideas(state)[0]).startswith(line)


WITHOUT = {"powers": "none"}
LAID, HID = {"clio": "0,0 r1"}, {"clio": "0,0 r1", "hidden0=thalia": "1,0 r1"}
LAYING: list[tuple[dict[str, str], str, dict[str, Any], str]] = [
    (LAID, "urania calliope", {}, "You hide one Muse"),
    (LAID, "urania", {}, "Your last Muse goes face down"),
    (HID, "urania calliope", {}, "Moving a face-up Muse lets a player use her power"),
    (HID, "urania", WITHOUT, "Tiles in the same row or column push each other"),
]


@pytest.mark.parametrize(("tiles", "hand", "options", "line"), LAYING)
def test_advice_on_laying_knows_who_is_hidden_and_whether_there_are_powers(
    tiles: dict[str, str], hand: str, options: dict[str, Any], line: str
) -> None:
    state = position(tiles, hands=(hand, "", ""), **options)
    assert str(ideas(state)[1]).startswith(line)
    assert ("Lay your last Muse." == str(state.decisions()[0].prompt)) == (" " not in hand)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, "Face up, it may use its power before or after."),
        ({"power_timing": "after"}, "If face up, it may then use its power."),
        (WITHOUT, "its die and those of the tiles it pushes go up by 1."),
    ],
)
def test_advice_on_a_step_knows_when_powers_are_used(options: dict[str, Any], line: str) -> None:
    assert str(ideas(position({"clio": "0,0 r1", "erato": "1,0 b1"}, **options))[1]).endswith(line)


def test_advice_is_about_dice_of_the_players_own_company() -> None:
    tiles = {"thalia": "0,0 b2", "urania": "1,0 r1"}
    assert ["Urania", "Thalia"] == [str(ideas(position(tiles, seat=seat, seats=4))[0]).split()[3] for seat in (2, 3)]
    five = position({"thalia": "0,0 b2", "erato": "1,0 r5"}, seat=2)
    assert str(ideas(five)[0]).startswith("The Red die on Erato shows 5")


def test_a_muse_to_lay_is_named_with_her_suns_and_the_tiles_beside_her_cell() -> None:
    around = {
        "clio": "0,0 r1",
        "erato": "1,0 b1",
        "euterpe": "0,1 y1",
        "melpomene": "2,1 y1",
        "hidden1=thalia": "3,0 b1",
    }
    state = position(around, hands=("urania", "calliope", "")).observe(Seat(0))
    speaking, options = voice(state, Seat(0)), state.decisions()[0].options
    assert BESIDE <= {speaking.field(option, "cell") for option in options}
    assert {"Urania (3 suns)"} == {speaking.field(option, "muse") for option in options}
    assert {"3 suns, known only to you; no power while hidden"} == {*map(speaking.gloss, options)}


BESIDE = {
    "M12 beside Clio and Erato",
    "P12 beside 2 tiles",
    "R12 beside Maximilianus’s hidden Muse",
    "P13 beside 3 tiles",
    "N14 beside 4 tiles",
    "L15 beside Euterpe",
}


@pytest.mark.parametrize(
    ("options", "power", "end"),
    [
        ({}, True, "After 2 hands, most points wins."),
        (WITHOUT, False, "After 2 hands, most points wins."),
        ({"target": 7}, True, "After 2 hands, or at 7 points, most points wins."),
    ],
)
def test_the_summary_follows_the_options(options: dict[str, Any], power: bool, end: str) -> None:
    lines = GAME.short_in(GAME.setup(3, options)) or pytest.fail("no summary")
    assert power == ("power" in str(lines.turn))
    assert str(lines.end).endswith(end)


# --- Whether it is true ----------------------------------------------------------------------------------------------


def dice(floor: Floor) -> dict[int, tuple[int, int, int]]:
    rows = zip(floor.tiles, floor.cells, floor.values, floor.colors, strict=True)
    return {tile: (cell, value, color) for tile, cell, value, color in rows}


COLORS = {"Neutral": -1, "Red": 0, "Blue": 1, "Yellow": 2}


def test_a_gloss_names_every_change_of_a_die_and_the_end_of_the_hand() -> None:
    """Every old and new value is that of a die which really changes so; a hand that ends is told to end."""
    for state, speaking, action, after in choices_of(Step, Power):
        gloss = speaking.gloss(action)
        results = [(COLORS[c], int(old), int(new)) for c, old, new in re.findall(r"(\w+)(?: die)? (\d) → (\d)", gloss)]
        before, now = dice(state.floor), dice(after)
        changes = [(before[t][2], before[t][1], now[t][1]) for t in before if before[t][1:] != now[t][1:]]
        if many := re.search(r"pushes (\d) tiles, \+1", gloss):
            assert int(many[1]) + 1 == len(changes)
            assert set(results) <= set(changes)
        elif results or isinstance(action, Step):
            assert sorted(results) == sorted(changes)
        assert ("the hand ends" in gloss) == (TOP in after.values)


def test_a_step_is_labeled_by_its_target_cell() -> None:
    for _, speaking, action, after in choices_of(Step):
        cell = cell_name(after.cells[after.index(action.muse)])
        assert speaking.label(action).endswith(f" {action.way.label} to {cell.label}")


TILES = {"clio": "0,0 r3", "calliope": "1,0 b2", "erato": "2,0 n5", "hidden1=thalia": "0,1 y2", "urania": "1,1 r2"}


@pytest.mark.parametrize(
    ("moved", "options"),
    [
        (
            "clio",
            {"Calliope: die 2 → 1": "Blue die 2 → 1", "Maximilianus’s hidden Muse: die 2 → 1": "Yellow die 2 → 1"},
        ),
        ("calliope", {"Clio: die 3 → 4": "Red die 3 → 4", "Erato: die 5 → 6": "Neutral die 5 → 6: the hand ends"}),
        ("calliope", {"Urania: die 2 → 3": "Red die 2 → 3: equal to her suns"}),
        ("erato", {"Swap dice with Calliope": "Blue die 2 to Erato; Neutral die 5 to Calliope"}),
        (
            "urania",
            {"Clio to P14": "from M13, with its Red die 3", "Done": "without her power; it is Maximilianus’s turn"},
        ),
    ],
)
def test_a_power_is_labeled_by_its_effect(moved: str, options: dict[str, str]) -> None:
    state = position(TILES, has_moved=moved).observe(Seat(0))
    (decision,) = state.decisions()
    speaking = voice(state, decision.seat)
    assert options.items() <= {speaking.label(a): speaking.gloss(a) for a in decision.options}.items()


def test_an_option_names_the_muse_who_uses_her_power_and_its_target_alone_does_not() -> None:
    state = position(TILES).observe(Seat(0))
    power = next(option for option in state.decisions()[0].options if isinstance(option, Power) and option.on)
    label, target = voice(state, Seat(0)).label(power), voice(state, Seat(0)).field(power, "on")
    assert f"{target} ({power.muse.label.capitalize()})".lower() == label.lower()


def test_only_the_owner_of_a_hidden_muse_sees_her_name() -> None:
    state = position({"hidden1=clio": "0,0 b2", "erato": "1,0 r1", "thalia": "0,1 y1"}, seat=1)
    step = next(a for a in state.decisions()[0].options if isinstance(a, Step) and NUMBERS[a.muse] >= FIRST_HIDDEN)
    for viewer, name in ((1, "Your hidden Muse (Clio) on M13"), (0, "Maximilianus’s hidden Muse on M13")):
        seen = state.observe(Seat(viewer))
        assert name == voice(seen, Seat(viewer)).field(step, "muse")


def test_odds_name_the_muses_to_be_turned_up_and_count_the_seats() -> None:
    seen = set()
    for step in (step for step in steps_of(GAME) if step.seat == CHANCE):
        state = step.before
        assert isinstance(state, Muses)
        text = str(state.observe(None).odds())
        seen.add(type(state.frames[-1]))
        if isinstance(state.frames[-1], TurningUp):
            hidden = [state.muse(tile) for tile in state.floor.tiles if tile >= FIRST_HIDDEN]
            names = [f"{m.label} ({state.muse_table.suns[NUMBERS[m]]} sun" for m in hidden if m]
            assert len(names) == len(hidden) == text.count("sun")
            assert all(name in text for name in names)
        elif isinstance(state.frames[-1], Rolling):
            assert f"Everyone has a 1 in {state.seats} chance of going first." == text
    assert {TurningUp, Rolling} <= seen
