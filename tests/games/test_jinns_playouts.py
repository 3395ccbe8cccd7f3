"""Invariants of every position in random games of Jinns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.jinns import GAME
from engine.games.jinns.pawns import PAWNS
from engine.games.jinns.state import Jinns
from engine.texts import Seat
from kit.playouts import Case, every_step, playouts
from tests.engine.playouts import cases, in_every_case

over_all_cases = in_every_case([GAME])


def positions(case: Case) -> Iterator[Jinns]:
    for step in every_step(case):
        assert isinstance(step.after, Jinns)
        yield step.after


@over_all_cases
def test_example_14_board_and_taken_piles_together_hold_32_pawns_two_of_each(case: Case) -> None:
    for state in positions(case):
        piles = [*state.board, *(pile for piles in state.taken_piles for pile in piles)]
        counts = Counter(pawn for pile in piles for pawn in pile.pawns)
        if not state.is_setting_up:
            assert dict.fromkeys(PAWNS, 2) == counts
        assert state.placed == sum(counts.values()) or not state.is_setting_up


@over_all_cases
def test_no_pile_on_the_board_has_two_pawns_of_a_color_or_four_pawns(case: Case) -> None:
    for state in positions(case):
        for pile in filter(None, state.board):
            colors = [pawn.color for pawn in pile.pawns]
            assert len(colors) == len(set(colors)) <= 3


@over_all_cases
def test_taken_pawns_never_return_and_the_number_of_occupied_squares_never_grows(case: Case) -> None:
    before = None
    for state in positions(case):
        if before and state.moves == before.moves + 1:
            assert state.board.count(0) >= before.board.count(0)
            assert all(
                now[: len(then)] == then for now, then in zip(state.taken_piles, before.taken_piles, strict=True)
            )
        before = state


@over_all_cases
def test_a_game_ends_within_120_moves_with_at_most_eight_towers_of_four_taken(case: Case) -> None:
    for playout in playouts(case):
        state = playout.steps[-1].after
        assert isinstance(state, Jinns)
        assert sum(pile.height == 4 for piles in state.taken_piles for pile in piles) <= 8
        assert state.moves < 120


def test_each_color_starts_with_20_points_on_the_board() -> None:
    (case,) = (case for case in cases() if case.name == "jinns-4")
    state = next(state for state in positions(case) if not state.is_setting_up)
    assert [20] * 4 == [state.score(Seat(seat)) for seat in range(4)]
