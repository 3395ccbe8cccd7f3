"""What the games of an arena come to: shares with their intervals, Elo, and times."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, sqrt

CONFIDENT = 1.96
"""Standard deviations of an interval that holds the truth 95 times of 100."""


def wilson(share: float, games: int) -> tuple[float, float]:
    """The interval that holds the true share with 95 % confidence (E. B. Wilson, 1927)."""
    z2 = CONFIDENT**2
    middle = share + z2 / (2 * games)
    reach = CONFIDENT * sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return (middle - reach) / (1 + z2 / games), (middle + reach) / (1 + z2 / games)


def elo(share: float, fair: float) -> float:
    """How much stronger a player is who wins this share of the games, where `fair` is the share of an equal one."""
    # No logarithm of 0.
    if share in (0, 1):
        return -inf if share == 0 else inf
    return 400 * (log10(share / (1 - share)) - log10(fair / (1 - fair)))


def percentile(values: Sequence[float], percent: float) -> float:
    """The value that `percent` of the values do not exceed; 0 without values."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))] if ranked else 0.0
