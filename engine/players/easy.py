"""A pleasant computer player for beginners: it counts points one step ahead, has its moods, and slips now and then."""

from __future__ import annotations

from math import exp
from random import Random

from engine.core import Action, State, View
from engine.evaluation import Evaluation
from engine.players import Player
from engine.players.search import Effort, Ranked, evaluation_of, ranked
from engine.players.search.tree import Evaluate

AT_A_GLANCE = Effort(0, worlds=4)
SLIPS = 0.15
"""How often it takes any option that is not ruinous."""
MOOD = 0.4
"""How much it minds the difference between options: less is more exact. In spreads of the options."""
RUIN = 0.35
"""It never gives away more than this part of its chances by a choice."""


def choose(view: View[State], rng: Random) -> Action:
    """An option that looks good at a glance."""
    options = bearable(ranked(view, rng, AT_A_GLANCE, at_sight(view, rng)))
    if rng.random() < SLIPS:
        return rng.choice(options).option
    return rng.choices(options, moods(options))[0].option


def at_sight(view: View[State], rng: Random) -> Evaluate:
    """Values positions by the points that everybody sees."""
    evaluate = evaluation_of(view, rng)
    return evaluate.by_points if isinstance(evaluate, Evaluation) else evaluate


def bearable(options: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    """Without those that throw the game away."""
    least = options[0].chance * (1 - RUIN)
    return tuple(one for one in options if one.chance >= least)


def moods(options: tuple[Ranked, ...]) -> list[float]:
    """How likely it is to take each of the options, the best one first."""
    best, worst = options[0].chance, options[-1].chance
    heat = MOOD * (best - worst) or 1.0
    return [exp((one.chance - best) / heat) for one in options]


PLAYER = Player("Camel Boy", choose, level=1)
