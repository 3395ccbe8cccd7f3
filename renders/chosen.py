"""The mark around a selected piece, distinct from the mark around the last action."""

from __future__ import annotations

from math import ceil

from renders.sprites import Sprite, cached, sprite
from renders.theme import INK, SEATS, TURQUOISE
from renders.tokens import outline


@cached
def chosen_mark(w: int, h: int, corner: int) -> Sprite:
    """Selection mark around the center of a rounded w x h px plate: two lines, and a tick on its corner."""
    return _selection_mark(f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="{corner}" ', w / 2, h / 2)


@cached
def chosen_top(w: int, h: int, corner: int) -> Sprite:
    """Selection mark without a lower edge, placed at the middle of that edge, so that things below stay visible."""
    half, up = w / 2, h - corner
    bend = f"a{corner} {corner} 0 0 1 {corner}"
    return _selection_mark(f'<path d="M{-half} 0V{-up}{bend} {-corner}H{half - corner}{bend} {corner}V0" ', half, h)


@cached
def chosen_token(seat: int, r: float) -> Sprite:
    """Selection mark around a seat's token."""
    return _selection_mark(outline(SEATS[seat].shape, r + 8), r + 4, r + 4)


def _selection_mark(shape: str, right: float, top: float) -> Sprite:
    """Draw an outline, an open SVG element, as two turquoise lines with a tick at `right`, `top`.

    Marks of past actions have one line and no tick, so the two kinds differ in more than color.
    """
    line = f'{shape}fill="none" stroke-linejoin="round"'
    # Ink in the middle of a broad turquoise line splits it in two.
    rims = ((INK, 19), (TURQUOISE, 14), (INK, 6))
    drawing = "".join(f'{line} stroke="{color}" stroke-width="{w}"/>' for color, w in rims)
    x, y = right - 3, 3 - top
    disc = f'<circle cx="{x}" cy="{y}" r="14" fill="{TURQUOISE}" stroke="{INK}" stroke-width="4"/>'
    path = f"M{x - 7} {y}L{x - 2} {y + 6}L{x + 7} {y - 5}"
    tick = f'{disc}<path d="{path}" fill="none" stroke="{INK}" stroke-width="4.5" stroke-linecap="round"/>'
    across, up = ceil(right) + 20, ceil(top) + 20
    return sprite(drawing + tick, -across, -up, across, up)
