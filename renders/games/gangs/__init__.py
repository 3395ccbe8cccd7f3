"""Ali Baba’s Gangs: the same walled town, with the stacks of four gangs where the cave would be."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.gangs.state import GangsTable
from renders.canvas import Canvas
from renders.games.gangs.scene import SCENE
from renders.picture import Picture, picture_of
from renders.town import board, twin
from renders.town.layout import panel_box


def draw(view: View[GangsTable], labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """The town with everything that happens in it."""
    return picture_of(paint(view, labels, persons), twin.alt(SCENE, view, labels))


def paint(view: View[GangsTable], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """The same before it is mapped to the palette."""
    return board.paint(SCENE, view, labels, persons)


def tell(view: View[GangsTable], labels: Sequence[str]) -> str:
    """Everything in full words, with the marks of the thieves in sight."""
    return twin.tell(SCENE, view, labels)


def panels(view: View[GangsTable]) -> list[tuple[int, int, int, int]]:
    """The panels of the seats."""
    return [panel_box(view.setup.seats, seat) for seat in range(view.setup.seats)]
