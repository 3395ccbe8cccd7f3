"""Who places which color where (rule 3)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.games.jinns.pawns import COPIES, EMPTY, PAWNS_OF, SINGLES, Board, Color, Mask, mask_of
from engine.games.jinns.ring import RING, Square
from engine.texts import Seat

_IN_TURN = ((0, "YYYY"), (1, "BBBB"), (2, "RRRR"), (3, "GGGG")) * 2
_BLOCKS = {
    2: tuple((seat % 2, letters) for seat, letters in _IN_TURN),
    # Of the eight green pawns six go in the first round, the other two in the second (rule 10).
    3: ((0, "YYYYGG"), (1, "BBBBGG"), (2, "RRRRGG"), (0, "YYYYGG"), (1, "BBBB"), (2, "RRRR")),
    4: _IN_TURN,
}
"""Number of players -> who places which colors in a row (rule 3.2)."""
_SINGLES_OF = {color: tuple(SINGLES[pawn] for pawn in pawns) for color, pawns in PAWNS_OF.items()}
_OWNED = {2: ("YR", "BG"), 3: ("Y", "B", "R"), 4: ("Y", "B", "R", "G")}


@dataclass(frozen=True, slots=True)
class Placement:
    """A square in the set-up: who places its pawn, the square after that block, and the colors from here to there."""

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
    """The pattern of the set-up, one placement per square."""
    return _PATTERNS[seats]


def fixed_owners(seats: int) -> tuple[Mask, ...]:
    """The colors of each seat, where they are not chosen (rule 2.3)."""
    return tuple(mask_of(map(Color, letters)) for letters in _OWNED[seats])


def next_square(board: Board) -> Square:
    """The square that gets the next pawn of the set-up, which must not be complete: they are filled in order."""
    return RING[board.index(EMPTY)]


def stock(board: Board, color: Color) -> tuple[int, ...]:
    """How many pawns of strength 1, 2, 3, 4 of a color are not on the board yet."""
    (one, two, three, four), count = _SINGLES_OF[color], board.count
    return COPIES - count(one), COPIES - count(two), COPIES - count(three), COPIES - count(four)
