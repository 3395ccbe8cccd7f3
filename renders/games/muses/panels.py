"""The companies' panels: points, bonus, and how their dice compare."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import View
from engine.games.muses.scoring import NOBODY
from engine.games.muses.state import Muses
from renders.canvas import Canvas
from renders.games.muses.ground import DIE_R, DIM, SCORE, draw_bare_panel
from renders.games.muses.layout import Box, Scene, panel_box
from renders.games.muses.theme import THEME
from renders.games.muses.tiles import back, die
from renders.house import draw_badge
from renders.lettering import LABEL, NAME, SMALL

BACK, BACK_STEP = 84, 94


def draw_panels(canvas: Canvas, view: View[Muses], labels: Sequence[str], scene: Scene, *, shrunk: bool) -> None:
    """A panel per company; that of the due seat, or of the winners, has a golden edge."""
    state = view.state
    due = {state.company_of(seat) for seat in view.due}
    won = {state.company_of(seat) for seat in view.outcome.winners} if view.outcome else set[int]()
    for company in range(state.companies):
        box = panel_box(state.companies, company, shrunk=shrunk)
        if shrunk or company in due | won:
            draw_bare_panel(canvas, box, golden=company in due | won, due=company in due)
        _draw_head(canvas, state, company, members(state, labels, company), box)
        if shrunk:
            bonus = f"bonus {state.bonuses[company]}"
            canvas.text(box[0] + 20, box[1] + 90, f"{bonus}, {in_hand(state, company)}", SMALL, THEME.muted)
            continue
        canvas.text(box[0] + 20, box[1] + 106, _caption(state, scene, company), SMALL, THEME.muted)
        if _laying(state, scene):
            _draw_backs(canvas, state, company, box)
        else:
            _draw_ranks(canvas, scene, company, box)


def members(state: Muses, labels: Sequence[str], company: int) -> str:
    """The names of a company's seats."""
    return " & ".join(label for seat, label in enumerate(labels) if state.company_of(seat) == company)


def in_hand(state: Muses, company: int) -> str:
    """How many Muses each member still holds: `2 in hand`, `2 + 1 in hand`."""
    held = [str(len(hand)) for seat, hand in enumerate(state.hands) if state.company_of(seat) == company]
    return f"{' + '.join(held)} in hand"


def rank_word(scene: Scene, company: int, rank: int) -> str:
    """What a rank brings a company: `+1`, `tie` if it shares the highest, else a dash. A paid bonus is added."""
    winner = scene.ranking.winners[rank]
    if winner == company:
        first = scene.bonus and rank == next(n for n, other in enumerate(scene.ranking.winners) if other != NOBODY)
        return f"+{1 + scene.bonus}" if first else "+1"
    best = max(dice[rank] for dice in scene.ranking.dice)
    return "tie" if winner == NOBODY and scene.ranking.dice[company][rank] == best else "–"


def _laying(state: Muses, scene: Scene) -> bool:
    return state.placing and not scene.finished


def _draw_head(canvas: Canvas, state: Muses, company: int, name: str, box: Box) -> None:
    left, top, right, _ = box
    draw_badge(canvas, company, left + 42, top + 44, 26)
    points = str(state.points[company])
    canvas.text(right - 20, top + 48, points, SCORE, align="right")
    canvas.text(left + 80, top + 44, name, NAME, room=right - left - 124 - 36 * len(points))


def _caption(state: Muses, scene: Scene, company: int) -> str:
    bonus = f"bonus {state.bonuses[company]}"
    if _laying(state, scene):
        return f"{bonus}, {in_hand(state, company)}"
    return f"{bonus}, final ranks:" if scene.finished else f"{bonus}, ranks now:"


def _draw_backs(canvas: Canvas, state: Muses, company: int, box: Box) -> None:
    """The hands of a company from behind, those of team mates a little apart."""
    hands = [len(hand) for seat, hand in enumerate(state.hands) if state.company_of(seat) == company]
    length = sum(hands) * BACK_STEP + (len(hands) - 1) * BACK_STEP // 2
    x = (box[0] + box[2] - length + BACK_STEP) / 2
    for held in hands:
        for n in range(held):
            canvas.put(back(BACK), x + n * BACK_STEP, box[1] + 208)
        x += (held + 0.5) * BACK_STEP


def _draw_ranks(canvas: Canvas, scene: Scene, company: int, box: Box) -> None:
    dice = scene.ranking.dice[company]
    pitch = 99 if len(dice) == 3 else 116
    middle = (box[0] + box[2]) / 2
    for rank, value in enumerate(dice):
        x = middle + (rank - (len(dice) - 1) / 2) * pitch
        canvas.put(die(company, value, DIE_R), x, box[1] + 188)
        word = rank_word(scene, company, rank)
        color = {"tie": THEME.muted, "–": DIM}.get(word, THEME.emblem)
        canvas.text(x, box[1] + 257, word, LABEL, color, "middle")
