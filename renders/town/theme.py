"""Colors of the walled town."""

from __future__ import annotations

from renders.theme import Color, Strong, Theme


class WalledTown(Theme, kw_only=True):
    """A walled town seen from above at noon, with a cave mouth."""

    page: Color = "#123A4C"
    panel: Color = "#3A2136"
    panel_due: Color = "#563450"
    panel_edge: Color = "#5C3A52"
    muted: Color = "#E6CDBE"
    sand: Color = "#F1D9A6"
    town: Color = "#D9AE6C"
    roofs: tuple[Color, ...] = ("#DEB677", "#D3A664", "#E6C388")
    dunes: tuple[Color, ...] = ("#EACF98", "#EDD09B", "#E0B979")
    palms: tuple[Color, ...] = ("#BDA566", "#A08A50")
    wall: tuple[Color, ...] = ("#A8522F", "#7C3822")
    paving: Color = "#FBEFD2"
    cave: Color = "#21142C"
    rock: Color = "#7A4F47"
    text_on_light: Color = "#3A1E24"
    dull: Color = "#8C7B90"
    """Inactive elements on paving and paper."""
    strong: Strong = (("#8C7B90", "#574B5B"),)


THEME = WalledTown()
