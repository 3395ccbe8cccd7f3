"""The arrangement of the tiles: neighbors, possible moves, and the group rule (rules 2.2 and 5.2).

A move of a tile, alone or with pushed tiles, empties its cell and fills the first free one; the cells in between stay
full. So a move is legal if this free cell touches every group into which the other tiles fall. A flood fill finds these
groups.
"""

from __future__ import annotations

from functools import lru_cache

from engine.games.muses.cells import FIRST_SLIDE, OFFSETS, renumber, surrounding_cells

# A board is a bit set of places. A row has twelve places, so nine tiles leave three free, and places at opposite edges
# never appear as neighbors. Two rows and columns before the first tile are free as well.

_ROW = 12
_FIRST = 2 * (_ROW + 1)
"""The place of the first tile, in reading order."""
_WAYS = (-_ROW, 1, _ROW, -1, 1 - _ROW, 1 + _ROW, _ROW - 1, -1 - _ROW)
"""`OFFSETS` as differences of places."""
_BESIDE = tuple(zip(OFFSETS, _WAYS, strict=True))
_AROUND = (0,) * _FIRST + tuple(sum(1 << place + way for way in _WAYS) for place in range(_FIRST, 11 * _ROW + _FIRST))
"""Place -> board with the eight places around it."""
_STEPS = tuple(enumerate(_WAYS[:FIRST_SLIDE]))
_SLIDES = ((4, 0, 1), (5, 2, 1), (6, 2, 3), (7, 0, 3))
"""The four directions of a slide, each with the two directions beside it, by number (rule 10)."""


class Shape:
    """An arrangement of tiles, with queries for moves and neighbors.

    Arguments are indexes of tiles, results are numbers of tiles. Create it with `shape_of`, which caches it, since
    several plies often need the same arrangement.
    """

    def __init__(self, tiles: tuple[int, ...], cells: tuple[int, ...], slides: bool) -> None:
        """`slides` says that diagonal slides are allowed."""
        self._tiles, self._cells, self._slides = tiles, cells, slides
        # Places are relative to the tiles, so that boards are small numbers.
        self._places = renumber(_ROW, cells, _FIRST)
        self._board = sum([1 << place for place in self._places])
        self._ways: list[int] | None = None

    def ways(self) -> list[int]:
        """The legal moves of each tile, as a mask: bit n for way n."""
        if self._ways is None:
            self._ways = [_ways_of(self._board, place, self._slides) for place in self._places]
        return self._ways

    def ways_of(self, index: int) -> int:
        """The legal moves of one tile."""
        # Not `ways`, which computes the moves of all tiles.
        return _ways_of(self._board, self._places[index], self._slides)

    def stuck(self) -> int:
        """The tiles that cannot move, as a mask: bit n for the tile with number n."""
        return sum([1 << tile for tile, ways in zip(self._tiles, self.ways(), strict=True) if not ways])

    def near(self, index: int) -> int:
        """The tiles that touch a tile, as a mask: bit n for the tile with number n."""
        around = _AROUND[self._places[index]]
        return sum([1 << tile for tile, place in zip(self._tiles, self._places, strict=True) if around >> place & 1])

    def lifts(self, index: int, *, mobile: bool) -> list[tuple[int, list[int]]]:
        """The ways in which a tile can carry its neighbors to free cells around it, with all tiles staying one group.

        Returns the number of each neighbor with its possible cells. With `mobile`, the carrier must be able to move
        afterwards.
        """
        home = self._places[index]
        origins = [home + way for way in _WAYS if self._board >> home + way & 1]
        return [(self._tiles[self._places.index(o)], self._landings(o, index, mobile=mobile)) for o in origins]

    def _landings(self, origin: int, lifter: int, *, mobile: bool) -> list[int]:
        """The possible cells, around the carrier `lifter`, for the tile on the place `origin`."""
        here, home, rest = self._cells[lifter], self._places[lifter], self._board ^ 1 << origin
        # The tile must go to another place, so `origin` does not count as free (rule 6.2).
        free = _joining_places(rest, origin) & ~self._board
        return [
            here + offset
            for offset, way in _BESIDE
            if free >> home + way & 1 and (not mobile or _ways_of(rest | 1 << home + way, home, self._slides))
        ]


@lru_cache(maxsize=256)  # needed for the power after a move and for the next turn; saves 2 % of a search
def shape_of(tiles: tuple[int, ...], cells: tuple[int, ...], slides: bool) -> Shape:
    """The shape of tiles on cells, which must be one group of at least two tiles."""
    return Shape(tiles, cells, slides)


def border(cells: tuple[int, ...]) -> tuple[int, ...]:
    """The empty cells that touch a tile, in ascending order."""
    return tuple(sorted(set().union(*map(surrounding_cells, cells)).difference(cells)))


def _ways_of(board: int, place: int, slides: bool) -> int:
    """The legal moves of the tile on a place of a board."""
    # Without the tile: its own place becomes empty, and all others up to the first free one stay full.
    goals = _joining_places(board ^ 1 << place, place)
    ways = 0
    for number, way in _STEPS:
        target = place + way
        # The first free place behind the pushed tiles (rule 5.1).
        while board >> target & 1:
            target += way
        ways |= (goals >> target & 1) << number
    return ways | _slides(board, place, goals) if slides else ways


def _slides(board: int, place: int, goals: int) -> int:
    """The diagonal slides to free places among the goals that are not blocked on both sides (rule 10)."""
    full = [board >> place + way & 1 for way in _WAYS]
    open_ways = [n for n, one, other in _SLIDES if not full[n] and not full[one] & full[other]]
    return sum([1 << number for number in open_ways if goals >> place + _WAYS[number] & 1])


def _joining_places(board: int, gap: int) -> int:
    """The places where a tile would touch every group of a board. Each group touches the gap."""
    # Starts with all places; each group removes those that do not touch it.
    joining, near = -1, _AROUND[gap] & board
    # The lowest bit, from which the group is filled.
    group = near & -near
    while near & ~group:  # otherwise the rest is one group, which need not be filled
        wide = _spread(group)
        if wide & board != group:
            group = wide & board
            continue
        joining &= wide
        board ^= group
        near &= board
        group = near & -near
    return joining & _spread(board)


def _spread(board: int) -> int:
    """All places of a board and around them."""
    wide = board | board << 1 | board >> 1
    return wide | wide << _ROW | wide >> _ROW
