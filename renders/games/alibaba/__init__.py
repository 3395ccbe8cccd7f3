"""Ali Baba: a walled town from above at desert noon, and the mouth of a cave."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.alibaba.state import Cave
from renders.canvas import Canvas
from renders.games.alibaba.scene import SCENE
from renders.theme import Box
from renders.town import board, description
from renders.town.layout import panel_box


def paint(view: View[Cave], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """The town with everything that happens in it."""
    return board.paint(SCENE, view, labels, persons)


def alt(view: View[Cave], labels: Sequence[str]) -> str:
    """The position in words, in at most 1000 characters."""
    return description.alt(SCENE, view, labels)


def tell(view: View[Cave], labels: Sequence[str]) -> str:
    """Everything in full words, with the marks of the thieves in sight."""
    return description.tell(SCENE, view, labels)


def panels(view: View[Cave]) -> list[Box]:
    """The panels of the seats."""
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]
