"""Draw checkers, dice and cube, and the marks around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from caravanserai_nard.actions import Move
from caravanserai_nard.board import BAR, CHECKERS, OFF, POINTS
from caravanserai_nard.events import Hop, Played, Rolled, RolledDouble, Started
from caravanserai_nard.frames import Answering
from caravanserai_nard.picture.ground import COUNT, STAKE, chosen, count_disc, cube, die, off_slot
from caravanserai_nard.picture.layout import (
    CUBE_Y,
    DICE_STEP,
    DICE_X,
    MAX_ON_BAR,
    MAX_SHOWN,
    MIDDLE_X,
    MIDDLE_Y,
    SLOT_H,
    SLOT_W,
    R,
    checker_place,
    slot,
)
from caravanserai_nard.state import Nard
from engine.core import View
from engine.texts import Seat
from renders.canvas import Canvas
from renders.house import brackets, draw_badge
from renders.theme import INK
from renders.tokens import ring, token

SEATS = (Seat(0), Seat(1))


def draw_checkers(canvas: Canvas, state: Nard) -> None:
    """Draw all checkers on points and on the bar."""
    for seat in SEATS:
        for place in range(1, POINTS + 2):
            _draw_stack(canvas, seat, place, state.checkers(seat, place))


def _draw_stack(canvas: Canvas, seat: Seat, place: int, number: int) -> None:
    limit = MAX_ON_BAR if place == BAR else MAX_SHOWN
    for n in range(min(number, limit)):
        x, y = checker_place(seat, place, n)
        if n < limit - 1 or number == limit:
            draw_badge(canvas, seat, x, y, R)
            continue
        canvas.put(token(seat, R), x, y)
        canvas.put(count_disc(), x, y)
        canvas.text(x, y, str(number), COUNT, INK, "middle")


def draw_tray(canvas: Canvas, state: Nard, seat: Seat) -> None:
    """Draw the slots of a seat, filled with its borne-off checkers."""
    for n in range(CHECKERS):
        canvas.put(off_slot(seat, full=n < state.side(seat)[OFF]), *slot(seat, n))


def draw_dice(canvas: Canvas, state: Nard) -> None:
    """Draw the dice of the seat on turn; those that it has used are dark."""
    if not state.roll:
        return
    values = state.roll if len(set(state.roll)) > 1 else state.roll * 2
    rest = list(state.dice)
    step = DICE_STEP[len(values)]
    for n, value in enumerate(values):
        # Of equal dice, the first ones are used first.
        used = len(values) - n > len(rest) if len(values) > 2 else value not in rest
        x = DICE_X[state.turn] + step * (n - (len(values) - 1) / 2)
        canvas.put(die(value, state.turn, used=used), x, MIDDLE_Y)


def draw_cube(canvas: Canvas, state: Nard) -> None:
    """Draw the cube in the middle of the bar, on the side of its owner, or before the seat that is to answer."""
    if not state.cube_in_play:
        return
    x, y, stake = float(MIDDLE_X), MIDDLE_Y if state.owner is None else CUBE_Y[state.owner], state.stake
    if state.frames and isinstance(state.frames[-1], Answering):
        x, y, stake = DICE_X[1 - state.turn], MIDDLE_Y, 2 * stake
    canvas.put(cube(), x, y)
    canvas.text(x, y, str(stake), STAKE, INK, "middle")


# --- The last turn ---------------------------------------------------------------------------------------------------


def last_hops(view: View[Nard]) -> tuple[Seat, list[Hop]] | None:
    """The seat that moved last in the view's events, and its moves since its roll."""
    hops: list[Hop] = []
    mover: Seat | None = None
    for event in reversed(view.events):
        match event:
            case Played(seat=seat) if mover in (None, seat):
                mover = seat
                hops[:0] = event.hops
            case Rolled() | RolledDouble() | Started() if hops:
                break
    return None if mover is None else (mover, hops)


def draw_origins(canvas: Canvas, view: View[Nard]) -> None:
    """Draw dashes where checkers left in the last turn."""
    if not (last := last_hops(view)):
        return
    seat, hops = last
    starts, ends = (Counter(int(hop[end]) for hop in hops) for end in (0, 1))
    for place, number in (starts - ends).items():
        here = view.state.checkers(seat, place)
        for n in range(number):
            canvas.put(ring(seat, R - 7, broken=True), *checker_place(seat, place, here + n))


def draw_arrivals(canvas: Canvas, view: View[Nard]) -> None:
    """Draw closed outlines around the checkers that arrived in the last turn, and around those that were hit."""
    if not (last := last_hops(view)):
        return
    seat, hops = last
    starts, ends = (Counter(int(hop[end]) for hop in hops) for end in (0, 1))
    for place, number in (ends - starts).items():
        if place != OFF:
            _mark_top(canvas, view.state, seat, place, number)
    rival = Seat(1 - seat)
    hit = sum(hop.hits for hop in hops)
    _mark_top(canvas, view.state, rival, BAR, min(hit, view.state.side(rival)[BAR]))


def _mark_top(canvas: Canvas, state: Nard, seat: Seat, place: int, number: int) -> None:
    here = state.checkers(seat, place)
    for n in range(max(0, here - number), here):
        canvas.put(ring(seat, R - 5), *checker_place(seat, place, n))


# --- What may be done ------------------------------------------------------------------------------------------------


def draw_offers(canvas: Canvas, view: View[Nard]) -> None:
    """Draw corners on the movable checkers; once one is chosen, an outline around it and corners on its targets."""
    moves = [action for action in view.offered if isinstance(action, Move)]
    origins = dict.fromkeys(move.origin for move in moves)
    if not moves:
        return
    seat = view.state.turn
    settled = len(origins) == 1
    for origin in origins:
        top = checker_place(seat, origin, view.state.checkers(seat, origin) - 1)
        canvas.put(chosen(seat) if settled else brackets(2 * R, 2 * R), *top)
    if settled:
        _mark_targets(canvas, view.state, seat, [move.target for move in moves])


def _mark_targets(canvas: Canvas, state: Nard, seat: Seat, targets: Sequence[int]) -> None:
    for target in targets:
        if target == OFF:
            x, y = slot(seat, state.side(seat)[OFF])
            canvas.put(brackets(SLOT_W + 6, SLOT_H + 6), x + SLOT_W / 2, y + SLOT_H / 2)
            continue
        # A blot that would be hit is where the checker lands.
        canvas.put(brackets(2 * R, 2 * R), *checker_place(seat, target, state.checkers(seat, target)))
