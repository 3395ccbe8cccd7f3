"""The actions that options are made of, each made once: random games spend their time on lists of options."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar, overload

from engine.games.muses.actions import Done, Place, Power, Step, Target, TurnUp
from engine.games.muses.cells import WAYS, Cell, cell_named
from engine.games.muses.tiles import MUSES, TILES, Face, Tile

DONE = Done()
TURN_UP = TurnUp()

Key = TypeVar("Key")
Made = TypeVar("Made")
T = TypeVar("T")


class Kept(dict[Key, Made], ABC):
    """Actions by what they are about, each made when it is first wanted. What is full starts anew."""

    ROOM = 1024

    def __missing__(self, key: Key) -> Made:
        if len(self) >= self.ROOM:
            self.clear()
        made = self[key] = self._made(key)
        return made

    @abstractmethod
    def _made(self, key: Key) -> Made:
        """What is kept under a key."""


class Placings(Sequence[Place]):
    """How some Muses may be laid on some cells: equal to a tuple of actions, Muse by cell by face.

    These are the longest lists of the game, and most who ask for one look at a single action.
    """

    __slots__ = ("_cells", "_faces", "_length", "_muses")

    def __init__(self, muses: Sequence[int], cells: Sequence[int], faces: Sequence[Face]) -> None:
        """Muses and cells by number; `faces` are the sides that may be up."""
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
        # `range` takes negative places and raises IndexError just as a tuple does.
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
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class _Places(Kept[int, Place]):
    """Number of a cell -> the action that lays a Muse there."""

    def __init__(self, muse: int, face: Face) -> None:
        super().__init__()
        self._muse = MUSES[muse]
        self._face = face

    def _made(self, cell: int) -> Place:
        return Place(self._muse, cell_named(cell), self._face)


_PLACES = {(muse, face): _Places(muse, face) for muse in range(len(MUSES)) for face in Face}
"""Number of a Muse and her face -> how she may be laid."""


def subsets(items: Sequence[T]) -> tuple[tuple[T, ...], ...]:
    """Mask -> some of the items."""
    found: list[tuple[T, ...]] = [()]
    for item in items:
        found += [(*some, item) for some in found]
    return tuple(found)


STEPS = tuple(subsets([Step(tile, way) for way in WAYS]) for tile in TILES)
"""STEPS[tile][mask of ways]."""

# --- Powers ----------------------------------------------------------------------------------------------------------
# A set of tiles is a mask here: bit n for the tile with number n.

# In two halves: twice 128 sets instead of 16,384.
_HALF = len(TILES) // 2
_LOW = (1 << _HALF) - 1
_LOW_TILES, _HIGH_TILES = subsets(TILES[:_HALF]), subsets(TILES[_HALF:])


class Uses:
    """The uses of a power by a Muse, by what they are used on; `lender` is whose power she borrows, if any."""

    def __init__(self, muse: int, lender: int | None = None) -> None:
        self._muse = TILES[muse]
        self._lender = () if lender is None else (TILES[lender],)
        self.alone = self.on()
        on_one = [self.on(tile) for tile in TILES]
        self._low, self._high = subsets(on_one[:_HALF]), subsets(on_one[_HALF:])
        self.on_pairs = _OnPairs(self)
        self._carrying = tuple(_Carrying(self, tile) for tile in TILES)
        self.lent = _Lent(muse)

    def on(self, *tiles: Tile, cell: Cell | None = None) -> Power:
        """The use on these tiles."""
        named = (*self._lender, *tiles)
        return Power(self._muse, Target(named, cell, lent=bool(self._lender)) if named else None)

    def on_each(self, tiles: int) -> tuple[Power, ...]:
        """A use on each of some tiles, in ascending order. Two small tables save a large one."""
        return self._low[tiles & _LOW] + self._high[tiles >> _HALF]

    def carrying(self, tile: int, cells: Iterable[int]) -> Iterable[Power]:
        """A use on a tile and each of some cells, all by number."""
        return map(self._carrying[tile].__getitem__, cells)


class _Lent(Kept[int, Uses]):
    """Number of a lender -> the uses of her power by a Muse."""

    def __init__(self, muse: int) -> None:
        super().__init__()
        self._muse = muse

    def _made(self, lender: int) -> Uses:
        return Uses(self._muse, lender)


class _OnPairs(Kept[int, tuple[Power, ...]]):
    """Mask of tiles -> the uses on each two of them."""

    def __init__(self, uses: Uses) -> None:
        super().__init__()
        self._on_pair = _OnPair(uses)

    def _made(self, tiles: int) -> tuple[Power, ...]:
        some = _LOW_TILES[tiles & _LOW] + _HIGH_TILES[tiles >> _HALF]
        return tuple(map(self._on_pair.__getitem__, combinations(some, 2)))


class _OnPair(Kept[tuple[Tile, ...], Power]):
    """Two tiles -> the use on them."""

    def __init__(self, uses: Uses) -> None:
        super().__init__()
        self._uses = uses

    def _made(self, pair: tuple[Tile, ...]) -> Power:
        return self._uses.on(*pair)


class _Carrying(Kept[int, Power]):
    """Number of a cell -> the use that carries a tile there."""

    def __init__(self, uses: Uses, tile: Tile) -> None:
        super().__init__()
        self._uses = uses
        self._tile = tile

    def _made(self, cell: int) -> Power:
        return self._uses.on(self._tile, cell=cell_named(cell))


OWN_USES = tuple(Uses(muse) for muse in range(len(MUSES)))
"""Number of a Muse -> the uses of her own power."""
