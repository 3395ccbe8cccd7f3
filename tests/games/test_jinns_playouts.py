"""What holds in every position of every random game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from bot.turn.narrowing import agreeing, step
from engine.core import Decision, Event
from engine.games.jinns import GAME
from engine.games.jinns.pawns import PAWNS
from engine.games.jinns.state import Jinns
from engine.texts import CHANCE, Seat
from engine.wording import Voice, say

GAMES = 12

SEATS = pytest.mark.parametrize("seats", GAME.seats)
EDITION = pytest.mark.parametrize("edition", ["early", "later"])


@cache
def positions(seats: int, edition: str = "early") -> tuple[tuple[Jinns, tuple[Event, ...]], ...]:
    """The positions of a few random games, with the events that led to them."""
    return tuple(step for seed in range(GAMES) for step in _playout(seats, edition, Random(f"{seats}/{seed}")))


def _playout(seats: int, edition: str, rng: Random) -> Iterator[tuple[Jinns, tuple[Event, ...]]]:
    state, events = GAME.start(GAME.setup(seats, {"edition": edition})), ()
    assert isinstance(state, Jinns)
    while decisions := state.decisions():
        (decision,) = decisions
        action = state.sample(rng) if decision.seat == CHANCE else rng.choice(decision.options)
        state, events = state.apply(decision.seat, action)
        yield state, events


@SEATS
@EDITION
def test_example_14_pawns_on_the_board_and_taken_ones_are_32_two_of_each(seats: int, edition: str) -> None:
    for state, _ in positions(seats, edition):
        piles = [*state.board, *(pile for piles in state.taken for pile in piles)]
        found = Counter(pawn for pile in piles for pawn in pile.pawns)
        if not state.setting_up:
            assert dict.fromkeys(PAWNS, 2) == found
        assert state.placed == sum(found.values()) or not state.setting_up


@SEATS
def test_no_pile_on_the_board_has_two_pawns_of_a_color_or_four_storeys(seats: int) -> None:
    for state, _ in positions(seats):
        for pile in filter(None, state.board):
            colors = [pawn.color for pawn in pile.pawns]
            assert len(colors) == len(set(colors)) <= 3


@SEATS
def test_taken_pawns_never_return_and_occupied_squares_never_grow(seats: int) -> None:
    before = None
    for state, _ in positions(seats):
        if before and state.moves == before.moves + 1:
            assert state.board.count(0) >= before.board.count(0)
            assert all(now[: len(then)] == then for now, then in zip(state.taken, before.taken, strict=True))
        before = state


@SEATS
def test_at_most_eight_towers_of_four_leave_the_board(seats: int) -> None:
    for state, _ in positions(seats):
        assert sum(pile.height == 4 for piles in state.taken for pile in piles) <= 8


def test_the_board_starts_with_20_points_a_color() -> None:
    state = next(state for state, _ in positions(4) if not state.setting_up)
    assert [20] * 4 == [state.score(Seat(seat)) for seat in range(4)]


@SEATS
@EDITION
def test_a_game_ends_within_120_moves(seats: int, edition: str) -> None:
    assert max(state.moves for state, _ in positions(seats, edition)) < 120


@SEATS
def test_every_sentence_about_a_seat_names_it(seats: int) -> None:
    names = tuple(f"<{seat}>" for seat in range(seats))
    for _, events in positions(seats):
        for event in events:
            seat = getattr(event, "seat", None)
            assert seat is None or f"<{seat}>" in say(event, names)


def taps(decision: Decision, names: tuple[str, ...]) -> int:
    """The longest way from *Your move* to the preview of any option, Your move included."""

    def below(prefix: tuple[str, ...]) -> int:
        now = step(agreeing(decision.options, prefix), prefix, Voice(names))
        return 1 + max(0 if choice.complete else below(choice.words) for choice in now.choices)

    return 1 + below(())


@SEATS
@EDITION
def test_every_move_is_at_most_three_taps(seats: int, edition: str) -> None:
    names = GAME.seat_names(GAME.setup(seats))
    asked = {d.options: d for state, _ in positions(seats, edition) for d in state.decisions() if d.seat != CHANCE}
    largest = sorted(asked.values(), key=lambda decision: -len(decision.options))[:40]
    assert [] == [decision.options for decision in largest if taps(decision, names) > 3]


@SEATS
def test_a_pawn_is_placed_with_two_taps_and_a_confirmation(seats: int) -> None:
    asked = [d for state, _ in positions(seats) for d in state.decisions() if state.setting_up and d.seat != CHANCE]
    assert {1, 2} >= {taps(decision, ("",) * seats) for decision in asked}
