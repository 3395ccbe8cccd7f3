"""Pawns and piles as small numbers, and everything worth knowing about each pile looked up in a table.

A *pawn* is a number 0..15: color * 4 + strength - 1. A *pile* is 1 followed by its pawns from bottom to top, four
bits each, and 0 is an empty square. So the top is the last hexadecimal digit, and pawns come and go by shifting.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import permutations, product

SQUARES = 32
"""Squares of the ring, numbered 0..31 clockwise (rule 2)."""

STRENGTHS = (1, 2, 3, 4)
COPIES = 2
"""Pawns of each color and strength (rule 2.1)."""

TOWER = 4
"""Storeys of a complete tower, and the number of colors."""

Pawn = int
Pile = int

EMPTY: Pile = 0
PAWN_BITS = 4
_PAWN = 15


class Color(StrEnum):
    """A color of pawns, in the order of the set-up."""

    YELLOW = "Y"
    BLUE = "B"
    RED = "R"
    GREEN = "G"

    @property
    def label(self) -> str:
        """How people read it: `yellow`."""
        return self.name.lower()


COLORS = tuple(Color)
"""Number of a color, 0..3 -> the color. Bit n of a *mask* of colors stands for color n."""

ALL_COLORS = 15


# --- Pawns -----------------------------------------------------------------------------------------------------------


def color_of(pawn: Pawn) -> Color:
    """The color of a pawn."""
    return COLORS[pawn >> 2]


def strength_of(pawn: Pawn) -> int:
    """The strength of a pawn, 1..4."""
    return (pawn & 3) + 1


def pawn_text(pawn: Pawn) -> str:
    """How a pawn is written: `Y3`."""
    return f"{color_of(pawn)}{strength_of(pawn)}"


def pawn_words(pawn: Pawn) -> str:
    """How a pawn is called: `yellow 3`."""
    return f"{color_of(pawn).label} {strength_of(pawn)}"


PAWN_NAMES = tuple(pawn_text(pawn) for pawn in range(len(COLORS) * len(STRENGTHS)))
PAWN_WORDS = tuple(pawn_words(pawn) for pawn in range(len(PAWN_NAMES)))
PAWNS = {name: pawn for pawn, name in enumerate(PAWN_NAMES)}
"""`Y3` -> its number."""


# --- Piles -----------------------------------------------------------------------------------------------------------


def pile_of(text: str) -> Pile:
    """`B4 G1 Y3`, from bottom to top, as a pile."""
    pile = 1
    for name in text.split():
        pile = pile << PAWN_BITS | PAWNS[name]
    return pile


def pawns_in(pile: Pile) -> tuple[Pawn, ...]:
    """The pawns of a pile from bottom to top."""
    return tuple(pile >> PAWN_BITS * n & _PAWN for n in reversed(range(height(pile))))


def pile_text(pile: Pile) -> str:
    """How a pile is written, from bottom to top: `B4 G1 Y3`."""
    return " ".join(PAWN_NAMES[pawn] for pawn in pawns_in(pile))


def height(pile: Pile) -> int:
    """How many pawns a pile has."""
    return pile.bit_length() >> 2


def top(pile: Pile) -> Pawn:
    """The top pawn of a pile, which must not be empty."""
    return pile & _PAWN


def points(pile: Pile) -> int:
    """Height times the strength of the top pawn (rule 7); nothing for an empty square."""
    return height(pile) * strength_of(pile) if pile else 0


def upper(pile: Pile, storeys: int) -> Pile:
    """The uppermost storeys as a pile of their own."""
    return 1 << PAWN_BITS * storeys | pile & (1 << PAWN_BITS * storeys) - 1


def without_upper(pile: Pile, storeys: int) -> Pile:
    """What is left below the uppermost storeys."""
    rest = pile >> PAWN_BITS * storeys
    return rest if rest > 1 else EMPTY


def _standing() -> dict[Pile, tuple[int, ...]]:
    """Every pile that can stand on a square -> its colors from top to bottom, as masks."""
    piles: dict[Pile, tuple[int, ...]] = {}
    for storeys in range(1, TOWER):
        for colors in permutations(range(len(COLORS)), storeys):
            masks = tuple(1 << color for color in reversed(colors))
            for strengths in product(range(len(STRENGTHS)), repeat=storeys):
                pile = 1
                for color, strength in zip(colors, strengths, strict=True):
                    pile = pile << PAWN_BITS | color << 2 | strength
                piles[pile] = masks
    return piles


def _liftable(masks: tuple[int, ...], target: int) -> int:
    """How many pawns, from the top, share no color with the target."""
    return next((n for n, mask in enumerate(masks) if mask & target), len(masks))


_PILES = _standing()
_CODES = 1 << PAWN_BITS * (TOWER - 1) + 1
_LIFTS = {masks: bytes(_liftable(masks, target) for target in range(16)) for masks in set(_PILES.values())}

MASK = bytes(sum(_PILES.get(pile, ())) for pile in range(_CODES))
"""Pile -> its colors. For piles that stand on a square, so of less than four storeys."""

LIFTS = tuple(_LIFTS.get(_PILES.get(pile, ()), b"") for pile in range(_CODES))
"""LIFTS[pile][mask]: how many pawns can move, from the top, onto a pile with these colors (rule 4.4)."""

PILE_TEXT = {pile: pile_text(pile) for pile in _PILES}
"""Pile -> how it is written."""
