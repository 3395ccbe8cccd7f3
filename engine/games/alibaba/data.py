"""The numbers of the cave (rule 3), as they were written down."""

from __future__ import annotations

HALF_LAP = 26
"""Steps from one deal to the next (rule 3.8)."""

CAVE = (0, 1_000, 3_000, 6_000, 10_000, 15_000, 21_000, 28_000, 35_000, 43_000, 52_000, 62_000, 73_000)
"""Turns in the cave -> dollars. Triangular up to 7 turns only: these are figures, not a formula."""

MOST_TURNS = len(CAVE) - 1
"""More turns than these cannot be taken or added at once."""

CAVE_PURSE = 1_000
"""What the first seat begins with; each further seat has as much more."""


def first_purse(seat: int) -> int:
    """What a seat begins with."""
    return CAVE_PURSE * (seat + 1)


RANSOM = 1_000
"""What somebody caught pays on top, if they have it."""

MOST_TURNED_UP = 3
CAVE_GRAFFITI = 1_000
"""What lamp, alms and toll are worth with the option `cave_graffiti`."""
