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
from functools import lru_cache
from itertools import chain

from engine.games.muses.cells import OFFSETS, beside, in_rows_of

# A board is a set of places as bits. Its rows are long enough that places of touching tiles never meet across an edge.

_W = 32
_WAYS = (-_W, 1, _W, -1, 1 - _W, 1 + _W, _W - 1, -1 - _W)
"""`OFFSETS` on a board."""

_STEPS = tuple((1 << n, way) for n, way in enumerate(_WAYS[:4]))
_SLIDES = tuple(
    (1 << n, _WAYS[n], (_WAYS[one], _WAYS[other])) for n, one, other in ((4, 0, 1), (5, 2, 1), (6, 2, 3), (7, 0, 3))
)
"""The four ways of a slide, each with the two ways beside it (rule 10)."""

_CORNER = _W + 1
_RIM = 4 * _CORNER
"""Places that are left free before the first tile."""

_RING = sum(1 << _CORNER + way for way in _WAYS)
"""The ring around the place `_CORNER`."""

_AROUND = tuple(_RING << place >> _CORNER for place in range(2 * _RIM + 9 * _W))
"""Place -> the ring around it."""


class Shape:
    """Some cells, seen by somebody who looks for something to do. Tiles go by the index of their cell.

    Make one by `shape_of`: several plies often look at the same arrangement.
    """

    __slots__ = ("_at", "_board", "_found", "_near", "_places", "_simple", "_slides", "cells")

    def __init__(self, cells: tuple[int, ...], slides: bool) -> None:
        """`slides` says that diagonal slides are allowed."""
        self.cells = cells
        self._slides = slides
        self._found: list[int] | None = None
        self._near: dict[int, list[int]] = {}
        places = in_rows_of(_W, cells)
        base = min(places) - _RIM
        self._places = places = [place - base for place in places]
        board = 0
        for place in places:
            board |= 1 << place
        self._board = board
        self._simple = _has_no_hole(board)
        self._at = {place: index for index, place in enumerate(places)}

    def ways(self) -> list[int]:
        """The legal moves of each tile, as a mask: bit n for way n."""
        if self._found is None:
            self._found = [self._ways(place) for place in self._places]
        return self._found

    def ways_of(self, index: int) -> int:
        """The legal moves of one tile."""
        return self._found[index] if self._found else self._ways(self._places[index])

    def near(self, index: int) -> list[int]:
        """The tiles that touch a tile, in ascending order."""
        if (found := self._near.get(index)) is None:
            place, at = self._places[index], self._at
            found = [at[place + way] for way in _RINGS[self._board >> place - _CORNER & _RING].near]
            found.sort()
            self._near[index] = found
        return found

    def lifts(self, index: int, *, mobile: bool) -> list[tuple[int, int]]:
        """How a tile may lift its neighbors to free cells around it, so that all stay one group.

        Returns the index of the lifted tile and its new cell; `mobile` asks that the lifter can move then.
        """
        board, place, cell = self._board, self._places[index], self.cells[index]
        around = board >> place - _CORNER & _RING
        found: list[tuple[int, int]] = []
        for lift in _RINGS[around].lifts:
            origin = place + lift.way
            lifted, rest = self._at[origin], board ^ 1 << origin
            others = _apart(board, origin, place)
            sure = [free for free in lift.sure if _joins(others, place + free[0])] if others else lift.sure
            found += [(lifted, cell + offset) for _, offset in sure]
            for way, offset in lift.unsure:
                if _joins(others, place + way) and (not mobile or _moves(rest | 1 << place + way, place, self._slides)):
                    found.append((lifted, cell + offset))
        return found

    def _ways(self, place: int) -> int:
        board = self._board
        ring = _RINGS[board >> place - _CORNER & _RING]
        ways = ring.sure
        if ring.ask:
            rest = board ^ 1 << place
            if not ring.whole:
                ways = _steps_apart(ring, rest, place, self._simple)
            else:
                for bit, way in ring.ask:
                    if rest & _AROUND[place + way]:
                        ways |= bit
        return ways | _slides(board, place) if self._slides else ways


@lru_cache(maxsize=256)
def shape_of(cells: tuple[int, ...], slides: bool) -> Shape:
    """The shape of some cells, which must be one group."""
    return Shape(cells, slides)


def border(cells: Sequence[int]) -> list[int]:
    """The empty cells that touch a tile, in ascending order."""
    return sorted(set(chain.from_iterable(map(beside, cells))).difference(cells))


# --- Moves -----------------------------------------------------------------------------------------------------------


def _moves(board: int, place: int, slides: bool) -> int:
    """The legal moves of a tile, for a board that is looked at only once."""
    rest = board ^ 1 << place
    ring = _RINGS[board >> place - _CORNER & _RING]
    ways = ring.sure or (0 if ring.whole else _steps_apart(ring, rest, place, _has_no_hole(board)))
    return ways or (_slides(board, place) if slides else 0)


def _steps_apart(ring: _Ring, rest: int, place: int, simple: bool) -> int:
    """The legal steps of a tile whose neighbors are in several groups; `simple` boards have no hole."""
    ways = ring.sure
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
    """The legal diagonal slides of the tile on a place (rule 10)."""
    found, rest = 0, board ^ 1 << place
    for bit, way, sides in _SLIDES:
        target = place + way
        free = not board >> target & 1 and not all(board >> place + side & 1 for side in sides)
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
class _Lift:
    """A neighbor that may be lifted: the way to it, and where to: ways to free cells and what these add to a cell.

    If all stays one group, the lifter has a legal step after those that are `sure`; for the others one has to look.
    """

    way: int
    sure: tuple[tuple[int, int], ...]
    unsure: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class _Ring:
    """What the neighbors of a tile say about it without looking further.

    `whole`: they hang together, so that nothing falls apart when the tile leaves. `first` is one of them. The steps
    of `sure` are legal whatever lies beyond; those to `ask` about, as bit and way, depend on it; all others are not
    legal. `near` are the ways to the neighbors, `lifts` says how they may be lifted.
    """

    whole: bool
    first: int
    sure: int
    ask: tuple[tuple[int, int], ...]
    near: tuple[int, ...]
    lifts: tuple[_Lift, ...]


def _ring(ring: int) -> _Ring:
    groups, sure = _parts(ring), _sure(ring)
    near = tuple(way for way in _WAYS if ring >> _CORNER + way & 1)
    return _Ring(
        whole=len(groups) <= 1,
        first=ring & -ring,
        sure=sure,
        ask=tuple((bit, way) for bit, way in _STEPS if not sure & bit),
        near=near,
        lifts=tuple(_lift(ring, way) for way in near),
    )


def _lift(ring: int, way: int) -> _Lift:
    sure: list[tuple[int, int]] = []
    unsure: list[tuple[int, int]] = []
    for other, offset in zip(_WAYS, OFFSETS, strict=True):
        if not ring >> _CORNER + other & 1:
            later = ring ^ 1 << _CORNER + way ^ 1 << _CORNER + other
            (sure if _sure(later) else unsure).append((other, offset))
    return _Lift(way, tuple(sure), tuple(unsure))


def _sure(ring: int) -> int:
    """The steps that are legal whatever lies beyond the ring."""
    groups = _parts(ring)
    return sum(bit for bit, way in _STEPS if _is_sure(ring, groups, way))


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
