"""Draw the position: palace, markets, streets and panels."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.muscat.artists import Artist
from engine.games.muscat.city import Market, markets, markets_on
from engine.games.muscat.state import Muscat
from engine.texts import Seat, Text, number
from renders.canvas import Canvas
from renders.chosen import chosen_token
from renders.games.muscat.ground import (
    closed_house,
    empty_slot,
    lantern,
    letter_disc,
    niche,
    ready_edge,
    waiting_plate,
)
from renders.games.muscat.layout import (
    ICONS,
    LEVELS_FROM_TOP,
    MARKET_H,
    PALACE,
    Piece,
    PiecesByPlace,
    Rows,
    closed_columns,
    column_center,
    level_top,
    market_center,
    niche_pitch,
    niche_x,
    niches,
    panel_box,
    pile_left,
    risers_from,
    rows_of,
    score_room,
    slot_center,
    waiting_width,
)
from renders.games.muscat.theme import THEME
from renders.house import count_badge, draw_badge, draw_gain, draw_panel
from renders.lettering import LABEL, MIN_SIZE, NAME, SCORE, SMALL, sans, width
from renders.persons import draw_person
from renders.theme import INK, SAFE
from renders.tokens import token

COUNT = sans(MIN_SIZE, "Black")
LONG_SCORE = sans(38, "Black")
"""The face for `−12+` in one of five panels, which would reach below the token."""


def draw_places(canvas: Canvas, state: Muscat, places: PiecesByPlace) -> None:
    """Draw everything but the pieces: niches, closed houses, edges of full markets."""
    n = niches(state)
    for k in range(n):
        # In the last round, more artists may enter than the limit (rule 6.1).
        arch = niche(round(min(80, 0.84 * niche_pitch(n))), extra=k >= state.palace_limit)
        canvas.put(arch, niche_x(n, k))
        if k >= len(places[PALACE]):
            canvas.put(lantern(), niche_x(n, k))
    artist_count = f"{state.palace_count}/{state.palace_limit}"
    # `10/8` needs smaller letters.
    canvas.text(67, 196, artist_count, NAME if len(artist_count) < 4 else sans(30), align="middle")
    for level in LEVELS_FROM_TOP:
        _draw_level(canvas, state, level)


def _draw_level(canvas: Canvas, state: Muscat, level: int) -> None:
    for col in closed_columns(state.seats):
        canvas.put(closed_house(), *column_center(level, col))
    for market in markets_on(level, state.seats):
        if is_ready(state, market):
            canvas.put(ready_edge(), *market_center(state.seats, market))


def is_ready(state: Muscat, market: Market) -> bool:
    """Whether the cycle of power can run on a market: it has three tokens."""
    # One of its four fields is empty (rule 2.2).
    return state.market(market).count(None) == 1


def draw_piece(canvas: Canvas, piece: Piece) -> None:
    """Draw a token, with its number if it represents several."""
    canvas.put(token(piece.seat, piece.r, ICONS[piece.artist]), piece.x, piece.y)
    if piece.count > 1:
        x, y = piece.x + 0.72 * piece.r, piece.y - 0.6 * piece.r
        canvas.put(count_badge(), x, y)
        canvas.text(x, y, str(piece.count), COUNT, INK, "middle")


def draw_letters(canvas: Canvas, state: Muscat) -> None:
    """Draw the market letters, which lie on top of everything else."""
    for market in markets(state.seats):
        disc = letter_disc(market.letter, ready=is_ready(state, market))
        canvas.put(disc, *market_center(state.seats, market))


def draw_waiting(canvas: Canvas, state: Muscat) -> None:
    """Draw the artists between two levels, at the end of the street below the market they came from."""
    for level in LEVELS_FROM_TOP:
        if risers := risers_from(state, level):
            width = waiting_width(len(risers))
            x = SAFE[2] - 6 - width + 60
            y = level_top(level) + MARKET_H + 35
            canvas.put(waiting_plate(width), x, y)
            for k, (owner, artist) in enumerate(risers):
                # The artist that is up for a decision is larger.
                canvas.put(token(owner, 21 if k == 0 else 17, ICONS[artist]), x + 24 + 54 * k, y)


def draw_panels(canvas: Canvas, view: View[Muscat], labels: Sequence[str], persons: Sequence[str] = ()) -> None:
    """Draw a panel per seat: name, person, score, pile, face-up or drawn token."""
    rows = rows_of(persons)
    winners = view.outcome.winners if view.outcome else ()
    for seat, name in zip(map(Seat, range(len(labels))), labels, strict=True):
        box = panel_box(view.state.seats, seat)
        due = seat in view.due
        draw_panel(canvas, box, THEME, golden=due or seat in winners, arrow="top" if due else "")
        draw_badge(canvas, seat, box[0] + 36, rows.name)
        canvas.text(box[0] + 68, rows.name, name, LABEL, room=box[2] - box[0] - 80)
        if persons:
            draw_person(canvas, box[0] + 20, rows.person, persons[seat], box[2] - box[0] - 36, THEME.muted)
        score = score_text(view.state, seat)
        face = SCORE if width(score, SCORE) <= score_room(view.state.seats) else LONG_SCORE
        canvas.text(box[0] + 18, rows.score, score, face)
        pile = view.state.pile(seat)
        canvas.text(*pile_left(view.state.seats, seat, rows), str(Text("pile {n}", n=pile or "–")), SMALL, THEME.muted)
        _draw_slot(canvas, view.state, seat, rows)
        draw_gain(canvas, box, view.gain(seat))


def score_text(state: Muscat, seat: Seat) -> str:
    """A seat's points: `52`, or `52+` while a riser, counted at its origin, may still add to them."""
    return f"{number(state.tally(seat))}{'+' if state.rising_points(seat) else ''}"


def _draw_slot(canvas: Canvas, state: Muscat, seat: Seat, rows: Rows) -> None:
    x, y = slot_center(state.seats, seat, rows)
    artist, was_drawn = slot(state, seat)
    if artist is None:
        canvas.put(empty_slot(), x, y)
        return
    # Smaller, to leave space for the selection mark around it.
    canvas.put(token(seat, 30 if was_drawn else 34, ICONS[artist]), x, y)
    if was_drawn:
        canvas.put(chosen_token(seat, 30), x, y)


def slot(state: Muscat, seat: Seat) -> tuple[Artist | None, bool]:
    """The artist beside a seat's pile, and whether it was drawn and must be placed."""
    if state.drawn and state.drawn.seat == seat:
        return state.drawn.artist, True
    return state.faceup(seat), False
