"""What a position is worth to each seat: features of a game, weighted and added up, and a softmax over the seats."""

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
"""A weight at evenly spaced moments, from the first position of a game to its last; it changes evenly in between."""

Shares = tuple[float, ...]
"""The expected share of the win of each seat; they sum to 1."""

Said = tuple[Text, Text]
"""How to put it that somebody has more of a feature, or less of it: `more points`, `fewer points`."""

MOMENTS = 48
"""Into how many parts a game is cut, so that weights are looked up and not computed."""


class Weights(NamedTuple):
    """The weights for a number of seats: of all features by name, and of points if nothing else were known."""

    features: Mapping[str, Knots]
    points_alone: Knots


class Evaluation:
    """A `GameSpec.evaluate` made of features.

    `features` gives a row for each seat of a full position, the same to team mates: first the points if the game ended
    now, then what they leave out. `progress` says how much of the game is over, 0 to 1. The weights, by number of
    seats, are those of `weights.toml` in the package of the game unless others are given. A number of seats that has
    none goes by those of the nearest one. `said` has words for those features that people understand. `counted` are
    those that add up to what somebody counts who knows only the rules: the points, unless others are given.
    A game whose features are parts of something that itself changes says by `scale` what a whole is now.
    """

    def __init__(
        self,
        package: str,
        names: tuple[str, ...],
        features: Callable[[Any], Sequence[Row]],
        progress: Callable[[Any], float],
        weights: Mapping[int, Weights] | None = None,
        *,
        said: Mapping[str, Said] | None = None,
        counted: tuple[str, ...] = (),
        scale: Callable[[Any], float] = lambda _: 1.0,
    ) -> None:
        self.package, self.names, self.features, self.progress = package, names, features, progress
        self.said = said or {}
        self.counted = counted or names[:1]
        self.scale = scale
        self._given = weights
        self._moments: dict[int, tuple[Row, ...]] = {}
        """Number of seats -> the weights of all features at each moment."""

    def __call__(self, state: Any) -> Shares:
        """The expected share of the win for each seat; they sum to 1. The game must not be over."""
        return softmax(self.logits(state))

    def logits(self, state: Any) -> list[float]:
        """What the softmax makes shares of: the sum of each seat."""
        rows = self.features(state)
        weights = self.weights_at(state, len(rows))
        # `math.sumprod` would do the same, but needs Python 3.12.
        return [sum(map(mul, row, weights)) for row in rows]

    def unscaled(self, state: Any) -> list[Row]:
        """The features of each seat as people would count them."""
        whole = self.scale(state)
        return [tuple(value * whole for value in row) for row in self.features(state)]

    def count(self, row: Row) -> float:
        """The points that somebody counts in a row."""
        return sum(value for name, value in zip(self.names, row, strict=True) if name in self.counted)

    def weights_at(self, state: Any, seats: int) -> Row:
        """How much each feature counts in a position."""
        if (moments := self._moments.get(seats)) is None:
            table = self.weights[min(self.weights, key=lambda known: abs(known - seats))]
            # + 1: a progress of exactly 1 has a moment of its own.
            moments = self._moments[seats] = tuple(self._at(table, moment / MOMENTS) for moment in range(MOMENTS + 1))
        return moments[int(MOMENTS * self.progress(state))]

    @cached_property
    def weights(self) -> Mapping[int, Weights]:
        """Number of seats -> weights."""
        # Read when first needed, so that a game can be trained before its weights.toml exists.
        return self._given or read_weights(self.package)

    @cached_property
    def by_points(self) -> Evaluation:
        """The same for somebody who sees nothing but points."""
        # Features that are not counted weigh 0 instead of being left out: rows and weights have to stay aligned.
        # One knot is the same weight all along.
        none = dict.fromkeys(self.names, (0.0,))
        alone = {
            n: w._replace(features=none | dict.fromkeys(self.counted, w.points_alone)) for n, w in self.weights.items()
        }
        return self.weighted(alone)

    def weighted(self, weights: Mapping[int, Weights]) -> Evaluation:
        """The same features with other weights."""
        said, counted, scale = self.said, self.counted, self.scale
        given = self.package, self.names, self.features, self.progress, weights
        return Evaluation(*given, said=said, counted=counted, scale=scale)

    def _at(self, table: Weights, progress: float) -> Row:
        return tuple(between(table.features[name], progress) for name in self.names)


def read_weights(package: str) -> Mapping[int, Weights]:
    """The weights beside the modules of a game."""
    file = resources.files(package).joinpath("weights.toml")
    if not file.is_file():
        raise FileNotFoundError(f"{file}: `make train GAME={package.rpartition('.')[2]}` writes it")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["seats"]
    return {int(seats): Weights(table["weights"], table["points_alone"]) for seats, table in tables.items()}


def softmax(logits: Sequence[float]) -> Shares:
    """Shares that sum to 1 and grow with the logits: one more means e times the share.

    >>> softmax([1.0, 1.0])
    (0.5, 0.5)
    """
    # Subtracting the best changes no share and keeps `exp` from overflowing.
    best = max(logits)
    powers = [exp(value - best) for value in logits]
    total = sum(powers)
    # Through a list, which is quicker than a generator: every position valued passes here.
    return tuple([power / total for power in powers])


def hats(progress: float, knots: int) -> tuple[float, ...]:
    """How much each of so many evenly spaced moments counts now; they sum to 1.

    >>> hats(0.25, 3)
    (0.5, 0.5, 0.0)
    """
    return tuple(max(0.0, 1 - abs(progress * (knots - 1) - knot)) for knot in range(knots))


def between(knots: Knots, progress: float) -> float:
    """The value at a moment between evenly spaced ones.

    >>> between((1.0, 3.0), 0.5)
    2.0
    """
    return sum(map(mul, knots, hats(progress, len(knots))), 0.0)
