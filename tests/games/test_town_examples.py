"""The worked examples of the rules, by their numbers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.games.alibaba import GAME, start
from engine.games.alibaba.events import CameHome, Caught, CaughtPenniless, EndReason, LeftBehind
from engine.town.cards import Cards
from engine.town.data import CARD_COUNTS, HAND_SIZES, LAP, MARKS, Gang
from engine.town.events import HandsFilled
from engine.town.track import MAIN, Route
from tests.games.town_positions import Table, at_cave, at_gangs, bandits_of, cave, gangs


def test_example_1_the_tables_have_the_right_sums() -> None:
    assert (24, LAP) == (sum(CARD_COUNTS.values()), sum(v * n for v, n in CARD_COUNTS.items()))
    assert [8] * 4 == [sum(gang in space.jewels for space in MAIN) for gang in Gang]
    assert 27 == sum(bool(space.jewels) for space in MAIN)
    assert [4, 6, 9, 12] == [len(MARKS[f"{letter}1"]) for letter in "YGBR"]
    assert (5, 5, 5, 5, 4) == HAND_SIZES[5]
    assert (1000, 2000, 3000, 4000, 5000) == start(GAME.setup(5)).purses  # type: ignore[attr-defined]


def ones(state: object) -> Table:
    """Everybody has enough 1s to walk for some turns."""
    cards = state.cards  # type: ignore[attr-defined]
    hands = tuple((1,) * 6 for _ in cards.hands)
    return Table(replace(state, cards=Cards(hands, cards.played, cards.dealt, cards.past)))  # type: ignore[type-var]


def test_example_2_a_stake_of_7_turns_is_paid_at_the_end_of_the_seventh_turn_after_it() -> None:
    t = ones(cave(4, walked=42)).play("steal 7")
    assert (28_000, 7) == (t.state.stakes[0], t.state.safe_after[0])
    t.play("play 1")
    for _ in range(6):
        stay_clear(t)
    assert (28_000, 1_000) == (t.state.stakes[0], t.state.purses[0])
    stay_clear(t)
    assert (0, 1_000 + 28_000) == (t.state.stakes[0], t.state.purses[0])


def stay_clear(t: Table) -> None:
    """A turn that ends on an empty space, where no thief turns up."""
    t.match.state = replace(t.state, walked=12, route=Route.MAIN)
    t.play(t.options()[0], "play 1")


def test_example_3_a_stake_for_as_many_turns_as_seats_is_not_paid_in_its_first_turn() -> None:
    t = ones(cave(3)).play("steal 3")
    assert 3 == t.state.safe_after[0]
    t.play("play 1")
    assert 1_000 == t.state.purses[0]
    for _ in range(3):
        stay_clear(t)
    assert 1_000 + 6_000 == t.state.purses[0]


def test_example_4_an_extension_pays_like_a_new_stake_and_adds_to_the_old_one() -> None:
    t = at_cave(turn=4, stakes={0: (28_000, 7)}).play("extend 2")
    assert (31_000, 9) == (t.state.stakes[0], t.state.safe_after[0])


def test_example_5_a_stake_cannot_last_more_turns_than_the_steps_to_go() -> None:
    t = at_cave(walked=100)
    assert [f"steal {k}" for k in range(5)] == t.options()
    assert t.refusal("steal 5")[1] == "3.3"


def test_example_6_a_fork_is_chosen_where_the_walk_ends_inside_it() -> None:
    t = at_cave(walked=6, hand=(3, 5, 1)).play("steal 0")
    assert {"play 3 a", "play 3 b", "play 5"} <= set(t.options())
    assert at_cave(walked=6, hand=(3,)).play("steal 0", "play 3 a").state.space.empty
    assert (Gang.RED,) == at_cave(walked=6, hand=(3,)).play("steal 0", "play 3 b").state.space.jewels
    assert "alms" == at_cave(walked=6, hand=(5,)).play("steal 0", "play 5").state.space.graffiti


def test_example_6_a_figure_on_the_side_street_stays_on_it() -> None:
    t = at_cave(walked=9, route=Route.SIDE, hand=(1,)).play("steal 0", "play 1")
    assert ("10b", True) == (str(t.state.space), t.state.space.empty)


CATCH = {
    "turn": 1,
    "walked": 39,
    "hand": (1,),
    "purses": (0, 9_000, 4_000, 2_000),
    "stakes": {0: (10_000, 20), 2: (3_000, 20), 3: (3_000, 20)},
}
DRAWN = ("appear R2", "appear R3", "roll 3 6")


def test_example_7_all_three_players_are_caught_and_pay_what_they_have() -> None:
    t = at_cave(*DRAWN, **CATCH).play("steal 0", "play 1", "turn-up 2")
    assert (0, 9_000, 3_000, 1_000) == t.state.purses
    assert [(0, 10_000, 0), (2, 3_000, 1_000), (3, 3_000, 1_000)] == [
        (loss.seat, loss.stake, loss.paid) for loss in sorted(t.state.encounter.losses, key=lambda loss: loss.seat)
    ]
    assert (1, 2) == (len(t.shown(CaughtPenniless)), len(t.shown(Caught)))
    assert "Red is caught and loses 10,000." in t.sentences()
    assert "Yellow is caught, loses 3,000 and pays 1,000." in t.sentences()


def test_example_7_the_player_with_the_greatest_loss_claims_first_and_the_last_gets_no_claim() -> None:
    t = at_cave(*DRAWN, **CATCH).play("steal 0", "play 1", "turn-up 2")
    assert (0, ["claim R2", "claim R3", "decline"]) == (t.due, t.options())
    t.play("claim R2")
    assert (2, ["claim R3", "decline"]) == (t.due, t.options())
    t.play("claim R3")
    assert (2, 2, "steal 0") == (t.due, t.state.turn, t.options()[0])
    assert [["R2"], [], ["R3"], []] == [list(t.state.claimed[seat]) for seat in range(4)]


@pytest.mark.parametrize(("roll", "caught"), [("roll 3 5", {0, 3}), ("roll 3 6", {0, 2, 3})])
def test_example_8_a_claimed_type_does_not_catch_its_claimer_but_other_types_do(roll: str, caught: set[int]) -> None:
    stakes = dict.fromkeys((0, 2, 3), (3000, 20))
    t = at_cave("appear G3", "appear R3", roll, turn=1, walked=10, hand=(2,), stakes=stakes, claimed={2: "R3"})
    t.play("steal 0", "play 2", "turn-up 1")
    assert caught == {loss.seat for loss in t.state.encounter.losses}
    while t.options()[-1] == "decline":
        assert not (t.due == 2 and "claim R3" in t.options())
        t.play("decline")


def test_example_9_a_redeal_comes_before_the_effect_of_the_space() -> None:
    t = at_cave(walked=24, hand=(3, 1, 1))
    for _ in range(11):
        seat = max(range(4), key=lambda s: (len(t.state.cards.hands[s]), s == 0))
        hand = [v for v in t.state.cards.hands[seat] if seat or v != 3]
        cards = t.state.cards.play(seat, hand[0])
        t.match.state = replace(t.state, cards=cards)
    assert 11 == sum(map(len, t.state.cards.played))
    t.play("steal 1", "play 3")
    assert 1 == len(t.shown(HandsFilled))
    assert ([6, 6, 6, 6], 0) == ([len(hand) for hand in t.state.cards.hands], sum(map(len, t.state.cards.played)))
    assert ("27", ["turn-up 1", "turn-up 2", "turn-up 3"]) == (str(t.state.space), t.options())


def test_example_10_the_last_turn_is_finished_and_stakes_not_due_are_lost() -> None:
    t = at_cave(walked=102, turn=4, hand=(3,), stakes={1: (6_000, 4), 2: (10_000, 5)}).play("steal 0", "play 3")
    assert EndReason.HOME == t.state.outcome().reason
    assert (1_000, 8_000, 3_000, 4_000) == t.state.purses
    assert ([1], [2]) == ([e.seat for e in t.shown(CameHome)], [e.seat for e in t.shown(LeftBehind)])


def test_example_11_the_price_of_bandits_depends_on_the_quarter() -> None:
    t = at_gangs("appear B1", "appear R1", walked=28, hand=(1,)).play("play 1 a", "take blue", "take red", "stop")
    assert 2_500 - 120 == t.state.purses[0]


def test_example_12_one_bandit_is_returned_one_is_arrested_and_one_brings_loot() -> None:
    t = at_gangs("black 5", "white 1", walked=29, hand=(1,), owned={2: "R1 R1 R3"})
    t.play("play 1", "done")
    assert (2, ["return R1", "done"]) == (t.due, t.options())
    t.play("return R1", "done")
    assert (2_500 - 340, "R3") == (t.state.purses[2], bandits_of(t.state, 2))


@pytest.mark.parametrize(("white", "purse", "left"), [(6, 2_500 + 1_280, "R1 R1 R1 R1"), (5, 0, "")])
def test_example_13_a_full_group_doubles_both_the_loot_and_the_fine(white: int, purse: int, left: str) -> None:
    t = at_gangs("black 5", f"white {white}", walked=29, hand=(1,), owned={2: "R1 R1 R1 R1"})
    t.play("play 1", "done", "done")
    assert (purse, left) == (t.state.purses[2], bandits_of(t.state, 2))


def test_example_13_a_rich_purse_pays_the_whole_fine() -> None:
    t = at_gangs("black 5", "white 5", walked=29, hand=(1,), owned={2: "R1 R1 R1 R1"}, purses=(0, 0, 5_000, 0))
    assert 5_000 - 3_840 == t.play("play 1", "done", "done").state.purses[2]


@pytest.mark.parametrize("seats", GAME.seats)
def test_example_14_a_lap_is_24_turns_and_52_steps_and_pays_for_the_bandits(seats: int) -> None:
    state = gangs(seats, turn=23, walked=51, owned={0: "Y1 Y1 G2", 1: "B4 B4 B4 B4"})
    hands = tuple((1,) if seat == 23 % seats else () for seat in range(seats))
    t = Table(replace(state, cards=Cards(hands, state.cards.played, state.cards.dealt, ()))).play("play 1")
    assert (52, 0, 2, 0) == (t.state.walked, t.state.turn, t.state.lap, t.due)
    assert (2_580, 3_140) == t.state.purses[:2]
    assert 24 == sum(map(len, t.state.cards.hands))
