"""Colors and seats of the house: the figures of the look, and nothing that draws."""

from __future__ import annotations

from dataclasses import dataclass, fields

Color = str
"""`#RRGGBB`, so that a value can stand in an SVG and in Pillow alike."""

INK = "#14102A"
IVORY = "#FFF8EA"
GOLD = "#E8B24A"
TURQUOISE = "#2FE3D0"
"""Targets and selections, nothing else."""

WIDTH, HEIGHT = 1080, 1440
SAFE = (32, 32, 1048, 1408)
"""Left, top, right, bottom: everything vital stays inside, in px."""


@dataclass(frozen=True, slots=True)
class SeatStyle:
    """How a seat looks in every game: `fill` with `text` on it, a rim, a letter and a shape."""

    letter: str
    fill: Color
    text: Color
    rim: Color
    shape: str
    icon_scale: float = 1.0


SEATS = (
    SeatStyle("R", "#C74532", IVORY, IVORY, "circle"),
    SeatStyle("B", "#1A4BA0", IVORY, IVORY, "square"),
    SeatStyle("Y", "#E9B90D", INK, IVORY, "diamond", 0.88),
    SeatStyle("G", "#47A47D", INK, IVORY, "hexagon"),
    SeatStyle("P", "#411645", IVORY, IVORY, "quatrefoil", 0.86),
    SeatStyle("W", "#FAF6EC", INK, INK, "star", 0.88),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    """What every picture of a tale land needs: the color behind everything, and those of its panels."""

    page: Color
    panel: Color
    panel_edge: Color
    muted: Color
    """Second-rank text on a panel."""

    def colors(self) -> tuple[Color, ...]:
        """All colors named by the theme, without repetition."""
        values = (getattr(self, f.name) for f in fields(self))
        flat = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
        return tuple(dict.fromkeys(flat))


@dataclass(frozen=True, slots=True, kw_only=True)
class House(Theme):
    """The land of games that have no art of their own yet."""

    page: Color = "#1B1440"
    panel: Color = "#2C1F57"
    panel_edge: Color = "#4A3A78"
    muted: Color = "#D9CCF5"


HOUSE = House()
