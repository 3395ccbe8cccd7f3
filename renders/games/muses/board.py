"""Draw the cloth: lattice, coordinates, tiles with their dice, the hand and the legend."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.core import View
from engine.games.muses.cells import cell_at
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN
from engine.texts import Text
from engine.wording import say
from renders.canvas import Canvas
from renders.games.muses.layout import (
    FIELD,
    HAND_TILE,
    HAND_TOP,
    LINE_H,
    Grid,
    Scene,
    hand_center,
    owner_name,
    short_name,
)
from renders.games.muses.theme import THEME
from renders.games.muses.tiles import (
    die,
    die_place,
    die_radius,
    face_down,
    hand_tile,
    lattice,
    lattice_knot,
    small_emblem,
    tile,
)
from renders.lettering import FACT, SMALL
from renders.theme import Box

LEGEND_COLUMNS = 2
COLUMNS_Y, ROWS_X = 174, 87
"""Positions of the coordinates, at the upper and left edges of the cloth, clear of everything else."""


def draw_cloth(canvas: Canvas, grid: Grid, occupied: Collection[int]) -> None:
    """Draw the pattern in every whole cell that fits on the cloth, and the coordinates."""
    west, north, east, south = _reach(grid)
    for x in range(west, east):
        for y in range(north, south):
            # A knot where four whole cells meet.
            if west < x and north < y:
                canvas.put(lattice_knot(grid.size), grid.x0 + grid.size * x, grid.y0 + grid.size * y)
            if (number := cell_at(grid.x + x, grid.y + y)) not in occupied:
                canvas.put(lattice(grid.size), *grid.center(number))
    for middle, name in grid.column_labels():
        canvas.text(middle, COLUMNS_Y, name, FACT, THEME.muted, "middle")
    for middle, name in grid.row_labels():
        canvas.text(ROWS_X, middle, name, FACT, THEME.muted, "right")


def _reach(grid: Grid) -> Box:
    """The whole cells that fit into the field, relative to the first column and row: left, top, right, bottom."""
    x0, y0, x1, y1 = FIELD
    east, south = grid.x0 + grid.size * grid.columns, grid.y0 + grid.size * grid.rows
    return (
        -((grid.x0 - x0) // grid.size),
        -((grid.y0 - y0) // grid.size),
        grid.columns + (x1 - east) // grid.size,
        grid.rows + (y1 - grid.legend - south) // grid.size,
    )


def draw_tiles(canvas: Canvas, view: View[Muses], labels: Sequence[str], scene: Scene, grid: Grid) -> None:
    """Draw all tiles with their dice."""
    state = view.state
    dx, dy = die_place(grid.tile)
    rows = zip(scene.floor.tiles, scene.floor.cells, scene.floor.values, scene.floor.colors, strict=True)
    for number, place, value, color in rows:
        x, y = grid.center(place)
        if number < FIRST_HIDDEN:
            name = short_name(number, grid.tile)
            canvas.put(tile(number, grid.tile, state.muse_table.suns[number], name), x, y)
        else:
            # The state knows the hidden Muse only in views of players allowed to see it.
            muse = state.muse(number)
            canvas.put(face_down(owner_name(labels, number), grid.tile, str(muse or "")), x, y)
        canvas.put(die(color, value, die_radius(grid.tile)), x + dx, y + dy)


def draw_hand(canvas: Canvas, view: View[Muses], hand: Sequence[int]) -> None:
    """Draw the Muses in the viewer's hand."""
    canvas.text(36, HAND_TOP + HAND_TILE / 2, str(Text("Your hand")), SMALL, THEME.muted)
    for n, muse in enumerate(hand):
        suns, name = view.state.muse_table.suns[muse], short_name(muse, HAND_TILE)
        canvas.put(hand_tile(muse, HAND_TILE, suns, name), *hand_center(n, len(hand)))


def legend_lines(muses: Sequence[int]) -> int:
    """Number of lines that the powers of some Muses take."""
    return -(-len(muses) // LEGEND_COLUMNS)


def draw_legend(canvas: Canvas, state: Muses, muses: Sequence[int]) -> None:
    """Draw each Muse's power beside her emblem, along the lower edge of the cloth."""
    lines = legend_lines(muses)
    top = FIELD[3] - LINE_H * lines
    for n, muse in enumerate(muses):
        x = 64 + n // lines * 490
        y = top + LINE_H * (n % lines) + LINE_H / 2
        canvas.put(small_emblem(muse), x + 17, y)
        canvas.text(x + 46, y, say(state.muse_table.summary(muse)), SMALL, THEME.muted, room=430)
