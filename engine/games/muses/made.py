"""The actions that options are made of, each made once: random games spend their time on lists of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
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


class Kept(dict[Key, Made]):
    """Actions by what they are about, each made when it is first wanted. What is full starts anew."""

    ROOM = 1024  # the cloth has no edge (rule 2.2), so keys that are cells have no end

    def __init__(self, make: Callable[[Key], Made]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, key: Key) -> Made:
        if len(self) >= self.ROOM:
            self.clear()
        made = self[key] = self._make(key)
        return made


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
        # What equals a tuple has to hash as the tuple does.
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def _places(muse: int, face: Face) -> Kept[int, Place]:
    return Kept(lambda cell: Place(MUSES[muse], cell_named(cell), face))


_PLACES = {(muse, face): _places(muse, face) for muse in range(len(MUSES)) for face in Face}
"""Number of a Muse and her face -> number of a cell -> the action that lays her there."""


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
        self.alone = self._on(())
        on_one = [self._on((tile,)) for tile in TILES]
        self._low, self._high = subsets(on_one[:_HALF]), subsets(on_one[_HALF:])
        # A pair is in many masks, so those that have it share its use.
        self._on_pair = Kept(self._on)
        self.on_pairs = Kept(self._on_each_two)
        """Mask of tiles -> the uses on each two of them."""
        self.carrying = tuple(Kept(partial(self._carrying, tile)) for tile in TILES)
        """carrying[tile][cell], both by number: the use that carries the tile there."""
        # Made when she first borrows: these have what she could be lent themselves, and so on without end.
        self.lent = Kept(partial(Uses, muse))
        """Number of a lender -> the uses of her power by this Muse."""

    def _on(self, tiles: tuple[Tile, ...], cell: Cell | None = None) -> Power:
        named = (*self._lender, *tiles)
        return Power(self._muse, Target(named, cell, lent=bool(self._lender)) if named else None)

    def _carrying(self, tile: Tile, cell: int) -> Power:
        return self._on((tile,), cell_named(cell))

    def _on_each_two(self, tiles: int) -> tuple[Power, ...]:
        some = _LOW_TILES[tiles & _LOW] + _HIGH_TILES[tiles >> _HALF]
        return tuple(map(self._on_pair.__getitem__, combinations(some, 2)))

    def on_each(self, tiles: int) -> tuple[Power, ...]:
        """A use on each of some tiles, in ascending order. Two small tables save a large one."""
        return self._low[tiles & _LOW] + self._high[tiles >> _HALF]


OWN_USES = tuple(Uses(muse) for muse in range(len(MUSES)))
"""Number of a Muse -> the uses of her own power."""
