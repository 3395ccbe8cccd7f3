"""The fit of weights: maximize the likelihood of results under the softmax shares of positions, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from operator import mul

from engine.evaluation import Knots, Row, hats, softmax
from tools.training.selfplay import Sample

KNOTS = 3
"""Number of moments with a weight of their own: the beginning, the middle and the end of a game."""

MAX_STEPS = 12
"""Maximum number of Newton steps."""

HESSIAN_SAMPLES = 3_000
"""Number of samples for the Hessian, spread over all samples; the gradient uses all."""

MAX_CHANGE, TOLERANCE = 1.0, 2e-3
"""Maximum change of a weight in a step, and the change below which the fit has converged."""

RIDGE = 20.0
"""Regularization of weights towards their anchor, as a number of positions that support it."""

SMOOTH = 60.0
"""Regularization of the weights of a feature at neighboring knots towards each other."""

EQUAL = ((0.0,),)
"""Weights that lead to equal shares."""

KnotParts = Sequence[tuple[int, float]]
"""The knots around a moment, with their interpolation weights."""

Vector = list[float]
Matrix = list[Vector]


def fit_weights(
    samples: Sequence[Sample],
    features: int,
    anchor: Sequence[Knots] | None = None,
    knots: int = KNOTS,
    strength: float = 1.0,
) -> list[Vector]:
    """Fit the weights of the first `features` features at each knot, regularized towards an anchor.

    The default anchor is the fit of points alone. `strength` scales `RIDGE` and `SMOOTH`.
    """
    anchor = anchor or ([[0.0] * knots] if features == 1 else fit_weights(samples, 1, knots=knots, strength=strength))
    scales, targets = _scales(samples, features), _targets(samples)
    # Features are divided by their spread, so weights are multiplied by it during the fit.
    start = [[weight * scale for weight in weights] for weights, scale in zip(anchor, scales, strict=False)]
    start += [[0.0] * knots for _ in range(features - len(start))]
    scaled = [_scale(sample, scales) for sample in samples]
    weights = _Fit(scaled, targets, features, knots, strength, [w for row in start for w in row]).weights()
    return [[weight / scale for weight in weights[f * knots : (f + 1) * knots]] for f, scale in enumerate(scales)]


def fit_feature(samples: Sequence[Sample], feature: int) -> tuple[Vector, int]:
    """Fit the weight of one feature at each knot to the results. Also returns the number of informative positions."""
    columns = [
        sample._replace(rows=tuple((row[feature],) for row in sample.rows), hindsight_shares=sample.shares)
        for sample in samples
    ]
    # A softmax learns nothing from a feature that is equal for all seats.
    informative = [column for column in columns if len(set(column.rows)) > 1]
    return fit_weights(informative, 1)[0], len(informative)


def log_loss(samples: Sequence[Sample], weights: Sequence[Sequence[float]]) -> float:
    """The mean log-loss of the shares by the first features with these weights, in nats."""
    losses = []
    for sample in samples:
        now = hats(sample.progress, len(weights[0]))
        at = [sum(map(mul, knots, now)) for knots in weights]
        predicted = softmax([sum(map(mul, row, at)) for row in sample.rows])
        # A softmax may underflow to 0.
        losses.append(-sum(share * log(max(p, 1e-12)) for share, p in zip(sample.shares, predicted, strict=True)))
    return sum(losses) / len(samples)


def _targets(samples: Sequence[Sample]) -> list[Sequence[float]]:
    """The target shares of the samples: `hindsight_shares`, if there is one.

    Otherwise the shares of the win, mixed early in a game with shares by the scores, which are more informative then.
    """
    spread = _scales([sample._replace(rows=tuple((s,) for s in sample.scores)) for sample in samples], 1)[0]
    targets: list[Sequence[float]] = []
    for sample in samples:
        by_scores = softmax([score / spread for score in sample.scores])
        # From a half at the beginning to nothing at the end.
        early = (1 - sample.progress) / 2
        mixed = [share + early * (by - share) for share, by in zip(sample.shares, by_scores, strict=True)]
        targets.append(sample.hindsight_shares or mixed)
    return targets


def _scales(samples: Sequence[Sample], features: int) -> Vector:
    """The standard deviation of each feature between the seats of a position; 1 if it is always 0."""
    squares = [0.0] * features
    for sample in samples:
        for row in _center(sample.rows, [1 / len(sample.rows)] * len(sample.rows), features):
            for f, value in enumerate(row):
                squares[f] += value * value
    seats = sum(len(sample.rows) for sample in samples)
    return [sqrt(square / seats) or 1.0 for square in squares]


def _scale(sample: Sample, scales: Vector) -> Sample:
    rows = tuple([value / scale for value, scale in zip(row, scales, strict=False)] for row in sample.rows)
    return sample._replace(rows=rows)


def _center(rows: Sequence[Sequence[float]], shares: Sequence[float], features: int) -> list[Vector]:
    means = [sum(share * row[f] for share, row in zip(shares, rows, strict=True)) for f in range(features)]
    # Adding a constant to all seats does not change a softmax: only differences count.
    return [[value - mean for value, mean in zip(row, means, strict=False)] for row in rows]


# --- Newton's method -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fit:
    """Newton's method. The vector of weights has `knots` values for each feature in turn, like `anchor`."""

    samples: Sequence[Sample]
    targets: Sequence[Sequence[float]]
    features: int
    knots: int
    strength: float
    anchor: Vector

    def weights(self) -> Vector:
        """The weights with the maximum regularized likelihood."""
        weights = self.anchor
        for _ in range(MAX_STEPS):
            step = [max(-MAX_CHANGE, min(MAX_CHANGE, change)) for change in solve(*self._curve_and_slope(weights))]
            weights = [weight + change for weight, change in zip(weights, step, strict=True)]
            if max(map(abs, step)) < TOLERANCE:
                break
        return weights

    def _curve_and_slope(self, weights: Vector) -> tuple[Matrix, Vector]:
        """The negative Hessian and the gradient of the log-likelihood."""
        # The Hessian uses one of every `every` samples (division rounded up).
        every = -(-len(self.samples) // HESSIAN_SAMPLES)
        slope, curve = [0.0] * len(weights), [[0.0] * len(weights) for _ in weights]
        for number, (sample, target) in enumerate(zip(self.samples, self.targets, strict=True)):
            hat = hats(sample.progress, self.knots)
            parts = [(knot, part) for knot, part in enumerate(hat) if part]
            at = [
                sum([weights[first + knot] * part for knot, part in parts])
                for first in range(0, len(weights), self.knots)
            ]
            shares = softmax([sum(map(mul, row, at)) for row in sample.rows])
            _add_slope(slope, sample.rows, [t - s for t, s in zip(target, shares, strict=True)], parts, self.knots)
            if number % every == 0:
                _add_curve(curve, _center(sample.rows, shares, self.features), shares, parts, self.knots)
        curve = [[every * value for value in row] for row in curve]
        self._regularize(curve, slope, weights)
        return curve, slope

    def _regularize(self, curve: Matrix, slope: Vector, weights: Vector) -> None:
        """Add the regularization towards the anchor and between neighboring knots."""
        for i, (weight, anchor) in enumerate(zip(weights, self.anchor, strict=True)):
            curve[i][i] += self.strength * RIDGE
            slope[i] -= self.strength * RIDGE * (weight - anchor)
            # Except for the first knot of each feature.
            if i % self.knots:
                # Applies to the distances of the knots from the anchor, not to the knots themselves.
                pull = self.strength * SMOOTH * (weight - anchor - weights[i - 1] + self.anchor[i - 1])
                slope[i] -= pull
                slope[i - 1] += pull
                for j, k, sign in ((i, i, 1), (i - 1, i - 1, 1), (i, i - 1, -1), (i - 1, i, -1)):
                    curve[j][k] += sign * self.strength * SMOOTH


def _add_slope(slope: Vector, rows: Sequence[Row], missing: Sequence[float], parts: KnotParts, knots: int) -> None:
    pulls = [sum(map(mul, column, missing)) for column in zip(*rows, strict=True)]
    for knot, part in parts:
        for f, pull in enumerate(pulls):
            slope[f * knots + knot] += pull * part


def _add_curve(curve: Matrix, rows: list[Vector], shares: Sequence[float], parts: KnotParts, knots: int) -> None:
    columns = list(zip(*rows, strict=True))
    for f, column in enumerate(columns):
        weighted = list(map(mul, shares, column))
        line = [sum(map(mul, weighted, other)) for other in columns]
        for knot, part in parts:
            target = curve[f * knots + knot]
            for other, other_part in parts:
                both = part * other_part
                for g, value in enumerate(line):
                    target[g * knots + other] += both * value


def solve(matrix: Matrix, right: Vector) -> Vector:
    """Solve a linear system with a symmetric positive definite matrix."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    # No pivoting: a positive definite matrix needs none.
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            if factor := row[i] / pivot[i]:
                row[i:] = [value - factor * other for value, other in zip(row[i:], pivot[i:], strict=True)]
    solution = [0.0] * len(rows)
    for i in range(len(rows) - 1, -1, -1):
        partial = sum(map(mul, rows[i][i + 1 : -1], solution[i + 1 :]))
        solution[i] = (rows[i][-1] - partial) / rows[i][i]
    return solution
