"""What a position is worth to each seat: features of a game, weighted and added up, and a softmax over the seats."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources
from math import exp
from operator import mul
from typing import Any

Row = Sequence[float]
"""The features of one seat, in the order of their names."""

Knots = tuple[float, ...]
"""A weight at evenly spaced moments, from the first position of a game to its last; it changes evenly in between."""

Weights = Mapping[int, Mapping[str, Knots]]
"""Number of seats -> name of a feature -> its weight in the course of a game."""

MOMENTS = 48
"""Into how many parts a game is cut, so that weights are looked up and not computed."""


class Evaluation:
    """A `GameSpec.evaluate` made of features.

    `features` gives a row for each seat of a full position, the same to team mates; `progress` says how much of the
    game is over, 0 to 1. Weights are those of `weights.toml` in the package of the game.
    """

    def __init__(
        self,
        package: str,
        names: tuple[str, ...],
        features: Callable[[Any], Sequence[Row]],
        progress: Callable[[Any], float],
    ) -> None:
        self.package, self.names, self.features, self.progress = package, names, features, progress
        self._moments: dict[int, tuple[Row, ...]] = {}

    def __call__(self, state: Any) -> tuple[float, ...]:
        """The expected share of the win for each seat; they sum to 1. The game must not be over."""
        rows = self.features(state)
        moments = self._moments.get(len(rows)) or self._read(len(rows))
        weights = moments[int(MOMENTS * self.progress(state))]
        return softmax([sum(map(mul, row, weights)) for row in rows])

    def weighted(self, weights: Weights) -> Evaluation:
        """The same features with other weights."""
        other = Evaluation(self.package, self.names, self.features, self.progress)
        other._moments = {seats: _moments(self.names, table) for seats, table in weights.items()}
        return other

    def _read(self, seats: int) -> tuple[Row, ...]:
        self._moments = {n: _moments(self.names, table) for n, table in weights_of(self.package).items()}
        return self._moments[seats]


@cache
def weights_of(package: str) -> Weights:
    """The weights of a game, read once."""
    text = resources.files(package).joinpath("weights.toml").read_text(encoding="utf-8")
    return {int(seats): table["weights"] for seats, table in tomllib.loads(text)["seats"].items()}


def softmax(worths: Sequence[float]) -> tuple[float, ...]:
    """Shares that sum to 1 and grow with the worths: one more means e times the share."""
    best = max(worths)
    powers = [exp(worth - best) for worth in worths]
    total = sum(powers)
    return tuple([power / total for power in powers])


def hats(progress: float, knots: int) -> tuple[float, ...]:
    """How much each of so many evenly spaced moments counts now; they sum to 1."""
    return tuple(max(0.0, 1 - abs(progress * (knots - 1) - knot)) for knot in range(knots))


def _moments(names: Sequence[str], table: Mapping[str, Knots]) -> tuple[Row, ...]:
    return tuple(tuple(_at(table[name], moment / MOMENTS) for name in names) for moment in range(MOMENTS + 1))


def _at(knots: Knots, progress: float) -> float:
    return sum(map(mul, knots, hats(progress, len(knots))), 0.0)
