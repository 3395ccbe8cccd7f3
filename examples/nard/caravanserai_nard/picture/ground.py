"""The empty board, the sprites on it, and the palette of all pictures."""

from __future__ import annotations

from functools import lru_cache

from caravanserai_nard.board import POINTS
from caravanserai_nard.picture.layout import (
    BOARD,
    CUBE,
    DIE,
    FIELD,
    LENGTH,
    MIDDLE_X,
    MIDDLE_Y,
    NUMBER_Y,
    PANELS,
    PITCH,
    RAIL,
    SLOT_H,
    SLOT_W,
    R,
    on_top,
    point_x,
)
from caravanserai_nard.picture.theme import THEME
from renders.canvas import Canvas, Ground
from renders.grounds import ground_of
from renders.house import brackets, draw_badge, draw_panel, frame
from renders.lettering import FACT, NAME, SCORE, SMALL, sans
from renders.sprites import Sprite, cached, centered_sprite, sprite
from renders.theme import GOLD, HEIGHT, INK, IVORY, SEATS, TURQUOISE, WIDTH, Color
from renders.tokens import outline, ring

COORDINATE = sans(30)
COUNT = sans(32, "Black")
STAKE = sans(44, "Black")
BEAD_STEP = 22
"""Distance of the inlaid diamonds along the frame."""


@lru_cache(maxsize=1)
def ground() -> Ground:
    """The board without checkers, and bare panels."""
    page = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{THEME.page}"/>'
    drawing = page + _wood() + _points() + _ornaments() + frame(THEME.page)
    plain = ground_of("nard", THEME, drawing, _draw_samples, letters=_write_numbers)
    canvas = Canvas(plain)
    for box in PANELS:
        draw_panel(canvas, box, THEME)
    return canvas.flatten()


def _rect(box: tuple[float, float, float, float], fill: Color, extra: str = "") -> str:
    x0, y0, x1, y1 = box
    return f'<rect x="{x0}" y="{y0}" width="{x1 - x0}" height="{y1 - y0}" fill="{fill}" {extra}/>'


def _wood() -> str:
    """Frame, field and rail."""
    x0, y0, x1, y1 = BOARD
    board = _rect(BOARD, THEME.frame, f'rx="18" stroke="{INK}" stroke-width="4"')
    rim = _rect((x0 + 6, y0 + 6, x1 - 6, y1 - 6), "none", f'rx="13" stroke="{GOLD}" stroke-width="2.5"')
    field = _rect(FIELD, THEME.field, f'stroke="{INK}" stroke-width="4"')
    grain = "".join(
        f'<path d="M{FIELD[0]} {y}C{FIELD[0] + 300} {y - 16} {FIELD[2] - 300} {y + 20} {FIELD[2]} {y}" fill="none" '
        f'stroke="{THEME.grain}" stroke-width="{3 + y % 3 * 2}"/>'
        for y in range(FIELD[1] + 24, FIELD[3], 38)
    )
    rail = _rect((RAIL[0], y0 + 2, RAIL[1], y1 - 2), THEME.rail, f'stroke="{INK}" stroke-width="4"')
    lines = "".join(
        f'<path d="M{x} {y0 + 8}V{y1 - 8}" stroke="{GOLD}" stroke-width="2.5"/>' for x in (RAIL[0] + 8, RAIL[1] - 8)
    )
    return board + rim + field + grain + rail + lines


def _points() -> str:
    return "".join(_point(point) for point in range(1, POINTS + 1))


def _point(point: int) -> str:
    """A slender pointed arch with an inlaid line and a bead at its tip."""
    x, half = point_x(point), PITCH / 2 - 3
    base, sign = (FIELD[1], 1) if on_top(point) else (FIELD[3], -1)
    dark = point % 2 == 0
    fill, line = (THEME.dark, THEME.light) if dark else (THEME.light, THEME.dark)
    tip = base + sign * LENGTH

    def arch(width: float, length: float) -> str:
        end, waist = base + sign * length, base + sign * length * 0.5
        return f"M{x - width:.1f} {base}Q{x - width * 0.62:.1f} {waist:.1f} {x:.1f} {end:.1f}" + (
            f"Q{x + width * 0.62:.1f} {waist:.1f} {x + width:.1f} {base}"
        )

    body = f'<path d="{arch(half, LENGTH)}Z" fill="{fill}" stroke="{INK}" stroke-width="2.5"/>'
    inner = f'<path d="{arch(half - 11, LENGTH - 84)}" fill="none" stroke="{line}" stroke-width="2"/>'
    bead = f'<circle cx="{x:.1f}" cy="{tip}" r="8" fill="{THEME.inlay}" stroke="{INK}" stroke-width="2.5"/>'
    return body + inner + bead


def _ornaments() -> str:
    """Inlaid diamonds along the frame, and a star in each half of the field."""
    x0, y0, x1, y1 = BOARD
    colors = (THEME.light, THEME.inlay, THEME.light, SEATS[0].fill)
    beads = []
    for k, y in enumerate(range(y0 + 40, y1 - 30, BEAD_STEP)):
        beads += [_diamond(x, y, 7, 9, colors[k % 4]) for x in ((x0 + 6 + FIELD[0]) / 2, (x1 - 6 + FIELD[2]) / 2)]
    stars = "".join(_star((FIELD[0] + RAIL[0]) / 2 if first else (RAIL[1] + FIELD[2]) / 2) for first in (True, False))
    return "".join(beads) + stars


def _diamond(x: float, y: float, w: float, h: float, fill: Color) -> str:
    return f'<path d="M{x} {y - h}L{x + w} {y}L{x} {y + h}L{x - w} {y}Z" fill="{fill}"/>'


