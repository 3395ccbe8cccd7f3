"""Where the stacks of the gangs and the bandits in danger lie inside the walls, in px."""

from __future__ import annotations

from engine.town.data import Gang
from renders.theme import Point
from renders.town.layout import MID

GANG_W, GANG_H, GANG_Y, GANG_PITCH = 168, 56, 308, 176
"""A stack while bandits are in danger, below the figure."""
SMALL_W, SMALL_H, SMALL_X, SMALL_Y, SMALL_PITCH = 72, 44, 836, 312, 50
"""The same beside two rows of bandits, where only the number of cards has room."""

STALL_W, STALL_H, STALL_Y, STALL_PITCH = 134, 416, 430, 140
PRICE_W, PRICE_H, PRICES = 58, 46, ((-31, 116), (31, 116), (-31, 168), (31, 168))
"""The stall of a gang, in whose middle lies (0, 0), with its prices in the four quarters."""

HINT_Y = 690

# A space has two colors at most (rule 2.1), so no more than eight types are in danger.
IN_ROW = 4
"""So many types in danger lie side by side; more in two rows."""
CARD_W, NARROW, TOP, TOPS = 136, 124, 350, (288, 490)
"""Width of a bandit in danger and the top of their row, and the same of two rows."""

DIE_X, DICE_YS, DICE_Y = 836, (566, 632), 602
PLATE_Y, LOW_PLATE_Y = 688, 730


def stall_center(gang: Gang) -> Point:
    """Middle of a gang's stall."""
    return MID + (gang.place - 1.5) * STALL_PITCH, STALL_Y


def stack_center(gang: Gang, types: int) -> Point:
    """Middle of a gang's stack while so many types are in danger."""
    if types > IN_ROW:
        return SMALL_X, SMALL_Y + gang.place * SMALL_PITCH
    return MID + (gang.place - 1.5) * GANG_PITCH, GANG_Y


def card_width(types: int) -> int:
    """Width of each of several types in danger."""
    return CARD_W if types <= IN_ROW else NARROW
