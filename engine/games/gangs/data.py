"""The figures of the gangs game (rule 3): prices, fees and fines. No source documents them."""

from __future__ import annotations

from engine.town.data import Gang

LAPS = 2
GANGS_PURSE = 2_500
MAX_HIRES = 3
"""Maximum number of bandits that a seat takes on an empty space."""

PRICES = {
    Gang.YELLOW: (0, 5, 10, 15),
    Gang.GREEN: (0, 10, 20, 30),
    Gang.BLUE: (0, 20, 40, 60),
    Gang.RED: (0, 40, 80, 120),
}
"""Gang -> price of a bandit in the four quarters, in piastres."""

RETURN_FEE = 20
FINE = 3
"""The fine for an arrested bandit, as a multiple of its value."""

FULL_GROUP = 2
"""The factor of value and fine for a full group."""

LAMP, ALMS, TOLL = 100, 100, 10
OFFER_STEP, MAX_PRICE, MAX_OFFERS = 10, 1_000, 2
"""Trading: the step of prices, the maximum price, and the maximum number of offers of a seat in a window."""
