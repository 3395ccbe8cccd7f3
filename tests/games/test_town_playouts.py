"""What holds in every position of every random game, under every option."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random

import pytest

from bot.turn.narrowing import agreeing, step
from engine.core import Action, Decision, Event, GameSpec, OptionValue, State
from engine.games.alibaba import GAME as CAVE
from engine.games.alibaba import events as cave
from engine.games.alibaba.data import HALF_LAP
from engine.games.alibaba.state import Cave
from engine.games.gangs import GAME as GANGS
from engine.games.gangs import events as gangs
from engine.games.gangs.state import GangsTable
from engine.texts import CHANCE, Seat
from engine.town.actions import Play
from engine.town.cards import DECK
from engine.town.data import Thief
from engine.town.events import GaveAlms, HandsFilled, Rubbed
from engine.town.state import Town
from engine.wording import Voice, label
from tests.engine import test_contract as contract
from tests.engine.playouts import Case

Step = tuple[Town, Seat, Action, Town, tuple[Event, ...]]

GAMES: list[tuple[GameSpec, dict[str, OptionValue]]] = [
    (CAVE, {}),
    (CAVE, {"cave_graffiti": True}),
    (CAVE, {"multi_deck": "total"}),
    (GANGS, {}),
    (GANGS, {"second_window": False}),
    (GANGS, {"trading": True}),
    (GANGS, {"sell_to_bank": True}),
]
NAMES = [" ".join((spec.slug, *(f"{k}={v}" for k, v in chosen.items()))) for spec, chosen in GAMES]
SEATS = pytest.mark.parametrize("seats", CAVE.seats)
CHOSEN = pytest.mark.parametrize("number", range(len(GAMES)), ids=NAMES)


@cache
def steps(seats: int, number: int, games: int = 4) -> tuple[Step, ...]:
    """Every ply of a few random games."""
    return tuple(step for seed in range(games) for step in _playout(seats, number, Random(f"{seats}/{number}/{seed}")))


def _playout(seats: int, number: int, rng: Random) -> Iterator[Step]:
    spec, chosen = GAMES[number]
    state: State = spec.start(spec.setup(seats, chosen))
    while decisions := state.decisions():
        (decision,) = decisions
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        after, events = state.apply(decision.seat, action)
        assert isinstance(state, Town)
        assert isinstance(after, Town)
        yield state, decision.seat, action, after, events
        state = after


# --- Conservation ----------------------------------------------------------------------------------------------------


@SEATS
@CHOSEN
def test_hands_and_discards_are_all_24_cards(seats: int, number: int) -> None:
    for _, _, _, state, _ in steps(seats, number):
        cards = state.cards
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
    found = Counter(thief for row in rows for thief in row)
    for thief, deck in product(Thief, decks):
        found[thief] += deck[thief.gang.place][thief.group - 1]
    return found


@SEATS
@CHOSEN
def test_there_are_always_four_cards_of_each_type(seats: int, number: int) -> None:
    for _, _, _, state, _ in steps(seats, number):
        assert dict.fromkeys(Thief, 4) == dict(thieves(state))


PAID: dict[type[Event], Callable[[Town, Event], dict[int, int]]] = {
    cave.CameHome: lambda _, e: {e.seat: e.amount},
    cave.Caught: lambda _, e: {e.seat: -e.paid},
    Rubbed: lambda _, e: {e.seat: e.amount},
    GaveAlms: lambda _, e: {e.seat: -e.amount},
    gangs.Hired: lambda _, e: {e.seat: -e.price},
    gangs.Sold: lambda _, e: {e.seat: e.price},
    gangs.BroughtBack: lambda _, e: {e.seat: -e.fee},
    gangs.Traded: lambda _, e: {e.seat: e.price, e.buyer: -e.price},
    gangs.Raided: lambda _, e: {e.seat: e.loot},
    gangs.Arrested: lambda _, e: {e.seat: -e.paid},
    gangs.TollPaid: lambda _, e: {e.seat: -e.amount},
    gangs.LapPaid: lambda _, e: {e.seat: e.amount},
}
"""What an event does to the purses."""


@SEATS
@CHOSEN
def test_every_coin_that_moves_is_told_and_no_purse_is_in_debt(seats: int, number: int) -> None:
    """A price is paid when somebody calls for a bandit, and told when the bandit comes."""
    owing = 0
    for before, _, _, after, events in steps(seats, number):
        told: Counter[int] = Counter()
        for event in events:
            told.update(PAID.get(type(event), lambda _, e: {})(before, event))
        moved = {n: b - a for n, (a, b) in enumerate(zip(before.purses, after.purses, strict=True)) if a != b}
        if any(isinstance(event, gangs.Called) for event in events):
            owing = -sum(moved.values())
            continue
        if owing:
            told[before.on_turn] += owing
            owing = 0
        assert {n: amount for n, amount in told.items() if amount} == moved
        assert min(after.purses) >= 0


@SEATS
def test_stakes_change_only_as_it_is_told(seats: int) -> None:
    for before, _, _, after, events in steps(seats, 1):
        assert isinstance(before, Cave)
        assert isinstance(after, Cave)
        told = Counter(dict(enumerate(before.stakes)))
        for event in events:
            match event:
                case cave.Stole(seat=seat, amount=amount) | cave.Extended(seat=seat, more=amount):
                    told[seat] += amount
                case cave.Caught(seat=seat) | cave.CaughtPenniless(seat=seat) | cave.LeftBehind(seat=seat):
                    told[seat] = 0
                case cave.CameHome(seat=seat):
                    told[seat] = 0
                case cave.TollTaken(seat=seat, amount=amount):
                    told[seat] -= amount
        assert list(after.stakes) == [told[seat] for seat in range(seats)]
        assert all(due is not None or not stake for due, stake in zip(after.safe_after, after.stakes, strict=True))


# --- The arithmetic of the cave (3.4) --------------------------------------------------------------------------------


Chooser = Callable[[Random, tuple[int, ...]], int]
"""A card out of a hand."""


def turns_of(seats: int, rng: Random, choose: Chooser) -> int:
    """Turns of a game in which nobody steals, so that only the cards matter."""
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
def test_a_game_has_28_to_68_turns_and_nobody_ever_lacks_a_card(seats: int) -> None:
    for choose in (lowest, highest, any_card):
        for seed in range(70):
            assert 28 <= turns_of(seats, Random(f"{seats}/{seed}"), choose) <= 68


def test_both_extremes_of_the_length_of_a_game_occur() -> None:
    assert 68 == max(turns_of(2, Random(seed), lowest) for seed in range(20))
    assert 28 == min(turns_of(2, Random(seed), highest) for seed in range(20))


def test_a_game_has_48_turns_on_the_average() -> None:
    counts = [turns_of(seats, Random(f"{seats}/{n}"), any_card) for seats in CAVE.seats for n in range(100)]
    assert math.isclose(47.8, sum(counts) / len(counts), abs_tol=0.8)


@SEATS
def test_right_after_a_redeal_the_hands_hold_all_cards_and_redeals_come_at_half_laps(seats: int) -> None:
    for before, seat, _, after, events in steps(seats, 0):
        if any(isinstance(event, HandsFilled) for event in events):
            assert seat == CHANCE
            assert list(DECK) == sorted(value for hand in after.cards.hands for value in hand)
            assert before.walked == 0 or before.walked % HALF_LAP < 5


@SEATS
def test_a_lap_of_the_gangs_is_24_turns_and_52_steps(seats: int) -> None:
    ends = [
        after.walked
        for _, _, _, after, events in steps(seats, 3)
        if any(isinstance(event, gangs.LapEnded) for event in events)
    ]
    assert [52, 104] * 4 == ends
    assert all(state.turn < 24 for state, *_ in steps(seats, 3))


# --- In the hand -----------------------------------------------------------------------------------------------------


def taps(decision: Decision, names: tuple[str, ...]) -> int:
    """The longest way from *Your move* to the preview of any option, Your move included."""

    def below(prefix: tuple[str, ...]) -> int:
        now = step(agreeing(decision.options, prefix), prefix, Voice(names))
        return 1 + max(0 if choice.complete else below(choice.words) for choice in now.choices)

    return 1 + below(())


@pytest.mark.parametrize("seats", [2, 6])
@CHOSEN
def test_every_move_is_at_most_three_taps_and_its_options_can_be_told_apart(seats: int, number: int) -> None:
    names = CAVE.seat_names(CAVE.setup(seats))
    asked = {d.options: d for state, *_ in steps(seats, number) for d in state.decisions() if d.seat != CHANCE}
    for decision in sorted(asked.values(), key=lambda d: -len(d.options))[:40]:
        assert taps(decision, names) <= 3
        labels = [label(action, names) for action in decision.options]
        assert len(set(labels)) == len(labels)


def test_an_option_says_amount_and_risk() -> None:
    state = CAVE.start(CAVE.setup(3))
    state, _ = state.apply(CHANCE, state.sample(Random(1)))
    voice = Voice(CAVE.seat_names(CAVE.setup(3)), state=state)
    options = [(voice.label(action), voice.gloss(action)) for action in state.decisions()[0].options]
    assert ("Steal nothing", "no thief can catch you") == options[0]
    assert ("1,000 for 1 turn", "this turn and 1 more, safe after Blue’s next turn") == options[1]
    assert ("10,000 for 4 turns", "this turn and 4 more, safe after Blue’s second turn from now") == options[4]


# --- The contract, under the options of the gangs --------------------------------------------------------------------

PROMISES = [
    getattr(contract, name)
    for name in dir(contract)
    if name.startswith("test_") and "case" in getattr(contract, name).__annotations__
]


@pytest.mark.parametrize("promise", PROMISES, ids=[promise.__name__ for promise in PROMISES])
@pytest.mark.parametrize("number", [4, 5, 6], ids=NAMES[4:])
def test_the_contract_holds_under_every_option_of_the_gangs(number: int, promise: Callable[[Case], None]) -> None:
    promise(_case(number))


@cache
def _case(number: int) -> Case:
    seats = (2, 4, 6)[number % 3]
    spec, chosen = GAMES[number]
    return Case(f"{seats} {NAMES[number]}", spec, spec.setup(seats, chosen), 150)
