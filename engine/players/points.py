"""A benchmark player that looks one ply ahead and counts points, like a person new to the game."""

from __future__ import annotations

from engine.core import State, View
from engine.evaluation import Evaluation
from engine.players import Player
from engine.players.greedy import Evaluate, game_evaluation, one_ply_player


def by_points(view: View[State]) -> Evaluate:
    """The evaluation of a game restricted to points, or all of it if it has no features."""
    evaluate = game_evaluation(view)
    return evaluate.by_points if isinstance(evaluate, Evaluation) else evaluate


PLAYER = Player("Abacus", one_ply_player(by_points), for_people=False)
