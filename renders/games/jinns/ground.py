"""The ground of Jinns of the Lake, the sprites on the quay, and the palette of all pictures."""

from __future__ import annotations

from functools import lru_cache

from engine.games.jinns.pawns import COLORS, STRENGTHS, Pawn
from engine.games.jinns.pawns import Color as PawnColor
from engine.games.jinns.ring import SQUARES
from renders.canvas import Canvas, Ground
from renders.chosen import chosen_top
from renders.games.jinns.layout import (
    BAR_H,
    BAR_STEP,
    BAR_W,
    CHIP_H,
    CHIP_W,
    DOMES,
    LOW_PANEL_SEATS,
    PIP_R,
    PLINTH_H,
    PLINTH_W,
    STYLE,
    foot,
    panel_box,
)
from renders.games.jinns.theme import THEME
from renders.grounds import ground_of
from renders.house import brackets, draw_badge, draw_panel, frame, plate_mark
from renders.lettering import BADGE, FACT, MIN_SIZE, NAME, SMALL, line, sans
from renders.sprites import Sprite, cached, fragment, sprite, stack
from renders.theme import INK, IVORY, SEATS, Box, Color

SCORE = sans(58, "Black")
COORDINATE = sans(MIN_SIZE)
FOOT_FILL = {"#C74532": "#8E2F22", "#1A4BA0": "#123676", "#E9B90D": "#B98F00", "#47A47D": "#2F7A5B"}
"""Darker shade of each seat's fill, for the foot of its storeys and the pattern on its domes."""


GHOST_RIM = "#9C93D2"
"""Color of the ghosts' rims and of the numbers of empty squares."""


# For 2, 3 and 4 seats, and 0 for the end, when the result card takes the place of the panels.
@lru_cache(maxsize=4)
def ground(seats: int) -> Ground:
    """The lake with all plinths empty, and bare panels for `seats` seats."""
    canvas = Canvas(_lake())
    for seat in range(seats):
        box = panel_box(seats, seat)
        draw_panel(canvas, box, THEME)
        draw_rule(canvas, seats, box)
    return canvas.flatten()


def draw_rule(canvas: Canvas, seats: int, box: Box) -> None:
    """Draw the line below the name in a panel, if the panel is high enough."""
    x0, y0, x1, _ = box
    # The panels of three seats are too low.
    if seats != LOW_PANEL_SEATS:
        canvas.put(_rule(x1 - x0 - 36), x0 + 18, y0 + 91)


@lru_cache(maxsize=1)
def _lake() -> Ground:
    empty = _plinth(THEME.empty)
    plinths = (f'<g transform="translate({round(x)} {round(y)})">{empty}</g>' for x, y in map(foot, range(SQUARES)))
    drawing = fragment("jinns") + "".join(plinths) + frame(THEME.page)
    return ground_of(
        "jinns", THEME, drawing, _draw_samples, letters=_write_squares, flats=(*FOOT_FILL.values(), GHOST_RIM)
    )


def _write_squares(canvas: Canvas) -> None:
    for square in range(SQUARES):
        x, y = foot(square)
        canvas.text(x, round(y) + PLINTH_H / 2, str(square), COORDINATE, GHOST_RIM, "middle")


def _plinth(fill: Color) -> str:
    box = f'x="{-PLINTH_W / 2}" y="0" width="{PLINTH_W}" height="{PLINTH_H}" rx="9"'
    return f'<rect {box} fill="{fill}" stroke="{THEME.page}" stroke-width="4"/>'


