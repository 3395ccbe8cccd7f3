"""`python -m engine.training muscat [--seats 3] [--games 600]`: learn what positions are worth, and write it down."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from engine.evaluation import Evaluation, Weights
from engine.games import discover
from engine.training.fit import equal_log_loss, fitted, log_loss
from engine.training.selfplay import Course, counted, samples, trials
from engine.training.table import Figures, written

FIRST_POINTS = (0.1,)
"""What a point is worth to the players of the first round, who know nothing else."""

UNSEEN = 5
"""Every game of so many is not used to fit, but to see how good the weights are."""


def main() -> None:
    """Train what was asked for."""
    games = {slug: spec for slug, spec in discover().items() if isinstance(spec.evaluate, Evaluation)}
    parser = argparse.ArgumentParser(prog="python -m engine.training", description=__doc__)
    parser.add_argument("game", choices=games)
    parser.add_argument("--seats", type=int, nargs="*", help="numbers of seats; all if left out")
    parser.add_argument("--games", type=int, default=600, help="games of each round")
    parser.add_argument("--rounds", type=int, default=3, help="how often players learn from games of the last ones")
    parser.add_argument("--like", type=int, metavar="SEATS", help="begin with the weights of this number of seats")
    parser.add_argument("--trials", type=int, default=300, help="games against players who count points")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", default="1", help="the same seed gives the same table")
    asked = parser.parse_args()
    for seats in asked.seats or games[asked.game].seats:
        _save(asked.game, seats, *_trained(asked, seats))


def _trained(asked: argparse.Namespace, seats: int) -> tuple[Weights, Figures]:
    evaluation = discover()[asked.game].evaluate
    assert isinstance(evaluation, Evaluation), "only games with features are offered"
    names = evaluation.names
    weights = Weights(dict.fromkeys(names, (0.0,)) | dict.fromkeys(evaluation.counted, FIRST_POINTS), FIRST_POINTS)
    anchor, alone = None, list(FIRST_POINTS)
    if asked.like:
        weights = evaluation.weights[asked.like]
        anchor = [weights.features[name] for name in names]
    for turn in range(asked.rounds):
        course = Course(asked.game, seats, weights, f"{asked.seed}.{turn}", trusted=turn > 0 or asked.like is not None)
        played = samples(course, asked.games, asked.jobs)
        used = [sample for n, game in enumerate(played) if n % UNSEEN for sample in game]
        unseen = [sample for game in played[::UNSEEN] for sample in game]
        table = fitted(used, len(names), anchor)
        if turn == 0:  # what points tell among those who go by them
            (alone,) = fitted(counted(used, evaluation), 1)
        weights = Weights(dict(zip(names, table, strict=True)), alone)
        losses = log_loss(unseen, table), log_loss(counted(unseen, evaluation), [alone]), equal_log_loss(unseen)
        print(f"{asked.game} {seats}: log-loss {losses[0]:.3f}; points alone {losses[1]:.3f}; equal {losses[2]:.3f}")
    won = trials(Course(asked.game, seats, weights, f"{asked.seed}.trial"), asked.trials, asked.jobs)
    return weights, Figures(asked.games, len(used), *losses, won, seats)


def _save(slug: str, seats: int, weights: Weights, figures: Figures) -> None:
    evaluation = discover()[slug].evaluate
    assert isinstance(evaluation, Evaluation), "only games with features are offered"
    path = Path(str(resources.files(evaluation.package).joinpath("weights.toml")))
    old = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(written(slug, old, {seats: (weights, figures)}), encoding="utf-8")
    print("\n".join(figures.lines()), flush=True)


if __name__ == "__main__":
    main()
