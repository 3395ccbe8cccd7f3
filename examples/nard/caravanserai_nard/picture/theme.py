"""Colors of Nard."""

from __future__ import annotations

from renders.theme import Color, Theme


class Nard(Theme, kw_only=True):
    """An inlaid board of walnut and maple on a table at night."""

    page: Color = "#241322"
    panel: Color = "#3A2033"
    panel_due: Color = "#533048"
    panel_edge: Color = "#7A4F63"
    muted: Color = "#E3C6C0"
    frame: Color = "#4A2618"
    rail: Color = "#35190F"
    field: Color = "#A8683A"
    grain: Color = "#9C5E33"
    dark: Color = "#5C2F1E"
    light: Color = "#EFD6A2"
    inlay: Color = "#1F6E68"
    used: Color = "#7D4A2B"


THEME = Nard()
