"""Positions of the gangs' stacks and of the bandits in danger inside the walls, in px."""

from __future__ import annotations

from engine.town.data import Gang
from renders.theme import Point
from renders.town.layout import MID

GANG_W, GANG_H, GANG_Y, GANG_PITCH = 168, 56, 308, 176
"""A stack below the figure while bandits are in danger."""
SMALL_W, SMALL_H, SMALL_X, SMALL_Y, SMALL_PITCH = 72, 44, 836, 312, 50
"""A smaller stack beside two rows of bandits, with room for its number of cards only."""

STALL_W, STALL_H, STALL_Y, STALL_PITCH = 134, 416, 430, 140
PRICE_W, PRICE_H, PRICES = 58, 46, ((-31, 116), (31, 116), (-31, 168), (31, 168))
"""The stall of a gang around (0, 0), and the positions of its prices in the four quarters."""

HINT_Y = 690

# A space has at most two colors (rule 2.1), so at most eight types are in danger.
MAX_IN_ROW = 4
"""Maximum number of types in one row; more take two rows."""
CARD_W, NARROW_CARD_W, TOP, TOPS = 136, 124, 350, (288, 490)
"""Width of a bandit in danger and the top of the row, for one row and for two."""

DIE_X, DICE_YS, DICE_Y = 836, (566, 632), 602
PLATE_Y, LOW_PLATE_Y = 688, 730


def stall_center(gang: Gang) -> Point:
    """Center of a gang's stall."""
    return MID + (gang.place - 1.5) * STALL_PITCH, STALL_Y


def stack_center(gang: Gang, types: int) -> Point:
    """Center of a gang's stack while `types` types are in danger."""
    if types > MAX_IN_ROW:
        return SMALL_X, SMALL_Y + gang.place * SMALL_PITCH
    return MID + (gang.place - 1.5) * GANG_PITCH, GANG_Y


def card_width(types: int) -> int:
    """Width of each bandit while `types` types are in danger."""
    return CARD_W if types <= MAX_IN_ROW else NARROW_CARD_W
