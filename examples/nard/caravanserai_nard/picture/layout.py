"""Positions and sizes in the pictures of Nard, in px. Nothing is drawn here."""

from __future__ import annotations

from caravanserai_nard.board import BAR
from engine.texts import Seat
from renders.theme import Box, Point

BOARD: Box = (34, 148, 1046, 1192)
"""The wooden board with its frame."""
FIELD: Box = (56, 198, 1024, 1142)
"""The field inside the frame; the rail with the bar divides it."""
RAIL = (498, 582)
"""Left and right edge of the bar."""
MIDDLE_X, MIDDLE_Y = 540, 670
PITCH = (RAIL[0] - FIELD[0]) / 6
"""Distance of neighboring points."""
LENGTH = 372
"""Length of a point."""
NUMBER_Y = (174, 1167)
"""Vertical centers of the numbers above and below the points."""

R = 32
"""Optical radius of a checker."""
STEP = 68
"""Distance of neighboring checkers on a point."""
MAX_SHOWN, MAX_ON_BAR = 5, 4
"""Maximum number of checkers drawn on a point and on the bar; the last one has the number of all of them."""
BAR_Y = (MIDDLE_Y - 98, MIDDLE_Y + 98)
"""Vertical centers of the first checker of each seat on the bar, in the half in which it enters."""

DIE = 86
DICE_X = (802, 276)
"""Horizontal centers of the dice of each seat."""
DICE_STEP = {2: 112, 4: 104}
"""Distance of neighboring dice, by their number."""

CUBE = 72
CUBE_Y = (1096, 244)
"""Vertical centers of the cube that belongs to a seat, on its side of the bar."""

PANELS: tuple[Box, Box] = ((32, 1210, 535, 1396), (545, 1210, 1048, 1396))
SLOT_W, SLOT_H, SLOT_STEP = 24, 34, 31
"""Size and distance of the slots for borne-off checkers in a panel."""
TRAY = (21, 138)
"""Left edge and top of the first slot, from the corner of its panel."""


def on_top(point: int) -> bool:
    """Whether a point is in the upper half of the board."""
    return point > 12


def point_x(point: int) -> float:
    """Horizontal center of a point: 1 to 12 run from right to left, 13 to 24 back."""
    column = point - 13 if on_top(point) else 12 - point
    start = FIELD[0] if column < 6 else RAIL[1] - 6 * PITCH
    return start + (column + 0.5) * PITCH


def checker_place(seat: Seat, place: int, number: int) -> Point:
    """The center of a checker on a point or the bar, as the board numbers it; checkers are counted from 0."""
    if place == BAR:
        row = min(number, MAX_ON_BAR - 1)
        return MIDDLE_X, BAR_Y[seat] + (STEP * row if seat else -STEP * row)
    row = min(number, MAX_SHOWN - 1)
    if on_top(place):
        return point_x(place), FIELD[1] + 37 + STEP * row
    return point_x(place), FIELD[3] - 37 - STEP * row


def slot(seat: Seat, number: int) -> Point:
    """The top left corner of a slot for a borne-off checker."""
    x0, y0, *_ = PANELS[seat]
    return x0 + TRAY[0] + SLOT_STEP * number, y0 + TRAY[1]
