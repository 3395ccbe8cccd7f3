"""The furniture every picture shares: gold frame, header band, seat badges, score panels and marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from renders.canvas import Canvas
from renders.lettering import BADGE, FACT, PILL, TITLE, fit, width
from renders.sprites import Sprite, icon, sprite
from renders.theme import GOLD, HEIGHT, INK, IVORY, SAFE, SEATS, TURQUOISE, WIDTH, Color, Theme
from renders.tokens import token

BADGE_R = 23
"""Optical radius of the badge in a panel, in px."""
PILL_R = 22
PILL_STEP = 2 * PILL_R + 12
"""From one badge in the pill to what follows it, in px."""


# --- Frame and header ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Header:
    """What the header says.

    `facts` is one fact in its long and its shorter forms; the first that fits is taken. `seats` are the seats that
    are due, or that have won; `pill` is the text beside their badges. No fact begins left of `clear`, in px.
    """

    title: str
    facts: tuple[str, ...]
    seats: tuple[int, ...]
    pill: str
    clear: int = 0


def draw_header(canvas: Canvas, header: Header) -> None:
    """Title, fact and the turn pill with the badges of the seats that are due."""
    title = 102 + canvas.text(102, 66, header.title, TITLE)
    badges = PILL_STEP * len(header.seats)
    name = fit(header.pill, PILL, 300 - badges)
    left = SAFE[2] - round(16 + badges + width(name, PILL) + 18)
    canvas.put(_pill(SAFE[2] - left), left, 34)
    for k, seat in enumerate(header.seats):
        draw_badge(canvas, seat, left + 16 + PILL_R + k * PILL_STEP, 65, PILL_R)
    canvas.text(left + 16 + badges, 65, name, PILL)
    room = left - 22 - max(title + 24, header.clear)
    fact = next((fact for fact in header.facts if width(fact, FACT) <= room), header.facts[-1])
    canvas.text(left - 22, 66, fact, FACT, align="right", room=room)


@lru_cache(maxsize=64)
def _pill(length: int) -> Sprite:
    box = f'x="1.5" y="1.5" width="{length - 3}" height="59" rx="29.5"'
    return sprite(f'<rect {box} fill="{INK}" stroke="{GOLD}" stroke-width="3"/>', 0, 0, length, 62)


def frame(page: Color) -> str:
    """SVG fragment for a ground: the gold line with a star on each corner, and the crest of the header."""
    line = f'<rect x="13" y="13" width="1054" height="1414" rx="10" fill="none" stroke="{GOLD}" stroke-width="3"/>'
    stars = "".join(_star(x, y) for x in (13, WIDTH - 13) for y in (13, HEIGHT - 13))
    return line + stars + icon("crest", GOLD, page, 66, 62, 66)


def _star(x: int, y: int) -> str:
    around = ((12, 5), (7, 7), (5, 12), (0, 9.9), (-5, 12), (-7, 7), (-12, 5), (-9.9, 0))
    points = " ".join(f"{x + a * s:.1f},{y + b * s:.1f}" for s in (1, -1) for a, b in around)
    return f'<polygon points="{points}" fill="{GOLD}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"/>'


# --- Seats -----------------------------------------------------------------------------------------------------------


def draw_badge(canvas: Canvas, seat: int, x: float, y: float, r: float = BADGE_R) -> None:
    """A seat's shape with its letter."""
    canvas.put(token(seat, r), x, y)
    canvas.text(x, y, SEATS[seat].letter, BADGE, SEATS[seat].text, "middle")


def draw_panel(
    canvas: Canvas, box: tuple[int, int, int, int], theme: Theme, *, golden: bool = False, arrow: str = ""
) -> None:
    """A score panel; the due seat's has a `golden` edge and an arrowhead on its `top` or `left` edge."""
    left, top, right, bottom = box
    canvas.put(_panel(right - left, bottom - top, theme.panel, GOLD if golden else theme.panel_edge), left, top)
    if arrow == "top":
        canvas.put(_arrowhead(0), (left + right) / 2, top)
    elif arrow == "left":
        canvas.put(_arrowhead(-90), left, (top + bottom) / 2)


@lru_cache(maxsize=48)
def _panel(w: int, h: int, fill: Color, edge: Color) -> Sprite:
    box = f'x="2" y="2" width="{w - 4}" height="{h - 4}" rx="15"'
    return sprite(f'<rect {box} fill="{fill}" stroke="{edge}" stroke-width="4"/>', 0, 0, w, h)


@cache
def _arrowhead(turn: int) -> Sprite:
    path = f'<path d="M-20 -5H20L0 16Z" fill="{GOLD}" stroke="{INK}" stroke-width="3" stroke-linejoin="round"'
    return sprite(f'{path} transform="rotate({turn})"/>', -24, -24, 24, 24)


# --- Marks -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=96)
def plate_mark(w: int, h: int, corner: int, color: Color = IVORY, *, dashed: bool = False) -> Sprite:
    """A mark around the center of a rounded plate of w x h px: closed, or dashed for where something was."""
    box = f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="{corner}" fill="none"'
    line = 'stroke-width="4" stroke-dasharray="12 8"' if dashed else 'stroke-width="5.5"'
    drawing = f'{box} stroke="{INK}" stroke-width="11"/>{box} stroke="{color}" {line}/>'
    return sprite(drawing, -w // 2 - 7, -h // 2 - 7, w // 2 + 7, h // 2 + 7)


@lru_cache(maxsize=48)
def brackets(w: int, h: int) -> Sprite:
    """Four open turquoise corners around the center of a box of w x h px: a legal target."""
    arm = max(17, min(26, min(w, h) // 4))
    x, y = w / 2, h / 2
    path = "".join(
        f"M{sx * x} {sy * (y - arm)}V{sy * y}H{sx * (x - arm)}" for sx, sy in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    style = 'fill="none" stroke-linejoin="round" stroke-linecap="round"'
    drawing = (
        f'<path d="{path}" {style} stroke="{INK}" stroke-width="11"/>'
        f'<path d="{path}" {style} stroke="{TURQUOISE}" stroke-width="6"/>'
    )
    return sprite(drawing, -w // 2 - 7, -h // 2 - 7, w // 2 + 7, h // 2 + 7)


@cache
def count_badge() -> Sprite:
    """The disc that carries the number of equal pieces."""
    return sprite(f'<circle r="14.5" fill="{IVORY}" stroke="{INK}" stroke-width="3"/>', -16, -16, 16, 16)


def pill_words(seats: Sequence[int], labels: Sequence[str], *, won: bool = False) -> str:
    """The text beside the badges: a name, `Red wins`, or nothing where several badges have to do.

    Nobody is due only where a preview has stopped before a draw.
    """
    if len(seats) == 1:
        return f"{labels[seats[0]]} wins" if won else labels[seats[0]]
    return ("shared" if won else "") if seats else "Preview"
