"""What the arrangement of the tiles allows: who touches whom, what can move, and the group rule (rules 2.2 and 5.2).

To move a tile, alone or with all it pushes, empties its own cell and fills the first free one: the cells between stay
full. So a move is legal if that one free cell touches every part into which the others fall without the tile.

Mostly the *ring* tells, the eight cells around the tile. If its full cells hang together, nothing falls apart. If they
are in several groups, and the arrangement encloses no empty cell, each group is in a part of its own: two groups of
one part would be two ways around an empty cell. What the rings tell is found for all tiles at once, because a list of
legal actions asks for all of them; only where a ring leaves a doubt the parts have to be followed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain

from engine.games.muses.cells import OFFSETS, beside, in_rows_of

# A board is a set of places as bits. Twelve places make a row, of which nine tiles leave three free, so that places of
# touching tiles never meet across an edge. In a board of names a place has room for sixteen bits: one for the number
# of its tile. In a fourfold board the tiles lie four times, turned so that in the nth quarter way n leads north: what
# is said about a step north is said about all four at once, and large numbers are as quick as small ones.

_X = 1
_Y = 12
_WAYS = (-_Y, _X, _Y, -_X, _X - _Y, _X + _Y, _Y - _X, -_X - _Y)
"""`OFFSETS` on a board."""

_NAME = 16
_EVERY_NAME = (1 << _NAME) - 1

_SLIDES = tuple(
    (1 << n, _WAYS[n], (_WAYS[one], _WAYS[other])) for n, one, other in ((4, 0, 1), (5, 2, 1), (6, 2, 3), (7, 0, 3))
)
"""The four ways of a slide, each with the two ways beside it (rule 10)."""

_CORNER = _Y + _X
_RING = sum(1 << _CORNER + way for way in _WAYS)
"""The ring around the place `_CORNER`."""

_REACH = 8
"""So many cells at most nine tiles that hang together reach from one of them."""

_FIRST = 2 * _CORNER + _REACH
"""The place of the first tile, in reading order, on a board; two rows and columns beyond all tiles stay free."""

_QUARTER = 2 * _CORNER * (_REACH + 2)
"""Places of a quarter: the first tile in its middle, and all the others as far as they reach to any side of it."""

_WIDE_ROW = 32
"""Cells in rows of this length differ by a number of their own for every x and y that nine tiles can be apart."""


def _spots() -> Iterator[tuple[int, tuple[int, int]]]:
    """Cells in rows of `_WIDE_ROW`, seen from the first tile, with their place and their bits of a fourfold board."""
    middle = _QUARTER // 2
    for y in range(_REACH + 1):
        for x in range(-_REACH, _REACH + 1):
            turned = (_FIRST + _Y * y + x, middle - _Y * x + y, middle - _Y * y - x, middle + _Y * x - y)
            fourfold = sum(1 << quarter * _QUARTER + place for quarter, place in enumerate(turned))
            yield _WIDE_ROW * y + x, (turned[0], fourfold)


_SPOTS = dict(_spots())
"""Where a tile lies, seen from the first one -> its place on a board, and its bits of a fourfold board."""

_ONCE = (1 << _QUARTER) - 1
"""The first quarter of a fourfold board: the tiles as they lie."""


def _steps_on_spots() -> Iterator[tuple[int, int]]:
    """Any of the bits that a spot has on a fourfold board, with the same as a mask of ways."""
    for _, fourfold in _SPOTS.values():
        ways = [fourfold & _ONCE << quarter * _QUARTER for quarter in range(4)]
        yield from ((sum(bit for n, bit in enumerate(ways) if mask >> n & 1), mask) for mask in range(16))


_MASKS = dict(_steps_on_spots())


class Shape:
    """Some tiles on cells, seen by somebody who looks for something to do.

    Tiles to ask about go by their index, tiles in an answer by their number. Make one by `shape_of`: several plies
    often look at the same arrangement.
    """

    __slots__ = ("_board", "_fourfold", "_named", "_near", "_slides", "_spots", "_tiles", "_ways", "cells")

    def __init__(self, tiles: tuple[int, ...], cells: tuple[int, ...], slides: bool) -> None:
        """`slides` says that diagonal slides are allowed."""
        self.cells = cells
        self._tiles = tiles
        self._slides = slides
        self._ways: list[int] | None = None
        self._near = self._named = 0
        places = in_rows_of(_WIDE_ROW, cells)
        first = min(places)
        self._spots = spots = [_SPOTS[place - first] for place in places]
        self._fourfold = fourfold = sum([spot[1] for spot in spots])
        self._board = fourfold & _ONCE

    def ways(self) -> list[int]:
        """The legal moves of each tile, as a mask: bit n for way n."""
        if self._ways is None:
            steps = _steps(self._fourfold, self._spots)
            self._ways = [_MASKS[steps & fourfold] for _, fourfold in self._spots]
            if self._slides:
                self._add_slides(self._ways)
        return self._ways

    def ways_of(self, index: int) -> int:
        """The legal moves of one tile."""
        return self._ways[index] if self._ways else self._ways_on(self._board, self._spots[index][0])

    def stuck(self) -> int:
        """The tiles that cannot move, as a mask: bit n for the tile with number n."""
        return sum([1 << tile for tile, ways in zip(self._tiles, self.ways(), strict=True) if not ways])

    def near(self, index: int) -> int:
        """The tiles that touch a tile, as a mask: bit n for the tile with number n."""
        if not self._near:
            self._look_around()
        return (self._near >> _NAME * self._spots[index][0] & _EVERY_NAME) ^ 1 << self._tiles[index]

    def lifts(self, index: int, *, mobile: bool) -> list[tuple[int, list[int]]]:
        """How a tile may lift its neighbors to free cells around it, so that all stay one group.

        Returns the number of each lifted tile with its new cells; `mobile` asks that the lifter can move then.
        """
        if not self._near:
            self._look_around()
        board, place, cell = self._board, self._spots[index][0], self.cells[index]
        found = []
        for lift in _LIFTS[board >> place - _CORNER & _RING]:
            origin = place + lift.way
            free, moved = _rejoining(board, origin, place), board ^ 1 << origin
            cells = [cell + offset for bit, offset in lift.sure if free & bit]
            for bit, offset in lift.unsure:
                if free & bit and (not mobile or self._ways_on(moved | bit << place - _CORNER, place)):
                    cells.append(cell + offset)
            found.append(((self._named >> _NAME * origin & _EVERY_NAME).bit_length() - 1, cells))
        return found

    def _look_around(self) -> None:
        """Spread the names of all tiles over the cells beside them."""
        rows = zip(self._spots, self._tiles, strict=True)
        self._named = named = sum([1 << _NAME * spot[0] + tile for spot, tile in rows])
        wide = named | named << _NAME * _X | named >> _NAME * _X
        self._near = wide | wide << _NAME * _Y | wide >> _NAME * _Y

    def _add_slides(self, ways: list[int]) -> None:
        for index, place in enumerate(place for place, _ in self._spots):
            ways[index] |= _slides(self._board, place)

    def _ways_on(self, board: int, place: int) -> int:
        """The legal moves of the tile on a place of a board that is looked at only once."""
        return _steps_of(board, place) | (_slides(board, place) if self._slides else 0)


@lru_cache(maxsize=256)
def shape_of(tiles: tuple[int, ...], cells: tuple[int, ...], slides: bool) -> Shape:
    """The shape of some tiles on cells, which must be one group of two tiles or more."""
    return Shape(tiles, cells, slides)


@lru_cache(maxsize=256)
def border(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The empty cells that touch a tile, in ascending order."""
    return tuple(sorted(set(chain.from_iterable(map(beside, cells))).difference(cells)))


