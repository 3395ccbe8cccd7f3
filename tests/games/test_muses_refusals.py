"""A refusal of an action names the obstacle and the section of the rules, and never a face-down Muse."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.muses import GAME
from engine.games.muses.state import Muses
from engine.match import Match
from engine.texts import Seat
from tests.games.muses_positions import Table, table

LINE = {"clio": "0,0 r1", "calliope": "1,1 b1", "hidden1=thalia": "2,2 y3", "melpomene": "3,2 n2"}
"""Calliope joins Clio with the others."""

BLOCK = {
    "clio": "0,0 r3",
    "urania": "1,0 b1",
    "polyhymnia": "0,1 y1",
    "hidden1=thalia": "1,1 b4",
    "euterpe": "2,0 n1",
    "melpomene": "3,1 y1",
}

SPLIT = "The tiles would no longer be one group: "
STUCK = "Calliope could not move afterward; a Muse that uses her power first must then move."

STEPS: list[tuple[dict[str, str], str, str | None, str]] = [
    (
        LINE,
        "step calliope n",
        SPLIT + "Melpomene and Blue’s hidden Muse would be cut off.",
        "5.2",
    ),
    (LINE, "step clio w", SPLIT + "Clio would be alone.", "5.2"),
    (LINE, "step hidden1 s", SPLIT + "Calliope and Clio would be cut off.", "5.2"),
    (LINE, "step clio se", "A Muse steps north, east, south or west, never diagonally.", "5"),
    (LINE, "step thalia n", "Thalia does not lie on the table under this name.", "2.4"),
    (LINE, "step hidden0 n", "Red’s hidden Muse does not lie on the table under this name.", "2.4"),
    (LINE, "step hidden3 n", "3 play here, so nobody owns “hidden3”.", "2.4"),
    (LINE, "done", "Nobody has moved yet: every turn has one move.", "5"),
]

POWERS: list[tuple[dict[str, str], str, str | None, str]] = [
    (
        LINE,
        "power calliope clio",
        "Calliope could not move afterward; a Muse that uses her power first must then move.",
        "6.1",
    ),
    (LINE, "power erato clio", "Erato does not lie on the table under this name.", "2.4"),
    (LINE, "power hidden1 clio", "Blue’s hidden Muse lies face down; only face-up Muses have powers.", "6"),
    (LINE, "power clio melpomene", "Melpomene does not touch Clio.", "6"),
    (LINE, "power clio thalia", "Thalia does not lie on the table under this name.", "2.4"),
    (LINE, "power clio m13", "“M13” is not a tile on the table.", "2.4"),
    (
        LINE,
        "power clio calliope",
        "Clio needs one neighbor’s die, which has to stay between 1 and 6.",
        "6.2",
    ),
    (LINE, "power clio", "Clio needs one neighbor’s die, which has to stay between 1 and 6.", "6.2"),
    (LINE, "power calliope clio,hidden1", None, "6.2"),
    (BLOCK, "power euterpe urania", "Euterpe needs one neighbor whose die shows a different value from hers.", "6.2"),
    (BLOCK, "power urania clio,a1", None, "6.2"),
    (BLOCK, "power urania clio,m13", None, "6.2"),
    (BLOCK, "power urania melpomene,n12", "Melpomene does not touch Urania.", "6"),
    (BLOCK, "power polyhymnia", "Polyhymnia uses the power of a face-up neighbor: say first whose.", "6.2"),
    (BLOCK, "power polyhymnia hidden1", "Blue’s hidden Muse lies face down; only face-up Muses have powers.", "6.2"),
    (BLOCK, "power polyhymnia euterpe,urania", "Euterpe does not touch Polyhymnia.", "6"),
    (BLOCK, "power polyhymnia clio,urania", None, "6.2"),
]


@pytest.mark.parametrize(("tiles", "notation", "sentence", "rule"), STEPS + POWERS)
def test_an_illegal_action_at_the_start_of_a_turn_is_refused_with_a_reason(
    tiles: dict[str, str], notation: str, sentence: str | None, rule: str
) -> None:
    text, section = table(tiles).refusal(notation)
    assert rule == section
    assert sentence in (None, text)
    assert "halia" not in text or "thalia" in notation, "nobody hears who lies face down"


MOVED: dict[str, Any] = {"has_moved": "clio"}
USED: dict[str, Any] = {"must_move": "clio"}


@pytest.mark.parametrize(
    ("told", "notation", "sentence", "rule"),
    [
        (MOVED, "step clio n", "Clio has moved; a turn has only one move.", "5"),
        (MOVED, "power urania clio,n12", "Clio has moved this turn; nobody else may use a power.", "6.1"),
        (MOVED, "power clio urania", None, "6.2"),
        (USED, "step urania n", "Clio has used her power this turn, so she is the one to move.", "6.1"),
        (USED, "step clio se", "A Muse steps north, east, south or west, never diagonally.", "5"),
        (USED, "power clio hidden1", "Clio has used her power; a turn has only one.", "6"),
        (USED, "done", "Clio has used her power; now she must move.", "6.1"),
        ({"power_timing": "after"}, "power clio hidden1", "In this game a Muse uses her power after her move.", "10"),
        ({"powers": "none"}, "power clio hidden1", "Clio has no power in this game.", "6"),
    ],
)
def test_an_illegal_action_later_in_a_turn_is_refused_with_a_reason(
    told: dict[str, Any], notation: str, sentence: str | None, rule: str
) -> None:
    text, section = table(BLOCK, **told).refusal(notation)
    assert rule == section
    assert sentence in (None, text)


@pytest.mark.parametrize(
    ("notation", "sentence", "rule"),
    [
        ("step clio se", "Thalia lies on N14; a slide needs a free cell and pushes nobody.", "10"),
        ("step clio ne", "Erato and Urania leave no way past the corner to N12.", "10"),
        ("step clio sw", None, "5.2"),
    ],
)
def test_an_illegal_diagonal_slide_is_refused_with_a_reason(notation: str, sentence: str | None, rule: str) -> None:
    tiles = {"clio": "0,0 r1", "thalia": "1,1 b1", "erato": "0,-1 b1", "urania": "1,0 r1", "euterpe": "2,1 r1"}
    text, section = table(tiles, diagonal_slide=True).refusal(notation)
    assert rule == section
    assert sentence in (None, text)


def test_a_slide_past_one_corner_is_refused_for_the_tiles_that_it_would_cut_off() -> None:
    tiles = {"clio": "0,0 r1", "erato": "0,-1 b1", "urania": "0,1 b1", "euterpe": "0,2 r1"}
    assert "5.2" == table(tiles, diagonal_slide=True).refusal("step clio nw")[1]


LAYING: dict[str, Any] = {"hands": ("erato thalia", "urania", ""), "seat": 0}


@pytest.mark.parametrize(
    ("notation", "sentence", "rule"),
    [
        ("place urania m14 up", "You do not hold Urania; you hold Erato and Thalia.", "4"),
        ("place clio m14 up", "You do not hold Clio; you hold Erato and Thalia.", "4"),
        ("place erato m13 up", "Calliope lies on M13.", "4"),
        ("place erato n13 up", "Blue’s hidden Muse lies on N13.", "4"),
        ("place erato z26 up", "“ZZ26” is not an empty cell beside a tile; L12 is one.", "4"),
        ("step calliope n", "“Step” is not possible now. To decide: Lay a Muse.", "4"),
    ],
)
def test_an_illegal_tile_placement_is_refused_with_a_reason(notation: str, sentence: str, rule: str) -> None:
    game = table({"calliope": "0,0 r1", "hidden1=clio": "1,0 b1"}, **LAYING)
    assert (sentence, rule) == game.refusal(notation)


def test_a_first_tile_outside_the_middle_is_refused() -> None:
    game = table({}, hands=("erato", "urania", "clio"))
    assert ("The first tile of a hand goes to M13.", "4") == game.refusal("place erato n13 down")


def test_a_second_muse_cannot_be_hidden_and_the_last_one_must_be() -> None:
    hidden = table({"hidden0=clio": "0,0 r1"}, hands=("erato", "urania", ""))
    sentence = "You have hidden a Muse already; all others lie face up."
    assert (sentence, "4.1") == hidden.refusal("place erato m14 down")
    last = table({"clio": "0,0 r1"}, hands=("erato", "urania", ""))
    sentence = "Everyone hides one Muse, and this is your last one: she goes face down."
    assert (sentence, "4.1") == last.refusal("place erato m14 up")


def test_a_seat_cannot_act_during_a_chance_decision() -> None:
    game = Match(GAME, GAME.setup(2), "seed")
    assert isinstance(game.state, Muses)
    refusal = Table(game.state).state.refuse(Seat(0), game.parse("done"))
    assert "3" == refusal.rule
