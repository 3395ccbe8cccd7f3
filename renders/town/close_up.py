"""The private picture for a choice among thieves: their tables enlarged, with the panel of the viewer alone."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from engine.core import Action
from engine.town.data import Thief
from renders.canvas import Canvas
from renders.house import brackets
from renders.lettering import LABEL, sans
from renders.theme import Box, Point
from renders.town.layout import CARD_H, MID, PANEL_LEFT, WIDE_PANEL_W
from renders.town.pieces import TEXT_ON, draw_roll, line_numbers, plate, thief
from renders.town.scene import CloseUp
from renders.town.symbols import thief_of
from renders.town.theme import THEME

PLATE_W, PLATE_H, PLATE_Y = 620, 56, 958
PANEL: Box = (PANEL_LEFT, 1000, PANEL_LEFT + WIDE_PANEL_W, 1182)
"""The only panel, that of the viewer."""

WIDTH, TOP, BOTTOM = 136, 282, 910
"""Width of a card before it is enlarged, and the room for all of them from top to bottom, in px."""

CLOSE_UP_WIDTH, GAP, EDGE = 560, 26, 44
"""The room from left to right, between two cards, and for the numbers of the lines."""

MAX_SCALE = 2.4


def grid_of(count: int) -> tuple[int, float]:
    """The number of columns for some cards, and the largest scale with room for them."""
    shapes = [(columns, ceil(count / columns)) for columns in range(1, count + 1)]
    return max(((columns, _scale(columns, rows)) for columns, rows in shapes), key=lambda shape: shape[1])


def _scale(columns: int, rows: int) -> float:
    across = (CLOSE_UP_WIDTH - (columns - 1) * GAP) / (columns * WIDTH)
    down = (BOTTOM - TOP - (rows - 1) * GAP) / (rows * CARD_H)
    return round(min(across, down, MAX_SCALE), 2)


def corners(kinds: Sequence[Thief]) -> dict[Thief, Point]:
    """The top left corner of each card."""
    columns, scale = grid_of(len(kinds))
    across, down = WIDTH * scale + GAP, CARD_H * scale + GAP
    rows = ceil(len(kinds) / columns)
    top = (TOP + BOTTOM - rows * down + GAP) / 2
    x0 = MID + EDGE / 2 - (columns * across - GAP) / 2
    return {kind: (x0 + n % columns * across, top + n // columns * down) for n, kind in enumerate(kinds)}


def draw_close_up(canvas: Canvas, close_up: CloseUp, offered: Sequence[Action]) -> None:
    """Draw the cards with the ring of the roll, and the line below them; those that are `offered` are bracketed."""
    columns, scale = grid_of(len(close_up.thieves))
    choices = {thief_of(action) for action in offered}
    face = sans(round(32 * scale), "Black")
    for n, (kind, (x, y)) in enumerate(corners(close_up.thieves).items()):
        if n % columns == 0:
            canvas.put(line_numbers(scale), round(x), round(y))
        canvas.put(thief(kind, WIDTH, True, scale), round(x), round(y))
        draw_roll(canvas, kind, WIDTH, (round(x), round(y)), close_up.black, close_up.number, scale)
        canvas.text(round(x + 12 * scale), round(y + 24 * scale), kind, face, TEXT_ON[kind.gang])
        if kind in choices:
            w, h = round(WIDTH * scale), round(CARD_H * scale)
            canvas.put(brackets(w + 10, h + 10), round(x + w / 2), round(y + h / 2))
    if close_up.words:
        canvas.put(plate(PLATE_W, PLATE_H), MID, PLATE_Y)
        canvas.text(MID, PLATE_Y, close_up.words, LABEL, THEME.text_on_light, "middle", PLATE_W - 20)
