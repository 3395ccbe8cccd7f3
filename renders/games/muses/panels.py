"""Draw the companies' panels: points, bonus, and the comparison of their dice."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from engine.core import View
from engine.games.muses.scoring import NOBODY
from engine.games.muses.state import Muses
from engine.texts import Seat, Text
from renders.canvas import Canvas
from renders.ending import Names
from renders.games.muses.ground import DIE_R, DIM, SCORE, draw_bare_panel
from renders.games.muses.layout import NAMED_ROWS, UNNAMED_ROWS, Rows, Scene, panel_box
from renders.games.muses.theme import THEME
from renders.games.muses.tiles import back, die
from renders.house import draw_badge, draw_gain
from renders.lettering import LABEL, NAME, SMALL, width
from renders.persons import draw_person, length_of
from renders.theme import Box

BACK, BACK_STEP = 84, 94


def draw_panels(canvas: Canvas, view: View[Muses], names: Names, scene: Scene, *, shrunk: bool) -> None:
    """Draw a panel per company, with a golden edge for a company that is due or has won."""
    state, (labels, persons) = view.state, names
    rows = (NAMED_ROWS if persons else UNNAMED_ROWS)[shrunk]
    due = {state.company_of(seat) for seat in view.due}
    winners = {state.company_of(seat) for seat in view.outcome.winners} if view.outcome else set[int]()
    for company in range(state.companies):
        box = panel_box(state.companies, company, shrunk=shrunk)
        # The ground already has all other panels.
        if shrunk or company in due | winners:
            draw_bare_panel(canvas, box, golden=company in due | winners, due=company in due)
        _draw_head(canvas, state, company, members(state, labels, company), box, rows)
        # Teammates gain points together.
        mate = next(seat for seat in map(Seat, range(state.seats)) if state.company_of(seat) == company)
        draw_gain(canvas, box, view.gain(mate))
        if persons:
            _draw_persons(canvas, state, names, company, box, rows)
        caption = _caption(state, scene, company, shrunk=shrunk)
        canvas.text(box[0] + 20, box[1] + rows.caption, caption, SMALL, THEME.muted)
        if shrunk:
            continue
        if _is_laying(state, scene):
            _draw_backs(canvas, state, company, box)
        else:
            _draw_ranks(canvas, scene, company, box)


def members(state: Muses, labels: Sequence[str], company: int) -> str:
    """The labels of a company's seats."""
    return " & ".join(label for seat, label in enumerate(labels) if state.company_of(seat) == company)


def hand_sizes(state: Muses, company: int) -> str:
    """Number of Muses in each member's hand: `2 in hand`, `2 + 1 in hand`."""
    held = [str(len(hand)) for seat, hand in enumerate(state.hands) if state.company_of(seat) == company]
    return str(Text("{n} in hand", n=" + ".join(held)))


def rank_word(scene: Scene, company: int, rank: int) -> str:
    """The points of a company for a rank: `+1` plus any bonus, `tie` for a shared highest value, or a dash."""
    winner = scene.ranking.winners[rank]
    # The first rank with a winner pays the bonus (rule 8.2).
    if winner == company:
        first = scene.bonus and rank == next(n for n, other in enumerate(scene.ranking.winners) if other != NOBODY)
        return f"+{1 + scene.bonus}" if first else "+1"
    best = max(dice[rank] for dice in scene.ranking.dice)
    return str(TIE) if winner == NOBODY and scene.ranking.dice[company][rank] == best else "–"


TIE = Text("tie")


def _is_laying(state: Muses, scene: Scene) -> bool:
    return state.is_placing and not scene.finished


def _draw_head(canvas: Canvas, state: Muses, company: int, name: str, box: Box, rows: Rows) -> None:
    x0, y0, x1, _ = box
    draw_badge(canvas, company, x0 + 42, y0 + rows.badge, 26)
    points = str(state.points[company])
    canvas.text(x1 - 20, y0 + rows.points, points, SCORE, align="right")
    canvas.text(x0 + 80, y0 + rows.name, name, NAME, room=x1 - x0 - 124 - 36 * len(points))


def _draw_persons(canvas: Canvas, state: Muses, names: Names, company: int, box: Box, rows: Rows) -> None:
    """Write the company's players, sharing the width. A teammate without a name appears as their seat."""
    labels, persons = names
    seats = [seat for seat in range(state.seats) if state.company_of(seat) == company]
    if not any(persons[seat] for seat in seats):
        return
    texts = [persons[seat] or labels[seat] for seat in seats]
    x, y = float(box[0] + 80), box[1] + rows.person
    room = box[2] - 20 - x - width(AND, SMALL) * (len(texts) - 1)
    for n, (text, share) in enumerate(
        zip(texts, share_widths([ceil(length_of(text)) for text in texts], room), strict=True)
    ):
        x += canvas.text(x, y, AND, SMALL, THEME.muted) if n else 0
        x += draw_person(canvas, x, y, text, share, THEME.muted)


AND = " & "


def share_widths(lengths: Sequence[float], room: float) -> list[float]:
    """Widths for several names: short ones get what they need, the others equal shares of the rest."""
    widths = [0.0] * len(lengths)
    for k, n in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        widths[n] = min(lengths[n], (room - sum(widths)) / (len(lengths) - k))
    return widths


def _caption(state: Muses, scene: Scene, company: int, *, shrunk: bool) -> str:
    bonus = state.bonuses[company]
    if shrunk or _is_laying(state, scene):
        return str(Text("bonus {n}, {held}", n=bonus, held=hand_sizes(state, company)))
    return str(Text("bonus {n}, final ranks:", n=bonus) if scene.finished else Text("bonus {n}, ranks now:", n=bonus))


def _draw_backs(canvas: Canvas, state: Muses, company: int, box: Box) -> None:
    """Draw the backs of a company's hands, with a gap between teammates."""
    hands = [len(hand) for seat, hand in enumerate(state.hands) if state.company_of(seat) == company]
    length = sum(hands) * BACK_STEP + (len(hands) - 1) * BACK_STEP // 2
    x = (box[0] + box[2] - length + BACK_STEP) / 2
    for held in hands:
        for n in range(held):
            canvas.put(back(BACK), x + n * BACK_STEP, box[1] + 208)
        x += (held + 0.5) * BACK_STEP


def _draw_ranks(canvas: Canvas, scene: Scene, company: int, box: Box) -> None:
    dice = scene.ranking.dice[company]
    # With three players, each has three dice and narrower panels; otherwise four dice (rule 2.3).
    pitch = 99 if len(dice) == 3 else 116
    middle = (box[0] + box[2]) / 2
    for rank, value in enumerate(dice):
        x = middle + (rank - (len(dice) - 1) / 2) * pitch
        canvas.put(die(company, value, DIE_R), x, box[1] + 188)
        word = rank_word(scene, company, rank)
        color = {str(TIE): THEME.muted, "–": DIM}.get(word, THEME.emblem)
        canvas.text(x, box[1] + 257, word, LABEL, color, "middle")
