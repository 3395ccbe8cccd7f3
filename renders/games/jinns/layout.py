"""Where everything lies, in px of the 1080 x 1440 picture. Nothing here draws."""

from __future__ import annotations

from dataclasses import dataclass

from engine.games.jinns.pawns import Color
from engine.games.jinns.ring import SQUARES
from renders.theme import Box, Point

TOP, BOTTOM, LEFT, RIGHT = 263, 1366, 92, 988
"""The ring of squares, at the bottom centers of their piles."""
# The sides have six squares each between those of the corners.
STEP = (BOTTOM - TOP) / 7
"""From a square to the next one at a side, in px."""

PLINTH_W, PLINTH_H = 92, 33
BAR_W, BAR_STEP, BAR_H = 84, 3, 29
"""The lowest storey, how much narrower each higher one is, and the height of all."""

# Those that come later lie on the earlier ones.
DOMES = {
    1: ((0, 62, 37),),
    2: ((-20, 40, 36), (20, 40, 36)),
    3: ((-27, 28, 29), (27, 28, 29), (0, 34, 37)),
    4: ((-31, 24, 25), (31, 24, 25), (-11, 26, 37), (11, 26, 37)),
}
"""Strength -> the domes a pawn on top wears: middle, width and height, drawn in this order."""

CROWN = {strength: max(height for *_, height in domes) for strength, domes in DOMES.items()}
"""Strength -> height of the highest dome."""

STYLE = {Color.YELLOW: 2, Color.BLUE: 1, Color.RED: 0, Color.GREEN: 3}
"""A color -> the number of its style in `SEATS`: shape, fill, letter."""


def foot(square: int) -> Point:
    """Bottom center of the pile on a square; the plinth with the number hangs below it."""
    # Clockwise from the upper left: ten squares along the top, six down, ten back and six up (rule 2.2).
    if square < 10:
        return LEFT + 99.6 * square, TOP
    if square < 16:
        return RIGHT, TOP + STEP * (square - 9)
    if square < 26:
        return LEFT + 99.6 * (25 - square), BOTTOM
    return LEFT, TOP + STEP * (SQUARES - square)


def pile_height(storeys: int, strength: int) -> float:
    """From the foot of a pile to the point of its domes; 0 for an empty square."""
    return storeys * BAR_H + CROWN[strength] if storeys else 0


# --- The lake inside the ring -----------------------------------------------------------------------------------------

SHORE = (160, 335, 920, 1188)
"""Left, top, right, bottom of the line along the shore, where the way of a move is drawn."""

NARROW = 3
"""Number of seats whose panels are so low that their words are beside the name."""

_PANEL_TOPS = {2: (600, 858), 3: (600, 772, 944), 4: (600, 600, 858, 858)}
NEUTRAL_Y = 1142
"""Middle of the line about the neutral color, below the panels of three."""


def panel_box(seats: int, seat: int) -> Box:
    """Left, top, right, bottom of a seat's panel: two by two with four seats, else one below the other."""
    top = _PANEL_TOPS[seats][seat]
    if seats == 4:
        left = 182 + 362 * (seat % 2)
        return left, top, left + 354, top + 246
    return 182, top, 898, top + (160 if seats == NARROW else 246)


AGAIN_BOX: Box = (446, 506, 898, 590)
"""The plate under the moon, of a position that has come before."""
AGAIN_LINES = (533, 568)
"""Middles of its two lines."""
PIP_R, PIP_PITCH = 9, 26
"""A time that the position has come, or may come."""

CHIP_W, CHIP_H, CHIP_PITCH = 104, 42, 109


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Middles of the lines in a panel, from its upper edge, and the upper edges of its chips.

    `about` is the line about partner or colors.
    """

    name: int
    score: int
    words: int
    chips: tuple[int, ...]
    about: int = 66
    person: int = 69


UNNAMED = {
    False: Rows(name=48, score=48, words=116, chips=(138, 186)),
    True: Rows(name=31, score=48, words=116, chips=(138, 186)),
}
NAMED = {
    False: Rows(name=31, score=33, words=116, chips=(138, 186)),
    True: Rows(name=31, score=33, about=110, words=138, chips=(153, 195)),
}
"""Whether a panel has a line about partner or colors -> its rows; the same with the names of people."""

LOW = Rows(name=48, score=48, words=48, chips=(104,))
LOW_NAMED = Rows(name=31, score=33, words=31, chips=(104,))


def rows_of(seats: int, *, about: bool, named: bool) -> Rows:
    """The lines of a panel."""
    if seats == NARROW:
        return LOW_NAMED if named else LOW
    return (NAMED if named else UNNAMED)[about]


def chip_places(seats: int, rows: Rows | None = None) -> list[Point]:
    """Top left corners of the chips in a panel, seen from its own corner; without `rows` those of no names."""
    tops = (rows or rows_of(seats, about=False, named=False)).chips
    across = 3 if seats == 4 else 6
    return [(18 + CHIP_PITCH * n, y) for y in tops for n in range(across)]
