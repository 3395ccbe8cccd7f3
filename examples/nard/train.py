"""`python examples/nard/train.py`: train the weights of Nard by self-play and write them, in a checkout of the bot.

Like `make train`, but quicker: the players look at the position right after their move instead of at samples of the
next roll, they begin with the weights of `PRIOR`, and NumPy fits the weights around these. All games are single ones,
since `evaluation` derives matches from them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy
from caravanserai_nard import GAME
from caravanserai_nard.evaluation import EVALUATE, NAMES
from caravanserai_nard.state import Nard

from engine.core import Decision
from engine.evaluation import Evaluation, Weights, hats
from engine.texts import CHANCE
from tools.training.fit import EQUAL, log_loss
from tools.training.selfplay import POSITIONS, WHIMS, Sample, hindsight, points_only
from tools.training.table import Figures, format_table

PRIOR = {
    "points": (0.0, 0.0, 0.0),
    "pips": (0.02, 0.03, 0.03),
    "race": (0.02, 0.06, 0.2),
    "off": (0.0, 0.05, 0.2),
    "bar": (-0.15, -0.3, -0.5),
    "closed": (-0.1, -0.15, -0.2),
    "loss": (-0.03, -0.03, -0.04),
    "shots": (-0.3, -0.4, -1.0),
    "home": (0.25, 0.25, 0.2),
    "held": (0.15, 0.12, 0.1),
    "anchor": (0.3, 0.4, 0.4),
    "prime": (0.15, 0.2, 0.2),
    "trapped": (0.1, 0.12, 0.12),
    "back": (-0.06, -0.1, -0.15),
    "heavy": (-0.06, -0.06, -0.05),
    "next": (0.25, 0.35, 1.0),
}
"""Plausible weights at the beginning, in the middle and at the end of a game. The fit is regularized towards them."""
KNOTS, NEWTON_STEPS, RIDGE = 3, 12, 20.0
FILE = Path(__file__).parent / "caravanserai_nard/weights.toml"


def main() -> None:
    """Play rounds of games, each with the weights of the one before."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--trials", type=int, default=200)
    args = parser.parse_args()
    weights, alone = Weights(PRIOR, PRIOR["pips"]), list(PRIOR["pips"])
    for turn in range(args.rounds):
        player = EVALUATE.weighted({2: weights})
        games = [_samples(player, Random(f"{turn}/{n}"), trusted=True) for n in range(args.games)]
        used = [sample for n, game in enumerate(games) if n % 5 for sample in game]
        unseen = [sample for game in games[::5] for sample in game]
        table = fit_weights(used, [PRIOR[name] for name in NAMES])
        if turn == 0:
            (alone,) = fit_weights(points_only(used, EVALUATE), [PRIOR["pips"]])
        weights = Weights(dict(zip(NAMES, table, strict=True)), alone)
        losses = log_loss(unseen, table), log_loss(points_only(unseen, EVALUATE), [alone]), log_loss(unseen, EQUAL)
        print(turn, *(f"{loss:.3f}" for loss in losses), flush=True)
    best = EVALUATE.weighted({2: weights})
    won = [_trial(best, n) for n in range(args.trials)]
    figures = Figures(args.games, len(used), *losses, won, 2)
    FILE.write_text(format_table("nard", "", {2: (weights, figures)}).replace("make train GAME=nard", "train.py"))
    print("\n".join(figures.lines()))


def fit_weights(samples: Sequence[Sample], prior: Sequence[Sequence[float]]) -> list[tuple[float, ...]]:
    """The weights of each feature at `KNOTS` moments, by logistic regression on the differences of the two seats."""
    rows, targets = [], []
    for sample in samples:
        difference = numpy.subtract(*sample.rows)
        rows.append(numpy.outer(difference, hats(sample.progress, KNOTS)).ravel())
        targets.append((sample.hindsight_shares or sample.shares)[0])
    values, goals = numpy.array(rows), numpy.array(targets)
    scale = values.std(axis=0) + 1e-9
    values /= scale
    anchor = numpy.array(prior).ravel() * scale
    weights = anchor.copy()
    for _ in range(NEWTON_STEPS):
        shares = 1 / (1 + numpy.exp(-values @ weights))
        slope = values.T @ (shares - goals) + RIDGE * (weights - anchor)
        curve = (values.T * (shares * (1 - shares))) @ values + RIDGE * numpy.eye(len(weights))
        weights -= numpy.linalg.solve(curve, slope)
    return [tuple(map(float, row)) for row in (weights / scale).reshape(-1, KNOTS)]


def _samples(player: Evaluation, rng: Random, *, trusted: bool) -> list[Sample]:
    before = _game([player, player], rng, WHIMS)
    last = before.pop()
    outcome = last.outcome()
    assert outcome is not None
    proved = hindsight(list(map(player, before)), outcome.returns) if trusted else [()] * len(before)
    chosen = rng.sample(list(zip(before, proved, strict=True)), min(POSITIONS, len(before)))
    return [
        Sample(player.progress(state), tuple(player.features(state)), outcome.returns, outcome.scores, value)
        for state, value in chosen
    ]


def _trial(player: Evaluation, number: int) -> float:
    players = [player, player.by_points]
    if number % 2:
        players.reverse()
    outcome = _game(players, Random(f"trial/{number}"), 0.0)[-1].outcome()
    assert outcome is not None
    return outcome.returns[number % 2]


def _game(players: list[Evaluation], rng: Random, whims: float) -> list[Nard]:
    state = GAME.start(GAME.setup(2))
    assert isinstance(state, Nard)
    states = [state]
    while decisions := state.decisions():
        (decision,) = decisions
        if decision.seat == CHANCE:
            action = state.sample(rng)
        elif whims and rng.random() < whims:
            action = rng.choice(decision.options)
        else:
            action = _best(state, decision, players[decision.seat], rng)
        state, _ = state.apply(decision.seat, action)
        states.append(state)
    return states


def _best(state: Nard, decision: Decision, player: Evaluation, rng: Random) -> object:
    if len(decision.options) == 1:
        return decision.options[0]

    def worth(action: object) -> float:
        after, _ = state.apply(decision.seat, action)
        outcome = after.outcome()
        return outcome.returns[decision.seat] if outcome else player(after)[decision.seat]

    return max(rng.sample(decision.options, len(decision.options)), key=worth)


if __name__ == "__main__":
    main()
