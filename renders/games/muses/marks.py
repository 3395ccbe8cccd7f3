"""Marks: the results of the last move, and the viewer's options."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.core import Action, Event, View
from engine.games.muses import actions as act
from engine.games.muses import events as ev
from engine.games.muses.cells import OFFSETS, WAY_NUMBERS, cell_name, nearest_number
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


def hand_events(view: View[Muses], scene: Scene) -> tuple[Event, ...]:
    """The events of the hand in the picture; the last action may have started another one."""
    starts = [n for n, event in enumerate(view.events) if isinstance(event, ev.HandBegan)]
    return view.events if scene.finished or not starts else view.events[starts[-1] :]


def origins(view: View[Muses], scene: Scene) -> list[tuple[int, int | None]]:
    """Cells that the last turn emptied, each with the number of the direction if the tile moved."""
    if scene.finished:
        return []
    emptied: dict[int, int | None] = {}
    for event in hand_events(view, scene):
        if isinstance(event, ev.Stepped | ev.Pushed):
            # Several cells can share a name (rule 2.2); the one near the tiles is meant.
            emptied[nearest_number(event.origin, scene.floor.cells[0])] = WAY_NUMBERS[event.way]
        elif isinstance(event, ev.Carried):
            emptied[nearest_number(event.origin, scene.floor.cells[0])] = None
    # A cell that was filled again is not an origin.
    return [(cell, direction) for cell, direction in emptied.items() if cell not in scene.floor.cells]


def draw_origins(canvas: Canvas, view: View[Muses], scene: Scene, grid: Grid) -> None:
    """Draw dashes around emptied cells, with an arrow where a Muse moved."""
    side = grid.tile
    for cell, direction in origins(view, scene):
        x, y = grid.center(cell)
        canvas.put(plate_mark(side - 4, side - 4, round(0.1 * side), dashed=True), x, y)
        if direction is not None:
            canvas.put(arrow(direction, grid.size), x, y)


def draw_last(canvas: Canvas, view: View[Muses], scene: Scene, grid: Grid) -> None:
    """Draw an outline around every tile that the last turn affected, and arrowheads along chains."""
    cells = dict(zip(scene.floor.tiles, scene.floor.cells, strict=True))
    side = grid.tile
    for number in touched_tiles(view, scene):
        if number in cells:
            canvas.put(plate_mark(side + 2, side + 2, round(0.11 * side)), *grid.center(cells[number]))
    # The tiles of a finished hand have been turned up, so their names differ.
    for event in () if scene.finished else hand_events(view, scene):
        if isinstance(event, ev.Pushed):
            _draw_chain(canvas, event, cells, grid)


def touched_tiles(view: View[Muses], scene: Scene) -> list[int]:
    """The tiles that the last turn laid, moved or changed, by their current numbers."""
    events = hand_events(view, scene)
    names = [name for event in events for name in _tile_names(event, finished=scene.finished)]
    return list(dict.fromkeys(NUMBERS[name] for name in names))


def _tile_names(event: Event, *, finished: bool) -> Iterator[Muse | Tile]:
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
    """Draw the former and current value on every die that changed."""
    floor = scene.floor
    for tile, before in former_values(view, scene).items():
        index = floor.tiles.index(tile)
        # A die may have returned to its old value.
        if before != floor.values[index]:
            x, y = grid.center(floor.cells[index])
            x, y = x + (grid.tile - STEP_W) / 2 + 6, y - grid.tile / 2 + 9
            canvas.put(step_plate(), x, y)
            canvas.text(x, y, f"{before}→{floor.values[index]}", GAIN, INK, "middle")


def former_values(view: View[Muses], scene: Scene) -> dict[int, int]:
    """Values before the last turn, by tile, of all dice that were turned, swapped or moved in it.

    Every tile that moves has its die turned up by one (rule 5).
    """
    now = dict(zip(scene.floor.tiles, scene.floor.values, strict=True))
    values: dict[int, int] = {}
    # Undo events from the last to the first, starting from the current values.
    for event in () if scene.finished else reversed(hand_events(view, scene)):
        match event:
            case ev.DieTurned(tile=tile, before=before):
                values[NUMBERS[tile]] = before
            case ev.Stepped() | ev.Pushed():
                for number in (NUMBERS[name] for name in _tile_names(event, finished=False)):
                    values[number] = values.get(number, now[number]) - 1
            case ev.DiceSwapped(one=one, other=other):
                a, b = NUMBERS[one], NUMBERS[other]
                values[a], values[b] = values.get(b, now[b]), values.get(a, now[a])
    return values


STEP_W = 70


@cached
def step_plate() -> Sprite:
    """The plate for a die's change, on the upper edge of its tile."""
    box = f'x="{2 - STEP_W / 2}" y="-16" width="{STEP_W - 4}" height="32" rx="9"'
    half = STEP_W // 2
    return sprite(f'<rect {box} fill="{IVORY}" stroke="{INK}" stroke-width="4"/>', -half, -18, half, 18)


