"""Where the stacks of the gangs and the bandits in danger lie inside the walls, in px."""

from __future__ import annotations

from engine.town.data import Gang
from renders.town.layout import MID, Point

GANG_W, GANG_H, GANG_Y, GANG_PITCH = 172, 84, 318, 184
CARD_W, TOPS = 124, (366, 538)
"""Width of a bandit in danger, and the tops of their two rows."""

DIE_X, DICE_YS = 844, (606, 672)
PLATE_Y = 741


def gang_center(gang: Gang) -> Point:
    """Middle of the chip of a gang's stack."""
    return MID + (gang.place - 1.5) * GANG_PITCH, GANG_Y
