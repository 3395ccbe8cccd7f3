"""Every refused action of the cave says why, and which section says so."""

from __future__ import annotations

import pytest

from engine.town.track import Route
from tests.games.town_positions import Table, at_cave


def stealing() -> Table:
    return at_cave()


def lying() -> Table:
    return at_cave(stakes={0: (28_000, 7)})


def walking() -> Table:
    return at_cave(walked=6, hand=(1, 1, 3, 5)).play("steal 0")


def announcing(**options: object) -> Table:
    return at_cave(walked=11, hand=(1,), stakes={0: (1_000, 9)}, **options).play("extend 0", "play 1")


def claiming() -> Table:
    luck = ("appear B1", "appear B4", "roll 1 1")
    stakes = {0: (1_000, 9), 1: (3_000, 9)}
    t = at_cave(*luck, walked=5, hand=(1,), stakes=stakes, claimed={0: "B4"})
    return t.play("extend 0", "play 1", "turn-up 2")


def near_the_end() -> Table:
    return at_cave(walked=100, stakes={0: (1_000, 2)})


def near_the_end_outside() -> Table:
    return at_cave(walked=100)


def one_deck_of_two() -> Table:
    decks = {"red": (0, 0, 0, 0)}
    return at_cave(walked=11, hand=(1,), stakes={0: (1_000, 9)}, decks=decks, multi_deck="total").play(
        "extend 0", "play 1"
    )


TOO_MANY = "too many: the camel has 4 steps to go, so at most 4 turns are left."

CAVE = [
    (lying, "steal 3", "You already have a stake of 28,000 in the cave; you may extend it.", "3.3"),
    (stealing, "extend 3", "You have no stake in the cave; steal first, then extend.", "3.4"),
    (stealing, "steal 13", "You can choose 0 to 12 turns, not 13.", "3.3"),
    (stealing, "steal -1", "You can choose 0 to 12 turns, not −1.", "3.3"),
    (near_the_end, "extend 3", f"5 turns are {TOO_MANY}", "3.3"),
    (near_the_end_outside, "steal 12", f"12 turns are {TOO_MANY}", "3.3"),
    (walking, "play 2", "You have no 2 in your hand, only 1, 3 and 5.", "2.2"),
    (walking, "play 3", "The road forks before 9: choose route a for 9 or b for 9b.", "2.3"),
    (walking, "play 5 b", "11 lies outside the forks; leave the route out.", "2.3"),
    (announcing, "turn-up 4", "Say one number from 1 to 3: that many from each deck shown, here green and red.", "3.5"),
    (one_deck_of_two, "turn-up 0 2", "No thief would be turned up: that deck is used up.", "3.5"),
    (claiming, "claim R1", "No red 1 was turned up, only blue 1 and blue 4.", "3.6"),
]


@pytest.mark.parametrize(("position", "tried", "sentence", "rule"), CAVE, ids=[row[1] for row in CAVE])
def test_every_refusal_in_the_cave_gives_its_reason_and_rule(
    position: object, tried: str, sentence: str, rule: str
) -> None:
    assert (sentence, rule) == position().refusal(tried)  # type: ignore[operator]


def test_too_many_turns_for_the_remaining_steps_are_refused() -> None:
    sentence = "5 turns are too many: the camel has 4 steps to go, so at most 4 turns are left."
    assert (sentence, "3.3") == at_cave(walked=100).refusal("steal 5")
    sentence = "2 turns are too many: the camel has 1 step to go, so at most 1 turn is left."
    assert (sentence, "3.3") == at_cave(walked=103).refusal("steal 2")


def test_a_route_is_also_refused_inside_a_fork() -> None:
    sentence = "On 9b the camel is inside the fork and stays on its route; leave the route out."
    assert (sentence, "2.3") == at_cave(walked=9, route=Route.SIDE, hand=(1,)).play("steal 0").refusal("play 1 a")


def test_an_empty_stake_is_described_as_empty() -> None:
    sentence = "You already have an empty stake in the cave; you may extend it."
    assert sentence == at_cave(stakes={0: (0, 7)}).refusal("steal 3")[0]


def test_types_claimed_earlier_or_just_now_are_named() -> None:
    t = claiming().play("claim B1")
    assert (1, "steal 0") == (t.due, t.options()[0]), "Red has B4, and B1 is gone"
    luck = ("appear B1", "appear B4", "roll 1 1")
    t = at_cave(*luck, walked=5, hand=(1,), stakes={0: (1_000, 9), 1: (3_000, 9)}, claimed={1: "B4"})
    t.play("extend 0", "play 1", "turn-up 2")
    assert "You have already claimed blue 4; you cannot claim the same type twice." == t.refusal("claim B4")[0]
    assert "The blue 1 turned up here has just been claimed." == t.play("claim B1").refusal("claim B1")[0]


@pytest.mark.parametrize(
    ("tried", "sentence"),
    [
        ("turn-up 2", "Say a number for green and one for red, 1 to 3 in all."),
        ("turn-up 2 2", "Say a number for green and one for red, 1 to 3 in all."),
        ("turn-up 4 -1", "You cannot turn up fewer than 0 thieves."),
    ],
)
def test_invalid_numbers_for_two_decks_are_explained(tried: str, sentence: str) -> None:
    assert sentence == announcing(multi_deck="total").refusal(tried)[0]
