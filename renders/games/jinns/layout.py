"""Positions and sizes in the pictures of Jinns of the Lake, in px. Nothing is drawn here."""

from __future__ import annotations

from engine.games.jinns.pawns import Color
from engine.games.jinns.ring import SQUARES
from engine.values import Value
from renders.theme import Box, Point

TOP, BOTTOM, LEFT, RIGHT = 263, 1366, 92, 988
"""The ring of squares, measured at the bottom centers of their piles."""
# Each side has six squares between the corner squares.
STEP = (BOTTOM - TOP) / 7
"""Distance of adjacent squares on the left and right, in px."""

PLINTH_W, PLINTH_H = 92, 33
BAR_W, BAR_STEP, BAR_H = 84, 3, 29
"""Width of the lowest storey, decrease per level, and height of all storeys."""

# Later domes overlap earlier ones.
DOMES = {
    1: ((0, 62, 37),),
    2: ((-20, 40, 36), (20, 40, 36)),
    3: ((-27, 28, 29), (27, 28, 29), (0, 34, 37)),
    4: ((-31, 24, 25), (31, 24, 25), (-11, 26, 37), (11, 26, 37)),
}
"""The domes of a top pawn by strength: center, width and height, in drawing order."""

CROWN = {strength: max(height for *_, height in domes) for strength, domes in DOMES.items()}
"""Height of the tallest dome, by strength."""

STYLE = {Color.YELLOW: 2, Color.BLUE: 1, Color.RED: 0, Color.GREEN: 3}
"""Index of each color's style in `SEATS`."""


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
    """Height of a pile from its foot to the tip of its domes; 0 for an empty square."""
    return storeys * BAR_H + CROWN[strength] if storeys else 0


# --- The lake inside the ring -----------------------------------------------------------------------------------------

SHORE = (160, 335, 920, 1188)
"""Left, top, right and bottom of the path along the shore on which moves are drawn."""

LOW_PANEL_SEATS = 3
"""Number of seats whose panels are too low for a separate text line."""

_PANEL_TOPS = {2: (600, 858), 3: (600, 772, 944), 4: (600, 600, 858, 858)}
NEUTRAL_Y = 1142
"""Vertical center of the line about the neutral color, below the panels of three seats."""


def panel_box(seats: int, seat: int) -> Box:
    """Left, top, right and bottom of a seat's panel: two by two for four seats, else stacked vertically."""
    y0 = _PANEL_TOPS[seats][seat]
    if seats == 4:
        x0 = 182 + 362 * (seat % 2)
        return x0, y0, x0 + 354, y0 + 246
    return 182, y0, 898, y0 + (160 if seats == LOW_PANEL_SEATS else 246)


REPETITION_BOX: Box = (446, 506, 898, 590)
"""The plate for a repeated position, under the moon."""
REPETITION_LINES = (533, 568)
"""Vertical centers of its two lines."""
PIP_R, PIP_PITCH = 9, 26
"""Radius and distance of its pips, one for each permitted occurrence."""

CHIP_W, CHIP_H, CHIP_PITCH = 104, 42, 109


class Rows(Value, kw_only=True):
    """Offsets of a panel's lines from its upper edge: vertical centers, and the upper edges of the chips.

    `subtitle` is the line about partner or colors.
    """

    name: int
    score: int
    caption: int
    chips: tuple[int, ...]
    subtitle: int = 66
    person: int = 69


UNNAMED_ROWS = {
    False: Rows(name=48, score=48, caption=116, chips=(138, 186)),
    True: Rows(name=31, score=48, caption=116, chips=(138, 186)),
}
NAMED_ROWS = {
    False: Rows(name=31, score=38, caption=116, chips=(138, 186)),
    True: Rows(name=31, score=38, subtitle=110, caption=138, chips=(153, 195)),
}
"""Offsets by whether the panel has a line about partner or colors; `NAMED_ROWS` includes people's names."""

LOW = Rows(name=48, score=48, caption=48, chips=(104,))
LOW_NAMED = Rows(name=31, score=41, caption=31, chips=(104,))


def rows_of(seats: int, *, subtitle: bool, named: bool) -> Rows:
    """Offsets of a panel's lines."""
    if seats == LOW_PANEL_SEATS:
        return LOW_NAMED if named else LOW
    return (NAMED_ROWS if named else UNNAMED_ROWS)[subtitle]


def chip_places(seats: int, rows: Rows | None = None) -> list[Point]:
    """Top left corners of the chips, relative to their panel; without `rows`, those of a panel without names."""
    tops = (rows or rows_of(seats, subtitle=False, named=False)).chips
    across = 3 if seats == 4 else 6
    return [(18 + CHIP_PITCH * n, y) for y in tops for n in range(across)]
