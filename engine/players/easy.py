"""A friendly computer player for beginners: it counts its own points one ply ahead, has moods, and slips if behind."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from random import Random
from typing import NamedTuple

from engine.core import Action, State, View
from engine.evaluation import Evaluation, softmax
from engine.players import Player
from engine.players.greedy import Evaluate
from engine.players.search import Effort, Ranked, evaluation_of, rank_options, within_loss

AT_A_GLANCE = Effort(0, worlds=4)
SLIPS_BEHIND = 30.0
"""Increase of the slip rate for a rival's lead of one whole win, so that a leading player stays in the lead."""


class Temper(NamedTuple):
    """The carelessness of the player.

    `slips` is its slip rate while no rival is ahead. Otherwise it chooses with a softmax of the temperature `mood`, in
    units of the spread of the options: lower is more exact. By its own estimate, no choice gives away more than the
    part `ruin` of its chances.
    """

    slips: float
    mood: float
    ruin: float


ALONE, IN_COMPANY = Temper(0.05, 0.15, 0.4), Temper(0.3, 0.15, 0.6)
"""Against one rival, and against several, where a single choice matters less."""


def choose(view: View[State], rng: Random) -> Action:
    """Choose an option that looks good at a glance."""
    temper = IN_COMPANY if view.setup.seats > 2 else ALONE
    options = within_loss(rank_options(view, rng, AT_A_GLANCE, own_points(view, rng)), temper.ruin)
    # If a rival leads by about 3 % of the win, it slips every time.
    if rng.random() < temper.slips + SLIPS_BEHIND * rival_lead(view, rng):
        return slip(view, rng, options)
    best, worst = options[0].chance, options[-1].chance
    # The options may all be equal.
    heat = temper.mood * (best - worst) or 1.0
    return rng.choices(options, [exp((ranked.chance - best) / heat) for ranked in options])[0].option


def slip(view: View[State], rng: Random, options: Sequence[Ranked]) -> Action:
    """Choose a random option, or, half of the time, the better of two.

    Measured (engine/players/measurements.md): if all slips were random, its accuracy would equal that of a random
    player. If all were the better of two, it would beat players who count points in Muscat.
    """
    sample = {ranked.option for ranked in rng.choices(options, k=rng.choice((1, 2)))}
    return next(ranked.option for ranked in rank_options(view, rng, AT_A_GLANCE) if ranked.option in sample)


def own_points(view: View[State], rng: Random) -> Evaluate:
    """An evaluation by the counted points of the viewer, with those of all rivals as they are now."""
    evaluate, seat = evaluation_of(view, rng), view.viewer
    if not isinstance(evaluate, Evaluation) or seat is None:
        return evaluate
    logits = evaluate.by_points.logits
    before = logits(view.state.determinize(seat, rng))
    return lambda state: softmax([*before[:seat], logits(state)[seat], *before[seat + 1 :]])


def rival_lead(view: View[State], rng: Random) -> float:
    """The lead of the best rival over the viewer as a share of the win, estimated by points; 0 without a lead."""
    evaluate, seat = evaluation_of(view, rng), view.viewer
    if not isinstance(evaluate, Evaluation) or seat is None:
        return 0.0
    shares = evaluate.by_points(view.state.determinize(seat, rng))
    return max(shares) - shares[seat]


PLAYER = Player("Camel Boy", choose, level=1)
