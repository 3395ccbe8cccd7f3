"""What holds in every position of every random game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from engine.core import Event
from engine.games.muscat import GAME
from engine.games.muscat.city import LEVELS, markets
from engine.games.muscat.events import Removed, Transformed
from engine.games.muscat.state import Muscat
from engine.texts import CHANCE, Seat
from engine.wording import say
from tests.games.muscat_positions import over

GAMES = 12

SEATS = pytest.mark.parametrize("seats", GAME.seats)


@cache
def positions(seats: int) -> tuple[tuple[Muscat, tuple[Event, ...]], ...]:
    """The positions of a few random games, with the events that led to them."""
    return tuple(step for seed in range(GAMES) for step in _playout(seats, Random(f"{seats}/{seed}")))


def _playout(seats: int, rng: Random) -> Iterator[tuple[Muscat, tuple[Event, ...]]]:
    state, events = GAME.start(GAME.setup(seats)), ()
    assert isinstance(state, Muscat)
    while decisions := state.decisions():
        (decision,) = decisions
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        state, events = state.apply(decision.seat, action)
        yield state, events


def tokens_in_sight(state: Muscat) -> Counter[int]:
    """Tokens of each seat wherever they can be, but out of the game."""
    found: Counter[int] = Counter()
    for market in markets(state.seats):
        found.update(seat for seat in state.market(market) if seat is not None)
    for level in LEVELS:
        for seat, _, count in state.street(level):
            found[seat] += count
    for seat, _, count in state.palace:
        found[seat] += count
    found.update(seat for seat, *_ in state.rising)
    found.update([state.drawn.seat] if state.drawn else [])
    for seat in map(Seat, range(state.seats)):
        found[seat] += state.pile(seat) + (state.faceup(seat) is not None)
    return found


@SEATS
def test_there_are_always_16_tokens_of_each_color(seats: int) -> None:
    gone: Counter[int] = Counter()
    for state, events in positions(seats):
        gone.update(event.seat for event in events if isinstance(event, Removed | Transformed))
        assert dict.fromkeys(range(seats), 16) == dict(tokens_in_sight(state) + gone)
        if over(state):
            gone.clear()


@SEATS
def test_a_market_never_holds_more_than_three(seats: int) -> None:
    for state, _ in positions(seats):
        assert all(None in state.market(market) for market in markets(seats))


@SEATS
def test_a_game_ends_within_142_turns_a_player(seats: int) -> None:
    for state, _ in positions(seats):
        assert state.round < 142


@SEATS
def test_every_sentence_names_the_seat_it_is_about(seats: int) -> None:
    names = tuple(f"<{seat}>" for seat in range(seats))
    for _, events in positions(seats):
        for event in events:
            seat = getattr(event, "seat", None)
            assert seat is None or f"<{seat}>" in say(event, names)
