"""Dance of Muses: star tiles on a night-blue cloth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core import View
from engine.games.muses.state import Muses
from engine.texts import Seat
from renders.canvas import Canvas
from renders.ending import Card, draw_ending
from renders.games.muses.board import draw_cloth, draw_hand, draw_legend, draw_tiles, legend_lines
from renders.games.muses.description import alt as alt
from renders.games.muses.description import facts
from renders.games.muses.description import tell as tell
from renders.games.muses.ground import ground
from renders.games.muses.layout import PANELS_TOP, Grid, Scene, explained_muses, grid_of, own_hand, panel_box, scene_of
from renders.games.muses.marks import draw_dice, draw_last, draw_offers, draw_origins, origins, targets
from renders.games.muses.panels import draw_panels
from renders.games.muses.symbols import EMBLEM as EMBLEM
from renders.games.muses.symbols import PIECES as PIECES
from renders.games.muses.symbols import symbol as symbol
from renders.games.muses.theme import THEME
from renders.house import Header, draw_header
from renders.theme import Box

CARD = Card(32, 1048, PANELS_TOP - 20)
CARD_LINES = {2: 9, 3: 12}
"""Number of legend lines that the result card takes from the cloth, by number of companies."""


def paint(view: View[Muses], labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    """Paint the cloth with everything on it."""
    scene = scene_of(view)
    return _paint(view, (labels, persons), scene, grid_of(*_grid_needs(view, scene), keep_free=bool(view.outcome)))


def paint_all(views: Sequence[View[Muses]], labels: Sequence[str], persons: Sequence[str] = ()) -> Iterator[Canvas]:
    """Paint a series of boards on one grid, so that tiles do not move when the dance grows."""
    scenes = [scene_of(view) for view in views]
    rooms = [_grid_needs(*pair) for pair in zip(views, scenes, strict=True)]
    # Large enough for the widest board of the series.
    cells, lines = {cell for cells, _ in rooms for cell in cells}, max(lines for _, lines in rooms)
    grid = grid_of(cells, lines, keep_free=any(view.outcome for view in views))
    return (_paint(view, (labels, persons), scene, grid) for view, scene in zip(views, scenes, strict=True))


def panels(view: View[Muses]) -> list[Box]:
    """Panel boxes of all companies."""
    companies, shrunk = view.state.companies, bool(own_hand(view))
    return [panel_box(companies, company, shrunk=shrunk) for company in range(companies)]


def _grid_needs(view: View[Muses], scene: Scene) -> tuple[tuple[int, ...], int]:
    """The cells that a picture shows, and the number of legend lines below them."""
    # Cells that tiles have left are marked, so the picture must show them.
    left_cells = (cell for cell, _ in origins(view, scene))
    lines = CARD_LINES[view.state.companies] if view.outcome else legend_lines(explained_muses(view, scene))
    return (*scene.floor.cells, *left_cells, *targets(view)), lines


def _paint(view: View[Muses], names: tuple[Sequence[str], Sequence[str]], scene: Scene, grid: Grid) -> Canvas:
    """Paint the board on a grid; `names` has the seats' labels and their players' names."""
    hand, (labels, _) = own_hand(view), names
    canvas = Canvas(ground(view.state.companies, shrunk=bool(hand)))
    left_cells = [cell for cell, _ in origins(view, scene)]
    # Cells that tiles have left show dashes instead of the lattice.
    draw_cloth(canvas, grid, (*scene.floor.cells, *left_cells))
    draw_origins(canvas, view, scene, grid)
    draw_tiles(canvas, view, labels, scene, grid)
    draw_last(canvas, view, scene, grid)
    draw_dice(canvas, view, scene, grid)
    if grid.legend and not view.outcome:
        draw_legend(canvas, view.state, explained_muses(view, scene))
    if hand:
        draw_hand(canvas, view, hand)
    draw_offers(canvas, view, grid, hand)
    # Also at the end: the ranks of the last hand explain the result.
    draw_panels(canvas, view, names, scene, shrunk=bool(hand))
    # Teammates wear their company's badge.
    badges = tuple(view.state.company_of(seat) for seat in map(Seat, range(view.state.seats)))
    draw_ending(canvas, view, names, badges, CARD, THEME)
    draw_header(canvas, view, labels, Header("Dance of Muses", facts(view, scene), badges))
    return canvas
