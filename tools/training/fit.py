"""Weights that make softmax shares of positions come as near as possible to how their games ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt
from operator import mul

from engine.evaluation import Knots, Row, hats, softmax
from tools.training.selfplay import Sample

KNOTS = 3
"""Moments of a game at which a weight is fitted: its beginning, its middle and its end."""

STEPS = 12
"""Most steps of Newton's method; it stops before when it gains nothing."""

CURVED = 3_000
"""So many samples, spread over all of them, tell the curvature well enough; the slope is that of all."""

LONGEST, ENOUGH = 1.0, 2e-3
"""More than this no weight changes in a step, and less than that is not worth another one."""

RIDGE = 20.0
"""How strongly weights are held near their anchor, as if so many positions spoke for it."""

SMOOTH = 60.0
"""How strongly the weights of one feature at neighboring knots are held together."""

EQUAL = ((0.0,),)
"""Weights by which all seats are expected to win equally often."""

Live = Sequence[tuple[int, float]]
"""The knots that a moment lies between, and how much each counts."""

Vector = list[float]
Matrix = list[Vector]


def fitted(
    samples: Sequence[Sample],
    features: int,
    anchor: Sequence[Knots] | None = None,
    knots: int = KNOTS,
    held: float = 1.0,
) -> list[Vector]:
    """For each of the first so many features its weight at each knot: near the anchor, or near that of points alone.

    They are `held` there and together as strongly as `RIDGE` and `SMOOTH` say, or by so much of it.
    """
    anchor = anchor or ([[0.0] * knots] if features == 1 else fitted(samples, 1, knots=knots, held=held))
    scales, targets = _scales(samples, features), _targets(samples)
    # Features are divided by their spread, so weights are multiplied by it until the fit is done.
    start = [[weight * scale for weight in weights] for weights, scale in zip(anchor, scales, strict=False)]
    start += [[0.0] * knots for _ in range(features - len(start))]
    scaled = [_scaled(sample, scales) for sample in samples]
    weights = _Fit(scaled, targets, features, knots, held, [w for row in start for w in row]).weights()
    return [[weight / scale for weight in weights[f * knots : (f + 1) * knots]] for f, scale in enumerate(scales)]


def fitted_alone(samples: Sequence[Sample], feature: int) -> tuple[Vector, int]:
    """The weight of one feature at each knot, by how games ended; and how many positions tell of it."""
    columns = [one._replace(rows=tuple((row[feature],) for row in one.rows), turned_out=one.shares) for one in samples]
    # A softmax learns nothing from a feature that is the same for all seats.
    told = [one for one in columns if len(set(one.rows)) > 1]
    return fitted(told, 1)[0], len(told)


def log_loss(samples: Sequence[Sample], weights: Sequence[Sequence[float]]) -> float:
    """By how much, on average, the shares of the first features with these weights miss what happened, in nats."""
    losses = []
    for sample in samples:
        now = hats(sample.progress, len(weights[0]))
        at = [sum(map(mul, knots, now)) for knots in weights]
        predicted = softmax([sum(map(mul, row, at)) for row in sample.rows])
        # A softmax may come out as 0, which has no logarithm.
        losses.append(-sum(share * log(max(p, 1e-12)) for share, p in zip(sample.shares, predicted, strict=True)))
    return sum(losses) / len(samples)


def _targets(samples: Sequence[Sample]) -> list[Sequence[float]]:
    """What to fit: what positions turned out to be worth.

    Where that is not known, shares of the win, and early in a game shares by the scores as well, which tell more of it.
    """
    spread = _scales([sample._replace(rows=tuple((s,) for s in sample.scores)) for sample in samples], 1)[0]
    targets: list[Sequence[float]] = []
    for sample in samples:
        by_scores = softmax([score / spread for score in sample.scores])
        # Half of it at the beginning, nothing at the end.
        early = (1 - sample.progress) / 2
        mixed = [share + early * (by - share) for share, by in zip(sample.shares, by_scores, strict=True)]
        targets.append(sample.turned_out or mixed)
    return targets


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


def _centered(rows: Sequence[Sequence[float]], shares: Sequence[float], features: int) -> list[Vector]:
    means = [sum(share * row[f] for share, row in zip(shares, rows, strict=True)) for f in range(features)]
    # The same added to all seats leaves a softmax as it is: only differences count.
    return [[value - mean for value, mean in zip(row, means, strict=False)] for row in rows]


