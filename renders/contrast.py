"""High contrast: what the colors of a picture become for those who need it.

Every color keeps its place in the palette, so that the same file serves both: only its list of colors is another one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import dist
from operator import mul

from renders.sprites import RGB

# Far enough for a contrast of 7 or more of every text on every board (tests/renders/test_contrast.py).
PUSHED = ((0, 0), (20, 6), (40, 22), (50, 34), (60, 64), (75, 86), (90, 98), (100, 100))
"""Lightness L* -> what it becomes: dark becomes darker and light lighter."""

NEAR = 24.0
"""Colors closer than this to a fixed one follow it, so that the soft edges around it stay soft; a distance in RGB."""


def stronger(colors: Sequence[RGB], fixed: Sequence[tuple[RGB, RGB]]) -> list[RGB]:
    """What some colors become; those of `fixed` become exactly what is paired with them."""
    # By how much each fixed color ends elsewhere than where pushing alone would take it.
    pulls = [(color, tuple(a - b for a, b in zip(becomes, _pushed(color), strict=True))) for color, becomes in fixed]
    return [_moved(color, pulls) for color in colors]


def _moved(color: RGB, pulls: Sequence[tuple[RGB, tuple[float, ...]]]) -> RGB:
    """A color pushed apart, and pulled along by what is near (Shepard 1968, distances to the fourth)."""
    # A fixed color is at no distance from itself, and has to become exactly what it is paired with.
    weights = [(NEAR / max(dist(color, other), 1e-3)) ** 4 for other, _ in pulls]
    ways = zip(*(way for _, way in pulls), strict=True)
    # The 1 is the weight of not being pulled at all, so that colors far from all fixed ones are only pushed.
    pull = (sum(map(mul, weights, way)) / (1 + sum(weights)) for way in ways)
    return tuple(min(255, max(0, round(a + b))) for a, b in zip(_pushed(color), pull, strict=True))


def _pushed(color: RGB) -> tuple[float, ...]:
    """The same hue, darker by less light or lighter by white."""
    # From sRGB to linear light (IEC 61966-2-1).
    values = [part / 255 for part in color]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    # Luminance from linear red, green and blue (ITU-R BT.709), and L* from luminance (CIE 1976) and back.
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    lightness = _curve(116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light)
    wanted = ((lightness + 16) / 116) ** 3 if lightness > 8 else lightness / 903.3
    if wanted <= light:
        # Black has no hue to keep.
        return tuple(255 * _to_srgb(part * wanted / (light or 1)) for part in linear)
    return tuple(255 * _to_srgb(part + (1 - part) * (wanted - light) / (1 - light)) for part in linear)


def _curve(lightness: float) -> float:
    k = min(bisect_right(PUSHED, (lightness, 101)), len(PUSHED) - 1)
    (x0, y0), (x1, y1) = PUSHED[k - 1 : k + 1]
    return y0 + (y1 - y0) * (lightness - x0) / (x1 - x0)


def _to_srgb(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
