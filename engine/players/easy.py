"""A pleasant computer player for beginners: it counts its own points one step ahead, has its moods, and loses heart."""

from __future__ import annotations

from math import exp
from random import Random

from engine.core import Action, State, View
from engine.evaluation import Evaluation, softmax
from engine.players import Player
from engine.players.search import Effort, Ranked, evaluation_of, ranked
from engine.players.search.tree import Evaluate

AT_A_GLANCE = Effort(0, worlds=4)
SLIPS = 0.12
"""How often it takes any option that is not ruinous, for each rival: among many it is less careful."""
HEART = 4.0
"""By so much more often it slips, for each part of its fair share that it lacks: who leads, stays in the lead."""
OFTENEST = 0.75
"""More often than this it never slips."""
MOOD = 0.35
"""How much it minds the difference between options, for each rival: less is more exact. In spreads of the options."""
RUIN = 0.25
"""It never gives away more than this part of its chances by a choice."""


def choose(view: View[State], rng: Random) -> Action:
    """An option that looks good at a glance."""
    found = ranked(view, rng, AT_A_GLANCE, at_sight(view, rng))
    options, seats = bearable(found), view.setup.seats
    if rng.random() < slips(found[0].chance, seats):
        return rng.choice(options).option
    return rng.choices(options, moods(options, seats))[0].option


def at_sight(view: View[State], rng: Random) -> Evaluate:
    """Values positions by the points that everybody sees; those of the others it expects to stay as they are."""
    evaluate, seat = evaluation_of(view, rng), view.viewer
    if not isinstance(evaluate, Evaluation) or seat is None:
        return evaluate
    worths = evaluate.by_points.worths
    before = worths(view.state.determinize(seat, rng))
    return lambda state: softmax([*before[:seat], worths(state)[seat], *before[seat + 1 :]])


def bearable(options: tuple[Ranked, ...]) -> tuple[Ranked, ...]:
    """Without those that throw the game away."""
    least = options[0].chance * (1 - RUIN)
    return tuple(one for one in options if one.chance >= least)


def slips(chance: float, seats: int) -> float:
    """How likely it slips if this is its share of the win."""
    return min(OFTENEST, SLIPS * (seats - 1) + HEART * max(0.0, 1 - chance * seats))


def moods(options: tuple[Ranked, ...], seats: int) -> list[float]:
    """How likely it is to take each of the options, the best one first."""
    best, worst = options[0].chance, options[-1].chance
    heat = MOOD * (seats - 1) * (best - worst) or 1.0
    return [exp((one.chance - best) / heat) for one in options]


PLAYER = Player("Camel Boy", choose, level=1)
