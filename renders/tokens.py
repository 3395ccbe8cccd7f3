"""Seat tokens: the same color, shape and letter in every game, with a rim that stands out from any ground."""

from __future__ import annotations

from math import ceil, cos, pi, sin

from renders.sprites import Sprite, cached, centered_sprite, icon
from renders.theme import INK, IVORY, SEATS, SeatStyle


def outline(shape: str, r: float) -> str:
    """Open SVG element (`<... `) of a seat's shape with optical radius `r`, centered on the origin."""
    # The factors make all shapes look equally large.
    if shape == "circle":
        return f'<circle r="{r:.2f}" '
    if shape == "square":
        return _square(0.9 * r, 0.2 * r)
    if shape == "diamond":
        return f'{_square(0.86 * r, 0.22 * r)}transform="rotate(45)" '
    if shape == "hexagon":
        return _polygon([1.07 * r] * 6)
    if shape == "star":
        return _polygon([1.16 * r, 0.93 * r] * 8)
    c, a = 0.601 * r, 0.62 * r
    corners = ((c, -c), (c, c), (-c, c), (-c, -c))
    arcs = "".join(f"A{a:.2f} {a:.2f} 0 0 1 {x:.2f} {y:.2f}" for x, y in corners)
    return f'<path d="M{-c:.2f} {-c:.2f}{arcs}Z" '


def _square(half: float, corner: float) -> str:
    side = f'x="{-half:.2f}" y="{-half:.2f}" width="{2 * half:.2f}" height="{2 * half:.2f}"'
    return f'<rect {side} rx="{corner:.2f}" '


def _polygon(radii: list[float]) -> str:
    step = 2 * pi / len(radii)
    points = (f"{r * sin(k * step):.2f},{-r * cos(k * step):.2f}" for k, r in enumerate(radii))
    return f'<polygon points="{" ".join(points)}" '


def body(style: SeatStyle, r: float) -> str:
    """SVG fragment of an empty token: dark outline, rim, and fill."""
    layers = (
        f'{outline(style.shape, r)}fill="{INK}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>',
        f'{outline(style.shape, r - 1.5)}fill="{style.rim}"/>',
        f'{outline(style.shape, r - 5)}fill="{style.fill}"/>',
    )
    return "".join(layers)


@cached
def token(seat: int, r: float, name: str = "") -> Sprite:
    """A seat's token with optical radius `r` px and, optionally, the icon `name` on it."""
    style = SEATS[seat]
    drawing = body(style, r)
    if name:
        drawing += icon(name, style.text, style.fill, 1.34 * r * style.icon_scale)
    # The diamond's corners reach furthest: 0.86 r times the square root of 2, about 1.22 r.
    return centered_sprite(drawing, ceil(1.24 * r + 3))


@cached
def ring(seat: int, r: float, color: str = IVORY, *, broken: bool = False) -> Sprite:
    """Outline around a seat's token, 5.5 px on 11 px of ink: solid, or `broken` for the token's former place."""
    line = f'{outline(SEATS[seat].shape, r + 7)}fill="none" stroke-linejoin="round"'
    gaps = ' stroke-dasharray="15 11"' if broken else ""
    drawing = f'{line} stroke="{INK}" stroke-width="11"/>{line} stroke="{color}" stroke-width="5.5"{gaps}/>'
    return centered_sprite(drawing, ceil(1.24 * (r + 7) + 8))
