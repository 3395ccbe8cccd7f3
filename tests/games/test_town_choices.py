"""Sentences about luck in the town are true, in random games under every option."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from engine.coaching import ideas
from engine.core import Frame, GameSpec, OptionValue
from engine.games.alibaba import GAME as CAVE
from engine.games.alibaba.frames.danger import Draw as CaveDraw
from engine.games.alibaba.frames.danger import Rolling
from engine.games.alibaba.risk import count_catching, risk, stakers
from engine.games.gangs import GAME as GANGS
from engine.games.gangs.frames.danger import BlackDie, WhiteDie
from engine.games.gangs.words import count_arresting
from engine.texts import CHANCE, Seat
from engine.town.data import LAP, Gang, Thief
from engine.town.luck import TopCard, cards_left
from engine.wording import say
from kit.playouts import HEAVY, Case, every_step, steps_of
from tests.games.town_positions import at_cave, cave, gangs

PEOPLE = tuple(f"Scheherazad{letter}" for letter in "abcdef")
SEATS = pytest.mark.parametrize("seats", [2, 6])


@pytest.mark.parametrize(
    ("walked", "hand", "line"),
    [
        (0, (1, 2, 3, 4, 5), "With 2 and 3 steps the camel can stop on jewels, with 1, 4 and 5 it can avoid them."),
        (3, (1, 2, 3, 4, 5), "With 3 and 5 steps the camel can stop on jewels, with 1, 2, 4 and 5 it can avoid them."),
        (0, (1, 1, 1, 2, 2, 2), "With 2 steps the camel can stop on jewels, with 1 it can avoid them."),
        (1, (1, 2, 3, 4), "With 1 and 2 steps the camel can stop on jewels, with 3 and 4 it can avoid them."),
        (0, (2, 2, 2, 3, 3, 3), "All of your cards lead to jewels."),
        (0, (1, 1, 1, 1, 4, 5), "None of your cards leads to jewels."),
    ],
)
def test_advice_names_the_cards_that_lead_to_jewels_on_both_routes_of_a_fork(
    walked: int, hand: tuple[int, ...], line: str
) -> None:
    assert line == str(ideas(gangs(walked=walked, hand=hand))[0])
    assert line == str(ideas(at_cave(walked=walked, hand=hand).play("steal 0").state)[1])


def test_near_the_end_the_advice_warns_that_a_stake_may_never_be_safe() -> None:
    late = [str(line) for line in ideas(cave(seats=3, walked=2 * LAP - 18))]
    assert "you have only about 2 more turns. Stakes in the cave at the end are lost." in late[1]
    assert "Careful" not in "".join(map(str, ideas(cave(seats=3, walked=2 * LAP - 40))))


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_advice_on_a_new_stake_leaves_the_number_of_turns_to_the_search(seats: int) -> None:
    assert "Longer stays bring much more, at a higher risk." == str(ideas(cave(seats=seats))[0])


def test_the_advice_on_a_stake_names_no_turns_when_only_this_one_is_left() -> None:
    ends = ("no thief catches you in this turn.", "no thief catches you in this turn and 1 more.")
    for extra, end in enumerate(ends):
        advice = ideas(cave(turn=4, stakes={0: (3_000, 4 + extra)}))
        assert str(advice[0]) == f"It is yours if {end} Each added turn is a risk."


def lying(*seats: int) -> dict[int, tuple[int, int]]:
    return dict.fromkeys(seats, (3_000, 9))


EMPTY, ONE_LEFT = (0, 0, 0, 0), (0, 0, 0, 1)
BOTH_USED_UP = {"green": EMPTY, "red": EMPTY}
STOPS: list[tuple[int, dict[str, Any], str]] = [
    (12, {}, "nobody is in the cave, so no thief comes"),
    (12, {"stakes": lying(1), "decks": BOTH_USED_UP}, "all its thieves are claimed"),
    (12, {"stakes": lying(1), "decks": {"green": EMPTY}}, "thieves come for Blue"),
    (12, {"stakes": lying(1), "decks": {"red": EMPTY}}, "thieves come for Blue"),
    (12, {"stakes": lying(1), "decks": BOTH_USED_UP, "piles": {"red": ONE_LEFT}}, "thieves come for Blue"),
    (12, {"stakes": lying(0, 1, 3)}, "thieves come for Red, Blue and Green"),
    (12, {"stakes": lying(0, 1, 3, 4)}, "thieves come for Red and 3 others"),
    (12, {"stakes": lying(1, 3, 4, 5)}, "thieves come for 4 others"),
    (5, {"stakes": lying(1)}, "nothing happens there"),
    (5, {"stakes": lying(1), "cave_graffiti": True}, "the lamp gives 1,000"),
    (4, {"stakes": lying(1), "cave_graffiti": True}, "nothing happens there"),
]


@pytest.mark.parametrize(("step", "told", "gloss"), STOPS)
def test_a_stop_in_the_cave_says_for_whom_thieves_come(step: int, told: dict[str, Any], gloss: str) -> None:
    t = at_cave(seats=6, walked=step - 1, hand=(1,), **told)
    t.play(t.options()[0])
    (notation,) = [option for option in t.options("play 1") if not option.endswith(" b")]
    assert gloss == t.gloss(notation)
    assert ("thieves come" in gloss) == bool(t.play(notation).options("turn-up"))


@pytest.mark.parametrize(
    ("inside", "walk", "call"),
    [
        ((), "Nobody is in the cave", None),
        ((0, 1), "You are in the cave", "You are in danger here yourself"),
        ((1,), "Others are in the cave and you are not", "You are not in the cave"),
    ],
)
def test_advice_on_thieves_depends_on_who_is_in_the_cave(inside: tuple[int, ...], walk: str, call: str | None) -> None:
    t = at_cave(walked=11, hand=(1,), stakes=lying(*inside))
    assert str(ideas(t.play(t.options()[0]).state)[0]).startswith(walk)
    if call:
        assert str(ideas(t.play("play 1").state)[0]).startswith(call)


def test_a_beginner_hears_of_a_short_stay_near_the_end_and_of_the_jewels_ahead_before() -> None:
    assert str(ideas(cave(walked=80))[0]).startswith("A stake has to be safe before the end")
    jewels = [str(ideas(cave(walked=walked))[1]).split()[0] for walked in (1, 37, 50)]
    assert ["3", "2", "3"] == jewels, "the last five steps of a lap go on at its start"


def test_a_beginner_is_told_to_claim_the_thief_with_the_most_numbers() -> None:
    t = at_cave("appear G1", "appear R1", "roll 1 2", walked=11, hand=(1,), stakes=lying(0))
    advice = str(ideas(t.play("extend 0", "play 1", "turn-up 1").state)[1])
    assert "Red thief 1 has 12 of the 36 numbers" in advice
    assert t.gloss("claim G1").endswith("with 2, 19, 20, 24, 28 and 29")
    assert t.gloss("claim R1").endswith("29, 33 and 35")


def test_the_name_of_a_field_tells_what_the_field_alone_decides() -> None:
    walking = at_cave(walked=6, hand=(3, 1)).play("steal 0")
    assert "3, to 9 (empty) / 9b (red)" == walking.named("play 3 b", "card")
    assert ["to 9 (empty)", "to 9b (red)"] == [walking.named(f"play 3 {route}", "route") for route in "ab"]
    calling = at_cave(walked=11, hand=(1,), stakes=lying(0), multi_deck="total").play("extend 0", "play 1")
    assert ["2 green thieves", "1 red thief"] == [calling.named("turn-up 2 1", field) for field in ("cards", "second")]


@pytest.mark.parametrize(
    ("decks", "gloss"),
    [
        ({}, "has 12 of 36 numbers; 16 in the deck"),
        ({"decks": {"red": EMPTY}, "piles": {"red": (0, 2, 0, 1)}}, "has 12 of 36 numbers; a new deck of 3 discards"),
    ],
)
def test_a_recruit_comes_from_as_many_cards_as_its_gloss_says(decks: dict[str, Any], gloss: str) -> None:
    t = at_cave(walked=15, hand=(1,), cave_graffiti=True, **decks).play("steal 0", "play 1")
    assert gloss == t.gloss("take red")
    t.luck = None
    assert f" {sum(t.play('take red').decision.weights)} " in gloss.split(";")[1]


def test_a_recruit_is_refused_only_from_a_deck_without_cards() -> None:
    t = at_cave(walked=15, hand=(1,), cave_graffiti=True, decks={"red": EMPTY}).play("steal 0", "play 1")
    assert ("All red thieves have been claimed; nobody is left to recruit.", "3.7") == t.refusal("take red")


# --- Odds ------------------------------------------------------------------------------------------------------------


def luck(spec: GameSpec, seats: int, kind: type[Frame[Any, Any]], **options: OptionValue) -> list[Any]:
    """Positions in which luck decides a question of this kind."""
    case = Case("luck", spec, spec.setup(seats, options), HEAVY)
    results = [step.before for step in every_step(case) if isinstance(step.before.frames[-1], kind)]
    assert results
    return results[:12]


@SEATS
def test_a_roll_catches_as_often_as_its_odds_say(seats: int) -> None:
    for state in luck(CAVE, seats, Rolling):
        (decision,) = state.decisions()
        after = [state.apply(CHANCE, action)[0].encounter for action in decision.options]
        caught = Counter(loss.seat for encounter in after for loss in encounter.losses)
        assert {seat: caught[seat] for seat in stakers(state)} == {
            seat: count_catching(state, seat, state.encounter.thieves) for seat in stakers(state)
        }
        assert set(caught.values()) | {36} >= {int(n) for n in re.findall(r"(\d+) of 36", say(state.odds()))} - {0}


@SEATS
def test_cards_and_dice_catch_as_often_as_the_odds_say(seats: int) -> None:
    for state in [state for state in luck(CAVE, seats, CaveDraw) if len(state.frames[-1].then) < 2][:3]:
        due = (state.frames[-1].gang, *state.frames[-1].then)
        for seat in stakers(state):
            assert abs(risk(state, seat, due) - 100 * _caught(state, seat)) <= 0.51
            assert f"{risk(state, seat, due)}%" in say(state.odds())


def _caught(state: Any, seat: Seat) -> float:
    """Probability that a seat is caught in the end, by going through all that luck may do."""
    (decision,) = state.decisions()
    if decision.seat != CHANCE or state.encounter is None or state.encounter.number:
        return float(seat in [loss.seat for loss in state.encounter.losses])
    weights = decision.weights or (1,) * len(decision.options)
    ways = (
        weight * _caught(state.apply(CHANCE, action)[0], seat)
        for action, weight in zip(decision.options, weights, strict=True)
    )
    return sum(ways) / sum(weights)


def test_the_odds_include_the_new_deck_when_the_old_one_runs_out() -> None:
    decks = {"decks": {"red": (1, 0, 0, 0)}, "piles": {"red": (0, 1, 0, 1)}}
    t = at_cave(walked=18, hand=(1,), stakes={1: (3_000, 9)}, **decks).play("steal 0", "play 1")
    assert "61% risk for Blue" == t.gloss("turn-up 2"), "red 1 for sure, and red 2 or red 4"
    assert "33% risk for Blue" == t.gloss("turn-up 1")


@pytest.mark.parametrize(
    ("inside", "gloss"),
    [
        ((0,), "19% risk for Red"),
        ((0, 1), "19% risk for Red; 25% risk for Blue"),
        ((0, 1, 2), "19% risk for Red; 25% risk for 2 others"),
        ((0, 1, 3), "19% risk for Red; 12% to 25% risk for 2 others"),
        ((1, 2, 3), "12% to 25% risk for 3 others"),
    ],
)
def test_the_risk_is_told_for_oneself_and_for_the_others(inside: tuple[int, ...], gloss: str) -> None:
    """A quarter of all numbers is on the one blue card that turns up, unless its type is claimed."""
    t = at_cave(walked=5, hand=(1,), stakes=lying(*inside), claimed={0: "B1", 3: "B1 B2"})
    assert gloss == t.play(t.options()[0], "play 1").gloss("turn-up 1")


def test_odds_begin_with_the_greatest_risk() -> None:
    t = at_cave(walked=5, hand=(1,), stakes=lying(0, 1, 2), claimed={0: "B1", 2: "B1"}).play("extend 0", "play 1")
    t.luck = None
    assert "Risk of being caught: 25% for Blue; 19% for Red and Yellow" == str(t.play("turn-up 1").state.odds())


@SEATS
def test_dice_arrest_as_often_as_the_odds_say(seats: int) -> None:
    for kind in (BlackDie, WhiteDie):
        for state in luck(GANGS, seats, kind, second_window=False)[:6]:
            rolls = list(_rolls(state))
            for seat in (seat for seat in state.clockwise if state.in_danger(seat)):
                hit = sum(any(fate.seat == seat and fate.arrested for fate in danger.fates) for danger in rolls)
                assert (hit, len(rolls)) == (
                    count_arresting(state, state.in_danger(seat)),
                    36 if kind is BlackDie else 6,
                )
                assert re.search(rf"\b{hit} arrests? {PEOPLE[seat]}’s bandits", say(state.odds(), PEOPLE))


def _rolls(state: Any) -> Iterator[Any]:
    """The danger after every roll of the dice that are left; a die that is not rolled counts six times."""
    (decision,) = state.decisions()
    for action in decision.options:
        after = state.apply(CHANCE, action)[0]
        if isinstance(after.frames[-1], WhiteDie):
            yield from _rolls(after)
        else:
            yield from [after.danger] * (6 if not after.danger.white else 1)


@pytest.mark.parametrize("spec", [CAVE, GANGS], ids=lambda spec: spec.slug)
def test_the_odds_count_the_cards_left_of_each_type(spec: GameSpec) -> None:
    for state in (step.before for step in steps_of(spec) if isinstance(step.before.frames[-1], TopCard)):
        (decision,) = state.decisions()
        if isinstance(state.frames[-1], CaveDraw):
            continue
        odds, weights = say(state.odds()), decision.weights
        remaining = {int(group): int(n) for n, group in re.findall(r"(\d+) of type (\d)", odds)}
        if f"{weights[0]} of each type" in odds:
            assert [weights[0]] * 4 == [*weights]
        else:
            assert {a.thief.group: w for a, w in zip(decision.options, weights, strict=True)} == remaining  # type: ignore[attr-defined]


def test_an_empty_deck_lists_no_types() -> None:
    state = cave(decks={"blue": (0, 0, 0, 0), "red": (0, 1, 0, 0)})
    assert "0 blue cards" == say(cards_left(state, Gang.BLUE))
    assert "1 red card: 1 of type 2" == say(cards_left(state, Gang.RED))


def test_a_thief_is_labeled_by_its_color_and_its_group() -> None:
    assert ["yellow 1", "red 4"] == [str(Thief.Y1.label), str(Thief.R4.label)]
