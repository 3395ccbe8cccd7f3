"""High contrast: replacement colors for palettes.

Every color keeps its index, so one file serves both modes; only its palette differs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from math import dist
from operator import mul

from renders.sprites import RGB

# Steep enough for a contrast of at least 7:1 of every text on every board (tests/renders/test_contrast.py).
LIGHTNESS_CURVE = ((0, 0), (20, 6), (40, 22), (50, 34), (60, 64), (75, 86), (90, 98), (100, 100))
"""Lightness L* and its high-contrast replacement: dark gets darker, and light gets lighter."""

PULL_DISTANCE = 24.0
"""Colors within this RGB distance of a fixed color move along with it, so that its soft edges stay soft."""


def high_contrast(colors: Sequence[RGB], fixed: Sequence[tuple[RGB, RGB]]) -> list[RGB]:
    """Map colors to high contrast. Each color in `fixed` maps exactly to its paired replacement."""
    # The difference between each fixed replacement and the result of pushing alone.
    pulls = [(color, tuple(a - b for a, b in zip(becomes, _push(color), strict=True))) for color, becomes in fixed]
    return [_replacement(color, pulls) for color in colors]


def _replacement(color: RGB, pulls: Sequence[tuple[RGB, tuple[float, ...]]]) -> RGB:
    """Push a color, then pull it along with nearby fixed colors (Shepard 1968, distances to the fourth power)."""
    # A fixed color is at distance zero from itself, and must map exactly to its replacement.
    weights = [(PULL_DISTANCE / max(dist(color, other), 1e-3)) ** 4 for other, _ in pulls]
    offsets = zip(*(offset for _, offset in pulls), strict=True)
    # The 1 is the weight of no pull, so that colors far from all fixed ones are only pushed.
    pull = (sum(map(mul, weights, offset)) / (1 + sum(weights)) for offset in offsets)
    return tuple(min(255, max(0, round(a + b))) for a, b in zip(_push(color), pull, strict=True))


def _push(color: RGB) -> tuple[float, ...]:
    """Change the lightness but not the hue: scale toward black or mix with white."""
    # From sRGB to linear light (IEC 61966-2-1).
    values = [part / 255 for part in color]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in values]
    # Luminance from linear red, green and blue (ITU-R BT.709), and L* from luminance (CIE 1976) and back.
    light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    lightness = _curve(116 * light ** (1 / 3) - 16 if light > 0.008856 else 903.3 * light)
    target = ((lightness + 16) / 116) ** 3 if lightness > 8 else lightness / 903.3
    if target <= light:
        # Black has no hue.
        return tuple(255 * _to_srgb(part * target / (light or 1)) for part in linear)
    return tuple(255 * _to_srgb(part + (1 - part) * (target - light) / (1 - light)) for part in linear)


def _curve(lightness: float) -> float:
    k = min(bisect_right(LIGHTNESS_CURVE, (lightness, 101)), len(LIGHTNESS_CURVE) - 1)
    (x0, y0), (x1, y1) = LIGHTNESS_CURVE[k - 1 : k + 1]
    return y0 + (y1 - y0) * (lightness - x0) / (x1 - x0)


def _to_srgb(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055
