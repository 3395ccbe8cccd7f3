"""What the arrangement of the tiles allows: who touches whom, what can move, and the group rule (rules 2.2 and 5.2).

To move a tile, alone or with all it pushes, empties its own cell and fills the first free one: the cells between stay
full. So a move is legal if that one free cell touches every part into which the others fall without the tile.

Mostly the *ring* tells, the eight cells around the tile. If its full cells hang together, nothing falls apart. If they
are in several groups, and the arrangement encloses no empty cell, each group is in a part of its own: two groups of
one part would be two ways around an empty cell. Only around holes the parts have to be followed.
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
_RIM = 4 * _CORNER
"""Places that are left free before the first tile."""

_RING = sum(1 << _CORNER + way for way in _WAYS)
"""The ring around the place `_CORNER`."""

_AROUND = tuple(_RING << place >> _CORNER for place in range(2 * _RIM + 9 * _W))
"""Place -> the ring around it."""


class Shape:
    """The cells of a floor, seen by somebody who looks for something to do. Tiles go by their index."""

    __slots__ = ("_at", "_board", "_found", "_places", "_slides", "floor")

    def __init__(self, floor: Floor, *, slides: bool) -> None:
        """`slides` says that diagonal slides are allowed."""
        self.floor = floor
        self._slides = slides
        self._found: list[int] | None = None
        places = [cell - (ROW - _W) * (cell // ROW) for cell in floor.cells]
        base = min(places) - _RIM
        self._places = places = [place - base for place in places]
        board = 0
        for place in places:
            board |= 1 << place
        self._board = board
        self._at = {place: index for index, place in enumerate(places)}

    def ways(self) -> list[int]:
        """The legal moves of each tile, as a mask: bit n for way n."""
        if self._found is None:
            board, simple = self._board, _has_no_hole(self._board)
            self._found = found = []
            for place in self._places:
                ring = _RINGS[board >> place - _CORNER & _RING]
                found.append(_looked(ring, board, place, simple) if ring.ask else ring.sure)
            if self._slides:
                slides = (_slides(board, place) for place in self._places)
                self._found = [ways | more for ways, more in zip(found, slides, strict=True)]
        return self._found

    def ways_of(self, index: int) -> int:
        """The legal moves of one tile."""
        return self._ways(self._board, self._places[index])

    def near(self, index: int) -> list[int]:
        """The tiles that touch a tile, in ascending order."""
        place, at = self._places[index], self._at
        found = [at[place + way] for way in _RINGS[self._board >> place - _CORNER & _RING].near]
        found.sort()
        return found

    def lifts(self, index: int) -> Iterator[tuple[int, int, bool]]:
        """How a tile may lift its neighbors to free cells around it, so that all stay one group.

        Yields the index of the lifted tile, its new cell, and whether the lifter could move then.
        """
        board, place, cell = self._board, self._places[index], self.floor.cells[index]
        around = board >> place - _CORNER & _RING
        ring = _RINGS[around]
        for bit, way in ring.full:
            origin = place + way
            others = _apart(board, origin, place)
            lifted, rest = self._at[origin], around ^ bit
            for new, free, offset in ring.free:
                if not others or _joins(others, place + free):
                    # a sure step needs no further look; she has one wherever her neighbors hang together
                    mobile = _RINGS[rest | new].sure or self._ways(board ^ 1 << origin | 1 << place + free, place)
                    yield lifted, cell + offset, bool(mobile)

    def _ways(self, board: int, place: int) -> int:
        ring = _RINGS[board >> place - _CORNER & _RING]
        steps = _looked(ring, board, place, simple=False) if ring.ask else ring.sure
        return steps | _slides(board, place) if self._slides else steps


def border(cells: Sequence[int]) -> list[int]:
    """The empty cells that touch a tile, in ascending order."""
    return sorted(set(chain.from_iterable(map(_beside, cells))).difference(cells))


@cache
def _beside(cell: int) -> tuple[int, ...]:
    return tuple(cell + offset for offset in OFFSETS)


# --- Moves -----------------------------------------------------------------------------------------------------------


def _looked(ring: _Ring, board: int, place: int, simple: bool) -> int:
    """The legal steps of a tile whose ring does not tell all; `simple` boards have no hole."""
    rest = board ^ 1 << place
    ways = ring.sure
    if ring.whole:
        for bit, way in ring.ask:
            if rest & _AROUND[place + way]:
                ways |= bit
        return ways
    if not simple and _grown(ring.first << place - _CORNER, rest) == rest:
        for bit, way in ring.ask:
            if rest >> place + way & 1 or rest & _AROUND[place + way]:
                ways |= bit
        return ways
    for bit, way in ring.ask:
        target = last = place + way
        while rest >> target & 1:
            last = target
            target += way
        touched = rest & _AROUND[target]
        # what is pushed ends in one part, and a free cell of a simple ring misses a group: another cell must help
        known = _AROUND[last] | 1 << last if last != target else _AROUND[place] if simple else 0
        if touched & ~known and _grown(touched, rest) == rest:
            ways |= bit
    return ways


def _slides(board: int, place: int) -> int:
    """The legal diagonal slides of the tile on a place (ruling 23)."""
    found, rest = 0, board ^ 1 << place
    for bit, way, beside in _SLIDES:
        target = place + way
        free = not board >> target & 1 and not all(board >> place + side & 1 for side in beside)
        touched = rest & _AROUND[target]
        if free and touched and _grown(touched, rest) == rest:
            found |= bit
    return found


def _apart(board: int, place: int, home: int) -> list[int]:
    """The groups that lose touch with the tile on `home` when the one on `place` is gone."""
    if _RINGS[board >> place - _CORNER & _RING].whole:
        return []
    rest = board ^ 1 << place
    return _parts(rest ^ _grown(1 << home, rest))


def _joins(parts: Sequence[int], place: int) -> bool:
    return all(part & _AROUND[place] for part in parts)


# --- Groups ----------------------------------------------------------------------------------------------------------


def _has_no_hole(board: int) -> bool:
    """Whether a single group encloses no empty place: then corners - edges + squares of what it covers is 1."""
    wide = board | board << 1
    corners, edges = (wide | wide << _W).bit_count(), wide.bit_count() + (board | board << _W).bit_count()
    return corners - edges + board.bit_count() == 1


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


# --- The eight cells around a tile -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Ring:
    """What the neighbors of a tile say about it without looking further.

    `whole`: they hang together, so that nothing falls apart when the tile leaves. `first` is one of them. The steps
    of `sure` are legal whatever lies beyond; those to `ask` about, as bit and way, depend on it; all others are not
    legal. `full` are bit and way of the neighbors, `free` bit, way and what it adds to a cell of the empty ones.
    """

    whole: bool
    first: int
    sure: int
    ask: tuple[tuple[int, int], ...]
    near: tuple[int, ...]
    full: tuple[tuple[int, int], ...]
    free: tuple[tuple[int, int, int], ...]


def _ring(ring: int) -> _Ring:
    groups = _parts(ring)
    sure = [bit for bit, way in _STEPS if _is_sure(ring, groups, way)]
    places = [(1 << _CORNER + way, way, offset) for way, offset in zip(_WAYS, OFFSETS, strict=True)]
    return _Ring(
        whole=len(groups) <= 1,
        first=ring & -ring,
        sure=sum(sure),
        ask=tuple((bit, way) for bit, way in _STEPS if bit not in sure),
        near=tuple(way for bit, way, _ in places if ring & bit),
        full=tuple((bit, way) for bit, way, _ in places if ring & bit),
        free=tuple(place for place in places if not ring & place[0]),
    )


def _is_sure(ring: int, groups: Sequence[int], way: int) -> bool:
    """Whether a step keeps touch with all neighbors; a push does if they are one group, for it ends beside it."""
    if ring >> _CORNER + way & 1:
        return len(groups) == 1
    return bool(groups) and all(group & _AROUND[_CORNER + way] for group in groups)


def _subsets(bits: int) -> Iterator[int]:
    """Every set of some of the bits."""
    subset = bits
    while subset:
        yield subset
        subset = subset - 1 & bits
    yield 0


_RINGS = {ring: _ring(ring) for ring in _subsets(_RING)}
