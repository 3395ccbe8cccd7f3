"""Every refused action says why, and which section says so."""

from __future__ import annotations

import pytest

from engine import GameSpec, SetupError
from engine.games.alibaba import GAME
from tests.games.alibaba_positions import Table, at_cave, at_gangs

SPEC: GameSpec = GAME


def stealing() -> Table:
    return at_cave()


def lying() -> Table:
    return at_cave(stakes={0: (28_000, 7)})


def walking() -> Table:
    return at_cave(total=6, hand=(1, 1, 3, 5)).play("steal 0")


def announcing(**options: object) -> Table:
    return at_cave(total=11, hand=(1,), stakes={0: (1_000, 9)}, **options).play("extend 0", "play 1")


def claiming() -> Table:
    luck = ("appear B1", "appear B4", "roll 1 1")
    stakes = {0: (1_000, 9), 1: (3_000, 9)}
    t = at_cave(*luck, total=5, hand=(1,), stakes=stakes, claimed={0: "B4"})
    return t.play("extend 0", "play 1", "turn-up 2")


def window() -> Table:
    t = at_gangs("black 5", total=29, hand=(1,), owned={0: "R1 R3 B1"}, trading=True)
    return t.play("play 1", "done")


def poor() -> Table:
    return at_gangs(total=29, hand=(1,), owned={0: "R1"}, trading=True, purses=(10, 100, 0, 0)).play("play 1")


def hiring() -> Table:
    return at_gangs(total=12, hand=(1,), purses=(10, 0, 0, 0), unseen={"yellow": (0, 0, 0, 0)}).play("play 1")


CAVE = [
    (lying, "steal 3", "You have a stake of 28,000 in the cave already; you may extend it.", "3.3"),
    (stealing, "extend 3", "Nothing of yours lies in the cave; steal first, then extend.", "3.4"),
    (stealing, "steal 13", "The cave knows 0 to 12 turns, not 13.", "3.3"),
    (stealing, "steal -1", "The cave knows 0 to 12 turns, not -1.", "3.3"),
    (stealing, "return R1", "“return” belongs to the game of gangs; this table plays the cave.", "3"),
    (walking, "play 2", "You have no 2 in your hand, only 1, 3 and 5.", "2.2"),
    (walking, "play 3", "The way forks before 9: choose route a for 9 or b for 9b.", "2.3"),
    (walking, "play 5 b", "11 lies outside the forks; leave the route out.", "2.3"),
    (announcing, "turn-up 4", "Say one number from 1 to 3: so many from each deck shown, here green and red.", "3.5"),
    (claiming, "claim R1", "No R1 was turned up; here lie B1 and B4.", "3.6"),
]


@pytest.mark.parametrize(("position", "tried", "sentence", "rule"), CAVE, ids=[row[1] for row in CAVE])
def test_the_cave_says_why(position: object, tried: str, sentence: str, rule: str) -> None:
    assert (sentence, rule) == position().refusal(tried)  # type: ignore[operator]


def test_too_many_turns_for_the_steps_to_go() -> None:
    sentence = "5 turns are too many: the camel has 4 steps to go, so at most 4 turns are left."
    assert (sentence, "3.3") == at_cave(total=100).refusal("steal 5")
    sentence = "2 turns are too many: the camel has 1 step to go, so at most 1 turn is left."
    assert (sentence, "3.3") == at_cave(total=103).refusal("steal 2")


def test_a_route_is_refused_inside_a_fork_too() -> None:
    sentence = "On 9b the camel is inside the fork and stays on its route; leave it out."
    assert (sentence, "2.3") == at_cave(total=9, side=True, hand=(1,)).play("steal 0").refusal("play 1 a")


def test_a_single_thief_lies_there_and_several_lie() -> None:
    told = {"total": 5, "hand": (1,), "stakes": {0: (1_000, 9)}}
    one = at_cave("appear B1", "roll 1 1", **told).play("extend 0", "play 1", "turn-up 1")
    assert "No R1 was turned up; here lies B1." == one.refusal("claim R1")[0]


def test_an_empty_stake_is_called_so() -> None:
    sentence = "You have an empty stake in the cave already; you may extend it."
    assert sentence == at_cave(stakes={0: (0, 7)}).refusal("steal 3")[0]


