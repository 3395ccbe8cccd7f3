"""A refusal of an action names the obstacle and the section of the rules."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.muscat import GAME
from engine.games.muscat.state import Muscat
from engine.match import Match
from engine.texts import Seat
from tests.games.muscat_positions import Table, table

BUSY: dict[str, Any] = {
    "markets": {
        "1A": "S1 E0 F0",
        "1B": "P1 S0",
        "2A": "S0 F2",
        "2B": "E1",
        "2C": "P0 S1 E2",
        "3A": "S0 F1",
        "3B": "S2 F0",
        "3C": "P1",
    },
    "streets": {2: "F0"},
    "faceup": {0: "S"},
}
"""A position in which Red is on turn, with a snake charmer face up and a fire eater in street 2."""

REFUSED = [
    ("place A", "Market 1A already has a snake charmer.", "4.1"),
    ("place street", "Nobody has to start in the street while a market has room: 1C.", "4.1"),
    ("place D", "“D” is not a market of level 1; with 3 players they are A, B and C.", "2.2"),
    ("cycle 2A", "Only two artists stand on 2A; a cycle needs three.", "4.2"),
    ("cycle 2B", "Only one artist stands on 2B; a cycle needs three.", "4.2"),
    ("cycle 4A", "Nobody stands on 4A; a cycle needs three.", "4.2"),
    ("cycle 2D", "There is no market “2D”; with 3 players they are 1A to 4C.", "2.2"),
    ("reemploy F 2D", "There is no market “2D”; with 3 players they are 1A to 4C.", "2.2"),
    ("reemploy F 2A", "Market 2A already has a fire eater.", "4.3"),
    ("reemploy F 2C", "Market 2C already holds three artists.", "4.3"),
    ("reemploy F 3C", "You have no fire eater in street 3.", "4.3"),
    ("reemploy P 2B", "You have no piper in street 2.", "4.3"),
    ("change S 2A 2D", "There is no market “2D”; with 3 players they are 1A to 4C.", "2.2"),
    ("change S 2D 2A", "There is no market “2D”; with 3 players they are 1A to 4C.", "2.2"),
    ("change S 2A 3B", "2A and 3B are on different levels.", "4.4"),
    ("change S 2A 2A", "2A is only one market; this takes two.", "4.4"),
    ("change S 2C 2A", "Your snake charmer is not on 2C.", "4.4"),
    ("change F 2A 2B", "Your fire eater is not on 2A.", "4.4"),
    ("change S 2A 2B", "Only one artist stands on 2B; a change of place goes to a pair.", "4.4"),
    ("change S 3A 3B", "Market 3B already has a snake charmer.", "4.4"),
    ("change S 2A 2C", "Market 2C already has a snake charmer.", "4.4"),
    ("change S 1B 1C", "Nobody stands on 1C; a change of place goes to a pair.", "4.4"),
    ("expel S 2A 3B", "2A and 3B are on different levels.", "4.5"),
    ("expel E 2A 2C", "Your elephant trainer is not on 2A.", "4.5"),
    ("expel S 2A 2B", "No snake charmer stands on 2B.", "4.5"),
    ("expel S 3A 3B", "Neither 3A nor 3B holds three artists.", "4.5"),
    ("transform 2A 2", "Only two artists stand on 2A; a transformation needs three.", "4.6"),
    ("transform 2D 2", "There is no market “2D”; with 3 players they are 1A to 4C.", "2.2"),
    ("transform 2C 5", "There is no street 5; they are 1 to 4.", "2.2"),
    ("transform 2C 2", "Your piper on 2C is not the weakest; that is the elephant trainer.", "4.6"),
    ("transform 1A 2", "You have no piper in street 2.", "4.6"),
    ("rise 2A", "“Rise” is not possible now. To decide: Choose one action.", "4"),
    ("pick 2A", "“Pick” is not possible now. To decide: Choose one action.", "4"),
    ("remove F 2", "“Remove” is not possible now. To decide: Choose one action.", "4"),
]


@pytest.mark.parametrize(("notation", "sentence", "rule"), REFUSED, ids=[notation for notation, _, _ in REFUSED])
def test_an_illegal_action_is_refused_with_a_reason(notation: str, sentence: str, rule: str) -> None:
    assert table(**BUSY).refusal(notation) == (sentence, rule)


def test_a_transformation_is_refused_unless_the_weakest_is_the_players_own() -> None:
    t = table(markets={"1A": "P0 S0 E1", "1B": "P1 S2 E2"}, streets={1: "F0"})
    assert t.refusal("transform 1A 1") == (
        "Your piper and snake charmer on 1A are not the weakest; that is the elephant trainer.",
        "4.6",
    )
    assert t.refusal("transform 1B 1") == ("None of your artists stands on 1B.", "4.6")


def test_a_full_market_accepts_no_artist() -> None:
    t = table(markets={"1A": "P1 E1 F1", "2A": "S0", "2B": "P1 E1 F2"}, streets={1: "P0"}, faceup={0: "S"})
    assert t.refusal("place A") == ("Market 1A already holds three artists.", "4.1")
    assert t.refusal("change S 2A 2B") == ("Market 2B already holds three artists.", "4.4")


def test_players_cannot_expel_their_own_artists() -> None:
    t = table(markets={"1A": "F0", "1B": "P1 E1 F0"}, streets={1: "P0"})
    assert t.refusal("expel F 1A 1B") == ("The fire eater on 1B is your own.", "4.5")


@pytest.mark.parametrize("notation", ["change S 2A 2B", "expel F 3A 3B"])
def test_a_special_action_has_a_price(notation: str) -> None:
    t = table(markets={"2A": "S0", "2B": "P1 F1", "3A": "F0", "3B": "P1 E2 F1"})
    assert t.refusal(notation) == ("This costs an artist in a street, and you have none there.", "4.7")


def test_drawing_from_an_empty_pile_is_refused() -> None:
    assert table(piles={0: ""}).refusal("draw") == ("Your pile is empty; there is nobody left to draw.", "4.1")


def test_bringing_in_an_artist_without_supply_is_refused() -> None:
    t = table(piles={0: ""}, faceup={0: ""}, streets={1: "P0"})
    assert t.refusal("place A") == ("You have no artist left to bring in.", "4.1")


def test_a_cycle_without_the_players_artist_is_refused_under_the_option() -> None:
    t = table(markets={"2A": "S1 E1 F2"}, cycle_needs_own_token=True)
    assert t.refusal("cycle 2A") == ("None of your artists stands on 2A; in this game you need one there.", "9")


def test_the_first_artists_start_on_empty_markets() -> None:
    t = _second_to_start()
    assert t.refusal("place A") == ("Somebody stands on 1A already; the first artists start on empty markets.", "3")
    assert t.refusal("place street")[1] == "2.2"
    assert t.refusal("draw") == (f"“Draw” is not possible now. To decide: {t.decision.prompt}", "3")


def _second_to_start() -> Table:
    match = Match.begin(GAME, GAME.setup(3), "first artists")
    match.play(Seat(0), match.parse("place A"))
    assert isinstance(match.state, Muscat)
    return Table(match.state)


def test_a_drawn_artist_is_refused_like_a_face_up_one() -> None:
    t = table(markets={"1A": "E1"}, luck="E").play("draw")
    assert t.refusal("place A") == ("Market 1A already has an elephant trainer.", "4.1")
    assert t.refusal("place street")[0].endswith("while a market has room: 1B and 1C.")
    assert t.refusal("cycle 1A")[0] == (
        "“Cycle” is not possible now. To decide: Place your elephant trainer on level 1."
    )


def test_the_refusal_of_a_rise_says_what_blocks_the_market() -> None:
    markets = {"2A": "S0 E1 F2", "3A": "S1", "3B": "P1 E2 F2"}
    t = table(markets=markets).play("cycle 2A")
    assert t.refusal("rise 3A") == ("Market 3A already has a snake charmer.", "5.3")
    assert t.refusal("rise 3B") == ("Market 3B already holds three artists.", "5.3")
    assert t.refusal("rise 2B") == ("A riser goes up: 2B is not above level 2.", "5.3")
    assert t.refusal("rise 4A") == ("No career jump to 4A while a market below has room.", "5.4")
    assert t.refusal("rise 4D")[1] == "2.2"
    assert t.refusal("place A") == (
        "“Place” is not possible now. To decide: Place your snake charmer on level 3.",
        "5.3",
    )


def test_the_second_is_refused_the_market_of_the_strongest() -> None:
    t = table(markets={"2A": "S0 E1 F2"}).play("cycle 2A", "rise 3B")
    assert t.refusal("rise 3B") == ("The strongest has just entered 3B; the second needs another market.", "5.3")


def test_only_a_market_of_the_expulsion_can_be_picked() -> None:
    t = table(markets={"1A": "S2 E1 F0", "1B": "P2 S2 F1", "1C": "P0 S0 E2"}, streets={1: "E0"})
    t.play("expel F 1A 1B")
    assert t.refusal("pick 1C") == ("The expulsion was between 1A and 1B; one of them is set in motion.", "4.5")
    assert t.refusal("cycle 1A")[1] == "4.5"


def test_only_the_players_own_artist_in_a_street_can_be_given_up() -> None:
    t = table(markets={"4A": "S0", "4B": "E1 F2"}, streets={1: "P0", 2: "P1"}).play("change S 4A 4B")
    assert t.refusal("remove P 2") == ("You have no piper in street 2.", "4.7")
    assert t.refusal("remove P 0") == ("There is no street 0; they are 1 to 4.", "2.2")
    assert t.refusal("draw")[1] == "4.7"
