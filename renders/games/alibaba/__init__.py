"""Ali Baba: a walled town from above at desert noon, and the mouth of a cave."""

from __future__ import annotations

from collections.abc import Sequence

from engine import View
from engine.games.alibaba import Cave
from renders.canvas import Canvas
from renders.games.alibaba.board import draw_figure, draw_panels, draw_row
from renders.games.alibaba.cave import draw_cave
from renders.games.alibaba.gangs import draw_gangs
from renders.games.alibaba.ground import ground
from renders.games.alibaba.marks import draw_offers, draw_origin
from renders.games.alibaba.twin import alt, tell
from renders.house import Header, draw_header, pill_words
from renders.picture import Picture, picture_of

__all__ = ["draw", "tell"]


def draw(view: View, labels: Sequence[str]) -> Picture:
    """The town with everything that happens in it."""
    return picture_of(paint(view, labels), alt(view, labels))


def paint(view: View, labels: Sequence[str]) -> Canvas:
    """The same before it is mapped to the palette."""
    canvas = Canvas(ground(view.setup.options.mode))
    state = view.state
    if isinstance(state, Cave):
        draw_cave(canvas, state, labels)
    else:
        draw_gangs(canvas, state)
    draw_row(canvas, view)
    draw_panels(canvas, view, labels)
    draw_origin(canvas, view)
    draw_figure(canvas, state)
    draw_offers(canvas, view)
    seats = view.outcome.winners if view.outcome else view.due
    pill = pill_words(seats, labels, won=view.outcome is not None)
    draw_header(canvas, Header("Ali Baba", _facts(view), tuple(seats), pill))
    return canvas


def _facts(view: View) -> tuple[str, ...]:
    state = view.state
    if isinstance(state, Cave):
        return (f"Walked {state.total} of 104", f"{state.total} of 104", f"{state.total}")
    return (f"Lap {state.lap}, step {state.step}", f"Step {state.step}")
