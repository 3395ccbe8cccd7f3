"""Colors, seat styles and dimensions shared by all pictures. Only constants; nothing is drawn here."""

from __future__ import annotations

from dataclasses import fields

from engine.values import Value

Color = str
"""`#RRGGBB`, a form that both SVG and Pillow accept."""

INK = "#14102A"
"""Outlines, and text on light ground."""
IVORY = "#FFF8EA"
"""Text on dark ground."""
GOLD = "#E8B24A"
"""Frames and results."""
TURQUOISE = "#2FE3D0"
"""Legal targets and selections only."""

Point = tuple[float, float]
"""Left and top in the picture, in px."""
Box = tuple[int, int, int, int]
"""Left, top, right and bottom in the picture, in px."""

WIDTH, HEIGHT = 1080, 1440
"""Size of a picture, in px."""
# 3 % of the width at every edge.
SAFE: Box = (32, 32, 1048, 1408)
"""The box outside which nothing vital is drawn."""


class SeatStyle(Value):
    """A seat's look in every game: `fill`, the `text` color on it, rim, letter and shape."""

    letter: str
    fill: Color
    text: Color
    rim: Color
    shape: str
    # Diamond, quatrefoil and star have less inner space than other shapes of the same optical radius.
    icon_scale: float = 1.0


# Distinct by shape and letter as well as by color, for every type of color vision (tests/renders/test_contrast.py).
SEATS = (
    SeatStyle("R", "#C74532", IVORY, IVORY, "circle"),
    SeatStyle("B", "#1A4BA0", IVORY, IVORY, "square"),
    SeatStyle("Y", "#E9B90D", INK, IVORY, "diamond", 0.88),
    SeatStyle("G", "#47A47D", INK, IVORY, "hexagon"),
    SeatStyle("P", "#411645", IVORY, IVORY, "quatrefoil", 0.86),
    SeatStyle("W", "#FAF6EC", INK, INK, "star", 0.88),
)
"""The styles of the colors in `SEAT_COLORS`, in the same order."""


Strong = tuple[tuple[Color, Color], ...]
"""Pairs of a color and its high-contrast replacement."""

STRONG: Strong = (
    (INK, "#000000"),
    (IVORY, "#FFFFFF"),
    (GOLD, "#FFCB3D"),
    (TURQUOISE, "#4DFFF0"),
    (SEATS[0].fill, "#AE1428"),
    (SEATS[1].fill, "#041F98"),
    (SEATS[2].fill, "#F6BE22"),
    (SEATS[3].fill, "#55AA8E"),
    (SEATS[4].fill, "#150319"),
    (SEATS[5].fill, "#FFFFFF"),
)
"""The shared colors. All fills stay distinct for every type of color vision, with a text contrast of at least 7:1."""


class Theme(Value, kw_only=True):
    """Page and panel colors that every game's pictures need."""

    page: Color
    panel: Color
    panel_due: Color
    """Panel of a seat that is due to act."""
    panel_edge: Color
    muted: Color
    """Secondary text on a panel."""
    strong: Strong = ()
    """High-contrast replacements for colors that need more than the general push toward black or white."""

    def colors(self) -> tuple[Color, ...]:
        """All colors of the theme, without duplicates."""
        values = (getattr(self, f.name) for f in fields(self) if f.name != "strong")
        flat = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
        return tuple(dict.fromkeys(flat))


HOUSE = Theme(page="#1B1440", panel="#2C1F57", panel_due="#3D2D74", panel_edge="#4A3A78", muted="#D9CCF5")
"""Theme of games without their own art."""
