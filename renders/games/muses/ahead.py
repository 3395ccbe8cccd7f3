"""The things on the cloth in every size that a dance may give them: it grows and shrinks from move to move."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.muses.cells import OFFSETS
from engine.games.muses.floor import NEUTRAL
from engine.games.muses.tiles import MUSES
from renders.games.muses.layout import CELL_STEP, LARGEST_CELL, tile_side
from renders.games.muses.marks import chosen, left_mark, touched_mark
from renders.games.muses.tiles import arrow, arrowhead, die, die_radius, face_down, lattice, lattice_knot, tile
from renders.sprites import Sprite

SMALLEST_CELL = 72
"""Of thirteen columns: no dance of random players has been longer."""

SUNS = (1, 2, 3)


def ahead() -> Iterator[Sprite]:
    """All that is rasterized, to be kept before it is needed."""
    for size in range(SMALLEST_CELL, LARGEST_CELL + 1, CELL_STEP):
        side = tile_side(size)
        yield from (lattice(size), lattice_knot(size))
        yield from (tile(number, side, SUNS[number % 3]) for number in range(len(MUSES)))
        yield from (face_down("", side, sees) for sees in ("", *MUSES))
        yield from (die(color, 1, die_radius(side)) for color in (NEUTRAL, 0, 1, 2))
        yield from (point(way, size) for way in range(len(OFFSETS)) for point in (arrow, arrowhead))
        yield from (left_mark(side), touched_mark(side), chosen(side, alone=True), chosen(side, alone=False))
