"""What the arrangement of the tiles allows: who touches whom, what can move, and the group rule (rules 2.2 and 5.2).

To move a tile, alone or with all it pushes, empties its own cell and fills the first free one: the cells between stay
full. So a move is legal if that one free cell touches every part into which the others fall without the tile.

Mostly the *ring* tells, the eight cells around the tile. If its full cells hang together, nothing falls apart. If they
are in several groups, and the arrangement encloses no empty cell, each group is in a part of its own: two groups of
one part would be two ways around an empty cell. A way around a single empty cell leads straight ahead of the tile, so
the *diamond* tells it: the ring with the four cells beyond it, north, east, south and west. What a diamond tells stands
in a table. Only where a tile comes to touch somebody new, or around a larger hole, the parts have to be followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from itertools import compress
from operator import lshift, or_
from typing import TypeVar

from engine.games.muses.cells import FIRST_SLIDE, OFFSETS, beside, in_rows_of

Value = TypeVar("Value")

# A board is a set of places as bits. Twelve places make a row, of which nine tiles leave three free, so that places of
# touching tiles never meet across an edge. The *window* of a tile is the board shifted so that the tile lies on
# `_MIDDLE`, with two rows and columns before it. In a board of names a place has room for sixteen bits: one
# for the number of each tile beside it.

_X = 1
_Y = 12
_WAYS = (-_Y, _X, _Y, -_X, _X - _Y, _X + _Y, _Y - _X, -_X - _Y)
"""`OFFSETS` on a board."""

_STEPS = tuple(enumerate(_WAYS[:FIRST_SLIDE]))

_NAME = 16
_EVERY_NAME = (1 << _NAME) - 1

_BIT = tuple(1 << tile for tile in range(_NAME))

_TOUCHING = frozenset(OFFSETS)

_SLIDES = tuple(
    (1 << n, _WAYS[n], (_WAYS[one], _WAYS[other])) for n, one, other in ((4, 0, 1), (5, 2, 1), (6, 2, 3), (7, 0, 3))
)
"""The four ways of a slide, each with the two ways beside it (rule 10)."""

_MIDDLE = 2 * (_Y + _X)
"""The place of a tile in its window."""

_RING = sum(1 << _MIDDLE + way for way in _WAYS)
"""The ring in a window."""

_DIAMOND = _RING | sum(1 << _MIDDLE + 2 * way for _, way in _STEPS)
"""The ring with the four places straight beyond it."""

_FIRST = _MIDDLE + _Y + _X
"""The place of the first tile, in reading order, on a board; so many are free before it that any tile may go there."""

_PLACE = tuple(1 << place for place in range(_FIRST + 9 * _Y))
"""Number of a place -> a board with a tile there."""

_NAME_AROUND = tuple(sum(1 << tile + _NAME * (_Y + _X + way) for way in _WAYS) for tile in range(_NAME))
"""Number of a tile -> a board of names with hers on the ring of a place."""

_ROOM = tuple(_NAME * (place - _FIRST) for place in range(_FIRST + 9 * _Y))
"""Number of a place -> by how much such a board is shifted if that tile lies there."""

_AROUND = tuple(_RING << place >> _MIDDLE for place in range(_FIRST + 11 * _Y))
"""Number of a place -> a board with tiles on its ring. A tile may go a row beyond the last one."""


class Shape:
    """Some tiles on cells, seen by somebody who looks for something to do.

    Tiles to ask about go by their index, tiles in an answer by their number. Make one by `shape_of`: several plies
    often look at the same arrangement.
    """

    __slots__ = ("_cells", "_laid", "_slides", "_tiles", "_ways")

    def __init__(self, tiles: tuple[int, ...], cells: tuple[int, ...], slides: bool) -> None:
        """`slides` says that diagonal slides are allowed."""
        self._cells = cells
        self._tiles = tiles
        self._slides = slides
        self._ways: list[int] | None = None
        self._laid: tuple[int, list[int], int] | None = None

    def ways(self) -> list[int]:
        """The legal moves of each tile, as a mask: bit n for way n."""
        if self._ways is None:
            board, places, holes = self._laid_out()
            self._ways = _steps(board, places, holes)
            if self._slides:
                self._ways = [way | _slides(board, place) for way, place in zip(self._ways, places, strict=True)]
        return self._ways

    def ways_of(self, index: int) -> int:
        """The legal moves of one tile."""
        if self._ways:
            return self._ways[index]
        board, places, holes = self._laid_out()
        return _steps_of(board, places[index], holes) | (_slides(board, places[index]) if self._slides else 0)

    def stuck(self) -> int:
        """The tiles that cannot move, as a mask: bit n for the tile with number n."""
        ways = self.ways()
        return sum([1 << tile for tile, mask in zip(self._tiles, ways, strict=True) if not mask]) if 0 in ways else 0

    def near(self, index: int) -> int:
        """The tiles that touch a tile, as a mask: bit n for the tile with number n."""
        here, cells = self._cells[index], self._cells
        return sum([_BIT[tile] for tile, cell in zip(self._tiles, cells, strict=True) if cell - here in _TOUCHING])

    def all_near(self) -> list[int]:
        """The same for each tile: on a board each tile leaves its name on the cells beside it."""
        _, places, _ = self._laid_out()
        rooms = [_ROOM[place] for place in places]
        named = sum(map(lshift, map(_NAME_AROUND.__getitem__, self._tiles), rooms)) >> _NAME * (_Y + _X)
        return [named >> room & _EVERY_NAME for room in rooms]

    def lifts(self, index: int, *, mobile: bool) -> list[tuple[int, Iterable[int]]]:
        """How a tile may lift its neighbors to free cells around it, so that all stay one group.

        Returns the number of a lifted tile with cells it may go to; a tile may come twice. `mobile` asks that the
        lifter can move then.
        """
        board, places, holes = self._laid_out()
        telling = _telling(holes)
        home, around = places[index], beside(self._cells[index])
        found: list[tuple[int, Iterable[int]]] = []
        for way, sure, unsure in _LIFTS[board >> home - _MIDDLE & _RING]:
            origin = home + way
            groups = _GROUPS[board >> origin - _MIDDLE & telling]
            free = _RING if len(groups) == 1 else _rejoining(board, origin, home, groups)
            now, later = free & sure, free & unsure
            if later and mobile:
                later = self._leaving_mobile(board ^ _PLACE[origin], later, home)
            if now or later:
                tile = self._tiles[places.index(origin)]
                found += [(tile, compress(around, _CHOSEN[cells])) for cells in (now, later) if cells]
        return found

    def _leaving_mobile(self, board: int, free: int, place: int) -> int:
        """On which free places of its ring a tile may have one more neighbor, and still can move."""
        shift = place - _MIDDLE
        diamond = board >> shift & _DIAMOND
        return sum([bit for bit in _BITS[free] if _SURE[diamond | bit] or self._can_move(board | bit << shift, place)])

    def _can_move(self, board: int, place: int) -> bool:
        """Whether the tile on a place of a board has any legal move."""
        return _can_step(board, place) or (self._slides and _slides(board, place) != 0)

    def _laid_out(self) -> tuple[int, list[int], int]:
        """The board, the place of each tile on it, and the number of its holes."""
        if self._laid is None:
            places = in_rows_of(_Y, self._cells, _FIRST)
            board = sum(map(_PLACE.__getitem__, places))
            self._laid = board, places, _holes(board)
        return self._laid


@lru_cache(maxsize=256)
def shape_of(tiles: tuple[int, ...], cells: tuple[int, ...], slides: bool) -> Shape:
    """The shape of some tiles on cells, which must be one group of two tiles or more."""
    return Shape(tiles, cells, slides)


@lru_cache(maxsize=256)
def border(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The empty cells that touch a tile, in ascending order."""
    return tuple(sorted(set().union(*map(beside, cells)).difference(cells)))


