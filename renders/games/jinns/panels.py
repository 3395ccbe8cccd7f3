"""Draw the seats' panels: name, points, and taken piles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.core import View
from engine.games.jinns.events import Occurrence
from engine.games.jinns.frames.place import Placing
from engine.games.jinns.pattern import placements
from engine.games.jinns.pawns import STRENGTHS, colors_in
from engine.games.jinns.state import Jinns
from engine.texts import Seat, Text
from renders.canvas import Canvas
from renders.games.jinns.ground import SCORE, chip, draw_rule, pip
from renders.games.jinns.layout import (
    CHIP_H,
    CHIP_W,
    LOW_PANEL_SEATS,
    NEUTRAL_Y,
    PIP_PITCH,
    REPETITION_BOX,
    REPETITION_LINES,
    STYLE,
    Rows,
    chip_places,
    panel_box,
    rows_of,
)
from renders.games.jinns.piles import gains
from renders.games.jinns.theme import THEME
from renders.house import draw_badge, draw_gain, draw_panel
from renders.lettering import FACT, LABEL, NAME, SMALL, fit_before, width
from renders.persons import draw_person
from renders.theme import GOLD, IVORY, Box
from renders.words import word

BADGE_R = 25


def draw_panels(canvas: Canvas, view: View[Jinns], labels: Sequence[str], persons: Sequence[str] = ()) -> None:
    """Draw a panel per seat, and a line about the neutral color."""
    state = view.state
    for seat in map(Seat, range(state.seats)):
        _draw_panel(canvas, view, labels, persons, seat)
    neutral = colors_in(state.neutral)
    if len(neutral) == 1:
        draw_badge(canvas, STYLE[neutral[0]], 208, NEUTRAL_Y, BADGE_R)
        canvas.text(246, NEUTRAL_Y, str(Text("{color:^} is neutral", color=neutral[0])), FACT)


def draw_occurrences(canvas: Canvas, state: Jinns) -> None:
    """Draw the number of occurrences of the position, in words and pips; nothing for its first occurrence."""
    if state.times < 2:
        return
    (x0, _, x1, _), (first, second), limit = REPETITION_BOX, REPETITION_LINES, state.terms.repetition_limit
    draw_panel(canvas, REPETITION_BOX, THEME)
    time = Text("{time:^} time in this position", time=Occurrence(state.times))
    canvas.text(x0 + 20, first, str(time), LABEL, room=x1 - x0 - 40)
    for n in range(limit):
        canvas.put(pip(full=n < state.times), x0 + 31 + PIP_PITCH * n, second)
    words = Text("the game is over") if state.ended else Text("the {time} ends the game", time=Occurrence(limit))
    x = x0 + 31 + PIP_PITCH * limit
    canvas.text(x, second, str(words), SMALL, THEME.muted, room=x1 - 20 - x)


def _draw_panel(canvas: Canvas, view: View[Jinns], labels: Sequence[str], persons: Sequence[str], seat: Seat) -> None:
    state, box = view.state, panel_box(len(labels), seat)
    (x0, y0, x1, _), score = box, str(state.score(seat))
    _draw_edge(canvas, view, seat, box)
    x = _draw_badges(canvas, state, seat, box)
    # In a low panel, the text about points is beside the name.
    room = x0 + 280 if state.seats == LOW_PANEL_SEATS else x1 - 34 - width(score, SCORE)
    second_line = subtitle(state, labels, seat, room - x)
    rows = rows_of(state.seats, subtitle=bool(second_line), named=bool(persons))
    canvas.text(x, y0 + rows.name, labels[seat], NAME, room=room - x)
    if persons:
        draw_person(canvas, x, y0 + rows.person, persons[seat], x1 - 20 - x, THEME.muted)
    if second_line:
        canvas.text(x0 + 26 if persons else x, y0 + rows.subtitle, second_line, SMALL, THEME.muted, room=room - x)
    canvas.text(x1 - 20, y0 + rows.score, score, SCORE, align="right")
    _draw_gains(canvas, view, seat, box, rows)
    draw_gain(canvas, box, view.gain(seat))


def _draw_edge(canvas: Canvas, view: View[Jinns], seat: Seat, box: Box) -> None:
    """Redraw the panel with a golden edge if the seat is due; the ground has the bare panel."""
    if seat in view.due:
        draw_panel(canvas, box, THEME, golden=True, arrow="left")
        draw_rule(canvas, view.state.seats, box)


def _draw_badges(canvas: Canvas, state: Jinns, seat: Seat, box: Box) -> int:
    """Draw the badges of a seat's colors. Returns the left edge of the text."""
    colors = state.colors(seat)
    for n, color in enumerate(colors):
        draw_badge(canvas, STYLE[color], box[0] + 40 + 56 * n, box[1] + 48, BADGE_R)
    return box[0] + (22 + 56 * len(colors) if colors else 26)


