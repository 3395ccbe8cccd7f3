"""`python -m tools.training.placing`: fit the cost of an uneven setup in Jinns, which `make train` hardly encounters.

Players who count points never place unevenly, and random placement seldom is uneven. Here each seat prefers to place
weak or strong pawns first, to a random degree (slant), and `greedy` plays on. The weight of `lopsided` is fitted to the
results.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from math import exp
from random import Random

from engine.core import Action
from engine.evaluation import Evaluation
from engine.games import discover
from engine.games.jinns.actions import Place, Strength
from engine.players.greedy import choose_best
from tools.training.__main__ import weights_file
from tools.training.fit import fit_feature
from tools.training.selfplay import DRAWS, WORLDS, Sample, in_processes
from tools.training.table import with_knots

GAME, FEATURE = "jinns", "lopsided"

SLANT = 1.4
"""Maximum slant: the change of the log weight of a pawn for each step of strength."""


def main() -> None:
    """Play the games, then fit and write the weight for each number of seats."""
    parser = argparse.ArgumentParser(prog="python -m tools.training.placing", description=__doc__)
    parser.add_argument("--games", type=int, default=3000, help="games for each number of seats")
    parser.add_argument("--seats", type=int, nargs="*", default=discover()[GAME].seats)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--seed", default="placing")
    args = parser.parse_args()
    for seats in args.seats:
        matches = in_processes(partial(play_slanted, args.seed, seats), args.games, args.jobs)
        knots, used = fit_feature(matches, evaluation().names.index(FEATURE))
        path = weights_file(evaluation())
        path.write_text(with_knots(path.read_text(encoding="utf-8"), seats, FEATURE, knots), encoding="utf-8")
        print(f"{GAME} for {seats}: {used} set-ups, {FEATURE} = {knots[0]:.3f}", flush=True)


def evaluation() -> Evaluation:
    """The evaluation of the game."""
    evaluate = discover()[GAME].evaluate
    assert isinstance(evaluate, Evaluation), "Jinns has features"
    return evaluate


def play_slanted(seed: str, seats: int, number: int) -> Sample:
    """Play a game with slanted placement. Returns the position before the first move with the result."""
    rng, spec = Random(f"{seed}/{seats}/{number}"), discover()[GAME]
    slants = [rng.uniform(-SLANT, SLANT) for _ in range(seats)]
    before = state = spec.start(spec.setup(seats, {"partners": "no"}))
    while decisions := state.decisions():
        (decision,) = decisions
        if isinstance(decision.options[0], Place):
            action = choose_slanted(decision.options, slants[decision.seat], rng)
            before = state = state.apply(decision.seat, action)[0]
        else:
            action = choose_best(state, decision, evaluation(), rng, WORLDS, DRAWS)
            state, _ = state.apply(decision.seat, action)
    outcome = state.outcome()
    assert outcome is not None, "a game is played to its end"
    return Sample(0.0, tuple(map(tuple, evaluation().features(before))), outcome.returns, outcome.scores)


def choose_slanted(options: Sequence[Action], slant: float, rng: Random) -> Action:
    """A random pawn to place: a positive slant prefers strong pawns, a negative one weak pawns."""
    pawns = [option for option in options if isinstance(option, Place) and option.strength is not Strength.REST]
    return rng.choices(pawns, [exp(slant * pawn.strength.number) for pawn in pawns])[0]


if __name__ == "__main__":
    main()
