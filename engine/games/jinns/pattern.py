"""Who places which color where (rule 3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.games.jinns.pawns import COLORS, COPIES, SQUARES, Color, Pile
from engine.texts import Seat

_IN_TURN = "YYYYBBBBRRRRGGGG" * 2
_COLORS = {2: _IN_TURN, 3: "YYYYGGBBBBGGRRRRGGYYYYGGBBBBRRRR", 4: _IN_TURN}
_PLACERS = {2: "AAAABBBB" * 4, 3: "AAAAAABBBBBBCCCCCCAAAAAABBBBCCCC", 4: "AAAABBBBCCCCDDDD" * 2}
_OWNED = {2: ("YR", "BG"), 3: ("Y", "B", "R"), 4: ("Y", "B", "R", "G")}
SINGLE = 1 << 4
"""A pawn + this = the pile of that pawn alone."""


@dataclass(frozen=True, slots=True)
class Turf:
    """A square in the set-up: who places its pawn, the end of that block, and the colors from here to there."""

    placer: Seat
    block_end: int
    colors: tuple[int, ...]

    @property
    def color(self) -> int:
        """The color of the pawn for this square."""
        return self.colors[0]


@cache
def turf(seats: int) -> tuple[Turf, ...]:
    """The pattern of the set-up, a turf per square."""
    placers = _PLACERS[seats]
    colors = [COLORS.index(Color(letter)) for letter in _COLORS[seats]]
    ends = [next((n for n in range(s, SQUARES) if placers[n] != placers[s]), SQUARES) for s in range(SQUARES)]
    return tuple(
        Turf(Seat("ABCD".index(placers[square])), end, tuple(dict.fromkeys(colors[square:end])))
        for square, end in enumerate(ends)
    )


@cache
def fixed_owners(seats: int) -> tuple[int, ...]:
    """The colors of each seat as a mask, where they are not chosen (rule 2.2)."""
    return tuple(sum(1 << COLORS.index(Color(letter)) for letter in letters) for letters in _OWNED[seats])


def next_square(board: tuple[Pile, ...]) -> int:
    """The square that gets the next pawn: they are filled in order."""
    return board.index(0) if 0 in board else SQUARES


def stock(board: tuple[Pile, ...], color: int) -> tuple[int, ...]:
    """How many pawns of strength 1, 2, 3, 4 of a color are not on the board yet."""
    first, count = SINGLE | color << 2, board.count
    return COPIES - count(first), COPIES - count(first + 1), COPIES - count(first + 2), COPIES - count(first + 3)