def subtitle(state: Jinns, labels: Sequence[str], seat: Seat, room: float) -> str:
    """The partner, with the points of both in `room` px if they are added up, or the colors of a seat with two."""
    partner = state.partner(seat)
    if partner is not None and state.terms.team_score:
        together = state.score(seat) + state.score(partner)
        return fit_before(f" = {together}", f"+ {labels[partner]}", SMALL, room)
    if partner is not None:
        return str(Text("with {name}", name=labels[partner]))
    # Each of two players has two colors (rule 2.3), and the seat is named after the first.
    colors = state.colors(seat)
    return word(colors) if len(colors) == 2 else ""


def _draw_gains(canvas: Canvas, view: View[Jinns], seat: Seat, box: Box, rows: Rows) -> None:
    """Draw the lower part of a panel: taken piles, or the pawns that the seat may place next."""
    state, (x0, y0, *_) = view.state, box
    caption, chips = _contents(view, seat)
    if state.seats == LOW_PANEL_SEATS:
        canvas.text(x0 + 400, y0 + rows.caption, caption, SMALL, THEME.muted, "middle")
    else:
        canvas.text(x0 + 26, y0 + rows.caption, caption, SMALL, THEME.muted)
    for (x, y), (text, edge) in zip(chip_places(state.seats, rows), chips, strict=False):
        canvas.put(chip(edge), x0 + x, y0 + y)
        canvas.text(x0 + x + CHIP_W / 2, y0 + y + CHIP_H / 2, text, LABEL, align="middle")


def _contents(view: View[Jinns], seat: Seat) -> tuple[str, list[tuple[str, str]]]:
    """The text line, and the chips as text and edge color."""
    state = view.state
    if state.frames and isinstance(state.frames[-1], Placing) and seat == state.turn:
        color = placements(state.seats)[state.placed].color
        stock = zip(STRENGTHS, state.stock(color), strict=True)
        return str(Text("{color} pawns left", color=color)), [(f"{n} ×{count}", GOLD) for n, count in stock if count]
    words = Text("taken {taken} + lake {lake}", taken=state.taken_points(seat), lake=state.lake_points(seat))
    return str(words), list(_pile_chips(state, seat, gains(view).get(seat, 0)))


def _pile_chips(state: Jinns, seat: Seat, new: int) -> Iterator[tuple[str, str]]:
    """One chip per taken pile, new ones with a bright edge. If they do not fit, the oldest are added up."""
    piles = state.taken_piles[seat]
    room = len(chip_places(state.seats))
    # The sum takes up one place itself.
    hidden = len(piles) - room + 1 if len(piles) > room else 0
    if hidden:
        yield f"+{sum(map(state.worth, piles[:hidden]))}", THEME.panel_edge
    for n, pile in enumerate(piles[hidden:], hidden):
        edge, worth = IVORY if n >= len(piles) - new else THEME.panel_edge, state.worth(pile)
        # `4×2=8` is height, strength of the top pawn, and points.
        yield f"{pile.height}×{pile.top.strength}={worth}" if worth else "0", edge
