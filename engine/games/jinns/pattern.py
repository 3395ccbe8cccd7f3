"""The pattern of the setup: the seat and the color for each square (rule 3)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.jinns.pawns import COPIES, EMPTY, PAWNS_OF, SINGLES, Board, Color, Mask, mask_of
from engine.games.jinns.ring import RING, Square
from engine.texts import Seat
from engine.values import Value

_IN_TURN = ((0, "YYYY"), (1, "BBBB"), (2, "RRRR"), (3, "GGGG")) * 2
_BLOCKS = {
    2: tuple((seat % 2, letters) for seat, letters in _IN_TURN),
    # Six of the eight green pawns are placed in the first round, the other two in the second (rule 10).
    3: ((0, "YYYYGG"), (1, "BBBBGG"), (2, "RRRRGG"), (0, "YYYYGG"), (1, "BBBB"), (2, "RRRR")),
    4: _IN_TURN,
}
"""Number of players -> blocks of a seat and the colors that it places in a row (rule 3.2)."""
_SINGLES_OF = {color: tuple(SINGLES[pawn] for pawn in pawns) for color, pawns in PAWNS_OF.items()}
_OWNED = {2: ("YR", "BG"), 3: ("Y", "B", "R"), 4: ("Y", "B", "R", "G")}


class Placement(Value):
    """A square in the setup: its seat, the square after the block, and the colors of the rest of the block."""

    placer: Seat
    block_end: int
    colors: tuple[Color, ...]

    @property
    def color(self) -> Color:
        """The color of the pawn for this square."""
        return self.colors[0]


def _pattern(seats: int) -> Iterator[Placement]:
    end = 0
    for placer, letters in _BLOCKS[seats]:
        colors = tuple(map(Color, letters))
        end += len(colors)
        for n in range(len(colors)):
            yield Placement(Seat(placer), end, tuple(dict.fromkeys(colors[n:])))


_PATTERNS = {seats: tuple(_pattern(seats)) for seats in _BLOCKS}


def placements(seats: int) -> tuple[Placement, ...]:
    """The pattern of the setup, with a placement for each square."""
    return _PATTERNS[seats]


def fixed_owners(seats: int) -> tuple[Mask, ...]:
    """The colors of each seat, if seats do not choose them (rule 2.3)."""
    return tuple(mask_of(map(Color, letters)) for letters in _OWNED[seats])


def next_square(board: Board) -> Square:
    """The next square of a setup that is not complete. Squares are filled in order."""
    return RING[board.index(EMPTY)]


def stock(board: Board, color: Color) -> tuple[int, ...]:
    """The number of a color's pawns of strength 1, 2, 3, 4 that are not on the board."""
    (one, two, three, four), count = _SINGLES_OF[color], board.count
    return COPIES - count(one), COPIES - count(two), COPIES - count(three), COPIES - count(four)
