"""Perceived color distance for several types of color vision: CIEDE2000, and Machado 2009 at severity 1.0."""

from __future__ import annotations

from math import atan2, cos, degrees, exp, hypot, radians, sin, sqrt

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

SIMULATED: dict[str, Matrix] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices over linear RGB (Machado, Oliveira, Fernandes 2009, table for severity 1.0)."""

TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
WHITE = (0.95047, 1.0, 1.08883)
VIEWS = ("normal", *SIMULATED, "gray")


def lab_for(color: str, view: str) -> Vector:
    """L*a*b* of `#RRGGBB` as perceived with a type of color vision; gray is luminance only."""
    linear = _linear(color)
    if view in SIMULATED:
        r, g, b = (min(1.0, max(0.0, part)) for part in _times(SIMULATED[view], linear))
        linear = (r, g, b)
    lightness, a, b = _lab(_times(TO_XYZ, linear))
    return (lightness, 0.0, 0.0) if view == "gray" else (lightness, a, b)


def looks_like(color: str, view: str) -> str:
    """`#RRGGBB` as it looks with a type of color vision."""
    linear = _linear(color)
    if view == "gray":
        linear = (_times(TO_XYZ, linear)[1],) * 3
    perceived = _times(SIMULATED[view], linear) if view in SIMULATED else linear
    return "#" + "".join(f"{round(255 * _gamma(min(1.0, max(0.0, part)))):02X}" for part in perceived)


def color_distance(one: str, other: str, view: str) -> float:
    """CIEDE2000 distance of two colors for a type of color vision."""
    return ciede2000(lab_for(one, view), lab_for(other, view))


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio, from 1 to 21."""
    low, high = sorted(_times(TO_XYZ, _linear(color))[1] for color in (one, other))
    return (high + 0.05) / (low + 0.05)


def ciede2000(one: Vector, other: Vector) -> float:
    """CIEDE2000 distance after Sharma, Wu and Dalal 2005, with all weights 1."""
    c_mean = (hypot(*one[1:]) + hypot(*other[1:])) / 2
    g = 0.5 * (1 - sqrt(c_mean**7 / (c_mean**7 + 25.0**7)))
    c1, h1 = _polar(one[1] * (1 + g), one[2])
    c2, h2 = _polar(other[1] * (1 + g), other[2])
    turn = _turn(c1, c2, h1, h2)
    hue = 2 * sqrt(c1 * c2) * sin(radians(turn) / 2)
    l_mean, c_mean = (one[0] + other[0]) / 2, (c1 + c2) / 2
    h_mean = _mean_hue(c1, c2, h1, h2)
    t = (
        1
        - 0.17 * cos(radians(h_mean - 30))
        + 0.24 * cos(radians(2 * h_mean))
        + 0.32 * cos(radians(3 * h_mean + 6))
        - 0.20 * cos(radians(4 * h_mean - 63))
    )
    s_l = 1 + 0.015 * (l_mean - 50) ** 2 / sqrt(20 + (l_mean - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * t
    bend = 60 * exp(-(((h_mean - 275) / 25) ** 2))
    r_t = -2 * sqrt(c_mean**7 / (c_mean**7 + 25.0**7)) * sin(radians(bend))
    light, chroma, hue = (other[0] - one[0]) / s_l, (c2 - c1) / s_c, hue / s_h
    return sqrt(light**2 + chroma**2 + hue**2 + r_t * chroma * hue)


def _polar(a: float, b: float) -> tuple[float, float]:
    return hypot(a, b), degrees(atan2(b, a)) % 360


def _turn(c1: float, c2: float, h1: float, h2: float) -> float:
    if not c1 * c2:
        return 0.0
    return (h2 - h1 + 180) % 360 - 180 if abs(h2 - h1) != 180 else h2 - h1


def _mean_hue(c1: float, c2: float, h1: float, h2: float) -> float:
    if not c1 * c2:
        return h1 + h2
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + (360 if h1 + h2 < 360 else -360)) / 2


def _linear(color: str) -> Vector:
    r, g, b = (_to_linear(int(color[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return r, g, b


def _to_linear(value: float) -> float:
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def _gamma(value: float) -> float:
    return 12.92 * value if value <= 0.0031308 else 1.055 * value ** (1 / 2.4) - 0.055


def _times(matrix: Matrix, vector: Vector) -> Vector:
    x, y, z = (sum(m * v for m, v in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def _lab(xyz: Vector) -> Vector:
    x, y, z = (_lab_curve(part / white) for part, white in zip(xyz, WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _lab_curve(value: float) -> float:
    return value ** (1 / 3) if value > (6 / 29) ** 3 else value / (3 * (6 / 29) ** 2) + 4 / 29