def _draw_chain(canvas: Canvas, event: ev.Pushed, cells: dict[int, int], grid: Grid) -> None:
    """Draw arrowheads between the tiles of a chain that still lie as they were pushed."""
    direction = WAY_NUMBERS[event.way]
    chain = [cells.get(NUMBERS[name]) for name in (event.tile, *event.pushed)]
    for one, other in pairwise(chain):
        if one is not None and other == one + OFFSETS[direction]:
            (x, y), (to_x, to_y) = grid.center(one), grid.center(other)
            canvas.put(arrowhead(direction, grid.size), (x + to_x) / 2, (y + to_y) / 2)


# --- What may be done ------------------------------------------------------------------------------------------------


def targets(view: View[Muses]) -> list[int]:
    """The target cells of the offered options, in ascending order."""
    return sorted({cell for action in view.offered for cell in _targets(view.state, action, _acting_tiles(view))})


def _acting_tiles(view: View[Muses]) -> list[int]:
    """The tiles that the offered options act with."""
    numbers = (NUMBERS[a.muse] for a in view.offered if isinstance(a, act.Step | act.Power))
    return list(dict.fromkeys(numbers))


def _targets(state: Muses, action: Action, acting: list[int]) -> Iterator[int]:
    floor = state.floor
    match action:
        case act.Place():
            yield nearest_number(action.cell)
        # Only once the acting tile is settled: the targets of all would cover the cloth.
        case act.Step() if len(acting) == 1:
            yield floor.cells[floor.tiles.index(acting[0])] + OFFSETS[WAY_NUMBERS[action.way]]
        case act.Power(on=act.Target(tiles=tiles, cell=cell)) if len(acting) == 1:
            for tile in tiles:
                yield floor.cells[floor.index(tile)]
            if cell is not None:
                yield nearest_number(cell, floor.cells[floor.index(action.muse)])


def draw_offers(canvas: Canvas, view: View[Muses], grid: Grid, hand: tuple[int, ...]) -> None:
    """Draw open turquoise corners on the targets of the viewer's options, and a mark around the selected tile."""
    side = grid.tile
    cells = dict(zip(view.state.floor.tiles, view.state.floor.cells, strict=True))
    for cell in targets(view):
        # Inside the tile, so that the marks of adjacent cells stay apart.
        canvas.put(brackets(side - 6, side - 6), *grid.center(cell))
        if cell not in cells.values():
            canvas.text(*grid.center(cell), cell_name(cell).label, FACT, TURQUOISE, "middle")
    acting = [number for number in _acting_tiles(view) if number in cells]
    for number in acting:
        canvas.put(choice_mark(side, alone=len(acting) == 1), *grid.center(cells[number]))
    placeable = {action.muse for action in view.offered if isinstance(action, act.Place)}
    muses = [n for n, muse in enumerate(hand) if MUSES[muse] in placeable]
    for n in muses:
        # The last Muse of a hand needs no mark: the player had no choice.
        canvas.put(choice_mark(HAND_TILE, alone=len(muses) == 1 < len(hand)), *hand_center(n, len(hand)))


def choice_mark(side: int, *, alone: bool) -> Sprite:
    """The mark of a selected tile, or of one of several candidates."""
    if alone:
        return chosen_mark(side + 6, side + 6, round(0.12 * side))
    return brackets(side - 6, side - 6)
