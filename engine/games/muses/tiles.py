"""The nine Muses, their public names on the table, the cells of the cloth and the ways across it (rules 2 and 3)."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache


class Muse(StrEnum):
    """A Muse, by the name on the front of her tile."""

    CALLIOPE = "calliope"
    CLIO = "clio"
    ERATO = "erato"
    EUTERPE = "euterpe"
    MELPOMENE = "melpomene"
    POLYHYMNIA = "polyhymnia"
    TERPSICHORE = "terpsichore"
    THALIA = "thalia"
    URANIA = "urania"

    @property
    def label(self) -> str:
        """How people read it: `Calliope`."""
        return self.capitalize()


MUSES = tuple(Muse)
"""Number of a Muse, 0..8 -> the Muse."""


class Tile(StrEnum):
    """What everybody calls a tile on the table: a face-down one never goes by its Muse (ruling 21)."""

    CALLIOPE = "calliope"
    CLIO = "clio"
    ERATO = "erato"
    EUTERPE = "euterpe"
    MELPOMENE = "melpomene"
    POLYHYMNIA = "polyhymnia"
    TERPSICHORE = "terpsichore"
    THALIA = "thalia"
    URANIA = "urania"
    HIDDEN0 = "hidden0"
    HIDDEN1 = "hidden1"
    HIDDEN2 = "hidden2"
    HIDDEN3 = "hidden3"
    HIDDEN_NEUTRAL = "hiddenN"

    @property
    def label(self) -> str:
        """How people read it: `Calliope`, `hidden0`."""
        return self if self.startswith("hidden") else self.capitalize()


TILES = tuple(Tile)
"""Number of a tile -> the tile. A face-up tile has the number of its Muse."""

TILE_NUMBER = {tile: number for number, tile in enumerate(TILES)}

FIRST_HIDDEN = len(MUSES)
"""Number of the tile that the first seat has face down; those of the other seats follow."""

HIDDEN_NEUTRAL = len(TILES) - 1
"""Number of the Neutral tile while it lies face down."""


class Face(StrEnum):
    """Which side of a tile is up."""

    UP = "up"
    DOWN = "down"

    @property
    def label(self) -> str:
        """How people read it."""
        return f"face {self}"


class Way(StrEnum):
    """A direction: the four of a step, then the four of a diagonal slide."""

    N = "n"
    E = "e"
    S = "s"
    W = "w"
    NE = "ne"
    SE = "se"
    SW = "sw"
    NW = "nw"

    @property
    def label(self) -> str:
        """How people read it: `north`."""
        return _WAY_LABELS[self]


_WAY_LABELS = {
    "n": "north",
    "e": "east",
    "s": "south",
    "w": "west",
    "ne": "northeast",
    "se": "southeast",
    "sw": "southwest",
    "nw": "northwest",
}

WAYS = tuple(Way)

# --- Cells -----------------------------------------------------------------------------------------------------------

ROW = 256
"""A cell is a number, `ROW` more than its neighbor in the north. The cloth is larger than any hand can wander."""

CENTER = ROW * ROW // 2 + ROW // 2
"""The cell (0, 0), where the first tile of a hand lies."""

OFFSETS = (-ROW, 1, ROW, -1, 1 - ROW, 1 + ROW, ROW - 1, -1 - ROW)
"""Number of a way -> what it adds to a cell."""

LETTERS = "abcdefghijklmnopqrstuvwxyz"
PERIOD = len(LETTERS)
"""Names of columns and rows begin anew after so many. Nine tiles that touch never reach across as many."""

_CENTER_INDEX = LETTERS.index("m")


def cell(x: int, y: int) -> int:
    """The number of a cell: x to the east, y to the south of the first tile of the hand."""
    return CENTER + ROW * y + x


def place_of(number: int) -> tuple[int, int]:
    """x and y of a cell."""
    return number % ROW - ROW // 2, number // ROW - ROW // 2


def column_name(x: int) -> str:
    """`m` for the column of the first tile of a hand."""
    return LETTERS[(x + _CENTER_INDEX) % PERIOD]


def row_name(y: int) -> str:
    """`13` for the row of the first tile of a hand."""
    return str((y + _CENTER_INDEX) % PERIOD + 1)


@lru_cache(maxsize=256)
def cell_name(number: int) -> str:
    """What everybody calls a cell, all through a hand: `m13` for the one of the first tile."""
    x, y = place_of(number)
    return column_name(x) + row_name(y)


@lru_cache(maxsize=256)
def cell_near(name: str, reference: int = CENTER) -> int:
    """The cell of a name; of those that bear it the one that is nearest to a cell. Raises `ValueError`."""
    column, row = LETTERS.index(name[:1] or "-"), int(name[1:])
    x, y = place_of(reference)
    east, south = column - _CENTER_INDEX - x, row - 1 - _CENTER_INDEX - y
    return reference + _nearest(east) + ROW * _nearest(south)


def _nearest(steps: int) -> int:
    """The same number of steps on a ring of names, the shorter way round."""
    return (steps + PERIOD // 2) % PERIOD - PERIOD // 2
