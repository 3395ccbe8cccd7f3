"""Marks: what the last move did, and what the viewer may do now."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.core import Action, Event, View
from engine.games.muses import actions as act
from engine.games.muses import events as ev
from engine.games.muses.cells import OFFSETS, WAY_NUMBERS, cell_named, nearest
from engine.games.muses.state import Muses
from engine.games.muses.tiles import MUSES, NUMBERS, Muse, Tile
from renders.canvas import Canvas
from renders.chosen import chosen_mark
from renders.games.muses.layout import HAND_TILE, Grid, Scene, hand_center
from renders.games.muses.tiles import arrow, arrowhead
from renders.house import brackets, plate_mark
from renders.lettering import FACT, GAIN
from renders.sprites import Sprite, cached, sprite
from renders.theme import INK, IVORY, TURQUOISE

# --- The last move ---------------------------------------------------------------------------------------------------


def of_this_hand(view: View[Muses], scene: Scene) -> tuple[Event, ...]:
    """The events of the hand that is shown: another one may have begun with the last of them."""
    begun = [n for n, event in enumerate(view.events) if isinstance(event, ev.HandBegan)]
    return view.events if scene.finished or not begun else view.events[begun[-1] :]


def origins(view: View[Muses], scene: Scene) -> list[tuple[int, int | None]]:
    """The cells that the last turn has left empty, each with the number of the way things went, if it was a move."""
    if scene.finished:
        return []
    found: dict[int, int | None] = {}
    for event in of_this_hand(view, scene):
        if isinstance(event, ev.Stepped | ev.Pushed):
            # The name may be that of several cells (rule 2.2): the one near the tiles is meant.
            found[nearest(event.origin, scene.floor.cells[0])] = WAY_NUMBERS[event.way]
        elif isinstance(event, ev.Carried):
            found[nearest(event.origin, scene.floor.cells[0])] = None
    # A cell that is taken again is no origin.
    return [(cell, way) for cell, way in found.items() if cell not in scene.floor.cells]


def draw_origins(canvas: Canvas, view: View[Muses], scene: Scene, grid: Grid) -> None:
    """Dashes around the cells that were left, with an arrow where a Muse has moved."""
    side = grid.tile
    for cell, way in origins(view, scene):
        x, y = grid.center(cell)
        canvas.put(plate_mark(side - 4, side - 4, round(0.1 * side), dashed=True), x, y)
        if way is not None:
            canvas.put(arrow(way, grid.size), x, y)


def draw_last(canvas: Canvas, view: View[Muses], scene: Scene, grid: Grid) -> None:
    """A closed outline around every tile that the last turn has touched, and the arrow on through a chain."""
    cells = dict(zip(scene.floor.tiles, scene.floor.cells, strict=True))
    side = grid.tile
    for number in touched(view, scene):
        if number in cells:
            canvas.put(plate_mark(side + 2, side + 2, round(0.11 * side)), *grid.center(cells[number]))
    # The tiles of a finished hand have been turned up and go by other names.
    for event in () if scene.finished else of_this_hand(view, scene):
        if isinstance(event, ev.Pushed):
            _draw_chain(canvas, event, cells, grid)


def touched(view: View[Muses], scene: Scene) -> list[int]:
    """The tiles that the last turn has laid, moved or changed, as they are called now."""
    events = of_this_hand(view, scene)
    names = [name for event in events for name in _named(event, finished=scene.finished)]
    return list(dict.fromkeys(NUMBERS[name] for name in names))


def _named(event: Event, *, finished: bool) -> Iterator[Muse | Tile]:
    match event:
        case ev.ApolloWilled(muses=muses) if finished:
            yield from muses
        case _ if finished:
            return
        case ev.Placed() | ev.PlacedUnseen() | ev.PlacedFaceDown() | ev.Stepped() | ev.DieTurned() | ev.Carried():
            yield event.tile
        case ev.Pushed():
            yield event.tile
            yield from event.pushed
        case ev.DiceSwapped() | ev.PlacesSwapped():
            yield event.one
            yield event.other


def draw_dice(canvas: Canvas, view: View[Muses], scene: Scene, grid: Grid) -> None:
    """On every die that shows another value now: what it showed before, and what it shows."""
    floor = scene.floor
    for tile, before in former_values(view, scene).items():
        index = floor.tiles.index(tile)
        # A die may have come back to its old value.
        if before != floor.values[index]:
            x, y = grid.center(floor.cells[index])
            x, y = x + (grid.tile - STEP_W) / 2 + 6, y - grid.tile / 2 + 9
            canvas.put(step_plate(), x, y)
            canvas.text(x, y, f"{before}→{floor.values[index]}", GAIN, INK, "middle")


def former_values(view: View[Muses], scene: Scene) -> dict[int, int]:
    """Tile -> what its die showed before the last turn, for all dice that were turned or swapped in it, or moved.

    Every tile that moves has its die turned up by one (rule 5).
    """
    now = dict(zip(scene.floor.tiles, scene.floor.values, strict=True))
    found: dict[int, int] = {}
    # Backward from what the dice show now, so that each event is undone on what later ones have made of them.
    for event in () if scene.finished else reversed(of_this_hand(view, scene)):
        match event:
            case ev.DieTurned(tile=tile, before=before):
                found[NUMBERS[tile]] = before
            case ev.Stepped() | ev.Pushed():
                for moved in (NUMBERS[name] for name in _named(event, finished=False)):
                    found[moved] = found.get(moved, now[moved]) - 1
            case ev.DiceSwapped(one=one, other=other):
                a, b = NUMBERS[one], NUMBERS[other]
                found[a], found[b] = found.get(b, now[b]), found.get(a, now[a])
    return found


STEP_W = 70


@cached
def step_plate() -> Sprite:
    """The plate that tells how a die has changed, on the upper edge of its tile."""
    box = f'x="{2 - STEP_W / 2}" y="-16" width="{STEP_W - 4}" height="32" rx="9"'
    half = STEP_W // 2
    return sprite(f'<rect {box} fill="{IVORY}" stroke="{INK}" stroke-width="4"/>', -half, -18, half, 18)


def _draw_chain(canvas: Canvas, event: ev.Pushed, cells: dict[int, int], grid: Grid) -> None:
    """Arrowheads between the tiles of a chain that still lie as they were pushed."""
    way = WAY_NUMBERS[event.way]
    chain = [cells.get(NUMBERS[name]) for name in (event.tile, *event.pushed)]
    for one, other in pairwise(chain):
        if one is not None and other == one + OFFSETS[way]:
            (x, y), (to_x, to_y) = grid.center(one), grid.center(other)
            canvas.put(arrowhead(way, grid.size), (x + to_x) / 2, (y + to_y) / 2)


# --- What may be done ------------------------------------------------------------------------------------------------


def targets(view: View[Muses]) -> list[int]:
    """The cells that the options on offer lead to, in ascending order."""
    return sorted({cell for action in view.offered for cell in _targets(view.state, action, _acting(view))})


def _acting(view: View[Muses]) -> list[int]:
    """The tiles that the options on offer are about."""
    numbers = (NUMBERS[a.muse] for a in view.offered if isinstance(a, act.Step | act.Power))
    return list(dict.fromkeys(numbers))


def _targets(state: Muses, action: Action, acting: list[int]) -> Iterator[int]:
    floor = state.floor
    match action:
        case act.Place():
            yield nearest(action.cell)
        # Only once it is settled who acts: the targets of all would cover the cloth.
        case act.Step() if len(acting) == 1:
            yield floor.cells[floor.tiles.index(acting[0])] + OFFSETS[WAY_NUMBERS[action.way]]
        case act.Power(on=act.Target(tiles=tiles, cell=cell)) if len(acting) == 1:
            for tile in tiles:
                yield floor.cells[floor.index(tile)]
            if cell is not None:
                yield nearest(cell, floor.cells[floor.index(action.muse)])


def draw_offers(canvas: Canvas, view: View[Muses], grid: Grid, hand: tuple[int, ...]) -> None:
    """Open turquoise corners on the targets of the viewer's options, a closed outline around what is chosen."""
    side = grid.tile
    cells = dict(zip(view.state.floor.tiles, view.state.floor.cells, strict=True))
    for cell in targets(view):
        # Inside the tile, so that those of neighboring cells stay apart.
        canvas.put(brackets(side - 6, side - 6), *grid.center(cell))
        if cell not in cells.values():
            canvas.text(*grid.center(cell), str(cell_named(cell)), FACT, TURQUOISE, "middle")
    acting = [number for number in _acting(view) if number in cells]
    for number in acting:
        canvas.put(chosen(side, alone=len(acting) == 1), *grid.center(cells[number]))
    offered = {action.muse for action in view.offered if isinstance(action, act.Place)}
    muses = [n for n, muse in enumerate(hand) if MUSES[muse] in offered]
    for n in muses:
        # The last Muse of a hand needs no mark: there was no choice.
        canvas.put(chosen(HAND_TILE, alone=len(muses) == 1 < len(hand)), *hand_center(n, len(hand)))


def chosen(side: int, *, alone: bool) -> Sprite:
    """What is around a tile that the viewer is about to use, or around one of several that may be used."""
    if alone:
        return chosen_mark(side + 6, side + 6, round(0.12 * side))
    return brackets(side - 6, side - 6)
