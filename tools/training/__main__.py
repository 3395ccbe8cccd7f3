"""`python -m tools.training muscat [--seats 3] [--games 600]`: learn what positions are worth, and write it down."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from engine.evaluation import Evaluation, Weights
from engine.games import discover
from tools.training.fit import EQUAL, fitted, log_loss
from tools.training.selfplay import Course, counted, samples, trials
from tools.training.table import Figures, written

FIRST_POINTS = (0.1,)
"""What a point is worth to the players of the first round, who know nothing else."""

GUIDE = "engine/players/README.md"
"""Where it is said how a game values its positions."""

UNSEEN = 5
"""Every game of so many is not used to fit, but to see how good the weights are."""


def main() -> None:
    """Train what was asked for."""
    asked = _arguments()
    evaluation = discover()[asked.game].evaluate
    assert isinstance(evaluation, Evaluation), "only games with features are offered"
    path = weights_file(evaluation)
    # One by one, so that a run that is stopped has written what it finished.
    for seats in asked.seats:
        weights, figures = _trained(asked, seats)
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(written(asked.game, old, {seats: (weights, figures)}), encoding="utf-8")
        print("\n".join(figures.lines()), f"Written to {path}.", sep="\n", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.training", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--seats", type=int, nargs="*", help="numbers of seats; all if left out")
    parser.add_argument("--games", type=int, default=600, help="games of each round")
    parser.add_argument("--rounds", type=int, default=3, help="how often players learn from games of the last ones")
    parser.add_argument("--like", type=int, metavar="SEATS", help="begin with the weights of this number of seats")
    parser.add_argument("--trials", type=int, default=300, help="games against players who count points")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", default="1", help="the same seed gives the same table")
    asked = parser.parse_args()
    asked.seats = asked.seats or discover()[asked.game].seats
    if missing := missing_for(asked):
        parser.error(missing)
    return asked


def missing_for(asked: argparse.Namespace) -> str:
    """Why this cannot be trained, as a sentence; empty if it can."""
    spec, evaluate = discover()[asked.game], discover()[asked.game].evaluate
    if not isinstance(evaluate, Evaluation):
        return f"{spec.title} has no features to weigh: give its GAME an `evaluate`, as {GUIDE} describes."
    if evaluate.package != f"{discover.__module__}.{asked.game}":
        return f"Its weights need a folder: make a package of {asked.game}, with `Evaluation(__package__, ...)` inside."
    if unknown := [seats for seats in asked.seats if seats not in spec.seats]:
        return f"{spec.title} is for {spec.seat_range} players, not for {unknown[0]}."
    if min(asked.games, asked.rounds, asked.trials, asked.jobs) < 1 or asked.games < 2:
        return "At least 2 games, 1 round, 1 trial and 1 job are needed."
    if asked.like and (not weights_file(evaluate).exists() or asked.like not in evaluate.weights):
        return f"There are no weights for {asked.like} seats to begin with yet; leave out --like."
    seats, names = asked.seats[0], evaluate.names
    rows = evaluate.features(spec.start(spec.setup(seats)))
    if len(rows) != seats or any(len(row) != len(names) for row in rows):
        return f"`features` has to give a row for each of {seats} seats, with a value for each of {names}."
    return ""


def _trained(asked: argparse.Namespace, seats: int) -> tuple[Weights, Figures]:
    evaluation = discover()[asked.game].evaluate
    assert isinstance(evaluation, Evaluation), "only games with features are offered"
    names = evaluation.names
    weights = Weights(dict.fromkeys(names, (0.0,)) | dict.fromkeys(evaluation.counted, FIRST_POINTS), FIRST_POINTS)
    anchor, alone = None, list(FIRST_POINTS)
    if asked.like:
        weights = evaluation.weights[asked.like]
        # The fit is held near these (see `RIDGE`).
        anchor = [weights.features[name] for name in names]
    for turn in range(asked.rounds):
        # Players of the first round know nothing but points, so their guesses are no hindsight.
        course = Course(asked.game, seats, weights, f"{asked.seed}.{turn}", trusted=turn > 0 or asked.like is not None)
        progress = _Progress(f"{asked.game} for {seats}, round {turn + 1} of {asked.rounds}", asked.games)
        played = samples(course, asked.games, asked.jobs, progress)
        # Whole games are kept apart, since positions of one game depend on each other.
        used = [sample for n, game in enumerate(played) if n % UNSEEN for sample in game]
        unseen = [sample for game in played[::UNSEEN] for sample in game]
        table = fitted(used, len(names), anchor)
        if turn == 0:  # what points tell among those who go by them
            (alone,) = fitted(counted(used, evaluation), 1)
        weights = Weights(dict(zip(names, table, strict=True)), alone)
        losses = log_loss(unseen, table), log_loss(counted(unseen, evaluation), [alone]), log_loss(unseen, EQUAL)
        progress.end(f"log-loss {losses[0]:.3f}; points alone {losses[1]:.3f}; equal {losses[2]:.3f}")
    progress = _Progress(f"{asked.game} for {seats}, trials against players who count points", asked.trials)
    course = Course(asked.game, seats, weights, f"{asked.seed}.trial")
    won = trials(course, asked.trials, asked.jobs, progress)
    progress.end(f"{sum(won) / len(won):.0%} won")
    return weights, Figures(asked.games, len(used), *losses, won, seats)


class _Progress:
    """A line that says at once what is played, has a dot for every tenth of the games, and ends with the figures."""

    def __init__(self, what: str, games: int) -> None:
        self._games = games
        print(f"{what}: {games} games ", end="", flush=True)

    def __call__(self, played: int) -> None:
        dots = played * 10 // self._games - (played - 1) * 10 // self._games
        print("." * dots, end="", flush=True)

    def end(self, figures: str) -> None:
        print(f" {figures}", flush=True)


def weights_file(evaluation: Evaluation) -> Path:
    """The file with the weights of a game."""
    return Path(str(resources.files(evaluation.package).joinpath("weights.toml")))


if __name__ == "__main__":
    main()