@cached
def plinth(square: int) -> Sprite:
    """A pile's plinth with its number, with its origin at the middle of its upper edge."""
    bare = sprite(_plinth(THEME.plinth), -PLINTH_W // 2 - 2, -2, PLINTH_W // 2 + 2, PLINTH_H + 2)
    return stack(bare, line(str(square), COORDINATE, IVORY, "middle"), 0, PLINTH_H / 2)


# --- Pawns -----------------------------------------------------------------------------------------------------------


@cached
def storey(pawn: Pawn, level: int) -> Sprite:
    """A storey with its letter between two motifs of its color, its origin at the bottom center. `level` is 0-based."""
    style = SEATS[STYLE[pawn.color]]
    w = BAR_W - BAR_STEP * level
    box = f'x="{-w / 2}" y="{-BAR_H}" width="{w}" height="{BAR_H}" rx="5"'
    foot_band = f'<rect x="{-w / 2 + 1.3}" y="-6.3" width="{w - 2.6}" height="5" fill="{FOOT_FILL[style.fill]}"/>'
    sides = "".join(_motif(pawn.color, side * (w / 2 - 11), style.text) for side in (-1, 1))
    rim = f'<rect {box} fill="none" stroke="{IVORY}" stroke-width="2.6"/>'
    bare = sprite(f'<rect {box} fill="{style.fill}"/>{foot_band}{sides}{rim}', -44, -BAR_H - 2, 44, 2)
    return stack(bare, line(str(pawn), BADGE, style.text, "middle"), 0, -16)


def _motif(color: PawnColor, x: float, fill: Color) -> str:
    """Diamond, bars, dots or chevrons: motifs that make the four colors distinct without color."""
    y = -16.5
    if color is PawnColor.YELLOW:
        return f'<path d="M{x} {y - 7}L{x + 5.5} {y}L{x} {y + 7}L{x - 5.5} {y}Z" fill="{fill}"/>'
    if color is PawnColor.BLUE:
        bars = (f'<rect x="{x + dx - 1.5}" y="{y - 7}" width="3" height="14" fill="{fill}"/>' for dx in (-4.5, 0, 4.5))
        return "".join(bars)
    if color is PawnColor.RED:
        dots = ((-4, -3.5), (4, -3.5), (0, 4))
        return "".join(f'<circle cx="{x + dx}" cy="{y + dy}" r="2.8" fill="{fill}"/>' for dx, dy in dots)
    line = f'fill="none" stroke="{fill}" stroke-width="3"'
    return "".join(
        f'<path d="M{x - 5.5} {y + dy + 3}L{x} {y + dy - 3}L{x + 5.5} {y + dy + 3}" {line}/>' for dy in (-4, 3)
    )


@cached
def crown(color: PawnColor, strength: int) -> Sprite:
    """The domes of a top pawn, one per point of strength. The origin is the middle of its roof."""
    style = SEATS[STYLE[color]]
    domes = "".join(_dome(color, style.fill, *dome) for dome in DOMES[strength])
    return sprite(domes, -46, -44, 46, 2)


def _dome(color: PawnColor, fill: Color, x: float, w: float, h: float) -> str:
    path = (
        f"M{x - 0.36 * w:.1f} 0C{x - 0.62 * w:.1f} {-0.34 * h:.1f} {x - 0.42 * w:.1f} {-0.6 * h:.1f} "
        f"{x - 0.14 * w:.1f} {-0.76 * h:.1f}C{x - 0.05 * w:.1f} {-0.83 * h:.1f} {x} {-0.9 * h:.1f} {x} {-h:.1f}"
        f"C{x} {-0.9 * h:.1f} {x + 0.05 * w:.1f} {-0.83 * h:.1f} {x + 0.14 * w:.1f} {-0.76 * h:.1f}"
        f"C{x + 0.42 * w:.1f} {-0.6 * h:.1f} {x + 0.62 * w:.1f} {-0.34 * h:.1f} {x + 0.36 * w:.1f} 0Z"
    )
    # Domes of a crown differ in their centers, so the ids are unique.
    clip = f'<clipPath id="d{x}"><path d="{path}"/></clipPath>'
    pattern = f'<g clip-path="url(#d{x})">{_pattern(color, x, w, h, FOOT_FILL[fill])}</g>'
    rim = f'<path d="{path}" fill="none" stroke="{IVORY}" stroke-width="2.6" stroke-linejoin="round"/>'
    return f'{clip}<path d="{path}" fill="{fill}"/>{pattern}{rim}'


def _pattern(color: PawnColor, x: float, w: float, h: float, fill: Color) -> str:
    """A color's pattern on a dome: one diamond, ribs, dots or rings."""
    if color is PawnColor.YELLOW:
        a, b, y = 0.2 * w, 0.24 * h, -0.34 * h
        return f'<path d="M{x} {y - b:.1f}L{x + a:.1f} {y:.1f}L{x} {y + b:.1f}L{x - a:.1f} {y:.1f}Z" fill="{fill}"/>'
    if color is PawnColor.BLUE:
        ribs = (f"M{x + dx * w:.1f} 0V{-h}" for dx in (-0.26, 0, 0.26))
        return f'<path d="{"".join(ribs)}" stroke="{fill}" stroke-width="{max(2.4, 0.07 * w):.1f}"/>'
    if color is PawnColor.RED:
        spots = ((-0.2, -0.18), (0.2, -0.18), (0, -0.45))
        r = max(2.6, 0.085 * w)
        dots = (f'<circle cx="{x + dx * w:.1f}" cy="{dy * h:.1f}" r="{r:.1f}" fill="{fill}"/>' for dx, dy in spots)
        return "".join(dots)
    rings = (f"M{x - w} {-dy * h:.1f}H{x + w}" for dy in (0.2, 0.46))
    return f'<path d="{"".join(rings)}" stroke="{fill}" stroke-width="4"/>'


@cached
def ghost(color: PawnColor) -> Sprite:
    """The mark of an empty plinth during setup, in the color of its future pawn."""
    style = SEATS[STYLE[color]]
    box = 'x="-22" y="-33" width="44" height="31" rx="9"'
    body = f'<rect {box} fill="{style.fill}" stroke="{GHOST_RIM}" stroke-width="2.6" stroke-dasharray="5 4"/>'
    return sprite(body, -25, -36, 25, 0)


# --- Panels and marks ------------------------------------------------------------------------------------------------


@cached
def chip(edge: Color) -> Sprite:
    """The plate of a taken pile, with its origin at the top left corner."""
    box = f'x="2" y="2" width="{CHIP_W - 4}" height="{CHIP_H - 4}" rx="9"'
    fill = THEME.lake[1]
    return sprite(f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="3.5"/>', 0, 0, CHIP_W, CHIP_H)


@cached
def _rule(length: int) -> Sprite:
    return sprite(f'<rect width="{length}" height="2.5" fill="{THEME.panel_edge}"/>', 0, 0, length, 3)


@cached
def bead() -> Sprite:
    """The mark of a pile counted by the last move."""
    return sprite(f'<circle r="6" fill="{IVORY}" stroke="{INK}" stroke-width="3"/>', -8, -8, 8, 8)


@cached
def pip(*, full: bool) -> Sprite:
    """A pip for each occurrence of a position, or an empty ring for one that is left."""
    fill = IVORY if full else "none"
    return sprite(f'<circle r="{PIP_R}" fill="{fill}" stroke="{IVORY}" stroke-width="3"/>', -11, -11, 11, 11)


def _draw_samples(canvas: Canvas) -> None:
    """Draw samples of all sprites that may appear on the lake."""
    for square in range(SQUARES):
        (x, y), pawn = foot(square), Pawn(COLORS[square % 4], STRENGTHS[square // 8])
        canvas.put(plinth(square), x, y)
        canvas.put(storey(pawn, square // 4 % 3), x, y)
        canvas.put(crown(pawn.color, pawn.strength), x, y - BAR_H)
    for seat in range(4):
        draw_panel(canvas, panel_box(4, seat), THEME, golden=seat == 1, arrow="left" if seat == 1 else "")
        x0, y0, *_ = panel_box(4, seat)
        draw_badge(canvas, seat, x0 + 40, y0 + 48)
        canvas.text(x0 + 80, y0 + 30, "Yellow Blue", NAME)
        canvas.text(x0 + 80, y0 + 66, "with Red Green", SMALL, THEME.muted)
        canvas.text(x0 + 18, y0 + 120, "taken 25 + lake 16", SMALL, THEME.muted)
        canvas.text(x0 + 200, y0 + 210, "0123456789", SCORE)
        canvas.put(chip(THEME.panel_edge), x0 + 18, y0 + 138)
        canvas.put(ghost(COLORS[seat]), x0 + 40, y0 + 230)
    for k, mark in enumerate((plate_mark(92, 100, 14), plate_mark(92, 40, 10, dashed=True), brackets(90, 90))):
        canvas.put(mark, 240 + 130 * k, 420)
    canvas.put(chosen_top(96, 60, 10), 650, 450)
    canvas.text(300, 1150, "Green is neutral", FACT)
    canvas.put(bead(), 760, 420)