# --- Moves -----------------------------------------------------------------------------------------------------------


def _steps(board: int, spots: Sequence[tuple[int, int]]) -> int:
    """The legal steps of all tiles of a fourfold board: what is north of them is what lies ahead.

    Each name stands for the tiles of which it is true: `n` have a tile in the north, `no_n` have none.
    """
    n, e, s, w = board & board << _Y, board & board >> _X, board & board >> _Y, board & board << _X
    nw, ne = board & board << _Y + _X, board & board << _Y - _X
    sw, se = board & board >> _Y - _X, board & board >> _Y + _X
    no_n, no_e, no_s, no_w, no_nw, no_ne = board ^ n, board ^ e, board ^ s, board ^ w, board ^ nw, board ^ ne
    # where a group of neighbors begins, going around: with two beginnings or more they fall apart without the tile
    one, two, three, four = no_e & (ne | n), no_n & (nw | w), no_w & (sw | s), no_s & (se | e)
    apart = one & two | three & four | (one | two) & (three | four)
    linked, tangled = _around_holes(board, apart, spots) if _has_hole(board, 4) else (0, 0)
    apart ^= linked
    # the free cell ahead misses some neighbors
    missing = no_n & (s & no_e & no_w | no_s & (se & no_e | sw & no_w))
    # beyond it there is somebody who does not touch those beside it; nobody else can be in a part of his own
    nn = board << 2 * _Y
    meeting = no_n & (no_nw & nn << _X | no_ne & nn >> _X | no_nw & no_ne & nn)
    legal = no_n ^ missing | (board ^ apart ^ linked) & (n | missing & meeting)
    if linked:
        legal |= linked & (n | meeting | no_n & (e | w | ne | nw))
    doubtful = apart & (missing & meeting | _pushing(board, meeting)) | tangled & (n | missing)
    return legal | _checked(board, doubtful) if doubtful else legal


