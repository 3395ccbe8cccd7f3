"""Draw the piles on the quay, and the marks around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.core import View
from engine.games.jinns.actions import Move, Place
from engine.games.jinns.events import Filled, Moved, Placed, SharedTower, TookTower
from engine.games.jinns.pattern import placements
from engine.games.jinns.pawns import Pile
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from renders.canvas import Canvas
from renders.chosen import chosen_top
from renders.games.jinns.ground import crown, ghost, plinth, storey
from renders.games.jinns.layout import BAR_H, PLINTH_H, STYLE, foot, pile_height
from renders.games.jinns.shore import draw_path
from renders.house import brackets, plate_mark
from renders.lettering import BADGE
from renders.theme import SEATS

MARK_W = 92
MAX_MARK_H = 121
"""Maximum height of a mark above a pile's foot, clear of the next square's number."""

# From the top, so that lower piles overlap those behind them.
DRAWING_ORDER = sorted(range(SQUARES), key=lambda square: foot(square)[1])
"""The squares in drawing order."""


# --- What is there ---------------------------------------------------------------------------------------------------


def draw_piles(canvas: Canvas, state: Jinns) -> None:
    """Draw plinths and piles from top to bottom; during setup, also the colors of pawns to come."""
    for square in DRAWING_ORDER:
        x, y = foot(square)
        if pile := state.board[square]:
            canvas.put(plinth(square), x, y)
            _draw_pile(canvas, pile, x, y)
        # Randomly placed pawns follow no order of colors (rule 3.3).
        elif state.is_setting_up and not state.terms.random:
            color = placements(state.seats)[square].color
            style = SEATS[STYLE[color]]
            canvas.put(ghost(color), x, y)
            canvas.text(x, y - 17, style.letter, BADGE, style.text, "middle")


def _draw_pile(canvas: Canvas, pile: Pile, x: float, y: float) -> None:
    for level, pawn in enumerate(pile.pawns):
        canvas.put(storey(pawn, level), x, y - level * BAR_H)
    canvas.put(crown(*pile.top), x, y - pile.height * BAR_H)


# --- The last move ---------------------------------------------------------------------------------------------------


def draw_origin(canvas: Canvas, view: View[Jinns]) -> None:
    """Draw dashes at the origin of the last move, and its path."""
    if move := last_move(view):
        _mark(canvas, view.state, move.origin, dashed=True)
        draw_path(canvas, view.state, move)


def draw_arrivals(canvas: Canvas, view: View[Jinns]) -> None:
    """Draw a solid outline around the end of the last move, or around the pawns placed last."""
    if move := last_move(view):
        _mark(canvas, view.state, move.target)
    for square in dict.fromkeys(square for event in view.events for square in _placed_squares(event)):
        # After the setup, the pawns placed last need no mark.
        if view.state.is_setting_up:
            _mark(canvas, view.state, square)


def last_move(view: View[Jinns]) -> Moved | None:
    """The most recent move in the view's events."""
    return next((event for event in reversed(view.events) if isinstance(event, Moved)), None)


def gains(view: View[Jinns]) -> dict[int, int]:
    """Number of piles that the last move brought, by seat."""
    for event in reversed(view.events):
        match event:
            case TookTower(seat):
                return {seat: 1}
            case SharedTower(seat, partner):
                return {seat: 1, partner: 1}
            # Earlier events do not count.
            case Moved():
                break
    return {}


def _placed_squares(event: object) -> Iterable[int]:
    match event:
        case Placed(square=square):
            return (square,)
        case Filled(first=first, last=last):
            return range(first, last + 1)
    return ()


def _mark(canvas: Canvas, state: Jinns, square: int, *, dashed: bool = False) -> None:
    x, y, h = _around(state, square)
    canvas.put(plate_mark(MARK_W, h, 12, dashed=dashed), x, y)


def _around(state: Jinns, square: int) -> tuple[float, float, int]:
    """Center and height of the box around a pile with its plinth."""
    (x, y), pile = foot(square), state.board[square]
    # The mark must not cover the next square's number above.
    high = min(round(pile_height(pile.height, pile.top.strength)) + 3, MAX_MARK_H) if pile else 0
    return x, y + (PLINTH_H - high) / 2, high + PLINTH_H


# --- What may be done ------------------------------------------------------------------------------------------------


def draw_offers(canvas: Canvas, view: View[Jinns]) -> None:
    """Draw corners on the movable piles; once a pile is chosen, an outline around it and corners on its targets."""
    moves = [action for action in view.offered if isinstance(action, Move)]
    origins = dict.fromkeys(move.square for move in moves)
    # With a single origin, the pile is already chosen.
    settled = len(origins) == 1
    open_squares: Iterable[int] = dict.fromkeys(move.to for move in moves) if settled else origins
    if any(isinstance(action, Place) for action in view.offered):
        open_squares = (view.state.placed,)
    for square in open_squares:
        x, y, h = _around(view.state, square)
        canvas.put(brackets(MARK_W - 2, h), x, y)
    if settled:
        _select(canvas, view.state, moves)


def _select(canvas: Canvas, state: Jinns, moves: Sequence[Move]) -> None:
    """Mark the moving pawns: as many as all offered moves take, else the top one."""
    square, takes = moves[0].square, {move.take for move in moves}
    pile, (x, y) = state.board[square], foot(square)
    # While the number of pawns is open, only the top one is certain to move.
    high = pile_height(takes.pop() if len(takes) == 1 else 1, pile.top.strength)
    below = pile_height(pile.height, pile.top.strength) - high + 2
    canvas.put(chosen_top(MARK_W + 4, round(min(high + 8, MAX_MARK_H - 3 - below)), 10), x, y - below)
