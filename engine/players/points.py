"""The player that looks one ply ahead and counts points, like somebody who has just learned the rules."""

from __future__ import annotations

from engine.core import State, View
from engine.evaluation import Evaluation
from engine.players import Player
from engine.players.greedy import Evaluate, by_its_game, one_ply


def by_points(view: View[State]) -> Evaluate:
    """How a game values positions if only points are seen; as it does if it does not tell them apart."""
    evaluate = by_its_game(view)
    return evaluate.by_points if isinstance(evaluate, Evaluation) else evaluate


PLAYER = Player("Abacus", one_ply(by_points), for_people=False)