def _pushing(board: int, last: int) -> int:
    """The tiles that push a row north which ends with one of these."""
    row, found = board & last << _Y, 0
    while row:
        found |= row
        row = board & row << _Y
    return found


def _checked(board: int, tiles: int) -> int:
    """Those of some tiles that may step north: the cell that is filled has to touch all parts of the rest."""
    found = 0
    while tiles:
        tile = tiles & -tiles
        tiles ^= tile
        place = tile.bit_length() - 1
        start = place - place % _QUARTER
        rest, target = (board ^ tile) >> start & _ONCE, place - start - _Y
        while rest >> target & 1:
            target -= _Y
        touched = rest & _around(target)
        if touched and _reaches_all(touched, rest):
            found |= tile
    return found


def _around_holes(board: int, apart: int, spots: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Of the tiles with neighbors in several groups those where all groups are linked around a hole, or some may be."""
    linked, tangled, once = 0, 0, board & _ONCE
    for place, fourfold in spots:
        if apart & fourfold:
            rest = once ^ 1 << place
            if _reaches_all(rest & -rest, rest):
                linked |= fourfold
            elif len(_GROUPS[once >> place - _CORNER & _RING]) > 2:
                tangled |= fourfold
    return linked, tangled


def _steps_of(board: int, place: int) -> int:
    """The legal steps of the tile on a place, for a board that is looked at only once."""
    rest, ring = board ^ 1 << place, board >> place - _CORNER & _RING
    found, whole = _SURE[ring], len(_GROUPS[ring]) < 2
    known = 0 if whole or _has_hole(board, 1) else _around(place)
    for number, way in enumerate(_WAYS[:4]):
        if not found >> number & 1:
            target = place + way
            while rest >> target & 1:
                target += way
            # somebody new has to be touched, unless groups are linked around a hole
            touched = rest & _around(target)
            if touched & ~known and (whole or _reaches_all(touched, rest)):
                found |= 1 << number
    return found


def _slides(board: int, place: int) -> int:
    """The legal diagonal slides of the tile on a place (rule 10)."""
    found, rest = 0, board ^ 1 << place
    for bit, way, sides in _SLIDES:
        target = place + way
        free = not board >> target & 1 and not all(board >> place + side & 1 for side in sides)
        touched = rest & _around(target)
        if free and touched and _reaches_all(touched, rest):
            found |= bit
    return found


def _rejoining(board: int, origin: int, home: int) -> int:
    """Where a tile on the ring of `home` may go instead, so that all that it held together stays one group.

    These are places of the ring, free or not, as a ring has them.
    """
    shift, found = origin - _CORNER, _RING
    groups = _GROUPS[board >> shift & _RING]
    if len(groups) > 1:
        rest, at_home = board ^ 1 << origin, 1 << home
        for group in groups:
            if not group << shift & at_home:
                part = _grown(group << shift, rest)
                found &= _RING if part & at_home else _spread(part) >> home - _CORNER
    return found


# --- Groups ----------------------------------------------------------------------------------------------------------


def _around(place: int) -> int:
    return _RING << place >> _CORNER


def _has_hole(board: int, groups: int) -> bool:
    """Whether so many groups enclose an empty place: if not, corners - edges + squares of what one covers is 1."""
    wide = board | board << _X
    corners, edges = (wide | wide << _Y).bit_count(), wide.bit_count() + (board | board << _Y).bit_count()
    return corners - edges + board.bit_count() != groups


def _spread(board: int) -> int:
    """All places of a board, and those around them."""
    wide = board | board << _X | board >> _X
    return wide | wide << _Y | wide >> _Y


def _reaches_all(group: int, board: int) -> bool:
    """Whether all places of a board hang together with those of the group."""
    while group != board:
        wide = group | group << _X | group >> _X
        wide = (wide | wide << _Y | wide >> _Y) & board
        if wide == group:
            return False
        group = wide
    return True


def _grown(group: int, board: int) -> int:
    """All places of a board that hang together with those of the group."""
    while True:
        wide = group | group << _X | group >> _X
        wide = (wide | wide << _Y | wide >> _Y) & board
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
    """A neighbor that may be lifted: the way to it, and where to: places of the ring and what these add to a cell.

    If all stays one group, the lifter has a legal step after those that are `sure`; for the others one has to look.
    """

    way: int
    sure: tuple[tuple[int, int], ...]
    unsure: tuple[tuple[int, int], ...]


def _lift(ring: int, way: int) -> _Lift:
    sure: list[tuple[int, int]] = []
    unsure: list[tuple[int, int]] = []
    for other, offset in zip(_WAYS, OFFSETS, strict=True):
        if not ring >> _CORNER + other & 1:
            later = ring ^ 1 << _CORNER + way ^ 1 << _CORNER + other
            (sure if _SURE[later] else unsure).append((1 << _CORNER + other, offset))
    return _Lift(way, tuple(sure), tuple(unsure))


def _sure(ring: int) -> int:
    """The steps that are legal whatever lies beyond the ring."""
    groups = _parts(ring)
    return sum(1 << number for number, way in enumerate(_WAYS[:4]) if _is_sure(ring, groups, way))


def _is_sure(ring: int, groups: Sequence[int], way: int) -> bool:
    """Whether a step keeps touch with all neighbors; a push does if they are one group, for it ends beside it."""
    if ring >> _CORNER + way & 1:
        return len(groups) == 1
    return bool(groups) and all(group & _around(_CORNER + way) for group in groups)


def _subsets(bits: int) -> Iterator[int]:
    """Every set of some of the bits."""
    subset = bits
    while subset:
        yield subset
        subset = subset - 1 & bits
    yield 0


_GROUPS = {ring: tuple(_parts(ring)) for ring in _subsets(_RING)}
"""Ring -> the groups of its full cells."""

_SURE = {ring: _sure(ring) for ring in _GROUPS}
"""Ring -> the steps that are legal whatever lies beyond it."""

_LIFTS = {ring: tuple(_lift(ring, way) for way in _WAYS if ring >> _CORNER + way & 1) for ring in _subsets(_RING)}
"""Ring -> how its tiles may be lifted by the one in its middle."""