def _star(x: float) -> str:
    """A star of two squares, as in tiles and carpets, behind the dice."""
    squares = "".join(
        f'<rect x="{-r}" y="{-r}" width="{2 * r}" height="{2 * r}" fill="{fill}" stroke="{THEME.dark}" '
        f'stroke-width="3" transform="translate({x} {MIDDLE_Y}) rotate({turn})"/>'
        for r, fill in ((62, THEME.grain), (44, THEME.field))
        for turn in (0, 45)
    )
    wings = "".join(
        _diamond(x + sign * offset, MIDDLE_Y, size, size, fill)
        for sign in (-1, 1)
        for offset, size, fill in ((112, 13, THEME.inlay), (144, 10, THEME.light), (170, 7, THEME.inlay))
    )
    return squares + wings


def _write_numbers(canvas: Canvas) -> None:
    for point in range(1, POINTS + 1):
        y = NUMBER_Y[0] if on_top(point) else NUMBER_Y[1]
        canvas.text(point_x(point), y, str(point), COORDINATE, IVORY, "middle")


# --- Sprites ---------------------------------------------------------------------------------------------------------

_PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


@cached
def die(value: int, seat: int, *, used: bool) -> Sprite:
    """A die with the edge of its player's color; a used one is flat and dark."""
    half = DIE / 2 - 3
    box = f'x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" rx="16"'
    if used:
        body = f'<rect {box} fill="{THEME.used}" stroke="{THEME.dark}" stroke-width="4"/>'
        dot, r = THEME.dark, 7
    else:
        inner = half - 6
        body = (
            f'<rect {box} fill="{SEATS[seat].fill}" stroke="{INK}" stroke-width="5"/>'
            f'<rect x="{-inner}" y="{-inner}" width="{2 * inner}" height="{2 * inner}" rx="12" fill="{IVORY}"/>'
        )
        dot, r = INK, 8
    dots = "".join(f'<circle cx="{21 * x}" cy="{21 * y}" r="{r}" fill="{dot}"/>' for x, y in _PIPS[value])
    return centered_sprite(body + dots, DIE // 2 + 2)


@cached
def cube() -> Sprite:
    """The cube that shows the stake."""
    half = CUBE / 2 - 3
    box = f'x="{-half}" y="{-half}" width="{2 * half}" height="{2 * half}" rx="9"'
    return centered_sprite(f'<rect {box} fill="{GOLD}" stroke="{INK}" stroke-width="5"/>', CUBE // 2 + 2)


@cached
def count_disc() -> Sprite:
    """The disc for the number of checkers, on the last of them."""
    return centered_sprite(f'<circle r="22" fill="{IVORY}" stroke="{INK}" stroke-width="4"/>', 26)


@cached
def off_slot(seat: int, *, full: bool) -> Sprite:
    """A slot of the tray, empty or with a borne-off checker seen from its edge."""
    box = f'x="2" y="2" width="{SLOT_W - 4}" height="{SLOT_H - 4}" rx="6"'
    if not full:
        return sprite(f'<rect {box} fill="{INK}" stroke="{THEME.panel_edge}" stroke-width="2"/>', 0, 0, SLOT_W, SLOT_H)
    style = SEATS[seat]
    body = f'<rect {box} fill="{style.fill}" stroke="{IVORY}" stroke-width="3"/>'
    return sprite(body, 0, 0, SLOT_W, SLOT_H)


@cached
def chosen(seat: int) -> Sprite:
    """The closed outline around the checker that was chosen to move."""
    line = f'{outline(SEATS[seat].shape, R + 5)}fill="none" stroke-linejoin="round"'
    drawing = f'{line} stroke="{INK}" stroke-width="11"/>{line} stroke="{TURQUOISE}" stroke-width="6"/>'
    return centered_sprite(drawing, R + 16)


def _draw_samples(canvas: Canvas) -> None:
    """Draw samples of all sprites that may appear on the board."""
    for number, box in enumerate(PANELS):
        draw_panel(canvas, box, THEME, golden=number == 0, arrow="top" if number == 0 else "")
        x0, y0, *_ = box
        canvas.text(x0 + 70, y0 + 36, "Red Blue 0123456789", NAME)
        canvas.text(x0 + 70, y0 + 76, "The quick caravan", SMALL, THEME.muted)
        canvas.text(x0 + 24, y0 + 112, "167 pips", FACT)
        canvas.text(x0 + 460, y0 + 40, "12345", SCORE, align="right")
        for n in range(15):
            canvas.put(off_slot(number, full=n % 2 == 0), x0 + 20 + 31 * n, y0 + 140)
    for point in range(1, POINTS + 1):
        for n in range(3):
            y = 240 + 70 * n if on_top(point) else 1100 - 70 * n
            draw_badge(canvas, point % 2, point_x(point), y, R)
    for k, (x, y) in enumerate(((150, 480), (300, 480), (700, 480), (850, 480))):
        canvas.put(ring(k % 2, R, broken=k > 1), x, y)
        canvas.put(brackets(66, 66), x, y + 90)
        canvas.put(chosen(k % 2), x, y + 380)
    for value in range(1, 7):
        canvas.put(die(value, value % 2, used=value % 3 == 0), 150 + 120 * value, MIDDLE_Y)
    canvas.put(cube(), MIDDLE_X, MIDDLE_Y)
    canvas.text(MIDDLE_X, MIDDLE_Y, "16", STAKE, INK, "middle")
    canvas.put(count_disc(), 640, 840)
    canvas.text(640, 840, "12", COUNT, INK, "middle")
