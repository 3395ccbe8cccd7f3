"""What the arrangement of the tiles allows: who touches whom, what can move, and the group rule (rules 2.2 and 5.2).

To move a tile, alone or with all it pushes, empties its own cell and fills the first free one: the cells between stay
full. So a move is legal if that one free cell touches every part into which the others fall without the tile. Mostly
the eight cells around the tile tell: if those that are full hang together, nothing falls apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain

from engine.games.muses.floor import Floor
from engine.games.muses.tiles import OFFSETS, ROW

# A board is a set of places as bits. Its rows are long enough that places of touching tiles never meet across an edge.

_W = 32
_WAYS = (-_W, 1, _W, -1, 1 - _W, 1 + _W, _W - 1, -1 - _W)
"""`OFFSETS` on a board."""

_STEPS = tuple((1 << n, way) for n, way in enumerate(_WAYS[:4]))
_SLIDES = tuple(
    (1 << n, _WAYS[n], (_WAYS[one], _WAYS[other])) for n, one, other in ((4, 0, 1), (5, 2, 1), (6, 2, 3), (7, 0, 3))
)
"""The four ways of a slide, each with the two ways beside it (ruling 23)."""

_CORNER = _W + 1
_AROUND = sum(1 << _CORNER + way for way in _WAYS)
"""The ring around the place `_CORNER`."""


class Shape:
    """The cells of a floor, seen by somebody who looks for something to do. Tiles go by their index."""

    __slots__ = ("_at", "_board", "_found", "_places", "_slides", "floor")

    def __init__(self, floor: Floor, *, slides: bool) -> None:
        """`slides` says that diagonal slides are allowed."""
        self.floor = floor
        self._slides = slides
        self._found: list[int] | None = None
        places = [cell - (ROW - _W) * (cell // ROW) for cell in floor.cells]
        base = min(places) - 4 * _CORNER
        self._places = places = [place - base for place in places]
        board = 0
        for place in places:
            board |= 1 << place
        self._board = board
        self._at = {place: index for index, place in enumerate(places)}

    def ways(self) -> list[int]:
        """The legal moves of each tile, as a mask: bit n for way n."""
        if self._found is None:
            board = self._board
            self._found = [_steps(board, place) for place in self._places]
            if self._slides:
                slides = (_slides(board, place) for place in self._places)
                self._found = [ways | more for ways, more in zip(self._found, slides, strict=True)]
        return self._found

    def ways_of(self, index: int) -> int:
        """The legal moves of one tile."""
        return self._ways(self._board, self._places[index])

    def near(self, index: int) -> list[int]:
        """The tiles that touch a tile, in ascending order."""
        place, at = self._places[index], self._at
        return sorted([at[place + way] for way in _RINGS[self._board >> place - _CORNER & _AROUND].near])

    def lifts(self, index: int) -> Iterator[tuple[int, int, bool]]:
        """How a tile may lift its neighbors to free cells around it, so that all stay one group.

        Yields the index of the lifted tile, its new cell, and whether the lifter could move then.
        """
        board, place, cell = self._board, self._places[index], self.floor.cells[index]
        around = board >> place - _CORNER & _AROUND
        ring = _RINGS[around]
        for way in ring.near:
            rest = board ^ 1 << place + way
            parts = _parts_without(board, place + way)
            for free, offset in ring.free:
                target = _around(place + free)
                if len(parts) == 1 or all(part & target for part in parts):
                    # with a whole ring nothing falls apart, and one of the steps keeps touch with it
                    later = around ^ 1 << _CORNER + way ^ 1 << _CORNER + free
                    could = _RINGS[later].whole or self._ways(rest | 1 << place + free, place)
                    yield self._at[place + way], cell + offset, bool(could)

    def _ways(self, board: int, place: int) -> int:
        return _steps(board, place) | (_slides(board, place) if self._slides else 0)


def _steps(board: int, place: int) -> int:
    """The legal steps and pushes of the tile on a place."""
    ring = _RINGS[board >> place - _CORNER & _AROUND]
    rest = board ^ 1 << place
    if not ring.whole:
        part = _grown(ring.first << place - _CORNER, rest)
        if part != rest:
            return _steps_between(rest, place, [part, *_parts(rest ^ part)])
    ways = ring.ways
    for bit, way in ring.unsure:
        if rest & _around(place + way):
            ways |= bit
    return ways


def _steps_between(rest: int, place: int, parts: list[int]) -> int:
    """The legal steps of a tile without which the others fall into several parts."""
    ways = 0
    for bit, way in _STEPS:
        target = place + way
        while rest >> target & 1:
            target += way
        around = _around(target)
        if all(part & around for part in parts):
            ways |= bit
    return ways


def _slides(board: int, place: int) -> int:
    """The legal diagonal slides of the tile on a place (ruling 23)."""
    found, parts = 0, _parts_without(board, place)
    for bit, way, beside in _SLIDES:
        target = place + way
        free = not board >> target & 1 and not all(board >> place + side & 1 for side in beside)
        if free and all(part & _around(target) for part in parts):
            found |= bit
    return found


def border(cells: Sequence[int]) -> list[int]:
    """The empty cells that touch a tile, in ascending order."""
    return sorted(set(chain.from_iterable(map(_beside, cells))).difference(cells))


@cache
def _beside(cell: int) -> tuple[int, ...]:
    return tuple(cell + offset for offset in OFFSETS)


# --- Groups ----------------------------------------------------------------------------------------------------------


def _grown(group: int, board: int) -> int:
    """All places of a board that hang together with those of the group."""
    while True:
        wide = group | group << 1 | group >> 1
        wide = (wide | wide << _W | wide >> _W) & board
        if wide == group:
            return group
        group = wide


def _parts(board: int) -> list[int]:
    """The groups of a board."""
    parts = []
    while board:
        part = _grown(board & -board, board)
        parts.append(part)
        board ^= part
    return parts


def _parts_without(board: int, place: int) -> list[int]:
    """The groups that are left when a tile leaves its place."""
    rest = board ^ 1 << place
    return [rest] if _RINGS[board >> place - _CORNER & _AROUND].whole else _parts(rest)


@cache
def _around(place: int) -> int:
    return _AROUND << place - _CORNER


# --- The eight cells around a tile -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ring:
    """What the neighbors of a tile say about it without looking further.

    `whole`: they hang together, so that nothing falls apart when the tile leaves. `first` is one of them. If nothing
    falls apart, `ways` are legal for sure, and `unsure` (bit and way) if anything lies beyond. `near` are the ways to
    full cells, `free` those to empty ones with what they add to a cell.
    """

    whole: bool
    first: int
    ways: int
    unsure: tuple[tuple[int, int], ...]
    near: tuple[int, ...]
    free: tuple[tuple[int, int], ...]


def _ring(ring: int) -> _Ring:
    touching = [bit for bit, way in _STEPS if ring & (_AROUND << _CORNER + way >> _CORNER | 1 << _CORNER + way)]
    return _Ring(
        whole=len(_parts(ring)) <= 1,
        first=ring & -ring,
        ways=sum(touching),
        unsure=tuple((bit, way) for bit, way in _STEPS if bit not in touching),
        near=tuple(way for way in _WAYS if ring >> _CORNER + way & 1),
        free=tuple((way, offset) for way, offset in zip(_WAYS, OFFSETS, strict=True) if not ring >> _CORNER + way & 1),
    )


def _subsets(bits: int) -> Iterator[int]:
    """Every set of some of the bits."""
    subset = bits
    while subset:
        yield subset
        subset = subset - 1 & bits
    yield 0


_RINGS = {ring: _ring(ring) for ring in _subsets(_AROUND)}
