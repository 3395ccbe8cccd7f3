"""Draw the panels of the players: name, points, pips, and the borne-off checkers."""

from __future__ import annotations

from collections.abc import Sequence

from caravanserai_nard.picture.layout import PANELS
from caravanserai_nard.picture.pieces import SEATS, draw_tray
from caravanserai_nard.picture.theme import THEME
from caravanserai_nard.state import Nard
from engine.core import View
from engine.texts import Seat, Text, number
from renders.canvas import Canvas
from renders.house import draw_badge, draw_gain, draw_panel
from renders.lettering import FACT, NAME, SCORE, SMALL, width
from renders.persons import draw_person
from renders.theme import IVORY


def draw_panels(canvas: Canvas, view: View[Nard], labels: Sequence[str], persons: Sequence[str]) -> None:
    """Draw the panel of each seat."""
    for seat in SEATS:
        _draw_panel(canvas, view, seat, labels[seat], persons[seat] if persons else "")


def _draw_panel(canvas: Canvas, view: View[Nard], seat: Seat, label: str, person: str) -> None:
    state, box = view.state, PANELS[seat]
    x0, y0, x1, _ = box
    due = seat in view.due
    if due or (view.outcome and seat in view.outcome.winners):
        draw_panel(canvas, box, THEME, golden=True, arrow="top" if due else "")
    points = "" if state.terms.single else number(state.points(seat))
    canvas.text(x1 - 24, y0 + 46, points, SCORE, align="right")
    draw_badge(canvas, seat, x0 + 44, y0 + 44, 25)
    room = x1 - 40 - width(points, SCORE) - (x0 + 82)
    canvas.text(x0 + 82, y0 + (28 if person else 44), label, NAME, room=room)
    if person:
        draw_person(canvas, x0 + 82, y0 + 67, person, room, THEME.muted)
    pips = Text("{n} {n:pip|pips} to go", n=state.pips(seat))
    canvas.text(x0 + 22, y0 + 112, str(pips), FACT, IVORY)
    canvas.text(x1 - 24, y0 + 112, "24 → 1" if seat == 0 else "1 → 24", SMALL, THEME.muted, "right")
    draw_tray(canvas, state, seat)
    draw_gain(canvas, box, view.gain(seat))
