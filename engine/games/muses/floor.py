"""The tiles on the cloth with their dice: a value that moves and powers turn into the next one."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from operator import getitem

from engine.games.muses.cells import OFFSETS
from engine.games.muses.tiles import NUMBERS, TILES, Tile

NEUTRAL = -1
"""Color of the die that belongs to no company."""

TOP = 6
"""The value that ends a hand."""

_EVERY_TILE = (1 << len(TILES)) - 1

_ROOMS = tuple(len(TILES) * value for value in range(TOP + 1))
"""Value -> where the tiles that show it are, in a number that has a mask of tiles for each value."""

_SHOWN = tuple(tuple(1 << tile + room for room in _ROOMS) for tile in range(len(TILES)))
"""Number of a tile, value of its die -> such a number."""


@dataclass(frozen=True, slots=True)
class Floor:
    """Aligned tuples, in ascending order of the tiles' numbers.

    `cells` are numbers of cells (see `cells`), `values` 1..6, `colors` the company of each die or `NEUTRAL`.
    """

    tiles: tuple[int, ...]
    cells: tuple[int, ...]
    values: tuple[int, ...]
    colors: tuple[int, ...]

    def index(self, tile: Tile) -> int:
        """The index of a tile in the tuples. Raises `ValueError` if it does not lie on the cloth."""
        return self.tiles.index(NUMBERS[tile])

    def with_tile(self, tile: int, cell: int, color: int) -> Floor:
        """One tile more, with a die of value 1."""
        # In order, so that cloths laid out differently are equal once they look the same.
        at = bisect(self.tiles, tile)
        return Floor(
            (*self.tiles[:at], tile, *self.tiles[at:]),
            (*self.cells[:at], cell, *self.cells[at:]),
            (*self.values[:at], 1, *self.values[at:]),
            (*self.colors[:at], color, *self.colors[at:]),
        )

    def chain(self, index: int, way: int) -> list[int]:
        """A tile and all it pushes, in the order of their cells (rule 5.1); all by index."""
        cells, offset = self.cells, OFFSETS[way]
        chain, following = [index], cells[index] + offset
        # A row of any length is pushed (rule 5.1).
        while following in cells:
            chain.append(cells.index(following))
            following += offset
        return chain

    def stepped(self, chain: list[int], way: int) -> Floor:
        """After a move: the whole chain a cell further, and 1 more on each of its dice, all at once."""
        cells, values, offset = list(self.cells), list(self.values), OFFSETS[way]
        # All at once, so several dice may reach 6 together (rules 5.1 and 12).
        for index in chain:
            cells[index] += offset
            values[index] += 1
        return Floor(self.tiles, tuple(cells), tuple(values), self.colors)

    def with_value(self, index: int, value: int) -> Floor:
        """The die on a tile turned to another value."""
        return Floor(self.tiles, self.cells, _put(self.values, index, value), self.colors)

    def with_cell(self, index: int, cell: int) -> Floor:
        """A tile with its die on another cell."""
        return Floor(self.tiles, _put(self.cells, index, cell), self.values, self.colors)

    def with_dice_swapped(self, one: int, other: int) -> Floor:
        """The dice of two tiles exchanged, color and value."""
        return Floor(self.tiles, self.cells, _swapped(self.values, one, other), _swapped(self.colors, one, other))

    def with_cells_swapped(self, one: int, other: int) -> Floor:
        """Two tiles with their dice exchanged."""
        return Floor(self.tiles, _swapped(self.cells, one, other), self.values, self.colors)

    def turned_up(self, names: Mapping[int, int]) -> Floor:
        """The same with other numbers for some tiles, as when face-down ones are turned up."""
        rows = zip(self.tiles, self.cells, self.values, self.colors, strict=True)
        # Sorted again, since a tile that is turned up takes the number of its Muse.
        shown = sorted((names.get(tile, tile), *rest) for tile, *rest in rows)
        tiles, cells, values, colors = zip(*shown, strict=True)
        return Floor(tiles, cells, values, colors)

    def showing(self) -> list[int]:
        """Value -> the tiles whose dice show it, as a mask: bit n for the tile with number n."""
        # All masks in one number: no two tiles share a bit of it, so the sum is a union.
        packed = sum(map(getitem, map(_SHOWN.__getitem__, self.tiles), self.values))
        return [packed >> room & _EVERY_TILE for room in _ROOMS]

    @property
    def hand_over(self) -> bool:
        """Whether some die shows 6 (rule 7)."""
        return TOP in self.values


EMPTY = Floor((), (), (), ())


def _put(numbers: tuple[int, ...], index: int, number: int) -> tuple[int, ...]:
    return (*numbers[:index], number, *numbers[index + 1 :])


def _swapped(numbers: tuple[int, ...], one: int, other: int) -> tuple[int, ...]:
    changed = list(numbers)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)