def test_a_type_claimed_before_or_just_now_is_named() -> None:
    t = claiming().play("claim B1")
    assert (1, "steal 0") == (t.due, t.options()[0]), "Red has B4, and B1 is gone"
    luck = ("appear B1", "appear B4", "roll 1 1")
    t = at_cave(*luck, total=5, hand=(1,), stakes={0: (1_000, 9), 1: (3_000, 9)}, claimed={1: "B4"})
    t.play("extend 0", "play 1", "turn-up 2")
    assert "You have claimed B4 already; one of a type is enough." == t.refusal("claim B4")[0]
    assert "The B1 turned up here has just been claimed." == t.play("claim B1").refusal("claim B1")[0]


@pytest.mark.parametrize(
    ("tried", "sentence"),
    [
        ("turn-up 2", "Say a number for green and one for red, 1 to 3 in all."),
        ("turn-up 2 2", "Say a number for green and one for red, 1 to 3 in all."),
        ("turn-up 4 -1", "Fewer than no thieves cannot be turned up."),
    ],
)
def test_numbers_for_two_decks(tried: str, sentence: str) -> None:
    assert sentence == announcing(multi_deck="total").refusal(tried)[0]


GANGS = [
    (window, "return R3", "R3 is safe: it has no mark in line 5.", "4.3"),
    (window, "return B1", "B1 is not in danger: no blue is shown here.", "4.3"),
    (window, "return G1", "You have no G1.", "4.1"),
    (window, "steal 3", "“steal” belongs to the cave; this table plays the game of gangs.", "4"),
    (poor, "return R1", "To bring a bandit back costs 20, and you have 10.", "4.4"),
    (hiring, "take yellow", "The yellow stack is empty.", "4.2"),
    (hiring, "take red", "A red bandit costs 40 here, and you have 10.", "4.2"),
]


@pytest.mark.parametrize(("position", "tried", "sentence", "rule"), GANGS, ids=[row[1] for row in GANGS])
def test_the_gangs_say_why(position: object, tried: str, sentence: str, rule: str) -> None:
    assert (sentence, rule) == position().refusal(tried)  # type: ignore[operator]


def test_trading_says_why() -> None:
    t = poor().play("offer R1")
    assert "An offer goes to somebody else." == t.refusal("to red")[0]
    assert "Nobody sits there." == t.refusal("to white")[0]
    t.play("to blue")
    assert "The price goes in tens from -10 to 100, as far as the purses go." == t.refusal("price 105")[0]
    t.play("price 0")
    assert t.refusal("done")[1] == "4.8"
    t.play("decline", "offer R1", "to blue", "price 0")
    assert "4.8" == t.refusal("price 10")[1]


def test_purses_without_a_coin_are_told_so() -> None:
    t = at_gangs(total=29, hand=(1,), owned={0: "R1"}, trading=True, purses=(0, 0, 0, 0)).play("play 1")
    assert "To bring a bandit back costs 20, and you have nothing." == t.refusal("return R1")[0]
    t.play("offer R1", "to blue")
    assert "Neither of you has 10 to pay: the price can only be 0." == t.refusal("price 10")[0]


def test_offers_that_are_not_possible_say_why() -> None:
    assert (
        "Bandits are not traded at this table."
        == (at_gangs(total=29, hand=(1,), owned={0: "R1"}).play("play 1").refusal("offer R1")[0])
    )
    t = at_gangs(total=29, hand=(1,), owned={0: "R1 R2"}, trading=True)
    t.play("play 1", "return R1")
    assert "Offers come before returns, and there are 2 at most in a window." == t.refusal("offer R2")[0]


def test_selling_says_why() -> None:
    assert ("The bank of this table buys no bandits.", "4.9") == at_gangs(owned={0: "R1"}).refusal("sell R1")
    assert ("You have no R1.", "4.1") == at_gangs(sell_to_bank=True).refusal("sell R1")


@pytest.mark.parametrize("name", ["trading", "sell_to_bank"])
def test_an_option_of_the_other_mode_is_refused(name: str) -> None:
    with pytest.raises(SetupError, match="belongs to the mode “gangs”"):
        SPEC.setup(3, {name: True})
    with pytest.raises(SetupError, match="belongs to the mode “cave”"):
        SPEC.setup(3, {"mode": "gangs", "cave_graffiti": True})
