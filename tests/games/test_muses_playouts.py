"""Invariants of every position in random games of Dance of Muses, and in every arrangement."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from engine.games.muses import GAME
from engine.games.muses.cells import OFFSETS, cell_at, corner_cells, surrounding_cells
from engine.games.muses.events import TurnsRanOut
from engine.games.muses.floor import NEUTRAL
from engine.games.muses.frames.dance import AfterMove, Turn
from engine.games.muses.shape import Shape, border, shape_of
from engine.games.muses.state import MAX_TURNS, Muses
from engine.texts import Seat
from kit.playouts import Case, every_step, playouts
from tests.engine.playouts import in_every_case
from tests.sampling import every

NINE = tuple(range(9))
over_all_cases = in_every_case([GAME])


def positions(case: Case) -> Iterator[Muses]:
    for step in every_step(case):
        assert isinstance(step.after, Muses)
        yield step.after


@over_all_cases
def test_all_nine_muses_are_always_accounted_for(case: Case) -> None:
    for state in positions(case):
        results = [tile for tile in state.floor.tiles if tile < 9]
        hidden = [secret for secret in state.secrets if secret is not None]
        held = [muse for hand in state.hands for muse in hand]
        assert sorted(results + hidden + held) == (list(range(9)) if state.floor.tiles or held else [])
        assert len(state.floor.tiles) == len(results) + len(hidden)


@over_all_cases
def test_each_company_and_the_neutral_side_keep_their_number_of_dice(case: Case) -> None:
    dice = {2: 4, 3: 3, 4: 4}[case.setup.seats]
    for state in positions(case):
        colors = state.floor.colors
        if len(colors) == 9:
            assert [dice] * state.companies == [colors.count(company) for company in range(state.companies)]
            assert 9 - dice * state.companies == colors.count(NEUTRAL)


@over_all_cases
def test_values_stay_between_1_and_6_and_tiles_form_one_group_on_distinct_cells(case: Case) -> None:
    for state in positions(case):
        assert all(1 <= value <= 6 for value in state.floor.values)
        assert len(set(state.floor.cells)) == len(state.floor.cells)
        assert is_one_group(state.floor.cells)


def is_one_group(cells: tuple[int, ...]) -> bool:
    reached = set(cells[:1])
    while more := set(border(tuple(reached))) & set(cells):
        reached |= more
    return reached == set(cells)


@over_all_cases
def test_a_hand_has_no_further_turns_once_a_die_shows_6(case: Case) -> None:
    for state in positions(case):
        asks = isinstance(state.frames[-1], Turn | AfterMove) if state.frames else False
        assert not (asks and state.floor.hand_over)


def arrangements(rng: Random, size: int) -> Iterator[tuple[int, ...]]:
    """Many connected arrangements of cells: some grown like a layout, some long, some bent."""
    for _ in range(100 // every(2)):
        cells = [cell_at(0, 0)]
        while len(cells) < size:
            free = border(tuple(cells))
            near = rng.choice(cells[-2:])
            ends = [cell for cell in free if cell in surrounding_cells(near)]
            cells.append(rng.choice(ends if rng.random() < 0.6 else free))
        yield tuple(cells)


@pytest.mark.parametrize("size", range(2, 10))
def test_a_legal_move_always_exists(size: int) -> None:
    for cells in arrangements(Random(size), size):
        assert any(shape_of(tuple(range(size)), cells, False).ways()), cells


def test_a_muse_can_be_without_a_legal_move() -> None:
    line = (cell_at(0, 0), cell_at(1, 1), cell_at(2, 2))
    assert [True, False, True] == [bool(ways) for ways in shape_of((0, 1, 2), line, False).ways()]


@pytest.mark.parametrize("slides", [False, True])
def test_a_move_is_legal_if_its_result_is_one_group(slides: bool) -> None:
    """All moves of many arrangements, with holes and without, against a walk through the result."""
    for cells in arrangements(Random(99), 9):
        expected = [walk_end(cells, index, slides) for index in range(9)]
        alone = [shape_of(NINE, cells, slides).ways_of(index) for index in NINE]
        assert expected == alone == shape_of(NINE, cells, slides).ways(), cells


@pytest.mark.parametrize("column", [1, -1])
def test_the_last_tile_of_a_long_column_slides_correctly_to_either_side(column: int) -> None:
    """Down a column of nine, bent at its end, and as far to either side."""
    cells = (*(cell_at(0, y) for y in range(8)), cell_at(column, 8))
    assert [walk_end(cells, index, True) for index in range(9)] == shape_of(NINE, cells, True).ways()


def walk_end(cells: tuple[int, ...], index: int, slides: bool) -> int:
    bits, rest = 0, set(cells) - {cells[index]}
    for n, offset in enumerate(OFFSETS[: 8 if slides else 4]):
        target = cells[index] + offset
        if n >= 4 and (target in rest or set(corner_cells(cells[index], n)) <= rest):
            continue
        while target in rest:
            target += offset
        bits |= is_one_group((*rest, target)) << n
    return bits


def test_a_tile_can_be_carried_where_all_tiles_stay_one_group() -> None:
    for cells in list(arrangements(Random(98), 9))[::3]:
        shape = shape_of(NINE, cells, False)
        for me in range(9):
            around = {cells[me] + offset for offset in OFFSETS}
            legal = [
                (lifted, new)
                for lifted in NINE
                if shape.near(me) >> lifted & 1
                for new in around - set(cells)
                if is_one_group((*(set(cells) - {cells[lifted]}), new))
            ]
            assert sorted(legal) == sorted(lifts(shape, me, mobile=False))
            still = [(n, new) for n, new in legal if walk_end((*cells[:n], new, *cells[n + 1 :]), me, False)]
            assert sorted(still) == sorted(lifts(shape, me, mobile=True))


def lifts(shape: Shape, me: int, *, mobile: bool) -> list[tuple[int, int]]:
    return [(tile, cell) for tile, cells in shape.lifts(me, mobile=mobile) for cell in cells]


@over_all_cases
def test_random_hands_end_on_a_six_long_before_200_turns(case: Case) -> None:
    assert max(state.turns for state in positions(case)) < MAX_TURNS // 2
    assert not any(isinstance(event, TurnsRanOut) for step in every_step(case) for event in step.events)


@over_all_cases
def test_seats_take_turns_in_order(case: Case) -> None:
    turns = 0
    for before, state in ((step.before, step.after) for playout in playouts(case) for step in playout.steps):
        assert isinstance(before, Muses)
        assert isinstance(state, Muses)
        if state.hand == before.hand and state.turns == before.turns + 1 and state.frames:
            top, last = state.frames[-1], before.frames[-1]
            if isinstance(top, Turn):
                assert top.seat == Seat((last.seat + 1) % case.setup.seats)  # type: ignore[attr-defined]
                turns += 1
    assert turns
