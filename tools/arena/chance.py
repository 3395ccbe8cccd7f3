"""`python -m tools.arena.chance --draws 1000000`: a chi-square test of draws, with seeds made like those of matches.

For each kind of draw in each game, it draws many times from one position. It compares the counts with the weights of
the listed outcomes or, if they are not listed, with draws by the random generator of the operating system. The exit
status is 1 if a deviation is larger than chance explains.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from math import sqrt
from random import Random, SystemRandom

from engine.core import GameSpec, State
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.proof import Proof

GAMES = 30
"""Number of random games, for each game and number of seats, that are searched for kinds of draws."""

MAX_DEVIATION = 4.0
"""Maximum deviation in standard deviations; fair draws of a few dozen kinds exceed it once in 500 runs."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Test all kinds of draws and print a line for each. Returns the exit status."""
    parser = ArgumentParser(prog="python -m tools.arena.chance", description=__doc__)
    parser.add_argument("--draws", type=int, default=1_000_000)
    args = parser.parse_args(arguments)
    worst = 0.0
    for spec in discover().values():
        for kind, (ply, state) in kinds(spec).items():
            off = deviation(spec, state, ply, args.draws)
            worst = max(worst, abs(off))
            print(f"{spec.slug} {kind}: {args.draws} draws, {off:+.1f} standard deviations", flush=True)
    return int(worst > MAX_DEVIATION)


def kinds(spec: GameSpec) -> dict[str, tuple[int, State]]:
    """Kind of draw (verb and number of outcomes) -> a ply and a position with such a draw, from random games."""
    examples: dict[str, tuple[int, State]] = {}
    for seats in spec.seats:
        for number in range(GAMES):
            for ply, state in _draws(spec, seats, Random(f"{seats} {number}")):
                options = state.decisions()[0].options
                # From a sample, since a draw with too many outcomes to list has no options.
                verb = format_action(state.sample(Random(0))).partition(" ")[0]
                examples.setdefault(f"{verb} of {len(options) or 'many'}", (ply, state))
    return examples


def _draws(spec: GameSpec, seats: int, rng: Random) -> Iterator[tuple[int, State]]:
    """The draws of a random game that have more than one outcome."""
    match = Match.begin(spec, spec.setup(seats, {}), f"{rng.random()}")
    while match.outcome is None:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(decision.options))
    yield from ((draw.ply, match.choice_at(draw.ply)[0]) for draw in match.draws())


def deviation(spec: GameSpec, state: State, ply: int, draws: int) -> float:
    """The deviation of draws from a position from the expected counts, in standard deviations."""
    counts = Counter(_outcome(state, Random(f"{seed}/{ply}")) for seed in islice(seeds(spec), draws))
    decision = state.decisions()[0]
    if decision.weights:
        total = sum(decision.weights)
        expected = {
            format_action(option): draws * weight / total
            for option, weight in zip(decision.options, decision.weights, strict=True)
        }
        return _normal(sum((counts[outcome] - n) ** 2 / n for outcome, n in expected.items() if n), len(expected) - 1)
    return two_samples(counts, Counter(_outcome(state, SystemRandom()) for _ in range(draws)))


def seeds(spec: GameSpec) -> Iterator[str]:
    """Seeds made like those of matches: from secrets of the operating system and increasing ids."""
    secrets = SystemRandom()
    for number in count():
        yield Proof(secrets.randbytes(32).hex(), (number, number + 1)).seed(spec, {})


def _outcome(state: State, rng: Random) -> str:
    """A sampled outcome in notation; only the verb and the first value if outcomes are not listed."""
    notation = format_action(state.sample(rng))
    return notation if state.decisions()[0].options else " ".join(notation.replace(",", " ").split()[:2])


def two_samples(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """The deviation between two counts of equally many draws, in standard deviations."""
    pairs = [(one.get(what, 0), other.get(what, 0)) for what in {*one, *other}]
    return _normal(sum((a - b) ** 2 / (a + b) for a, b in pairs), len(pairs) - 1)


def _normal(chi_square: float, freedom: int) -> float:
    """A chi-square statistic as a standard normal deviate (Wilson and Hilferty 1931)."""
    if not freedom:
        return 0.0
    spread = 2 / (9 * freedom)
    root: float = (chi_square / freedom) ** (1 / 3)
    return (root - (1 - spread)) / sqrt(spread)


if __name__ == "__main__":
    sys.exit(main())
