"""The picture of Nard: an inlaid wooden board with its 24 points."""

from __future__ import annotations

from collections.abc import Sequence

from caravanserai_nard.picture.description import alt as alt
from caravanserai_nard.picture.description import facts
from caravanserai_nard.picture.description import tell as tell
from caravanserai_nard.picture.ground import ground
from caravanserai_nard.picture.layout import PANELS
from caravanserai_nard.picture.panels import draw_panels
from caravanserai_nard.picture.pieces import (
    draw_arrivals,
    draw_checkers,
    draw_cube,
    draw_dice,
    draw_offers,
    draw_origins,
)
from caravanserai_nard.picture.theme import THEME as THEME
from caravanserai_nard.state import Nard
from engine.core import View
from renders.canvas import Canvas
from renders.ending import Card, draw_ending
from renders.house import Header, draw_header
from renders.theme import Box

BADGES = (0, 1)
CARD = Card(96, 984, 836)


def paint(view: View[Nard], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """Paint the board and the panels of both players."""
    canvas = Canvas(ground())
    draw_origins(canvas, view)
    draw_checkers(canvas, view.state)
    draw_arrivals(canvas, view)
    if not view.outcome:
        draw_dice(canvas, view.state)
        draw_cube(canvas, view.state)
    draw_panels(canvas, view, labels, persons)
    draw_offers(canvas, view)
    draw_ending(canvas, view, (labels, persons), BADGES, CARD, THEME)
    draw_header(canvas, view, labels, Header(view.title, facts(view), BADGES))
    return canvas


def panels(view: View[Nard]) -> list[Box]:
    """Panel boxes of both seats."""
    return list(PANELS)
