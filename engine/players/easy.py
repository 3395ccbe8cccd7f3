"""A pleasant computer player for beginners: it counts its own points one step ahead, is moody, and slips if behind."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from engine.core import Action, State, View
from engine.evaluation import Evaluation, softmax
from engine.players import Player
from engine.players.greedy import Evaluate
from engine.players.search import Effort, Ranked, bearable, evaluation_of, ranked

AT_A_GLANCE = Effort(0, worlds=4)
SLIPS_BEHIND = 30.0
"""By so much more often it slips, for each part of the win by which a rival is ahead: who leads, stays in the lead."""


class Temper(NamedTuple):
    """How careful it is.

    It slips as often as `slips` while nobody is ahead of it. Else `mood` is how much it minds the difference between
    options, in spreads of them: less is more exact. No choice gives away more than the part `ruin` of its chances, as
    far as it sees.
    """

    slips: float
    mood: float
    ruin: float


ALONE, IN_COMPANY = Temper(0.05, 0.15, 0.4), Temper(0.3, 0.15, 0.6)
"""Against one rival, and among several, where one choice decides less."""


def choose(view: View[State], rng: Random) -> Action:
    """An option that looks good at a glance."""
    temper = IN_COMPANY if view.setup.seats > 2 else ALONE
    options = bearable(ranked(view, rng, AT_A_GLANCE, at_sight(view, rng)), temper.ruin)
    # A rival ahead by about 3 % of the win is enough to make it slip every time.
    if rng.random() < temper.slips + SLIPS_BEHIND * behind(view, rng):
        return slip(view, rng, options)
    best, worst = options[0].chance, options[-1].chance
    # All options may promise the same.
    heat = temper.mood * (best - worst) or 1.0
    return rng.choices(options, [exp((one.chance - best) / heat) for one in options])[0].option


def slip(view: View[State], rng: Random, options: Sequence[Ranked]) -> Action:
    """Any option, or as often the better of two, at a glance.

    Measured: if it is always any option, accuracy cannot tell it from a random player. If it is always the better of
    two, it beats players who count points in Muscat (engine/players/measurements.md).
    """
    drawn = {one.option for one in rng.choices(options, k=rng.choice((1, 2)))}
    return next(one.option for one in ranked(view, rng, AT_A_GLANCE) if one.option in drawn)


def at_sight(view: View[State], rng: Random) -> Evaluate:
    """Values positions by the points that everybody sees; those of the others it expects to stay as they are."""
    evaluate, seat = evaluation_of(view, rng), view.viewer
    if not isinstance(evaluate, Evaluation) or seat is None:
        return evaluate
    logits = evaluate.by_points.logits
    before = logits(view.state.determinize(seat, rng))
    return lambda state: softmax([*before[:seat], logits(state)[seat], *before[seat + 1 :]])


def behind(view: View[State], rng: Random) -> float:
    """By how much of the win, as points show it, the first of the others is ahead of the viewer; 0 if nobody is."""
    evaluate, seat = evaluation_of(view, rng), view.viewer
    if not isinstance(evaluate, Evaluation) or seat is None:
        return 0.0
    shares = evaluate.by_points(view.state.determinize(seat, rng))
    return max(shares) - shares[seat]


PLAYER = Player("Camel Boy", choose, level=1)
