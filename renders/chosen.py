"""The mark around what is chosen, which nobody can take for the mark around what has happened."""

from __future__ import annotations

from math import ceil

from renders.sprites import Sprite, cached, sprite
from renders.theme import INK, SEATS, TURQUOISE
from renders.tokens import outline


@cached
def chosen_mark(w: int, h: int, corner: int) -> Sprite:
    """A mark around the center of a rounded plate of w x h px that is chosen: two lines, and a tick on its corner."""
    return _chosen(f'<rect x="{-w / 2}" y="{-h / 2}" width="{w}" height="{h}" rx="{corner}" ', w / 2, h / 2)


@cached
def chosen_top(w: int, h: int, corner: int) -> Sprite:
    """The same over the middle of the lower edge of something, and open there, so that what lies below stays free."""
    left, up = w / 2, h - corner
    bend = f"a{corner} {corner} 0 0 1 {corner}"
    return _chosen(f'<path d="M{-left} 0V{-up}{bend} {-corner}H{left - corner}{bend} {corner}V0" ', left, h)


@cached
def chosen_token(seat: int, r: float) -> Sprite:
    """The same around a token of the seat."""
    return _chosen(outline(SEATS[seat].shape, r + 8), r + 4, r + 4)


def _chosen(shape: str, right: float, top: float) -> Sprite:
    """What is chosen: its outline, an SVG element still open, in two turquoise lines, and a tick at `right`, `top`.

    Nothing that has merely happened has two lines or a tick, so that no eye has to tell their colors apart.
    """
    line = f'{shape}fill="none" stroke-linejoin="round"'
    # Ink in the middle of a broad turquoise line leaves two of turquoise.
    rims = ((INK, 19), (TURQUOISE, 14), (INK, 6))
    drawing = "".join(f'{line} stroke="{color}" stroke-width="{w}"/>' for color, w in rims)
    x, y = right - 3, 3 - top
    disc = f'<circle cx="{x}" cy="{y}" r="14" fill="{TURQUOISE}" stroke="{INK}" stroke-width="4"/>'
    path = f"M{x - 7} {y}L{x - 2} {y + 6}L{x + 7} {y - 5}"
    tick = f'{disc}<path d="{path}" fill="none" stroke="{INK}" stroke-width="4.5" stroke-linecap="round"/>'
    across, up = ceil(right) + 20, ceil(top) + 20
    return sprite(drawing + tick, -across, -up, across, up)
