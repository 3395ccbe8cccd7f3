"""Jinns of the Lake: a quay with domes around a lake at night."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.jinns.state import Jinns
from engine.texts import Seat
from renders.canvas import Canvas
from renders.ending import Card, draw_ending
from renders.games.jinns.description import alt as alt
from renders.games.jinns.description import facts
from renders.games.jinns.description import tell as tell
from renders.games.jinns.ground import ground
from renders.games.jinns.layout import STYLE, panel_box
from renders.games.jinns.panels import draw_occurrences, draw_panels
from renders.games.jinns.piles import draw_arrivals, draw_offers, draw_origin, draw_piles
from renders.games.jinns.symbols import EMBLEM as EMBLEM
from renders.games.jinns.symbols import PIECES as PIECES
from renders.games.jinns.symbols import symbol as symbol
from renders.games.jinns.theme import THEME
from renders.house import Header, draw_header
from renders.theme import Box

CARD = Card(182, 898, 1170)


def paint(view: View[Jinns], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """Paint the lake with everything around it."""
    # After the end, the result card takes the place of the panels.
    canvas = Canvas(ground(0 if view.outcome else view.state.seats))
    # The origin is drawn below the piles, the arrivals above them.
    draw_origin(canvas, view)
    draw_piles(canvas, view.state)
    draw_arrivals(canvas, view)
    draw_offers(canvas, view)
    if not view.outcome:
        draw_panels(canvas, view, labels, persons)
        draw_occurrences(canvas, view.state)
    # A seat wears its first color as soon as it has one.
    colors = [view.state.colors(seat) for seat in map(Seat, range(view.state.seats))]
    badges = tuple(STYLE[own[0]] if own else None for own in colors)
    draw_ending(canvas, view, (labels, persons), badges, CARD, THEME)
    draw_header(canvas, view, labels, Header("Jinns of the Lake", facts(view), badges))
    return canvas


def panels(view: View[Jinns]) -> list[Box]:
    """Panel boxes of all seats."""
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]
