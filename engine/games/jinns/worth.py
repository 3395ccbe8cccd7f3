"""What a position of Jinns of the Lake is worth."""

from __future__ import annotations

from engine.evaluation import Evaluation, Row
from engine.games.jinns.options import opposite
from engine.games.jinns.pawns import EMPTY
from engine.games.jinns.ring import SQUARES
from engine.games.jinns.state import Jinns
from engine.texts import Seat


def progress(state: Jinns) -> float:
    """By the squares that are empty; none is at the first move."""
    return 0.0 if state.setting_up else state.board.count(EMPTY) / SQUARES


def features(state: Jinns) -> list[Row]:
    """A row for each seat; the same to partners who add up (rule 9)."""
    points = [state.score(seat) for seat in map(Seat, range(state.seats))]
    if state.terms.team_score:
        points = [own + points[opposite(Seat(seat))] for seat, own in enumerate(points)]
    return [(own,) for own in points]


EVALUATE = Evaluation(__package__, ("points",), features, progress)
