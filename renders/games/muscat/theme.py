"""Colors of Muscat."""

from __future__ import annotations

from renders.theme import Color, Theme


class Muscat(Theme, kw_only=True):
    """A storeyed city at dusk under a domed palace. Tuples of four run from level 4 down to level 1."""

    page: Color = "#1B1440"
    panel: Color = "#2C1F57"
    panel_due: Color = "#3D2D74"
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


THEME = Muscat()