# --- Moves -----------------------------------------------------------------------------------------------------------


def _steps(board: int, places: list[int], holes: int) -> list[int]:
    """The legal steps of the tiles on all places of a board."""
    found, meeting = [], []
    telling = _telling(holes)
    for place in places:
        window = board >> place - _MIDDLE
        sure, beyond = _SURE_BEYOND[window & telling]
        found.append(sure)
        if window & beyond:
            meeting.append(place)
    if holes and _has_large_hole(board, holes):
        found = [steps | sum(_around_hole(board, place)) for place, steps in zip(places, found, strict=True)]
    for place in meeting:
        _add_meeting(found, board, places, place)
    return found


def _add_meeting(found: list[int], board: int, places: list[int], last: int) -> None:
    """The steps after which a tile that stood alone or last in its row touches somebody new ahead."""
    window = board >> last - _MIDDLE
    for number, way, beyond in _BEYOND[window & _DIAMOND]:
        if window & beyond:
            place = last
            while board >> place & 1:
                index = places.index(place)
                if not found[index] >> number & 1 and _keeps_all(board, place, last + way):
                    found[index] |= 1 << number
                place -= way


def _steps_of(board: int, place: int, holes: int) -> int:
    """The legal steps of the tile on a place, for a board that is looked at only once."""
    diamond = board >> place - _MIDDLE & _DIAMOND
    sure = _SURE[diamond]
    if holes and len(_GROUPS[diamond]) > 1 and _has_large_hole(board, holes):
        sure |= sum(_around_hole(board, place))
    return sure | sum({1 << number for number, target in _meeting(board, place) if _keeps_all(board, place, target)})


