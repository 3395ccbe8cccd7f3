"""The floor: the tiles on the table with their dice, as an immutable value."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from operator import getitem

from engine.games.muses.cells import OFFSETS
from engine.games.muses.tiles import NUMBERS, TILES, Tile
from engine.values import Value

NEUTRAL = -1
"""Color of the Neutral tile's die, which does not belong to a company."""

TOP = 6
"""The value of a die that ends a hand."""

_EVERY_TILE = (1 << len(TILES)) - 1

_ROOMS = tuple(len(TILES) * value for value in range(TOP + 1))
"""Value -> bit offset of its mask of tiles in a packed number with a mask for each value."""

_BITS = tuple(tuple(1 << tile + room for room in _ROOMS) for tile in range(len(TILES)))
"""_BITS[tile][value]: the packed number of a single tile."""


class Floor(Value):
    """Aligned tuples with a row for each tile, sorted by the tiles' numbers.

    `cells` are the numbers of cells (see `cells`), `values` the dice 1..6, `colors` the company of each die, or
    `NEUTRAL`.
    """

    tiles: tuple[int, ...]
    cells: tuple[int, ...]
    values: tuple[int, ...]
    colors: tuple[int, ...]

    def index(self, tile: Tile) -> int:
        """The index of a tile in the tuples. Raises `ValueError` if it is not on the floor."""
        return self.tiles.index(NUMBERS[tile])

    def with_tile(self, tile: int, cell: int, color: int) -> Floor:
        """The floor with one more tile and a die of value 1."""
        # Sorted, so that floors that look the same are equal values.
        at = bisect(self.tiles, tile)
        return Floor(
            (*self.tiles[:at], tile, *self.tiles[at:]),
            (*self.cells[:at], cell, *self.cells[at:]),
            (*self.values[:at], 1, *self.values[at:]),
            (*self.colors[:at], color, *self.colors[at:]),
        )

    def chain(self, index: int, way: int) -> list[int]:
        """The indexes of a tile and the tiles that it pushes, in the order of their cells (rule 5.1)."""
        cells, offset = self.cells, OFFSETS[way]
        chain, following = [index], cells[index] + offset
        # A tile pushes a row of any length (rule 5.1).
        while following in cells:
            chain.append(cells.index(following))
            following += offset
        return chain

    def after_step(self, chain: list[int], way: int) -> Floor:
        """The floor after a move: the whole chain one cell further, and its dice raised by 1."""
        cells, values, offset = list(self.cells), list(self.values), OFFSETS[way]
        # Several dice may reach 6 at the same time (rules 5.1 and 12).
        for index in chain:
            cells[index] += offset
            values[index] += 1
        return Floor(self.tiles, tuple(cells), tuple(values), self.colors)

    def with_value(self, index: int, value: int) -> Floor:
        """The floor with another value of a die."""
        return Floor(self.tiles, self.cells, _replace_at(self.values, index, value), self.colors)

    def with_cell(self, index: int, cell: int) -> Floor:
        """The floor with a tile and its die on another cell."""
        return Floor(self.tiles, _replace_at(self.cells, index, cell), self.values, self.colors)

    def with_dice_swapped(self, one: int, other: int) -> Floor:
        """The floor with the dice of two tiles swapped."""
        return Floor(self.tiles, self.cells, _swap(self.values, one, other), _swap(self.colors, one, other))

    def with_cells_swapped(self, one: int, other: int) -> Floor:
        """The floor with two tiles and their dice swapped."""
        return Floor(self.tiles, _swap(self.cells, one, other), self.values, self.colors)

    def with_names(self, names: Mapping[int, int]) -> Floor:
        """The floor with face-down tiles turned up; `names` maps their numbers to those of the Muses."""
        rows = zip(self.tiles, self.cells, self.values, self.colors, strict=True)
        # Sorted again, since the numbers of these tiles change.
        sorted_rows = sorted((names.get(tile, tile), *rest) for tile, *rest in rows)
        tiles, cells, values, colors = zip(*sorted_rows, strict=True)
        return Floor(tiles, cells, values, colors)

    def tiles_by_value(self) -> list[int]:
        """Value -> the tiles with this value, as a mask: bit n for the tile with number n."""
        # All masks are packed into one number. Each tile has its own bit, so the sum is the union.
        packed = sum(map(getitem, map(_BITS.__getitem__, self.tiles), self.values))
        return [packed >> room & _EVERY_TILE for room in _ROOMS]

    @property
    def hand_over(self) -> bool:
        """Whether any die shows 6 (rule 7)."""
        return TOP in self.values


EMPTY = Floor((), (), (), ())


def _replace_at(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


def _swap(numbers: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    changed = list(numbers)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)
