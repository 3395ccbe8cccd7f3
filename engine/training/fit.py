"""Weights that make softmax shares of positions come as near as possible to how their games ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log, sqrt
from operator import mul

from engine.evaluation import hats, softmax
from engine.training.selfplay import Sample

KNOTS = 3
"""Moments of a game at which a weight is fitted: its beginning, its middle and its end."""

STEPS = 12
"""Most steps of Newton's method; it stops before when it gains nothing."""

RIDGE = 2.0
"""How strongly weights are held near 0: as if so many positions spoke for it."""

Vector = list[float]
Matrix = list[Vector]


def fitted(samples: Sequence[Sample], features: int) -> list[Vector]:
    """For each of the first so many features its weight at each knot."""
    scales = _scales(samples, features)
    scaled = [_scaled(sample, scales) for sample in samples]
    weights = [0.0] * (features * KNOTS)
    for _ in range(STEPS):
        slope, curve = _slope_and_curve(scaled, weights, features)
        step = solved(curve, slope)
        weights = [weight + change for weight, change in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-4:
            break
    return [[weights[k * features + f] / scale for k in range(KNOTS)] for f, scale in enumerate(scales)]


def log_loss(samples: Sequence[Sample], weights: Sequence[Sequence[float]]) -> float:
    """By how much, on average, the shares of the first features with these weights miss what happened, in nats."""
    losses = (_loss(sample.shares, _predicted(sample, weights)) for sample in samples)
    return sum(losses) / len(samples)


def equal_log_loss(samples: Sequence[Sample]) -> float:
    """The same for who expects that all seats win alike."""
    return sum(_loss(sample.shares, [1 / len(sample.rows)] * len(sample.rows)) for sample in samples) / len(samples)


def _loss(shares: Sequence[float], predicted: Sequence[float]) -> float:
    return -sum(share * log(max(p, 1e-12)) for share, p in zip(shares, predicted, strict=True))


def _predicted(sample: Sample, weights: Sequence[Sequence[float]]) -> Sequence[float]:
    now = hats(sample.progress, KNOTS)
    at = [sum(map(mul, knots, now)) for knots in weights]
    return softmax([sum(map(mul, row, at)) for row in sample.rows])


# --- Newton's method -------------------------------------------------------------------------------------------------


def _scales(samples: Sequence[Sample], features: int) -> Vector:
    """How much each feature differs between the seats of a position; 1 if it never does."""
    squares = [0.0] * features
    for sample in samples:
        for row in _centered(sample.rows, [1 / len(sample.rows)] * len(sample.rows), features):
            for f, value in enumerate(row):
                squares[f] += value * value
    seats = sum(len(sample.rows) for sample in samples)
    return [sqrt(square / seats) or 1.0 for square in squares]


def _scaled(sample: Sample, scales: Vector) -> Sample:
    rows = tuple([value / scale for value, scale in zip(row, scales, strict=False)] for row in sample.rows)
    return sample._replace(rows=rows)


def _centered(rows: Sequence[Sequence[float]], shares: Sequence[float], features: int) -> Iterator[Vector]:
    means = [sum(share * row[f] for share, row in zip(shares, rows, strict=True)) for f in range(features)]
    return ([value - mean for value, mean in zip(row, means, strict=False)] for row in rows)


def _slope_and_curve(samples: Sequence[Sample], weights: Vector, features: int) -> tuple[Vector, Matrix]:
    """Of the likelihood less the ridge: its gradient, and its Hessian with the sign turned."""
    n = len(weights)
    slope: Vector = [-RIDGE * weight for weight in weights]
    curve: Matrix = [[RIDGE * (i == j) for j in range(n)] for i in range(n)]
    for sample in samples:
        now = hats(sample.progress, KNOTS)
        at = [sum(now[k] * weights[k * features + f] for k in range(KNOTS)) for f in range(features)]
        shares = softmax([sum(map(mul, row, at)) for row in sample.rows])
        live = [(k * features, hat) for k, hat in enumerate(now) if hat]
        _add_slope(slope, sample, shares, live)
        _add_curve(curve, list(_centered(sample.rows, shares, features)), shares, live)
    return slope, curve


def _add_slope(slope: Vector, sample: Sample, shares: Sequence[float], live: Sequence[tuple[int, float]]) -> None:
    for row, real, share in zip(sample.rows, sample.shares, shares, strict=True):
        for first, hat in live:
            missing = (real - share) * hat
            for f, value in enumerate(row):
                slope[first + f] += missing * value


def _add_curve(curve: Matrix, rows: list[Vector], shares: Sequence[float], live: Sequence[tuple[int, float]]) -> None:
    for f in range(len(rows[0])):
        weighted = [share * row[f] for share, row in zip(shares, rows, strict=True)]
        line = [sum(map(mul, weighted, column)) for column in zip(*rows, strict=True)]
        for first, hat in live:
            for second, other in live:
                target, both = curve[first + f], hat * other
                for g, value in enumerate(line):
                    target[second + g] += both * value


def solved(matrix: Matrix, right: Vector) -> Vector:
    """The vector that a symmetric positive definite matrix turns into the right side."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            if factor:
                row[i:] = [value - factor * other for value, other in zip(row[i:], pivot[i:], strict=True)]
    found = [0.0] * len(rows)
    for i in range(len(rows) - 1, -1, -1):
        known = sum(map(mul, rows[i][i + 1 : -1], found[i + 1 :]))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found
