"""`python -m tools.training muscat [--seats 3] [--games 600]`: train the weights of a game and write them."""

from __future__ import annotations

import argparse
from importlib import resources
from pathlib import Path

from engine.evaluation import Evaluation, Weights
from engine.games import discover
from tools.training.fit import EQUAL, fit_weights, log_loss
from tools.training.selfplay import Course, points_only, samples, trials
from tools.training.table import Figures, format_table

FIRST_POINTS = (0.1,)
"""The weight of a point for the players of the first round, who only count points."""

GUIDE = "engine/players/README.md"
"""The page that explains how to add an evaluation to a game."""

UNSEEN = 5
"""One of this many games is not used for the fit but for the validation of the weights."""


def main() -> None:
    """Train a game for the chosen numbers of seats."""
    args = _arguments()
    evaluation = discover()[args.game].evaluate
    assert isinstance(evaluation, Evaluation), "only games with features are offered"
    path = weights_file(evaluation)
    # Written after each number of seats, so that an aborted run loses only the current one.
    for seats in args.seats:
        weights, figures = _train(args, seats)
        old = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(format_table(args.game, old, {seats: (weights, figures)}), encoding="utf-8")
        print("\n".join(figures.lines()), f"Written to {path}.", sep="\n", flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.training", description=__doc__)
    parser.add_argument("game", choices=discover())
    parser.add_argument("--seats", type=int, nargs="*", help="numbers of seats (default: all)")
    parser.add_argument("--games", type=int, default=600, help="games in each round")
    parser.add_argument("--rounds", type=int, default=3, help="rounds, each with the weights of the previous one")
    parser.add_argument("--like", type=int, metavar="SEATS", help="start with the weights for this number of seats")
    parser.add_argument("--trials", type=int, default=300, help="games against players who count points")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", default="1", help="equal seeds lead to equal weights")
    args = parser.parse_args()
    args.seats = args.seats or discover()[args.game].seats
    if missing := missing_for(args):
        parser.error(missing)
    return args


def missing_for(args: argparse.Namespace) -> str:
    """The reason why the game cannot be trained, as a sentence; empty if it can."""
    spec, evaluate = discover()[args.game], discover()[args.game].evaluate
    if not isinstance(evaluate, Evaluation):
        return f"{spec.title} has no features to weigh: give its GAME an `evaluate`, as {GUIDE} describes."
    if evaluate.package != f"{discover.__module__}.{args.game}":
        return f"Its weights need a folder: make a package of {args.game}, with `Evaluation(__package__, ...)` inside."
    if unknown := [seats for seats in args.seats if seats not in spec.seats]:
        return f"{spec.title} is for {spec.seat_range} players, not for {unknown[0]}."
    if min(args.games, args.rounds, args.trials, args.jobs) < 1 or args.games < 2:
        return "At least 2 games, 1 round, 1 trial and 1 job are needed."
    if args.like and (not weights_file(evaluate).exists() or args.like not in evaluate.weights):
        return f"There are no weights for {args.like} seats to begin with yet; leave out --like."
    seats, names = args.seats[0], evaluate.names
    rows = evaluate.features(spec.start(spec.setup(seats)))
    if len(rows) != seats or any(len(row) != len(names) for row in rows):
        return f"`features` has to give a row for each of {seats} seats, with a value for each of {names}."
    return ""


def _train(args: argparse.Namespace, seats: int) -> tuple[Weights, Figures]:
    evaluation = discover()[args.game].evaluate
    assert isinstance(evaluation, Evaluation), "only games with features are offered"
    names = evaluation.names
    weights = Weights(dict.fromkeys(names, (0.0,)) | dict.fromkeys(evaluation.counted, FIRST_POINTS), FIRST_POINTS)
    anchor, alone = None, list(FIRST_POINTS)
    if args.like:
        weights = evaluation.weights[args.like]
        # The fit is regularized towards these (see `RIDGE`).
        anchor = [weights.features[name] for name in names]
    for turn in range(args.rounds):
        # Players of the first round only count points, so their estimates cannot serve as targets.
        course = Course(args.game, seats, weights, f"{args.seed}.{turn}", trusted=turn > 0 or args.like is not None)
        progress = _Progress(f"{args.game} for {seats}, round {turn + 1} of {args.rounds}", args.games)
        samples_by_game = samples(course, args.games, args.jobs, progress)
        # Split by game, since the positions of a game depend on each other.
        used = [sample for n, game in enumerate(samples_by_game) if n % UNSEEN for sample in game]
        unseen = [sample for game in samples_by_game[::UNSEEN] for sample in game]
        table = fit_weights(used, len(names), anchor)
        if turn == 0:  # the weight of points among players who count points
            (alone,) = fit_weights(points_only(used, evaluation), 1)
        weights = Weights(dict(zip(names, table, strict=True)), alone)
        losses = log_loss(unseen, table), log_loss(points_only(unseen, evaluation), [alone]), log_loss(unseen, EQUAL)
        progress.end(f"log-loss {losses[0]:.3f}; points alone {losses[1]:.3f}; equal {losses[2]:.3f}")
    progress = _Progress(f"{args.game} for {seats}, trials against players who count points", args.trials)
    course = Course(args.game, seats, weights, f"{args.seed}.trial")
    won = trials(course, args.trials, args.jobs, progress)
    progress.end(f"{sum(won) / len(won):.0%} won")
    return weights, Figures(args.games, len(used), *losses, won, seats)


class _Progress:
    """A line that is printed as games are played: a title, a dot for every tenth of the games, and figures."""

    def __init__(self, title: str, games: int) -> None:
        self._games = games
        print(f"{title}: {games} games ", end="", flush=True)

    def __call__(self, played: int) -> None:
        dots = played * 10 // self._games - (played - 1) * 10 // self._games
        print("." * dots, end="", flush=True)

    def end(self, figures: str) -> None:
        print(f" {figures}", flush=True)


def weights_file(evaluation: Evaluation) -> Path:
    """The file with the weights of an evaluation."""
    return Path(str(resources.files(evaluation.package).joinpath("weights.toml")))


if __name__ == "__main__":
    main()
