"""The ground of Dance of Muses: night sky, the cloth in its gold line, and the palette of all pictures."""

from __future__ import annotations

from functools import lru_cache

from engine.games.muses.floor import NEUTRAL
from engine.games.muses.tiles import MUSES
from engine.texts import SEAT_COLORS
from renders.canvas import Canvas, Ground
from renders.chosen import chosen_mark
from renders.games.muses.layout import CLOTH, HAND_TILE, panel_box, short_name
from renders.games.muses.theme import THEME
from renders.games.muses.tiles import (
    NEUTRAL_FILL,
    SECONDARY,
    arrow,
    die,
    die_place,
    die_radius,
    face_down,
    hand_tile,
    lattice,
    lattice_knot,
    star,
    tile,
)
from renders.grounds import ground_of
from renders.house import brackets, draw_badge, draw_panel, frame, plate_mark
from renders.lettering import FACT, LABEL, NAME, SMALL, sans
from renders.sprites import Sprite, cached, sprite
from renders.theme import GOLD, HEIGHT, INK, IVORY, WIDTH, Box

FAINT = "#111D4A"
DIM = "#7F8FD0"
"""The color of coordinates and of ranks without effect."""

DIE_R = 38
"""Optical radius of the dice in the panels, in px."""

SCORE = sans(62, "Black")


@lru_cache(maxsize=4)
def ground(companies: int, *, shrunk: bool) -> Ground:
    """The empty cloth, with the bare panels of `companies` companies unless `shrunk`."""
    # Beside a hand or at the end, panels are small or missing, so they cannot be part of the ground.
    if shrunk:
        return cloth()
    canvas = Canvas(cloth())
    for company in range(companies):
        draw_bare_panel(canvas, panel_box(companies, company, shrunk=False))
    return canvas.flatten()


def draw_bare_panel(canvas: Canvas, box: Box, *, golden: bool = False, due: bool = False) -> None:
    """Draw a panel; a full-height one has a line under its head."""
    x0, y0, x1, y1 = box
    draw_panel(canvas, box, THEME, golden=golden, arrow="top" if due else "")
    if y1 - y0 > HEAD_H:
        canvas.put(_rule(x1 - x0 - 40), x0 + 20, y0 + 132)


@cached
def _rule(length: int) -> Sprite:
    return sprite(f'<rect width="{length}" height="3" fill="#38499A"/>', 0, 0, length, 3)


HEAD_H = 140
"""Height of a panel's head, in px."""


@lru_cache(maxsize=1)
def cloth() -> Ground:
    """The empty cloth on the night sky."""
    drawing = _night() + _fabric() + frame(THEME.page)
    return ground_of("muses", THEME, drawing, _draw_samples, flats=(FAINT, DIM, NEUTRAL_FILL, SECONDARY))


def _night() -> str:
    """A sky of stars too faint to disturb anything on them."""
    page = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{THEME.ground[1]}"/>'
    stars = "".join(
        f'<polygon points="{star(120 * x, 120 * y, 46)}" fill="none" stroke="{FAINT}" stroke-width="5"/>'
        f'<polygon points="{star(120 * x + 60, 120 * y + 60, 18, 4, 0.7, 0)}" fill="{FAINT}"/>'
        for x in range(10)
        for y in range(13)
    )
    return f'{page}{stars}<rect width="{WIDTH}" height="106" fill="{THEME.ground[0]}"/>'


def _fabric() -> str:
    x0, y0, x1, y1 = CLOTH
    w, h = x1 - x0, y1 - y0
    edge = f'<rect x="{x0 - 4}" y="{y0 - 4}" width="{w + 8}" height="{h + 8}" rx="18" fill="{THEME.page}"/>'
    cloth = f'<rect x="{x0}" y="{y0}" width="{w}" height="{h}" rx="16" fill="{THEME.cloth}"/>'
    inner = f'x="{x0 + 10}" y="{y0 + 10}" width="{w - 20}" height="{h - 20}"'
    line = f'<rect {inner} fill="none" stroke="{GOLD}" stroke-width="3"/>'
    corners = "".join(
        f'<polygon points="{star(x, y, 12, inner=0.75)}" fill="{GOLD}" stroke="{INK}" stroke-width="3"/>'
        for x in (x0 + 10, x1 - 10)
        for y in (y0 + 10, y1 - 10)
    )
    return edge + cloth + line + corners


def _draw_samples(canvas: Canvas) -> None:
    """Draw samples of all sprites that may appear on the cloth."""
    # Tiles on both sides of the sizes at which their look changes (`MIN_FULL_NAME_SIDE`, `MIN_NAME_SIDE`).
    for n, side in enumerate((206, 143, 118, 90)):
        y = 230 + 210 * n
        for k in range(5):
            x = 150 + 195 * k
            canvas.put(lattice(side), x, y)
            canvas.put(lattice_knot(side), x + side / 2, y + side / 2)
            if k < 3:
                canvas.put(tile(muse := (n * 5 + k) % len(MUSES), side, 1 + k % 3, short_name(muse, side)), x, y)
            else:
                canvas.put(face_down(SEAT_COLORS[(k + n) % 3], side, MUSES[k] if k == 4 and n % 2 else ""), x, y)
            dx, dy = die_place(side)
            canvas.put(die((NEUTRAL, 0, 1, 2)[(k + n) % 4], 1 + k, die_radius(side)), x + dx, y + dy)
            if k == n:
                canvas.put(plate_mark(side + 4, side + 4, 16), x, y)
        canvas.put(brackets(120, 120), 340, y)
        canvas.put(chosen_mark(140, 140, 16), 540, y)
    canvas.put(plate_mark(150, 150, 16, dashed=True), 940, 940)
    canvas.put(arrow(1, 156), 940, 940)
    canvas.put(hand_tile(2, HAND_TILE, 3, short_name(2, HAND_TILE)), 900, 1180)
    for company in range(3):
        x = 32 + 290 * company
        draw_panel(canvas, (x, 1110, x + 278, 1396), THEME, golden=company == 1, arrow="top")
        draw_badge(canvas, company, x + 42, 1154)
        canvas.put(die(company, 1 + company, 38), x + 88, 1300)
        canvas.text(x + 78, 1154, "Red 1", NAME)
        canvas.text(x + 218, 1154, "60", SCORE)
        canvas.text(x + 28, 1214, "bonus 1, ranks now:", SMALL, THEME.muted)
        canvas.text(x + 128, 1300, "tie", LABEL, THEME.muted)
        canvas.text(x + 188, 1300, "+1", LABEL, THEME.emblem)
        canvas.text(x + 128, 1350, "– n13", FACT, DIM)
    canvas.text(60, 1040, "+1 on a neighbor’s die", SMALL, IVORY)
