"""Dance of Muses: star tiles on a night-blue cloth."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.muses.state import Muses
from engine.texts import Seat
from renders.canvas import Canvas
from renders.ending import Card, draw_ending
from renders.games.muses.board import draw_cloth, draw_hand, draw_legend, draw_tiles, legend_lines
from renders.games.muses.ground import ground
from renders.games.muses.layout import grid_of, own_hand, scene_of, told_of
from renders.games.muses.marks import draw_dice, draw_last, draw_offers, draw_origins, origins, targets
from renders.games.muses.panels import draw_panels
from renders.games.muses.theme import THEME
from renders.games.muses.twin import alt, facts
from renders.games.muses.twin import tell as tell
from renders.house import Header, draw_header
from renders.picture import Picture, picture_of

CARD = Card(32, 1048, 1404)
CARD_LINES = {2: 0, 3: 4}
"""Companies -> how many lines of a legend the card of the end takes from the cloth."""


def draw(view: View[Muses], labels: Sequence[str], persons: Sequence[str] = ()) -> Picture:
    """The cloth with everything that lies on it."""
    return picture_of(paint(view, labels, persons), alt(view, labels))


def paint(view: View[Muses], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """The same before it is mapped to the palette."""
    scene, hand = scene_of(view), own_hand(view)
    canvas = Canvas(ground(view.state.companies, shrunk=bool(hand or view.outcome)))
    told = told_of(view, scene)
    left_cells = [cell for cell, _ in origins(view, scene)]
    lines = CARD_LINES[view.state.companies] if view.outcome else legend_lines(told)
    grid = grid_of((*scene.floor.cells, *left_cells, *targets(view)), lines)
    draw_cloth(canvas, grid, (*scene.floor.cells, *left_cells))
    draw_origins(canvas, view, scene, grid)
    draw_tiles(canvas, view, labels, scene, grid)
    draw_last(canvas, view, scene, grid)
    draw_dice(canvas, view, scene, grid)
    if grid.legend:
        draw_legend(canvas, view.state, told)
    if hand:
        draw_hand(canvas, view, hand)
    draw_offers(canvas, view, grid, hand)
    if not view.outcome:
        draw_panels(canvas, view, (labels, persons), scene, shrunk=bool(hand))
    # team mates wear the badge of their company
    badges = tuple(view.state.company_of(seat) for seat in map(Seat, range(view.state.seats)))
    draw_ending(canvas, view, (labels, persons), badges, CARD, THEME)
    draw_header(canvas, view, labels, Header("Dance of Muses", facts(view, scene), badges))
    return canvas
