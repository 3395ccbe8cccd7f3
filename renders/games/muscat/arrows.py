"""Arrows of a cycle: from the market it emptied to the palace, to the level above and to the street."""

from __future__ import annotations

from itertools import pairwise

from engine.core import Event, View
from engine.games.muscat.state import Muscat
from engine.games.muscat.verbs.cycle import Fell
from engine.games.muscat.verbs.rise import EnteredPalace, Jumped, Rose
from renders.canvas import Canvas
from renders.games.muscat.layout import Piece, level_top, market_center, street_y
from renders.sprites import Sprite, cached, sprite
from renders.theme import INK, IVORY

GATE_Y = 284
"""End of an arrow to the palace, just below the niches."""

Corner = tuple[int, int]


def draw_arrows(canvas: Canvas, view: View[Muscat], arrivals: list[tuple[Event, Piece]]) -> None:
    """Draw an arrow for each artist that rose or fell, with its new position given. Arrows lie below all pieces."""
    for event, piece in arrivals:
        if not isinstance(event, Rose | Jumped | EnteredPalace | Fell):
            continue
        corners = _corners(view.state.seats, event, piece)
        for (x, y), (to_x, to_y) in pairwise(corners):
            canvas.put(_line(to_x - x, to_y - y), x, y)
        (x, y), (to_x, to_y) = corners[-2:]
        canvas.put(_head((to_x > x) - (to_x < x), (to_y > y) - (to_y < y)), to_x, to_y)


def _corners(seats: int, event: Rose | Jumped | EnteredPalace | Fell, piece: Piece) -> list[Corner]:
    """Corner points: out of the market, along a street, and to the piece."""
    x, y = map(round, market_center(seats, event.origin))
    if isinstance(event, EnteredPalace):
        return [(x, y), (x, GATE_Y)]
    if isinstance(event, Fell):
        side, street = 1 if piece.x < x else -1, street_y(event.street)
        # End beside the piece, on the side that the arrow comes from.
        return [(x, y), (x, street), (round(piece.x + side * (piece.r + 16)), street)]
    street, below_market = street_y(event.market.level), level_top(event.market.level) + 158
    return [(x, y), (x, street), (round(piece.x), street), (round(piece.x), below_market)]


@cached
def _line(dx: int, dy: int) -> Sprite:
    path = f'<path d="M0 0L{dx} {dy}" stroke-linecap="round" fill="none"'
    box = (min(0, dx) - 6, min(0, dy) - 6, max(0, dx) + 6, max(0, dy) + 6)
    return sprite(f'{path} stroke="{INK}" stroke-width="12"/>{path} stroke="{IVORY}" stroke-width="5.5"/>', *box)


@cached
def _head(dx: int, dy: int) -> Sprite:
    """Draw the tip slightly beyond the point, so that it covers the end of the line."""
    # (0, 0) has no direction: the piece fell exactly to where the last line would begin.
    turn = {(0, -1): 0, (1, 0): 90, (0, 1): 180, (-1, 0): 270, (0, 0): 0}[dx, dy]
    path = f'<path d="M0 -14L15 9H-15Z" fill="{IVORY}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"'
    return sprite(f'{path} transform="rotate({turn})"/>', -20, -20, 20, 20)
