"""Colors and seats of the house: the figures of the look, and nothing that draws."""

from __future__ import annotations

from dataclasses import dataclass, fields

Color = str
"""`#RRGGBB`, so that a value can be used in an SVG and in Pillow alike."""

INK = "#14102A"
IVORY = "#FFF8EA"
GOLD = "#E8B24A"
TURQUOISE = "#2FE3D0"
"""Targets and selections, nothing else."""

Point = tuple[float, float]
Box = tuple[int, int, int, int]
"""Left, top, right and bottom on the picture, in px."""

WIDTH, HEIGHT = 1080, 1440
# 3 % of the width at every edge.
SAFE: Box = (32, 32, 1048, 1408)
"""Everything vital stays inside."""


@dataclass(frozen=True, slots=True)
class SeatStyle:
    """How a seat looks in every game: `fill` with `text` on it, a rim, a letter and a shape."""

    letter: str
    fill: Color
    text: Color
    rim: Color
    shape: str
    # Diamond, quatrefoil and star have less room inside than the others of the same optical radius.
    icon_scale: float = 1.0


# Told apart by shape and letter as well as by color, for every kind of sight (tests/renders/test_contrast.py).
SEATS = (
    SeatStyle("R", "#C74532", IVORY, IVORY, "circle"),
    SeatStyle("B", "#1A4BA0", IVORY, IVORY, "square"),
    SeatStyle("Y", "#E9B90D", INK, IVORY, "diamond", 0.88),
    SeatStyle("G", "#47A47D", INK, IVORY, "hexagon"),
    SeatStyle("P", "#411645", IVORY, IVORY, "quatrefoil", 0.86),
    SeatStyle("W", "#FAF6EC", INK, INK, "star", 0.88),
)


Strong = tuple[tuple[Color, Color], ...]
"""Colors, and what each becomes in high contrast."""

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
"""Those of the house. The fills are far apart for every kind of sight, and text on each has a contrast of 7 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What every picture of a game needs: the color behind everything, and those of its panels."""

    page: Color
    panel: Color
    panel_due: Color
    """Of the panel of who is due."""
    panel_edge: Color
    muted: Color
    """Second-rank text on a panel."""
    strong: Strong = ()
    """What colors of this theme become in high contrast where pushing light and dark apart is not enough."""

    def colors(self) -> tuple[Color, ...]:
        """All colors named by the theme, without repetition."""
        values = (getattr(self, f.name) for f in fields(self) if f.name != "strong")
        flat = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
        return tuple(dict.fromkeys(flat))


HOUSE = Theme(page="#1B1440", panel="#2C1F57", panel_due="#3D2D74", panel_edge="#4A3A78", muted="#D9CCF5")
"""The theme of games that have no art of their own yet."""
