"""How far guessed chances can be believed: finished games say how far to draw them toward equal ones, or away.

Chances are raised to a power, the inverse temperature of C. Guo and others (On Calibration of Modern Neural Networks,
2017), which is fitted for each game by number of seats and progress. A power hardly changes what is all but sure, so
they are also mixed with equal ones, by the lapse rate of F. Wichmann and N. Hill (The psychometric function, 2001).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from engine.core import State
from engine.evaluation import Evaluation, Knots, Shares, between
from engine.games import discover

FILE = "calibration.toml"
"""Beside the modules of a game. A game without one is believed."""


class Trust(NamedTuple):
    """How far the chances of a position are believed; unless something is known, they are left as they are.

    They are raised to the `power`: 0 makes all equal. `lapse` is how often, 0 to 1, a game ends as if nothing had been
    known about it.
    """

    power: float = 1.0
    lapse: float = 0.0


class Measured(NamedTuple):
    """What games with a number of seats say: powers at evenly spaced moments of a game, and the lapse rate."""

    powers: Knots
    lapse: float

    def at(self, progress: float) -> Trust:
        """How far the chances of a position are believed when so much of the game is over, 0 to 1."""
        return Trust(between(self.powers, progress), self.lapse)


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
    """Shares of all seats, drawn towards equal ones."""
    # Rounding may leave a share a hair below 0, and a fractional power of that is complex.
    raised: list[float] = [max(share, 0.0) ** trust.power for share in shares]
    known, equal = (1 - trust.lapse) / sum(raised), trust.lapse / len(raised)
    return tuple(known * share + equal for share in raised)


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
    # Files from before there was a lapse rate have none.
    lapse = table.get("lapse", 0.0)
    return {int(seats): Measured(own["power"], lapse) for seats, own in table["seats"].items()}
