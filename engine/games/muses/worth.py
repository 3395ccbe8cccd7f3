"""What a position of Dance of Muses is worth."""

from __future__ import annotations

from engine.evaluation import Evaluation, Row
from engine.games.muses.floor import TOP
from engine.games.muses.scoring import apollo, ranking
from engine.games.muses.state import Muses
from engine.games.muses.tiles import FIRST_HIDDEN


def progress(state: Muses) -> float:
    """By the greatest die, which ends the hand (rule 7), and by the hands before."""
    hands = state.setup.options.hands
    dance = (max(state.floor.values, default=1) - 1) / (TOP - 1)
    return min(1.0, (state.hand - 1 + dance) / float(hands))


def features(state: Muses) -> list[Row]:
    """A row for each seat, the same to team mates."""
    points = _points(state)
    return [(points[state.company_of(seat)],) for seat in range(state.seats)]


def _points(state: Muses) -> list[float]:
    """Of each company, those of the hand included as if it ended now."""
    floor = state.floor
    names = {n: muse for n, muse in enumerate(state.secrets, FIRST_HIDDEN) if muse is not None}
    shown = ranking(apollo(floor.turned_up(names), state.muse_table.suns) if floor.tiles else floor, state.companies)
    return [own + shown.points(company) + (shown.bonus == company) for company, own in enumerate(state.points)]


EVALUATE = Evaluation(__package__, ("points",), features, progress)
