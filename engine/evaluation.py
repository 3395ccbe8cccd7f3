"""Evaluation of positions: a softmax over the seats of the weighted sums of their features."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import resources
from math import exp
from operator import mul
from typing import Any, NamedTuple

from engine.texts import Text

Row = Sequence[float]
"""The features of one seat, in the order of their names."""

Knots = Sequence[float]
"""A weight at evenly spaced moments from the beginning to the end of a game, interpolated linearly in between."""

Shares = tuple[float, ...]
"""The expected share of the win of each seat; they sum to 1."""

Phrases = tuple[Text, Text]
"""The phrases for more and for less of a feature: `more points`, `fewer points`."""

MOMENTS = 48
"""Resolution of the progress of a game, for which weights are precomputed."""


class Weights(NamedTuple):
    """The weights for a number of seats: of each feature by name, and of points as the only feature."""

    features: Mapping[str, Knots]
    points_alone: Knots


class Evaluation:
    """A `GameSpec.evaluate` based on features.

    `features` returns a row for each seat of a full position, equal for team mates: first the points if the game ended
    now, then everything that these points miss. `progress` is the elapsed part of the game, 0 to 1. `weights` maps
    numbers of seats to weights, by default those of `weights.toml` in the package of the game; a number of seats
    without weights uses those of the nearest one. `phrases` has those of the features that players understand.
    `counted` are the features whose sum a beginner would count, by default the points. If features are fractions,
    `scale` returns the size of the whole in a position.

    >>> weights = {2: Weights({"points": (0.5,)}, (0.5,))}
    >>> def rows(scores):
    ...     return [(score,) for score in scores]
    >>> evaluate = Evaluation("", ("points",), rows, lambda scores: 0.0, weights)
    >>> evaluate((3, 3))
    (0.5, 0.5)
    """

    def __init__(
        self,
        package: str,
        names: tuple[str, ...],
        features: Callable[[Any], Sequence[Row]],
        progress: Callable[[Any], float],
        weights: Mapping[int, Weights] | None = None,
        *,
        phrases: Mapping[str, Phrases] | None = None,
        counted: tuple[str, ...] = (),
        scale: Callable[[Any], float] = lambda _: 1.0,
    ) -> None:
        self.package, self.names, self.features, self.progress = package, names, features, progress
        self.phrases = phrases or {}
        self.counted = counted or names[:1]
        self.scale = scale
        self._own_weights = weights
        self._moments: dict[int, tuple[Row, ...]] = {}
        """Number of seats -> the weights of all features at each moment."""

    def __call__(self, state: Any) -> Shares:
        """The expected share of the win for each seat; they sum to 1. The game must not be over."""
        return softmax(self.logits(state))

    def logits(self, state: Any) -> list[float]:
        """The weighted sum of the features of each seat."""
        rows = self.features(state)
        weights = self.weights_at(state, len(rows))
        # `math.sumprod` would do the same, but needs Python 3.12.
        return [sum(map(mul, row, weights)) for row in rows]

    def unscaled(self, state: Any) -> list[Row]:
        """The features of each seat in absolute numbers (see `scale`)."""
        whole = self.scale(state)
        return [tuple(value * whole for value in row) for row in self.features(state)]

    def count(self, row: Row) -> float:
        """The sum of the `counted` features of a row."""
        return sum(value for name, value in zip(self.names, row, strict=True) if name in self.counted)

    def weights_at(self, state: Any, seats: int) -> Row:
        """The weight of each feature in a position."""
        if (moments := self._moments.get(seats)) is None:
            table = self.weights[min(self.weights, key=lambda trained: abs(trained - seats))]
            # + 1: a progress of exactly 1 is a moment of its own.
            moments = self._moments[seats] = tuple(self._at(table, moment / MOMENTS) for moment in range(MOMENTS + 1))
        return moments[int(MOMENTS * self.progress(state))]

    @cached_property
    def weights(self) -> Mapping[int, Weights]:
        """Number of seats -> weights."""
        # Read on first use, so that a game can be trained before its weights.toml exists.
        return self._own_weights or read_weights(self.package)

    @cached_property
    def by_points(self) -> Evaluation:
        """This evaluation restricted to the `counted` features."""
        # Other features get the weight 0, so that rows and weights stay aligned. A single knot is a constant weight.
        none = dict.fromkeys(self.names, (0.0,))
        alone = {
            n: w._replace(features=none | dict.fromkeys(self.counted, w.points_alone)) for n, w in self.weights.items()
        }
        return self.weighted(alone)

    def weighted(self, weights: Mapping[int, Weights]) -> Evaluation:
        """A copy of this evaluation with other weights."""
        positional = self.package, self.names, self.features, self.progress, weights
        return Evaluation(*positional, phrases=self.phrases, counted=self.counted, scale=self.scale)

    def _at(self, table: Weights, progress: float) -> Row:
        return tuple(interpolate(table.features[name], progress) for name in self.names)


def read_weights(package: str) -> Mapping[int, Weights]:
    """The weights in the package of a game. Raises `FileNotFoundError` if it was never trained."""
    file = resources.files(package).joinpath("weights.toml")
    if not file.is_file():
        raise FileNotFoundError(f"{file}: `make train GAME={package.rpartition('.')[2]}` writes it")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["seats"]
    return {int(seats): Weights(table["weights"], table["points_alone"]) for seats, table in tables.items()}


def softmax(logits: Sequence[float]) -> Shares:
    """Shares that sum to 1, proportional to e to the power of each logit.

    >>> softmax([1.0, 1.0])
    (0.5, 0.5)
    """
    # Subtracting the maximum changes no share and prevents overflow in `exp`.
    best = max(logits)
    powers = [exp(value - best) for value in logits]
    total = sum(powers)
    # Through a list, which is quicker than a generator: every position valued passes here.
    return tuple([power / total for power in powers])


def hats(progress: float, knots: int) -> tuple[float, ...]:
    """The interpolation weights of evenly spaced moments (knots) at a given progress; they sum to 1.

    >>> hats(0.25, 3)
    (0.5, 0.5, 0.0)
    """
    return tuple(max(0.0, 1 - abs(progress * (knots - 1) - knot)) for knot in range(knots))


def interpolate(knots: Knots, progress: float) -> float:
    """The interpolated value of evenly spaced knots at a given progress.

    >>> interpolate((1.0, 3.0), 0.5)
    2.0
    """
    return sum(map(mul, knots, hats(progress, len(knots))), 0.0)
