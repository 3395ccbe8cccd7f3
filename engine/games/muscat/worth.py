"""What a position of Muscat is worth."""

from __future__ import annotations

from engine.evaluation import Evaluation, Row
from engine.games.muscat.state import Muscat
from engine.texts import Seat


def progress(state: Muscat) -> float:
    """By the palace, whose last places bring the last round (rule 6.1)."""
    return min(1.0, state.palace_count / state.palace_limit)


def features(state: Muscat) -> list[Row]:
    """A row for each seat."""
    return [(state.score(seat) + state.in_the_air(seat),) for seat in map(Seat, range(state.seats))]


EVALUATE = Evaluation(__package__, ("points",), features, progress)
