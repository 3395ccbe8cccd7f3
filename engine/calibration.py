"""How far guessed chances can be believed: finished games say how far to draw them toward equal ones, or away.

Chances are raised to a power, the inverse temperature of C. Guo and others (On Calibration of Modern Neural Networks,
2017), which is fitted for each game by number of seats and progress.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from engine.core import State
from engine.evaluation import Evaluation, Knots, between
from engine.games import discover

FILE = "calibration.toml"
"""Beside the modules of a game. A game without one is believed."""

Shares = tuple[float, ...]


def trust(game: str, seats: int, state: State) -> float:
    """The power that the chances of a full position are raised to: 1 leaves them as they are, 0 makes all equal."""
    spec = discover().get(game)
    # A game may have no such file, or an `evaluate` that is a plain function: it is believed.
    if spec is None or not isinstance(spec.evaluate, Evaluation) or not (table := powers(spec.evaluate.package)):
        return 1.0
    # A seat count that was never fitted borrows from the nearest one, as `Evaluation` does with its weights.
    knots = table[min(table, key=lambda known: abs(known - seats))]
    return between(knots, spec.evaluate.progress(state))


def calibrated(shares: Sequence[float], power: float) -> Shares:
    """Shares of all seats, drawn towards equal ones."""
    # Rounding may leave a share a hair below 0, and a fractional power of that is complex.
    raised: list[float] = [max(share, 0.0) ** power for share in shares]
    return tuple(share / sum(raised) for share in raised)


def calibrated_alone(chance: float, companies: int, power: float) -> float:
    """The calibrated chance of one of so many companies, as if the others had equal chances."""
    other = max(0.0, 1 - chance) / (companies - 1)
    # A guess multiplied by the number of team mates may pass 1 by rounding.
    return calibrated((min(1.0, max(0.0, chance)), *(other,) * (companies - 1)), power)[0]


@cache
def powers(package: str) -> Mapping[int, Knots]:
    """Number of seats -> power at evenly spaced moments of a game; nothing for a game that was not measured."""
    file = resources.files(package).joinpath(FILE) if package else None
    if file is None or not file.is_file():
        return {}
    tables: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))["seats"]
    return {int(seats): table["power"] for seats, table in tables.items()}
