"""Positions of the cave, its thieves and its decks inside the walls, in px."""

from __future__ import annotations

from engine.town.data import Gang
from renders.theme import Point
from renders.town.layout import CARD_GAP, FOOT_Y

STAKES_W = 720
"""Width available for stakes in the mouth of the cave."""

NAME_Y, AMOUNT_Y, COINS_Y = 292, 330, 356
HEAP_H = 100
"""Height of a stake with its badge and amount."""

# Two rows suffice: each of six seats has at most one stake (rule 3.3).
HALL_ROW, HALL_PITCH, HALL_ROWS = 3, 188, {1: (430,), 2: (356, 504)}
"""Stakes per row in the open hall, their distance, and the vertical centers of one or two rows."""
HALL_H = 132

CARDS_LEFT, CARDS_RIGHT, CARDS_TOP = 240, 870, 374
RIGHT = 866
DECK_W, DECK_H, DECK_PITCH, DECKS_LEFT = 118, 54, 122, 380


def card_width(cards: int) -> float:
    """Width of each of several thieves side by side."""
    return min(136, (CARDS_RIGHT - CARDS_LEFT - 2 - CARD_GAP * (cards - 1)) / cards)


def card_left(cards: int, k: int) -> float:
    """Left edge of thief `k`; the row is centered."""
    pitch = card_width(cards) + CARD_GAP
    return (CARDS_LEFT + CARDS_RIGHT) / 2 + (k - cards / 2) * pitch + CARD_GAP / 2


def deck_center(gang: Gang) -> Point:
    """Center of a deck's chip."""
    return DECKS_LEFT + DECK_W / 2 + gang.place * DECK_PITCH, FOOT_Y