def _can_step(board: int, place: int) -> bool:
    """Whether the tile on a place has a legal step, for a board that is looked at only once."""
    diamond = board >> place - _MIDDLE & _DIAMOND
    if _SURE[diamond]:
        return True
    if len(_GROUPS[diamond]) > 1 and _has_large_hole(board, _holes(board)) and any(_around_hole(board, place)):
        return True
    return any(_keeps_all(board, place, target) for _, target in _meeting(board, place))


def _around_hole(board: int, place: int) -> Iterator[int]:
    """The steps of a tile with several groups of neighbors, if some of these are linked around a large hole; as masks.

    Sure ones may be among them.
    """
    shift = place - _MIDDLE
    window = board >> shift
    groups, ring = _GROUPS[window & _DIAMOND], window & _RING
    if len(groups) > 1 and _reaches(groups[0] << shift, ring << shift, board ^ 1 << place):
        yield _LINKED[ring]
    elif len(groups) > 2:
        yield from (1 << number for number, way in _STEPS if _keeps_all(board, place, _ahead(board, place, way)))


def _meeting(board: int, place: int) -> Iterator[tuple[int, int]]:
    """The steps of a tile after which it, or the last one it pushes, touches somebody new ahead: number and target."""
    window = board >> place - _MIDDLE
    diamond = window & _DIAMOND
    for number, way, beyond in _BEYOND[diamond]:
        if window & beyond:
            yield number, place + way
    for number, way in _PUSHES[diamond]:
        target = _ahead(board, place, way)
        window = board >> target - way - _MIDDLE
        if window & _AHEAD[number][window & _RING]:
            yield number, target


def _ahead(board: int, place: int, way: int) -> int:
    """The first free place from there on."""
    while board >> place & 1:
        place += way
    return place


def _keeps_all(board: int, place: int, target: int) -> bool:
    """Whether a tile would touch all parts of the others on a free place: each part has some of its neighbors."""
    rest = board ^ _PLACE[place]
    return _reaches(rest & _AROUND[target], rest & _AROUND[place], rest)


def _slides(board: int, place: int) -> int:
    """The legal diagonal slides of the tile on a place (rule 10)."""
    found = 0
    for bit, way, sides in _SLIDES:
        target = place + way
        free = not board >> target & 1 and not all(board >> place + side & 1 for side in sides)
        if free and _keeps_all(board, place, target):
            found |= bit
    return found


def _rejoining(board: int, origin: int, home: int, groups: Sequence[int]) -> int:
    """Where a tile on the ring of `home` may go instead, so that all that it held together stays one group.

    `groups` are those of its own diamond. The answer are places of the ring of `home` in its window, free or not.
    """
    found, rest, shift = _RING, board ^ _PLACE[origin], origin - _MIDDLE
    for group in groups:
        if not group << shift & _PLACE[home]:
            part = _grown(group << shift, rest)
            found &= _RING if part & _PLACE[home] else _spread(part) >> home - _MIDDLE
    return found


# --- Groups ----------------------------------------------------------------------------------------------------------


def _holes(board: int) -> int:
    """How many holes a group has: of what it covers corners - edges + squares is 1, and one less for each hole."""
    wide = board | board << _X
    corners, edges = (wide | wide << _Y).bit_count(), wide.bit_count() + (board | board << _Y).bit_count()
    return 1 - (corners - edges + board.bit_count())


def _telling(holes: int) -> int:
    """What of its window tells whether the neighbors of a tile hang together: without a hole, the ring alone.

    The diamond would say the same then, but its tables are large, and to read all over them is slow.
    """
    return _DIAMOND if holes else _RING


def _has_large_hole(board: int, holes: int) -> bool:
    """Whether one of the holes of a group is more than a single empty place."""
    return holes > _single_holes(board).bit_count()


def _single_holes(board: int) -> int:
    """The empty places between four tiles."""
    return board << _Y & board >> _Y & board << _X & board >> _X & ~board


def _spread(board: int) -> int:
    """All places of a board, and those around them."""
    wide = board | board << _X | board >> _X
    return wide | wide << _Y | wide >> _Y


def _reaches(group: int, goal: int, board: int) -> bool:
    """Whether these places of a board hang together with those of the group."""
    while goal & ~group:
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


def _sure(ring: int, groups: Sequence[int]) -> int:
    """The steps that are legal whatever lies beyond the ring, if its tiles fall into these groups."""
    return sum([1 << number for number, way in _STEPS if _is_sure(ring, groups, _MIDDLE + way)])


