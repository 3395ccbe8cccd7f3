"""The cells of the floor and the directions: their names, and their numbers, which positions use.

All arithmetic on the numbers of cells is in this module; `shape` has its own encoding for boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from engine.core import Part
from engine.texts import Text


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
        """The direction as a word: `north`."""
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
"""The directions by number."""

WAY_NUMBERS = {way: number for number, way in enumerate(WAYS)}

FIRST_SLIDE = 4
"""Number of the first slide; directions below it are steps."""


# --- Names -----------------------------------------------------------------------------------------------------------

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_PERIOD = len(_LETTERS)

_SHOWN_COLUMNS = ("AA", *"ABCDEFGHJKLMNPQRSTUVWXYZ", "ZZ")
"""Column, counted from 0 -> the letters that people read: no `I` and no `O`, which look like numbers."""

_SHOWN: dict[str, str] = dict(zip(_LETTERS, _SHOWN_COLUMNS, strict=True))
_COLUMN_BY_NAME = {name: letter for letter, name in _SHOWN.items()}


class Column(str):
    """A column by its letter in the notation."""

    __slots__ = ()

    @property
    def label(self) -> str:
        """The displayed letters."""
        return _SHOWN[self]

    @property
    def order(self) -> int:
        """The place from left to right."""
        return _LETTERS.index(self)


class Cell(NamedTuple):
    """The name of a cell, fixed during a hand: the first tile has `m13` in logs and `M13` for people.

    Names of columns and rows repeat after 26 (rule 2.2). Nine tiles that touch never span as many cells, so a name
    means one cell, the nearest one. Logs keep their letters, since old matches have them. People read capital letters
    without `I` and `O`, so columns after `N` have another letter there.
    """

    column: str
    row: int

    @classmethod
    def parse(cls, text: str) -> Cell:
        """Parse the notation of a cell. Raises `ValueError` if there is none."""
        if (cell := _BY_NAME.get(text)) is None:
            raise ValueError(text)
        return cell

    @classmethod
    def read(cls, text: str) -> Cell:
        """Parse the displayed name of a cell, in capital or small letters: `M13`. Raises `ValueError` if there is none.

        A letter that is never displayed, such as `o`, is read as notation.
        """
        name = text.strip().upper()
        column = name.rstrip("0123456789")
        return cls.parse(f"{_COLUMN_BY_NAME.get(column, column.lower())}{name[len(column) :]}")

    @property
    def letters(self) -> str:
        """The displayed letters of the column."""
        return _SHOWN[self.column]

    @property
    def shown(self) -> str:
        """The displayed name, which people also type: `M13`."""
        return f"{self.letters}{self.row}"

    @property
    def label(self) -> str:
        """The displayed name in texts, which look for labels."""
        return self.shown

    @property
    def parts(self) -> tuple[Part, ...]:
        """The column, which is asked for first where there are many cells."""
        return (Part(_WHICH_COLUMN, Column(self.column)),)

    def __str__(self) -> str:
        return f"{self.column}{self.row}"


_WHICH_COLUMN = Text("Which column?")


_CELLS = tuple(tuple(Cell(column, row) for row in range(1, _PERIOD + 1)) for column in _LETTERS)
"""_CELLS[column][row], both counted from 0."""

_BY_NAME = {str(cell): cell for column in _CELLS for cell in column}


# --- Numbers ---------------------------------------------------------------------------------------------------------

_ROW = 256
"""Difference between the numbers of a cell and its northern neighbor: larger than any hand can spread."""

CENTER = _ROW * _ROW // 2 + _ROW // 2
"""The cell (0, 0), where the first tile of a hand lies (rule 4)."""

_FIRST = _LETTERS.index("m")
"""Index of the name of the first tile's column and row, counted from 0."""

OFFSETS = (-_ROW, 1, _ROW, -1, 1 - _ROW, 1 + _ROW, _ROW - 1, -1 - _ROW)
"""Direction -> difference that it adds to the number of a cell."""


def cell_at(x: int, y: int) -> int:
    """The number of a cell: x to the east, y to the south of the first tile of the hand."""
    return CENTER + _ROW * y + x


def coordinates_of(number: int) -> tuple[int, int]:
    """The coordinates x and y of a cell, the arguments of `cell_at`."""
    return number % _ROW - _ROW // 2, number // _ROW - _ROW // 2


def renumber(length: int, cells: Sequence[int], first: int) -> list[int]:
    """Renumber cells for rows of this length, such that the smallest number becomes `first`.

    The cells must be close together: all new numbers must be below `_ROW - length`, modulo which the lengths of both
    kinds of rows are equal.
    """
    shift, turn = first - min(cells), _ROW - length
    return [(cell + shift) % turn for cell in cells]


@lru_cache(maxsize=256)  # called twice for every event with a cell; saves 1 % of a search
def cell_name(number: int) -> Cell:
    """The name of a cell."""
    x, y = coordinates_of(number)
    return _CELLS[(x + _FIRST) % _PERIOD][(y + _FIRST) % _PERIOD]


@lru_cache(maxsize=256)  # called for every tile that is laid or carried; saves 2 % of a search
def nearest_number(cell: Cell, to: int = CENTER) -> int:
    """The number of the cell with this name that is nearest to another one."""
    x, y = coordinates_of(to)
    east, south = _LETTERS.index(cell.column) - _FIRST - x, cell.row - 1 - _FIRST - y
    return to + _shorter_way(east) + _ROW * _shorter_way(south)


def _shorter_way(steps: int) -> int:
    """A distance on the ring of names, in the shorter direction."""
    return (steps + _PERIOD // 2) % _PERIOD - _PERIOD // 2


def surrounding_cells(number: int) -> tuple[int, ...]:
    """The eight cells that share an edge or a corner with a cell (rule 2.2), by direction."""
    return tuple(number + offset for offset in OFFSETS)


def corner_cells(number: int, slide: int) -> tuple[int, ...]:
    """The two cells beside a diagonal slide (rule 10)."""
    around_target = surrounding_cells(number + OFFSETS[slide])[:FIRST_SLIDE]
    return tuple(cell for cell in surrounding_cells(number)[:FIRST_SLIDE] if cell in around_target)
