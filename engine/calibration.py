"""How far guessed chances can be believed: finished games say how far to draw them toward equal ones, or away.

Chances are raised to a power, the inverse temperature of C. Guo and others (On Calibration of Modern Neural Networks,
2017). There is one for those who are ahead and one for those who are behind, since leaders are caught more often than
those who are far behind win. Both are fitted for each game by number of seats and progress.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from math import log
from typing import Any, NamedTuple

from engine.core import State
from engine.evaluation import Evaluation, Knots, Shares, between, softmax
from engine.games import discover

FILE = "calibration.toml"
"""Beside the modules of a game. A game without one is believed."""


LEAST = 0.02
"""A smaller chance counts as this one. Else few games that were all but lost and then won would decide the powers."""


class Trust(NamedTuple):
    """How far the chances of a position are believed; unless something is known, they are left as they are.

    Those above an equal chance are raised to the power `ahead`, the others to `behind`: 0 makes all equal.
    """

    ahead: float = 1.0
    behind: float = 1.0


class Measured(NamedTuple):
    """What games with a number of seats say: both powers at evenly spaced moments of a game."""

    ahead: Knots
    behind: Knots

    def at(self, progress: float) -> Trust:
        """How far the chances of a position are believed when so much of the game is over, 0 to 1."""
        return Trust(between(self.ahead, progress), between(self.behind, progress))


def trust(game: str, seats: int, state: State) -> Trust:
    """How far the chances of a full position are believed."""
    spec = discover().get(game)
    # A game may have no such file, or an `evaluate` that is a plain function: it is believed.
    if spec is None or not isinstance(spec.evaluate, Evaluation) or not (table := measured(spec.evaluate.package)):
        return Trust()
    # A seat count that was never fitted borrows from the nearest one, as `Evaluation` does with its weights.
    found = table[min(table, key=lambda known: abs(known - seats))]
    return found.at(spec.evaluate.progress(state))


def calibrated(shares: Sequence[float], trust: Trust) -> Shares:
    """Shares of all seats, drawn towards equal ones or away from them.

    >>> calibrated((0.75, 0.25), Trust(ahead=0.0, behind=0.0))
    (0.5, 0.5)
    """
    if trust == Trust():
        return tuple(shares)
    return softmax([trust.ahead * above + trust.behind * below for above, below in from_equal(shares)])


def from_equal(shares: Sequence[float]) -> list[tuple[float, float]]:
    """How far each share is above an equal one and how far below, in nats; one of the two is 0."""
    # Rounding may leave a share a hair below 0.
    distances = [log(len(shares) * max(LEAST, share)) for share in shares]
    return [(max(0.0, distance), min(0.0, distance)) for distance in distances]


def calibrated_alone(chance: float, companies: int, trust: Trust) -> float:
    """The calibrated chance of one of so many companies, as if the others had equal chances."""
    other = max(0.0, 1 - chance) / (companies - 1)
    # A guess multiplied by the number of team mates may pass 1 by rounding.
    return calibrated((min(1.0, max(0.0, chance)), *(other,) * (companies - 1)), trust)[0]


@cache
def measured(package: str) -> Mapping[int, Measured]:
    """What was measured for each number of seats; nothing for a game that was not."""
    file = resources.files(package).joinpath(FILE) if package else None
    if file is None or not file.is_file():
        return {}
    table: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    return {int(seats): Measured(own["ahead"], own["behind"]) for seats, own in table["seats"].items()}