def _is_sure(ring: int, groups: Sequence[int], target: int) -> bool:
    """Whether a step keeps touch with all neighbors; a push does if they are one group, for it ends beside it."""
    if ring >> target & 1:
        return len(groups) == 1
    return bool(groups) and all(group & _AROUND[target] for group in groups)


def _new_ahead(ring: int, number: int) -> int:
    """Where in the window a tile would touch somebody new after a step; nowhere if it is not free to go there.

    Who touches a neighbor beside the way is no news.
    """
    target = _MIDDLE + _WAYS[number]
    beside_way = _AROUND[target] & ~_spread(1 << _MIDDLE - _WAYS[number])
    known = _spread(1 << _MIDDLE) | _spread(ring & beside_way)
    return 0 if ring >> target & 1 else _AROUND[target] & ~known


def _open_steps(diamond: int) -> Iterator[tuple[int, int, int]]:
    """The steps to free places that are not sure, or where somebody may push from behind."""
    for number, way in _STEPS:
        is_open = not _SURE[diamond] >> number & 1 or diamond >> _MIDDLE - way & 1
        if is_open and (beyond := _AHEAD[number][diamond & _RING]):
            yield number, way, beyond


def _open_pushes(diamond: int) -> Iterator[tuple[int, int]]:
    """The pushes that are not sure."""
    for number, way in _STEPS:
        if diamond >> _MIDDLE + way & 1 and not _SURE[diamond] >> number & 1:
            yield number, way


def _lift(ring: int, way: int) -> tuple[int, int, int]:
    """The way to a neighbor that may be lifted, and the places it may be lifted to: sure and unsure ones.

    If all stays one group, the lifter has a legal step after those that are sure; for the others one has to look.
    """
    sure = unsure = 0
    for place in (_MIDDLE + other for other in _WAYS):
        if not ring >> place & 1:
            later = ring ^ 1 << _MIDDLE + way ^ 1 << place
            if _SURE[later]:
                sure |= 1 << place
            else:
                unsure |= 1 << place
    return way, sure, unsure


def _subsets(bits: int) -> Iterator[int]:
    """Every set of some of the bits."""
    subset = bits
    while subset:
        yield subset
        subset = subset - 1 & bits
    yield 0


_CHOSEN = {ring: tuple(ring >> _MIDDLE + way & 1 for way in _WAYS) for ring in _subsets(_RING)}
"""Ring -> whether there is a tile, by number of the way there."""

_BITS = {ring: tuple(1 << _MIDDLE + way for way in _WAYS if ring >> _MIDDLE + way & 1) for ring in _CHOSEN}
"""Ring -> its tiles one by one, in the order of the ways there."""

_LINKED = {ring: _sure(ring, (ring,)) for ring in _CHOSEN}
"""Ring -> the steps that are legal if its groups are linked elsewhere."""

_AHEAD = tuple({ring: _new_ahead(ring, number) for ring in _CHOSEN} for number, _ in _STEPS)
"""Number of a way, ring -> where in the window somebody new would be touched after a step to a free place."""


def _shared(table: dict[int, Value]) -> dict[int, Value]:
    """The same with one object for all equal values, so that what is read all the time stays small and at hand."""
    first: dict[Value, Value] = {}
    return {key: first.setdefault(value, value) for key, value in table.items()}


_GROUPS = {diamond: tuple(part for part in _parts(diamond) if part & _RING) for diamond in _subsets(_DIAMOND)}
"""Diamond -> the groups of its tiles, but for those not in the ring."""

_SURE = {diamond: _sure(diamond, groups) for diamond, groups in _GROUPS.items()}
"""Diamond -> the steps that are legal whatever lies beyond it."""

_PUSHES = _shared({diamond: tuple(_open_pushes(diamond)) for diamond in _GROUPS})
"""Diamond -> number and way of the pushes that are not sure."""

_BEYOND = _shared({diamond: tuple(_open_steps(diamond)) for diamond in _GROUPS})
"""Diamond -> number and way of the steps to free places that may matter, and where somebody new would be touched."""

_SURE_BEYOND = _shared(
    {diamond: (_SURE[diamond], reduce(or_, [new for *_, new in steps], 0)) for diamond, steps in _BEYOND.items()}
)
"""Diamond -> the steps that are sure, and where in the window anybody new would be touched."""

_LIFTS = {ring: tuple(_lift(ring, way) for way in _WAYS if ring >> _MIDDLE + way & 1) for ring in _CHOSEN}
"""Ring -> how its tiles may be lifted by the one in its middle."""