# --- Newton's method -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Fit:
    """Newton's method; weights are listed feature by feature, with `knots` of each. They are held near `anchor`."""

    samples: Sequence[Sample]
    targets: Sequence[Sequence[float]]
    features: int
    knots: int
    held: float
    anchor: Vector

    def weights(self) -> Vector:
        """The best ones."""
        weights = self.anchor
        for _ in range(STEPS):
            step = [max(-LONGEST, min(LONGEST, change)) for change in solved(*self._curve_and_slope(weights))]
            weights = [weight + change for weight, change in zip(weights, step, strict=True)]
            if max(map(abs, step)) < ENOUGH:
                break
        return weights

    def _curve_and_slope(self, weights: Vector) -> tuple[Matrix, Vector]:
        """Of the likelihood: its Hessian with the sign turned, and its gradient."""
        # Division rounded up: every so many samples are taken for the curvature.
        every = -(-len(self.samples) // CURVED)
        slope, curve = [0.0] * len(weights), [[0.0] * len(weights) for _ in weights]
        for number, (sample, target) in enumerate(zip(self.samples, self.targets, strict=True)):
            hat = hats(sample.progress, self.knots)
            live = [(knot, now) for knot, now in enumerate(hat) if now]
            at = [
                sum([weights[first + knot] * now for knot, now in live]) for first in range(0, len(weights), self.knots)
            ]
            shares = softmax([sum(map(mul, row, at)) for row in sample.rows])
            _add_slope(slope, sample.rows, [t - s for t, s in zip(target, shares, strict=True)], live, self.knots)
            if number % every == 0:
                _add_curve(curve, _centered(sample.rows, shares, self.features), shares, live, self.knots)
        curve = [[every * value for value in row] for row in curve]
        self._hold(curve, slope, weights)
        return curve, slope

    def _hold(self, curve: Matrix, slope: Vector, weights: Vector) -> None:
        """Near the anchor, and neighboring knots together."""
        for i, (weight, anchor) in enumerate(zip(weights, self.anchor, strict=True)):
            curve[i][i] += self.held * RIDGE
            slope[i] -= self.held * RIDGE * (weight - anchor)
            # The first knot of a feature has none before it.
            if i % self.knots:
                # It is how far knots are from the anchor that is held together, not the knots themselves.
                pull = self.held * SMOOTH * (weight - anchor - weights[i - 1] + self.anchor[i - 1])
                slope[i] -= pull
                slope[i - 1] += pull
                for j, k, sign in ((i, i, 1), (i - 1, i - 1, 1), (i, i - 1, -1), (i - 1, i, -1)):
                    curve[j][k] += sign * self.held * SMOOTH


def _add_slope(slope: Vector, rows: Sequence[Row], missing: Sequence[float], live: Live, knots: int) -> None:
    pulls = [sum(map(mul, column, missing)) for column in zip(*rows, strict=True)]
    for knot, now in live:
        for f, pull in enumerate(pulls):
            slope[f * knots + knot] += pull * now


def _add_curve(curve: Matrix, rows: list[Vector], shares: Sequence[float], live: Live, knots: int) -> None:
    columns = list(zip(*rows, strict=True))
    for f, column in enumerate(columns):
        weighted = list(map(mul, shares, column))
        line = [sum(map(mul, weighted, other)) for other in columns]
        for knot, now in live:
            target = curve[f * knots + knot]
            for other, then in live:
                both = now * then
                for g, value in enumerate(line):
                    target[g * knots + other] += both * value


def solved(matrix: Matrix, right: Vector) -> Vector:
    """The vector that a symmetric positive definite matrix turns into the right side."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    # No pivoting: a positive definite matrix needs none.
    for i, pivot in enumerate(rows):
        for row in rows[i + 1 :]:
            if factor := row[i] / pivot[i]:
                row[i:] = [value - factor * other for value, other in zip(row[i:], pivot[i:], strict=True)]
    found = [0.0] * len(rows)
    for i in range(len(rows) - 1, -1, -1):
        known = sum(map(mul, rows[i][i + 1 : -1], found[i + 1 :]))
        found[i] = (rows[i][-1] - known) / rows[i][i]
    return found
