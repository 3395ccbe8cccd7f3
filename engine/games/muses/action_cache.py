"""Caches of actions. Each action is created once, since random games spend most of their time on lists of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import TypeVar, overload

from engine.games.muses.actions import Done, Place, Power, Step, Target, TurnUp
from engine.games.muses.cells import WAYS, Cell, cell_name
from engine.games.muses.tiles import MUSES, TILES, Face, Tile

DONE = Done()
TURN_UP = TurnUp()

Key = TypeVar("Key")
Value = TypeVar("Value")
T = TypeVar("T")


class ActionCache(dict[Key, Value]):
    """Actions by key, each created on first use. A full cache is cleared."""

    MAX_SIZE = 1024  # the floor is unbounded (rule 2.2), and so is the number of cells

    def __init__(self, make: Callable[[Key], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Value:
        if len(self) >= self.MAX_SIZE:
            self.clear()
        value = self[key] = self._make(key)
        return value


class Placings(Sequence[Place]):
    """The placements of some Muses on some cells, equal to a tuple of actions by Muse, cell and face.

    A lazy sequence, since these are the longest lists of the game and most callers need a single action.
    """

    __slots__ = ("_cells", "_faces", "_length", "_muses")

    def __init__(self, muses: Sequence[int], cells: Sequence[int], faces: Sequence[Face]) -> None:
        """`muses` and `cells` are numbers; `faces` are the possible sides."""
        self._muses, self._cells, self._faces = muses, cells, faces
        self._length = len(muses) * len(cells) * len(faces)

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Place: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Place, ...]: ...
    def __getitem__(self, index: int | slice) -> Place | tuple[Place, ...]:
        if isinstance(index, slice):
            return tuple(self)[index]
        # `range` handles negative indexes and raises IndexError like a tuple.
        number, face = divmod(range(self._length)[index], len(self._faces))
        muse, cell = divmod(number, len(self._cells))
        return _PLACES[self._muses[muse], self._faces[face]][self._cells[cell]]

    def __iter__(self) -> Iterator[Place]:
        for muse in self._muses:
            places = [_PLACES[muse, face] for face in self._faces]
            yield from (place[cell] for cell in self._cells for place in places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, tuple | Placings) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        # Must be the hash of the equal tuple.
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def _places(muse: int, face: Face) -> ActionCache[int, Place]:
    return ActionCache(lambda cell: Place(MUSES[muse], cell_name(cell), face))


_PLACES = {(muse, face): _places(muse, face) for muse in range(len(MUSES)) for face in Face}
"""Number of a Muse and her face -> number of a cell -> the action that lays her there."""


def subsets(items: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """Bit mask -> the selected items."""
    result: list[tuple[T, ...]] = [()]
    for item in items:
        result += [(*some, item) for some in result]
    return tuple(result)


STEPS = tuple(subsets([Step(tile, way) for way in WAYS]) for tile in TILES)
"""STEPS[tile][mask of ways]."""

# --- Powers ----------------------------------------------------------------------------------------------------------
# Here, a set of tiles is a mask: bit n for the tile with number n. Tables are split into two halves of 128 sets instead
# of one with 16,384.

_HALF = len(TILES) // 2
_LOW = (1 << _HALF) - 1
_LOW_TILES, _HIGH_TILES = subsets(TILES[:_HALF]), subsets(TILES[_HALF:])


class Uses:
    """The uses of a power by a Muse, by target. `lender` is the Muse from whom she borrows the power, if any."""

    def __init__(self, muse: int, lender: int | None = None) -> None:
        self._muse = TILES[muse]
        self._lender = () if lender is None else (TILES[lender],)
        self.alone = self._on(())
        on_one = [self._on((tile,)) for tile in TILES]
        self._low, self._high = subsets(on_one[:_HALF]), subsets(on_one[_HALF:])
        # A pair is part of many masks, which share its use.
        self._on_pair = ActionCache(self._on)
        self.on_pairs = ActionCache(self._on_each_two)
        """Mask of tiles -> the uses on each pair of them."""
        self.carrying = tuple(ActionCache(partial(self._carrying, tile)) for tile in TILES)
        """carrying[tile][cell], both by number: the use that carries the tile to the cell."""
        # Created on first use, since these have their own `lent`, and so on recursively.
        self.lent = ActionCache(partial(Uses, muse))
        """Number of a lender -> the uses of her power by this Muse."""

    def _on(self, tiles: tuple[Tile, ...], cell: Cell | None = None) -> Power:
        named = (*self._lender, *tiles)
        return Power(self._muse, Target(named, cell, lent=bool(self._lender)) if named else None)

    def _carrying(self, tile: Tile, cell: int) -> Power:
        return self._on((tile,), cell_name(cell))

    def _on_each_two(self, tiles: int) -> tuple[Power, ...]:
        some = _LOW_TILES[tiles & _LOW] + _HIGH_TILES[tiles >> _HALF]
        return tuple(map(self._on_pair.__getitem__, combinations(some, 2)))

    def on_each(self, tiles: int) -> tuple[Power, ...]:
        """The uses on each of some tiles, in ascending order."""
        return self._low[tiles & _LOW] + self._high[tiles >> _HALF]


OWN_USES = tuple(Uses(muse) for muse in range(len(MUSES)))
"""Number of a Muse -> the uses of her own power."""
