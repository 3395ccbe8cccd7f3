"""`python -m tools.arena.chance --draws 1000000`: whether draws by seeds as matches get them are as likely as meant.

Of every kind of draw in every game, one position is drawn from again and again. Where outcomes can be listed, they are
compared with their weights, else with those of the generator of the operating system (chi-square). It ends with 1 if a
kind is further off than luck explains.
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
"""Random games of each kind and number of seats in which kinds of draws are looked for."""

FAR_OFF = 4.0
"""Standard deviations; among a few dozen kinds of draws, luck alone goes so far once in 500 runs."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw, and print a line for each kind. Returns the exit status."""
    parser = ArgumentParser(prog="python -m tools.arena.chance", description=__doc__)
    parser.add_argument("--draws", type=int, default=1_000_000)
    asked = parser.parse_args(arguments)
    worst = 0.0
    for spec in discover().values():
        for kind, (ply, state) in kinds(spec).items():
            off = deviation(spec, state, ply, asked.draws)
            worst = max(worst, abs(off))
            print(f"{spec.slug} {kind}: {asked.draws} draws, {off:+.1f} standard deviations", flush=True)
    return int(worst > FAR_OFF)


def kinds(spec: GameSpec) -> dict[str, tuple[int, State]]:
    """A ply and a position for each kind of draw that random games have: by the verb and the number of outcomes."""
    found: dict[str, tuple[int, State]] = {}
    for seats in spec.seats:
        for number in range(GAMES):
            for ply, state in _draws(spec, seats, Random(f"{seats} {number}")):
                options = state.decisions()[0].options
                # From a draw, since too many outcomes to list have no options that would name it.
                verb = format_action(state.sample(Random(0))).partition(" ")[0]
                found.setdefault(f"{verb} of {len(options) or 'many'}", (ply, state))
    return found


def _draws(spec: GameSpec, seats: int, rng: Random) -> Iterator[tuple[int, State]]:
    """The draws of a random game that have more than one outcome."""
    match = Match.begin(spec, spec.setup(seats, {}), f"{rng.random()}")
    while match.outcome is None:
        decision = rng.choice(match.state.decisions())
        match.play(decision.seat, rng.choice(decision.options))
    yield from ((draw.ply, match.choice_at(draw.ply)[0]) for draw in match.draws())


def deviation(spec: GameSpec, state: State, ply: int, draws: int) -> float:
    """How far draws from a position are off what is expected, in standard deviations."""
    found = Counter(_outcome(state, Random(f"{seed}/{ply}")) for seed in islice(seeds(spec), draws))
    decision = state.decisions()[0]
    if decision.weights:
        total = sum(decision.weights)
        expected = {
            format_action(option): draws * weight / total
            for option, weight in zip(decision.options, decision.weights, strict=True)
        }
        return _normal(sum((found[one] - n) ** 2 / n for one, n in expected.items() if n), len(expected) - 1)
    return two_samples(found, Counter(_outcome(state, SystemRandom()) for _ in range(draws)))


def seeds(spec: GameSpec) -> Iterator[str]:
    """Seeds as matches get them: secrets from the operating system, and ids that grow."""
    secrets = SystemRandom()
    for number in count():
        yield Proof(secrets.randbytes(32).hex(), (number, number + 1)).seed(spec, {})


def _outcome(state: State, rng: Random) -> str:
    """What was drawn; of very many outcomes, the verb and the first value."""
    notation = format_action(state.sample(rng))
    return notation if state.decisions()[0].options else " ".join(notation.replace(",", " ").split()[:2])


def two_samples(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """How far two counts of as many draws are apart, in standard deviations."""
    pairs = [(one.get(what, 0), other.get(what, 0)) for what in {*one, *other}]
    return _normal(sum((a - b) ** 2 / (a + b) for a, b in pairs), len(pairs) - 1)


def _normal(chi_square: float, freedom: int) -> float:
    """A chi-square as a standard normal deviate (Wilson and Hilferty 1931)."""
    if not freedom:
        return 0.0
    spread = 2 / (9 * freedom)
    root: float = (chi_square / freedom) ** (1 / 3)
    return (root - (1 - spread)) / sqrt(spread)


if __name__ == "__main__":
    sys.exit(main())
