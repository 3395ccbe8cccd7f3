"""Calibration of estimated chances by finished games, which shows how overconfident or timid the estimates are.

Chances are raised to a power, the inverse temperature of C. Guo and others (On Calibration of Modern Neural Networks,
2017). Seats with more than an equal chance and seats with less have separate powers, since leaders fall back more often
than distant seats win. Both are fitted for each game by number of seats and progress.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from math import log
from typing import Any, NamedTuple

from engine.core import State
from engine.evaluation import Evaluation, Knots, Shares, interpolate, softmax
from engine.games import discover

FILE = "calibration.toml"
"""Name of the file in the package of a game. Without it, chances are used as estimated."""


MIN_CHANCE = 0.02
"""Lower limit of chances. Otherwise a few nearly lost games that were won would determine the powers."""


class Trust(NamedTuple):
    """The calibration of a position: chances above an equal one are raised to the power `ahead`, others to `behind`.

    The default leaves them unchanged; powers of 0 make all chances equal.
    """

    ahead: float = 1.0
    behind: float = 1.0


class Powers(NamedTuple):
    """The calibration for a number of seats: both powers at evenly spaced moments of a game."""

    ahead: Knots
    behind: Knots

    def at(self, progress: float) -> Trust:
        """The calibration at a given progress of the game, 0 to 1."""
        return Trust(interpolate(self.ahead, progress), interpolate(self.behind, progress))


def calibration_for(game: str, seats: int, state: State) -> Trust:
    """The calibration for a full position."""
    spec = discover().get(game)
    evaluation = spec.evaluate if spec else None
    # Without a file, or if `evaluate` is a plain function, chances are used as estimated.
    if not isinstance(evaluation, Evaluation) or not (table := read_calibration(evaluation.package)):
        return Trust()
    # A seat count without a fit uses the nearest one, as `Evaluation` does for weights.
    nearest = table[min(table, key=lambda fitted: abs(fitted - seats))]
    return nearest.at(evaluation.progress(state))


def calibrate(shares: Sequence[float], trust: Trust) -> Shares:
    """The calibrated shares of all seats.

    >>> calibrate((0.75, 0.25), Trust(ahead=0.0, behind=0.0))
    (0.5, 0.5)
    """
    if trust == Trust():
        return tuple(shares)
    return softmax([trust.ahead * above + trust.behind * below for above, below in from_equal(shares)])


def from_equal(shares: Sequence[float]) -> list[tuple[float, float]]:
    """For each share, its distance above an equal one and below it, in nats; one of the two is 0."""
    # Rounding may leave a share a hair below 0.
    distances = [log(len(shares) * max(MIN_CHANCE, share)) for share in shares]
    return [(max(0.0, distance), min(0.0, distance)) for distance in distances]


def calibrate_one(chance: float, companies: int, trust: Trust) -> float:
    """The calibrated chance of one of several companies, on the assumption that the others have equal chances."""
    other = max(0.0, 1 - chance) / (companies - 1)
    # A share multiplied by the number of team mates may exceed 1 by rounding.
    return calibrate((min(1.0, max(0.0, chance)), *(other,) * (companies - 1)), trust)[0]


@cache
def read_calibration(package: str) -> Mapping[int, Powers]:
    """The calibration table of a game: number of seats -> fit; empty if the game has none."""
    file = resources.files(package).joinpath(FILE) if package else None
    if file is None or not file.is_file():
        return {}
    table: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    return {int(seats): Powers(own["ahead"], own["behind"]) for seats, own in table["seats"].items()}
