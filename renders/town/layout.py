"""Positions and sizes in the pictures of the town, in px. Nothing is drawn here."""

from __future__ import annotations

from engine.town.data import GROUPS, Gang, Thief
from engine.town.track import FORK, Route, Space
from engine.values import Value
from renders.theme import Box, Point

JEWELS = {Gang.YELLOW: "ball", Gang.GREEN: "bag", Gang.BLUE: "gem", Gang.RED: "chalice"}
"""Icon of each gang's jewel."""

SYMBOL = {thief: GROUPS[thief.group - 1] for thief in Thief}
"""Icon of each thief type's group."""

# --- The track -------------------------------------------------------------------------------------------------------

# Twelve columns span the width of `SAFE`; sixteen rows reach from below the header to 8 px above its lower edge.
CELL_W, CELL_H = 84.66, 78.75
TRACK_LEFT, TRACK_TOP = 32, 140
SPACE_W, SPACE_H = 80, 74
ROWS, COLUMNS = 16, 12
FIGURE_R, SMALL_R = 34, 24
"""Radius of the figure, and of the smaller one between a street and its side street."""
INSIDE = 26
"""Distance of the figure's center from the inner edge of its space."""


def center(space: Space) -> Point:
    """Center of a space; a side street lies one cell further inside."""
    step, inside = space.step, int(space.route is Route.SIDE)
    # Clockwise from the lower left corner: up, right, down, and back.
    if step <= 15:
        column, row = inside, 15 - step
    elif step <= 26:
        column, row = step - 15, inside
    elif step <= 41:
        column, row = COLUMNS - 1 - inside, step - 26
    else:
        column, row = 52 - step, ROWS - 1 - inside
    return TRACK_LEFT + CELL_W * (column + 0.5), TRACK_TOP + CELL_H * (row + 0.5)


def is_tight(space: Space) -> bool:
    """Whether a side street or cards lie right inside a space."""
    return FORK[space.step] is not None and (space.route is Route.MAIN or 26 < space.step <= 41)


def figure_r(space: Space) -> int:
    """Radius of the figure on a space."""
    return SMALL_R if is_tight(space) else FIGURE_R


def figure(space: Space) -> Point:
    """Center of the figure: at the space's inner edge, so that numbers and jewels stay visible."""
    x, y = center(space)
    across, down = SPACE_W / 2 + INSIDE, SPACE_H / 2 + INSIDE
    if corner := CORNERS.get(space.step):
        return x + 72 * corner[0], y + 68 * corner[1]
    if is_tight(space):
        dx, dy = BETWEEN[(space.step > 15) + (space.step > 41)]
        return x + dx, y + dy
    if space.step <= 15:
        return x + across, y + (32 if space == BESIDE_CARDS else 0)
    if space.step <= 26:
        return x, y + down
    if space.step <= 41:
        return x - across, y
    return x, y - down - 2


BESIDE_CARDS = Space.parse("10b")
"""The space on which the figure moves aside for the cards."""

CORNERS = {0: (1, -1), 15: (1, 1), 26: (-1, 1), 41: (-1, -1)}
"""Direction into the town from each corner step."""

BETWEEN = ((54, 16), (-31, 16), (-31, -55))
"""Offset of the figure from a space beside a side street: on the left, on the right, and at the bottom."""

WALLS = ((116, 1360, 12, 78), (74, 376, 82, 12), (963, 179, 12, 78), (1007, 1164, 82, 12))
"""Center, width and height of the walls before steps 0, 13, 26 and 39."""

# --- Inside the walls ------------------------------------------------------------------------------------------------

MID = 540
LEFT = 268
"""Left edge of the elements below the thieves, clear of a figure in the side streets."""

CARD_H, CARD_GAP = 192, 8
DICE_Y, DIE = 632, 58
FOOT_Y = 706
"""Lowest line above the panels."""

ROW_Y, ROW_LEFT, ROW_PITCH = 1230, 272, 58
"""The row of played cards, or of the viewer's own hand."""

PANEL_LEFT, PANEL_W, PANELS_TOP, PANEL_GAP = 174, 362, 778, 8
PANEL_H = {2: 205, 3: 134, 4: 205, 5: 134, 6: 134}
WIDE_PANEL_W = 2 * PANEL_W + PANEL_GAP
"""Width of the panels at tables of two or three seats, stacked vertically."""


def panel_box(seats: int, seat: int) -> Box:
    """A seat's panel: up to three stacked vertically, more in two columns; an odd last one is centered."""
    row, column = (seat, 0) if seats < 4 else divmod(seat, 2)
    width = WIDE_PANEL_W if seats < 4 else PANEL_W
    x0 = PANEL_LEFT + column * (PANEL_W + PANEL_GAP)
    if seats == 5 and seat == 4:
        x0 = MID - PANEL_W // 2
    y0 = PANELS_TOP + row * (PANEL_H[seats] + PANEL_GAP)
    return x0, y0, x0 + width, y0 + PANEL_H[seats]


class Rows(Value):
    """Offsets of a panel's elements from its upper edge. `hand` is also the first line of chips."""

    badge: int
    name: int
    purse: int
    hand: int
    person: int = 0


UNNAMED_ROWS = Rows(badge=36, name=36, purse=36, hand=96)
NAMED_ROWS = Rows(badge=38, name=36, purse=40, person=76, hand=126)
NAMED_ROWS_LOW = Rows(badge=35, name=29, purse=34, person=67, hand=106)


def rows_of(seats: int, *, named: bool) -> Rows:
    """Offsets of panel elements, with or without people's names."""
    if not named:
        return UNNAMED_ROWS
    return NAMED_ROWS if PANEL_H[seats] == PANEL_H[2] else NAMED_ROWS_LOW
