"""Where everything lies on the pictures of the town, in px: the figures of the look and nothing that draws."""

from __future__ import annotations

from dataclasses import dataclass

from engine.town.data import GROUPS, Gang, Thief
from engine.town.track import FORK, Route, Space
from renders.theme import Box, Point

JEWELS = {Gang.YELLOW: "ball", Gang.GREEN: "bag", Gang.BLUE: "gem", Gang.RED: "chalice"}
"""Color -> icon of its jewel."""

SYMBOL = {thief: GROUPS[thief.group - 1] for thief in Thief}
"""Type of a thief -> icon of its group."""

# --- The track -------------------------------------------------------------------------------------------------------

# Twelve columns are as wide as `SAFE`; sixteen rows reach from below the header to 8 px above its lower edge.
CELL_W, CELL_H = 84.66, 78.75
TRACK_LEFT, TRACK_TOP = 32, 140
SPACE_W, SPACE_H = 80, 74
ROWS, COLUMNS = 16, 12
FIGURE_R, SMALL_R = 34, 24
"""Of the figure, and of the figure between a street and its side street."""
INSIDE = 26
"""How far inside the inner edge of its space the middle of the figure is."""


def center(space: Space) -> Point:
    """Middle of a space; a side street lies one cell further inside."""
    step, inside = space.step, int(space.route is Route.SIDE)
    # From the corner at the lower left clockwise: up, to the right, down, and back.
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
    """Whether a side street lies right inside a space, or cards right inside a side street."""
    return FORK[space.step] is not None and (space.route is Route.MAIN or 26 < space.step <= 41)


def figure_r(space: Space) -> int:
    """The radius of the figure there."""
    return SMALL_R if is_tight(space) else FIGURE_R


def figure(space: Space) -> Point:
    """Middle of the figure: it is at the inner edge, so that all numbers and jewels stay visible."""
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
"""Here the figure makes room for cards."""

CORNERS = {0: (1, -1), 15: (1, 1), 26: (-1, 1), 41: (-1, -1)}
"""Step on a corner -> the way into the town."""

BETWEEN = ((54, 16), (-31, 16), (-31, -55))
"""From the middle of a space beside a side street to that of the figure: left, right and below."""

WALLS = ((116, 1360, 12, 78), (74, 376, 82, 12), (963, 179, 12, 78), (1007, 1164, 82, 12))
"""Middle, width and height of the bars before the steps 0, 13, 26 and 39."""

# --- Inside the walls ------------------------------------------------------------------------------------------------

MID = 540
LEFT = 268
"""Where the things below the thieves begin, clear of a figure in the side streets."""

CARD_H, CARD_GAP = 192, 8
DICE_Y, DIE = 632, 58
FOOT_Y = 706
"""The lowest line above the panels."""

ROW_Y, ROW_LEFT, ROW_PITCH = 1230, 272, 58
"""The row of played cards, or of the own hand."""

PANEL_LEFT, PANEL_W, PANELS_TOP, PANEL_GAP = 174, 362, 778, 8
PANEL_H = {2: 205, 3: 134, 4: 205, 5: 134, 6: 134}
WIDE = 2 * PANEL_W + PANEL_GAP
"""Of the panels of two or three seats, which lie below each other."""


def panel_box(seats: int, seat: int) -> Box:
    """A seat's panel: up to three below each other, more in two columns; an odd last one is in the middle."""
    row, column = (seat, 0) if seats < 4 else divmod(seat, 2)
    width = WIDE if seats < 4 else PANEL_W
    left = PANEL_LEFT + column * (PANEL_W + PANEL_GAP)
    if seats == 5 and seat == 4:
        left = MID - PANEL_W // 2
    top = PANELS_TOP + row * (PANEL_H[seats] + PANEL_GAP)
    return left, top, left + width, top + PANEL_H[seats]


@dataclass(frozen=True, slots=True)
class Rows:
    """Middles of what is in a panel, from its upper edge; the hand is also the first line of chips."""

    badge: int
    name: int
    purse: int
    hand: int
    person: int = 0


UNNAMED = Rows(badge=36, name=36, purse=36, hand=96)
NAMED = Rows(badge=38, name=36, purse=34, person=76, hand=126)
NAMED_LOW = Rows(badge=35, name=29, purse=33, person=67, hand=106)


def rows_of(seats: int, *, named: bool) -> Rows:
    """The lines of panels with and without the names of people."""
    if not named:
        return UNNAMED
    return NAMED if PANEL_H[seats] == PANEL_H[2] else NAMED_LOW
