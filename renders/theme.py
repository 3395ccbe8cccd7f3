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
class Muscat(Theme):
    """Dusk over a storeyed city under a domed palace. Tuples of four run from level 4 down to level 1."""

    page: Color = "#1B1440"
    panel: Color = "#2C1F57"
    panel_edge: Color = "#4A3A78"
    muted: Color = "#D9CCF5"
    sky: tuple[Color, ...] = ("#1B1440", "#2A1A52", "#432262", "#6A2D6A", "#96406B", "#C15F66", "#E08A5F")
    terraces: tuple[Color, ...] = ("#D9975C", "#BD744F", "#95544E", "#6A3B4D")
    courts: tuple[Color, ...] = ("#FBEBC8", "#F6E0BC", "#EFD5B3", "#E6C9AB")
    fields: tuple[Color, ...] = ("#EBD3A2", "#E5C697", "#DBB78E", "#CFA98A")
    ghosts: tuple[Color, ...] = ("#C3A067", "#BA915D", "#AD8057", "#9D7057")
    streets: tuple[Color, ...] = ("#6E3F3E", "#5A343E", "#47293D", "#33203B")
    palace: tuple[Color, ...] = ("#D7A45C", "#EBC27A", "#F4D595", "#7C4A3B")
    extra_niche: Color = "#A2553F"
    plate: Color = "#2B1A45"
    bonus: Color = "#FFD98A"
    slot: Color = "#6B5AA0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Jinns(Theme):
    """Night lake, quay with domes, moon and dhow."""

    page: Color = "#0A1230"
    panel: Color = "#101C46"
    panel_edge: Color = "#3D5A9E"
    muted: Color = "#A9C2F0"
    sky: tuple[Color, ...] = ("#0A1230", "#0E1A40", "#132450")
    lake: tuple[Color, ...] = ("#0F2A55", "#163A6B", "#1F4C80")
    quay: tuple[Color, ...] = ("#2E2A62", "#39347A")
    plinth: Color = "#574FA0"
    empty: Color = "#2A2458"


@dataclass(frozen=True, slots=True, kw_only=True)
class Muses(Theme):
    """Night-blue star tiles and gold."""

    page: Color = "#0A1130"
    panel: Color = "#101A45"
    panel_edge: Color = "#4659A8"
    muted: Color = "#B4C4F5"
    ground: tuple[Color, ...] = ("#0A1130", "#0C1538")
    cloth: Color = "#15225A"
    lattice: Color = "#1E3075"
    tile: Color = "#1D2C6B"
    face_down: Color = "#141B40"
    emblem: Color = "#F8DC94"


@dataclass(frozen=True, slots=True, kw_only=True)
class WalledTown(Theme):
    """A walled town from above, desert noon, a cave mouth."""

    page: Color = "#123A4C"
    panel: Color = "#3A2136"
    panel_edge: Color = "#5C3A52"
    muted: Color = "#E6CDBE"
    sand: Color = "#F1D9A6"
    town: Color = "#D9AE6C"
    roofs: tuple[Color, ...] = ("#DEB677", "#D3A664", "#E6C388")
    wall: tuple[Color, ...] = ("#A8522F", "#7C3822")
    paving: Color = "#FBEFD2"
    cave: Color = "#21142C"
    rock: Color = "#7A4F47"
    text_on_light: Color = "#3A1E24"


@dataclass(frozen=True, slots=True, kw_only=True)
class House(Theme):
    """The land of games that have no art of their own yet."""

    page: Color = "#1B1440"
    panel: Color = "#2C1F57"
    panel_edge: Color = "#4A3A78"
    muted: Color = "#D9CCF5"


MUSCAT, HOUSE = Muscat(), House()

THEMES: dict[str, Theme] = {
    "muscat": MUSCAT,
    "jinns": Jinns(),
    "muses": Muses(),
    "alibaba": WalledTown(),
    "gangs": WalledTown(),
}
"""Slug of a game -> its theme."""
