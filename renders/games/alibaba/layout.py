"""Where the cave, its thieves and its decks lie inside the walls, in px."""

from __future__ import annotations

from engine.town.data import Gang
from renders.theme import Point
from renders.town.layout import CARD_GAP, FOOT_Y

ROOM = 720
"""What the mouth of the cave has for stakes."""

NAME_Y, AMOUNT_Y, COINS_Y = 292, 330, 356
HEAP_H = 100
"""Of a heap with its badge and its amount."""

# Two rows are enough: each of six seats has at most one stake (rule 3.3).
HALL_ROW, HALL_PITCH, HALL_ROWS = 3, 188, {1: (430,), 2: (356, 504)}
"""Heaps side by side in the open hall, from one to the next, and the middles of its rows."""
HALL_H = 132

CARDS_LEFT, CARDS_RIGHT, CARDS_TOP = 240, 870, 374
RIGHT = 866
DECK_W, DECK_H, DECK_PITCH, DECKS_LEFT = 118, 54, 122, 380


def card_width(cards: int) -> float:
    """Width of each of several thieves side by side."""
    return min(136, (CARDS_RIGHT - CARDS_LEFT - 2 - CARD_GAP * (cards - 1)) / cards)


def card_left(cards: int, k: int) -> float:
    """Left edge of thief k of several, which are centered."""
    pitch = card_width(cards) + CARD_GAP
    return (CARDS_LEFT + CARDS_RIGHT) / 2 + (k - cards / 2) * pitch + CARD_GAP / 2


def deck_center(gang: Gang) -> Point:
    """Middle of the chip of a deck."""
    return DECKS_LEFT + DECK_W / 2 + gang.place * DECK_PITCH, FOOT_Y
