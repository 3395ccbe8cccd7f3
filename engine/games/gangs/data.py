"""The numbers of the gangs (rule 3): prices, fees and fines. No source gives them."""

from __future__ import annotations

from engine.town.data import Gang

LAPS = 2
GANGS_PURSE = 2_500
MOST_TAKEN = 3
"""Bandits taken on one empty space."""

PRICES = {
    Gang.YELLOW: (0, 5, 10, 15),
    Gang.GREEN: (0, 10, 20, 30),
    Gang.BLUE: (0, 20, 40, 60),
    Gang.RED: (0, 40, 80, 120),
}
"""Gang -> price of a bandit in the four quarters, in piastres."""

RETURN_FEE = 20
FINE = 3
"""How many times its value an arrested bandit costs."""

FULL_GROUP = 2
"""By how much a full group multiplies value and fine."""

LAMP, ALMS, TOLL = 100, 100, 10
OFFER_STEP, OFFER_MOST, MOST_OFFERS = 10, 1_000, 2
"""Trading: prices go in tens up to this, and nobody makes more offers than this in one window."""
