"""Colors of Dance of Muses."""

from __future__ import annotations

from renders.theme import Color, Strong, Theme


class Muses(Theme, kw_only=True):
    """Night-blue star tiles and gold."""

    page: Color = "#0A1130"
    panel: Color = "#101A45"
    panel_due: Color = "#1D2C6B"
    panel_edge: Color = "#4659A8"
    muted: Color = "#B4C4F5"
    ground: tuple[Color, ...] = ("#0A1130", "#0C1538")
    cloth: Color = "#15225A"
    lattice: Color = "#1E3075"
    tile: Color = "#1D2C6B"
    face_down: Color = "#141B40"
    emblem: Color = "#F8DC94"
    strong: Strong = (("#7F8FD0", "#B4C1F6"),)


THEME = Muses()
