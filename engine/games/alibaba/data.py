"""The figures of the cave (rule 3), from the original rules."""

from __future__ import annotations

HALF_LAP = 26
"""Number of steps from one deal to the next (rule 3.8)."""

CAVE = (0, 1_000, 3_000, 6_000, 10_000, 15_000, 21_000, 28_000, 35_000, 43_000, 52_000, 62_000, 73_000)
"""Turns in the cave -> dollars. A table, since it is triangular only up to 7 turns."""

MAX_TURNS = len(CAVE) - 1
"""Maximum number of turns that a seat can take or add at once."""

CAVE_PURSE = 1_000
"""The first seat's money at the start, and the increase for each further seat."""


def first_purse(seat: int) -> int:
    """The money of a seat at the start."""
    return CAVE_PURSE * (seat + 1)


RANSOM = 1_000
"""The payment of a seat that is caught, in addition to its stake, limited by its purse."""

MAX_TURNED_UP = 3
"""Maximum number of thieves to turn up from a deck."""

CAVE_GRAFFITI = 1_000
"""The amount of lamp, alms and toll with the option `cave_graffiti`."""
