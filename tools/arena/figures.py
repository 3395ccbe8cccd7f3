"""Statistics of the arena: confidence intervals, Elo differences and percentiles."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10, sqrt

Z_95 = 1.96
"""Half the width of a 95 % confidence interval, in standard deviations."""


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % confidence interval of a share (E. B. Wilson, 1927)."""
    z2 = Z_95**2
    middle = share + z2 / (2 * games)
    reach = Z_95 * sqrt(share * (1 - share) / games + z2 / (4 * games**2))
    return (middle - reach) / (1 + z2 / games), (middle + reach) / (1 + z2 / games)


def elo(share: float, fair: float) -> float:
    """The Elo advantage of a player with this share of the wins, where `fair` is the share of an equal player."""
    # Avoids log(0).
    if share in (0, 1):
        return -inf if share == 0 else inf
    return 400 * (log10(share / (1 - share)) - log10(fair / (1 - fair)))


def percentile(values: Sequence[float], percent: float) -> float:
    """The percentile of the values; 0 if there are none."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(len(ranked) * percent / 100))] if ranked else 0.0
