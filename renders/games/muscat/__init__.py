"""Muscat: a storeyed city at dusk under a domed palace."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.muscat.state import Muscat
from engine.texts import Text
from renders.canvas import Canvas
from renders.ending import Card, draw_ending
from renders.games.muscat.board import draw_letters, draw_panels, draw_piece, draw_places, draw_waiting
from renders.games.muscat.description import alt as alt
from renders.games.muscat.description import tell as tell
from renders.games.muscat.ground import ground
from renders.games.muscat.layout import panel_box, pieces_by_place, rows_of
from renders.games.muscat.marks import draw_arrivals, draw_offers, draw_origins
from renders.games.muscat.symbols import EMBLEM as EMBLEM
from renders.games.muscat.symbols import PIECES as PIECES
from renders.games.muscat.symbols import symbol as symbol
from renders.games.muscat.theme import THEME
from renders.house import Header, draw_header
from renders.theme import Box

DOME_END = 592
"""Facts in the header begin no further left than this, clear of the tip of the dome."""


CARD = Card(32, 1048, 1404)


def paint(view: View[Muscat], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """Paint the city with everything in it."""
    canvas = Canvas(ground())
    places = pieces_by_place(view.state)
    draw_places(canvas, view.state, places)
    # Below the pieces, which must stay legible.
    draw_origins(canvas, view, places)
    for piece in (piece for pieces in places.values() for piece in pieces):
        draw_piece(canvas, piece)
    draw_waiting(canvas, view.state)
    if not view.outcome:
        draw_panels(canvas, view, labels, persons)
    # Drawn after the panels, since marks may lie on them.
    draw_arrivals(canvas, view, places)
    draw_offers(canvas, view, places, rows_of(persons))
    draw_letters(canvas, view.state)
    badges = tuple(range(len(labels)))
    draw_ending(canvas, view, (labels, persons), badges, CARD, THEME)
    draw_header(canvas, view, labels, Header("Muscat", _facts(view), badges, clear=DOME_END))
    return canvas


def panels(view: View[Muscat]) -> list[Box]:
    """Panel boxes of all seats."""
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]


def _facts(view: View[Muscat]) -> tuple[str, ...]:
    n = view.state.round
    if not n:
        return str(Text("Setting up")), str(Text("Setup"))
    if view.outcome:
        return str(Text("{n} {n:round|rounds}", n=n)), ""
    last = view.state.last_round
    facts = (Text("Last round"), Text("Last")) if last else (Text("Round {n}", n=n), Text("R {n}", n=n))
    return tuple(map(str, facts))
