"""Positions and sizes in the pictures of Dance of Muses, in px. Nothing is drawn here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core import View
from engine.games.muses.cells import cell_at, cell_name, coordinates_of
from engine.games.muses.floor import NEUTRAL, Floor
from engine.games.muses.scoring import Ranking
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN, NUMBERS, OWNERS, TILES
from engine.texts import Text
from engine.values import Value
from renders.theme import Box, Point
from renders.words import word

CLOTH: Box = (34, 146, 1046, 1084)
FIELD: Box = (92, 194, 1028, 1060)
MAX_CELL = 236
TILE = 0.92
"""Side of a tile as a share of its cell's."""

MIN_FULL_NAME_SIDE, MIN_NAME_SIDE = 185, 128
"""Minimum sides of a tile for the full name and for a short one; smaller tiles show only the emblem."""

LINE_H = 38
"""Height of a line of the legend."""
MIN_CELL_WITH_LEGEND = 90
"""Minimum size of a cell with a legend below; the legend is left out if cells would be smaller."""
CELL_STEP = 6
"""Cell sizes are multiples of this, so that few sizes of tiles have to be drawn."""

HAND_TOP, HAND_TILE, HAND_GAP = 1100, 156, 20
PANELS_TOP, PANELS_BOTTOM = 1106, 1396
SHRUNK_TOP = 1276
"""Upper edge of the panels when the viewer's hand lies above them."""


# --- What is shown ---------------------------------------------------------------------------------------------------


class Scene(Value):
    """The hand in a picture: the running one, or the finished one until the next begins.

    `bonus` is the bonus that a finished hand paid.
    """

    floor: Floor
    ranking: Ranking
    finished: bool
    hand: int
    bonus: int


def scene_of(view: View[Muses]) -> Scene:
    """The scene: for the public, the end of a hand until a tile of the next one is laid; for players, the new hand."""
    state = view.state
    done = state.finished
    # With no die of a company, only the Neutral tile lies there (rule 3).
    not_begun = view.viewer is None and state.is_placing and all(color == NEUTRAL for color in state.floor.colors)
    if done is not None and (state.ended or not_begun):
        return Scene(done.floor, done.ranking, True, done.number, done.bonus)
    return Scene(state.floor, state.ranking(), False, state.hand, 0)


def own_hand(view: View[Muses]) -> tuple[int, ...]:
    """The Muses in the viewer's hand."""
    if view.viewer is None or view.outcome is not None:
        return ()
    return tuple(NUMBERS[muse] for muse in view.state.held(view.viewer) if muse is not None)


def explained_muses(view: View[Muses], scene: Scene) -> tuple[int, ...]:
    """The Muses whose powers the picture explains: those in the viewer's hand, or else those face up."""
    if scene.finished or not view.state.muse_table.has_powers:
        return ()
    return own_hand(view) or tuple(tile for tile in scene.floor.tiles if tile < FIRST_HIDDEN)


# --- The grid --------------------------------------------------------------------------------------------------------


class Grid(Value):
    """Cells of `size` px. The first one is at place (`x`, `y`), with its corner at `x0`, `y0`.

    `legend` is the height reserved below, or 0 without a legend.
    """

    x: int
    y: int
    columns: int
    rows: int
    size: int
    x0: int
    y0: int
    legend: int

    def center(self, cell: int) -> Point:
        """Center of a cell."""
        x, y = coordinates_of(cell)
        return self.x0 + self.size * (x - self.x + 0.5), self.y0 + self.size * (y - self.y + 0.5)

    @property
    def tile(self) -> int:
        """Side of a tile, in px."""
        return round(TILE * self.size)

    def column_labels(self) -> list[tuple[float, str]]:
        """Center and name of each column."""
        names = [cell_name(cell_at(self.x + n, self.y)).letters for n in range(self.columns)]
        return [(self.x0 + self.size * (n + 0.5), name) for n, name in enumerate(names)]

    def row_labels(self) -> list[tuple[float, str]]:
        """Center and name of each row."""
        names = [str(cell_name(cell_at(self.x, self.y + n)).row) for n in range(self.rows)]
        return [(self.y0 + self.size * (n + 0.5), name) for n, name in enumerate(names)]


def grid_of(cells: Iterable[int], lines: int, *, keep_free: bool = False) -> Grid:
    """The largest grid for some cells that fits on the cloth, with `lines` lines of a legend below it if they fit; with
    `keep_free`, room for these lines even if the cells become small.
    """
    # The first tile of a hand lies on (0, 0), which is called m13 (rule 2.2).
    places = [coordinates_of(cell) for cell in cells] or [(0, 0)]
    west, north = min(x for x, _ in places), min(y for _, y in places)
    columns, rows = max(x for x, _ in places) - west + 1, max(y for _, y in places) - north + 1
    x0, y0, x1, y1 = FIELD
    size, legend = cell_size(columns, rows), 0
    needed = LINE_H * lines + 12 if lines else 0
    smaller = cell_size(columns, rows, needed)
    if lines and (keep_free or smaller >= MIN_CELL_WITH_LEGEND):
        size, legend = smaller, needed
    return Grid(
        x=west,
        y=north,
        columns=columns,
        rows=rows,
        size=size,
        x0=(x0 + x1 - columns * size) // 2,
        y0=(y0 + y1 - legend - rows * size) // 2,
        legend=legend,
    )


def cell_size(columns: int, rows: int, below: int = 0) -> int:
    """Side of a cell in px, given the number of columns and rows and the height to reserve below."""
    x0, y0, x1, y1 = FIELD
    size = min((x1 - x0) // columns, (y1 - y0 - below) // rows, MAX_CELL)
    return size - size % CELL_STEP


def short_name(tile: int, side: int) -> str:
    """The name of a face-up tile, shortened to fit a tile of this side."""
    name = word(TILES[tile])
    return name if side >= MIN_FULL_NAME_SIDE or len(name) <= 8 else f"{name[:6]}."


def owner_name(labels: Sequence[str], tile: int) -> str:
    """The owner of a face-down tile: the seat's label, or `Neutral`."""
    owner = OWNERS.get(TILES[tile])
    return str(Text("Neutral")) if owner is None else labels[owner]


# --- Panels and hand -------------------------------------------------------------------------------------------------


def panel_box(companies: int, company: int, *, shrunk: bool) -> Box:
    """A company's panel, or only its head if the hand lies above it."""
    width = 330 if companies == 3 else 503
    x0 = 32 + company * (width + (1016 - companies * width) // (companies - 1))
    return x0, SHRUNK_TOP if shrunk else PANELS_TOP, x0 + width, PANELS_BOTTOM


class Rows(Value, kw_only=True):
    """Offsets of the lines in a panel's head from its upper edge."""

    badge: int
    name: int
    points: int
    caption: int
    person: int = 0


UNNAMED_ROWS = {
    False: Rows(badge=44, name=44, points=48, caption=106),
    True: Rows(badge=44, name=44, points=48, caption=90),
}
NAMED_ROWS = {
    False: Rows(badge=42, name=36, points=44, person=76, caption=111),
    True: Rows(badge=36, name=29, points=35, person=66, caption=99),
}
"""Offsets by whether the panel is only a head; `NAMED_ROWS` includes people's names."""


def hand_center(number: int, of: int) -> Point:
    """Center of a tile of the hand."""
    return 540 + (number - (of - 1) / 2) * (HAND_TILE + HAND_GAP), HAND_TOP + HAND_TILE / 2
