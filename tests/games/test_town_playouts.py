"""Invariants of every position in random games of the town, under every option."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import pytest

from engine.core import Event, State
from engine.games.alibaba import GAME as CAVE
from engine.games.alibaba import events as cave
from engine.games.alibaba.data import HALF_LAP
from engine.games.alibaba.state import Cave
from engine.games.gangs import GAME as GANGS
from engine.games.gangs import events as gangs
from engine.games.gangs.state import GangsTable
from engine.texts import CHANCE
from engine.town.actions import Play
from engine.town.cards import DECK
from engine.town.data import Thief
from engine.town.events import GaveAlms, HandsFilled, Rubbed
from engine.town.state import Town
from engine.wording import Voice
from kit.playouts import Case, every_step, playouts
from tests.engine.playouts import in_every_case

over_all_cases = in_every_case([CAVE, GANGS])
of_the_cave, of_the_gangs = in_every_case([CAVE]), in_every_case([GANGS])
SEATS = pytest.mark.parametrize("seats", CAVE.seats)


def ours(state: State) -> Town:
    assert isinstance(state, Town)
    return state


# --- Conservation ----------------------------------------------------------------------------------------------------


@over_all_cases
def test_hands_and_discards_always_hold_all_24_cards(case: Case) -> None:
    for step in every_step(case):
        cards = ours(step.after).cards
        held = [value for hand in (*cards.hands, *cards.played) for value in hand]
        assert sorted(held) == (list(DECK) if cards.dealt else [])


def thieves(state: Town) -> Counter[Thief]:
    """Cards of each type, wherever they are."""
    decks, rows = [state.decks], []
    if isinstance(state, Cave):
        decks.append(state.piles)
        rows += state.claimed
        if state.encounter and not state.encounter.over:
            rows.append(state.encounter.unclaimed)
    else:
        assert isinstance(state, GangsTable)
        rows += state.bandits + state.tails
    totals = Counter(thief for row in rows for thief in row)
    for thief, deck in product(Thief, decks):
        totals[thief] += deck[thief.gang.place][thief.group - 1]
    return totals


@over_all_cases
def test_each_type_always_has_four_cards(case: Case) -> None:
    for step in every_step(case):
        assert dict.fromkeys(Thief, 4) == dict(thieves(ours(step.after)))


PAID: dict[type[Event], Callable[[Event], dict[int, int]]] = {
    cave.CameHome: lambda e: {e.seat: e.amount},
    cave.Caught: lambda e: {e.seat: -e.paid},
    Rubbed: lambda e: {e.seat: e.amount},
    GaveAlms: lambda e: {e.seat: -e.amount},
    gangs.Hired: lambda e: {e.seat: -e.price},
    gangs.Sold: lambda e: {e.seat: e.price},
    gangs.BroughtBack: lambda e: {e.seat: -e.fee},
    gangs.Traded: lambda e: {e.seat: e.price, e.buyer: -e.price},
    gangs.Raided: lambda e: {e.seat: e.loot},
    gangs.Arrested: lambda e: {e.seat: -e.paid},
    gangs.TollPaid: lambda e: {e.seat: -e.amount},
    gangs.LapPaid: lambda e: {e.seat: e.amount},
}
"""Changes of the purses by each type of event."""


@over_all_cases
def test_every_payment_is_announced_and_no_purse_goes_negative(case: Case) -> None:
    """A player pays when they call for a bandit, and the price is told when the bandit comes."""
    owing = 0
    for step in every_step(case):
        before, after = ours(step.before), ours(step.after)
        totals: Counter[int] = Counter()
        for event in step.events:
            totals.update(PAID.get(type(event), lambda _: {})(event))
        moved = {n: b - a for n, (a, b) in enumerate(zip(before.purses, after.purses, strict=True)) if a != b}
        if any(isinstance(event, gangs.Called) for event in step.events):
            owing = -sum(moved.values())
            continue
        if owing:
            totals[before.on_turn] += owing
            owing = 0
        assert {n: amount for n, amount in totals.items() if amount} == moved
        assert min(after.purses) >= 0


@of_the_cave
def test_stakes_change_only_by_announced_events(case: Case) -> None:
    for step in every_step(case):
        before, after = step.before, step.after
        assert isinstance(before, Cave)
        assert isinstance(after, Cave)
        totals = Counter(dict(enumerate(before.stakes)))
        for event in step.events:
            match event:
                case cave.Stole(seat=seat, amount=amount) | cave.Extended(seat=seat, more=amount):
                    totals[seat] += amount
                case cave.Caught(seat=seat) | cave.CaughtPenniless(seat=seat):
                    totals[seat] = 0
                case cave.LeftBehind(seat=seat) | cave.CameHome(seat=seat):
                    totals[seat] = 0
                case cave.TollTaken(seat=seat, amount=amount):
                    totals[seat] -= amount
        assert list(after.stakes) == [totals[seat] for seat in range(case.setup.seats)]
        assert all(due is not None or not stake for due, stake in zip(after.safe_after, after.stakes, strict=True))


# --- The arithmetic of the cave (3.4) --------------------------------------------------------------------------------


Chooser = Callable[[Random, tuple[int, ...]], int]
"""A card out of a hand."""


def turns_of(seats: int, rng: Random, choose: Chooser) -> int:
    """Turns of a game without thefts, so that only the cards matter."""
    state: State = CAVE.start(CAVE.setup(seats))
    plays = 0
    while decisions := state.decisions():
        (decision,) = decisions
        if decision.seat == CHANCE:
            action = state.sample(rng)
        elif isinstance(decision.options[0], Play):
            assert isinstance(state, Town)
            card = choose(rng, state.cards.hands[decision.seat])
            action = next(play for play in decision.options if isinstance(play, Play) and play.card == card)
            plays += 1
        else:
            action = decision.options[0]
        state, _ = state.apply(decision.seat, action)
    return plays


def lowest(_: Random, hand: tuple[int, ...]) -> int:
    return min(hand)


def highest(_: Random, hand: tuple[int, ...]) -> int:
    return max(hand)


def any_card(rng: Random, hand: tuple[int, ...]) -> int:
    return rng.choice(hand)


@SEATS
def test_a_game_has_28_to_68_turns_and_players_always_have_a_card(seats: int) -> None:
    for choose in (lowest, highest, any_card):
        for seed in range(6):
            assert 28 <= turns_of(seats, Random(f"{seats}/{seed}"), choose) <= 68


def test_the_shortest_and_the_longest_game_occur() -> None:
    assert 68 == max(turns_of(2, Random(seed), lowest) for seed in range(20))
    assert 28 == min(turns_of(2, Random(seed), highest) for seed in range(20))


def test_a_game_has_48_turns_on_average() -> None:
    counts = [turns_of(seats, Random(f"{seats}/{n}"), any_card) for seats in CAVE.seats for n in range(40)]
    assert math.isclose(47.8, sum(counts) / len(counts), abs_tol=0.8)


@of_the_cave
def test_redeals_happen_at_half_laps_and_put_all_cards_in_the_hands(case: Case) -> None:
    for step in every_step(case):
        if any(isinstance(event, HandsFilled) for event in step.events):
            assert step.seat == CHANCE
            assert list(DECK) == sorted(value for hand in ours(step.after).cards.hands for value in hand)
            assert ours(step.before).walked == 0 or ours(step.before).walked % HALF_LAP < 5


@of_the_gangs
def test_a_lap_of_the_gangs_is_24_turns_and_52_steps(case: Case) -> None:
    for playout in playouts(case):
        ends = [step for step in playout.steps if any(isinstance(event, gangs.LapEnded) for event in step.events)]
        assert [52, 104] == [ours(step.after).walked for step in ends]
        assert all(ours(step.before).turn < 24 for step in playout.steps)


def test_a_stealing_option_names_its_amount_and_its_risk() -> None:
    state = CAVE.start(CAVE.setup(3))
    state, _ = state.apply(CHANCE, state.sample(Random(1)))
    voice = Voice(CAVE.seat_names(CAVE.setup(3)), state=state)
    options = [(voice.label(action), voice.gloss(action)) for action in state.decisions()[0].options]
    assert ("Steal nothing", "no thief can catch you") == options[0]
    assert ("1,000 for 1 more turn", "safe after Blue’s next turn") == options[1]
    assert ("10,000 for 4 more turns", "safe after Blue’s second turn from now") == options[4]
