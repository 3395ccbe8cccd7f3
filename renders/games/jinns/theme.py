"""Colors of Jinns of the Lake."""

from __future__ import annotations

from renders.theme import Color, Theme


class Jinns(Theme, kw_only=True):
    """A lake at night, with a domed quay, the moon and a dhow."""

    page: Color = "#0A1230"
    panel: Color = "#101C46"
    panel_due: Color = "#1C2E6B"
    panel_edge: Color = "#3D5A9E"
    muted: Color = "#A9C2F0"
    sky: tuple[Color, ...] = ("#0A1230", "#0E1A40", "#132450")
    lake: tuple[Color, ...] = ("#0F2A55", "#163A6B", "#1F4C80")
    quay: tuple[Color, ...] = ("#2E2A62", "#39347A")
    plinth: Color = "#574FA0"
    empty: Color = "#2A2458"


THEME = Jinns()
