"""Pawns, piles and sets of colors, and their representation as numbers, on which no other module depends.

For fast searches, all properties of piles that moves need are tables indexed by the pile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from engine.texts import Text

STRENGTHS = (1, 2, 3, 4)
COPIES = 2
"""Number of pawns of each color and strength (rule 2.1)."""

TOWER = 4
"""Height of a complete tower, with one pawn of each color (rule 4.6)."""


class Color(StrEnum):
    """A color of pawns, in the order of the setup."""

    YELLOW = "Y"
    BLUE = "B"
    RED = "R"
    GREEN = "G"

    @property
    def label(self) -> str:
        """The color as a word: `yellow`."""
        return self.name.lower()


COLORS = tuple(Color)


# --- Sets of colors --------------------------------------------------------------------------------------------------

Mask = int
"""A set of colors: bit n stands for `COLORS[n]`. `&` and `|` are intersection and union."""

NO_COLORS: Mask = 0
ALL_COLORS: Mask = (1 << len(COLORS)) - 1

_SETS = tuple(tuple(color for n, color in enumerate(COLORS) if mask >> n & 1) for mask in range(ALL_COLORS + 1))


def colors_in(mask: Mask) -> tuple[Color, ...]:
    """The colors of a set, in order."""
    return _SETS[mask]


def mask_of(colors: Iterable[Color]) -> Mask:
    """The set of these colors."""
    return sum(1 << COLORS.index(color) for color in set(colors))


def neutral_colors(owned: Sequence[Mask]) -> Mask:
    """The neutral colors, given those of each seat (rule 2.3)."""
    # A color has at most one owner, so the sum is the union.
    return ALL_COLORS - sum(owned)


# --- Pawns -----------------------------------------------------------------------------------------------------------


class Pawn(NamedTuple):
    """A pawn, of which there are two equal ones (rule 2.1); its notation is `Y3`."""

    color: Color
    strength: int

    @classmethod
    def parse(cls, text: str) -> Pawn:
        """Parse the notation of a pawn. Raises `ValueError` if the pawn does not exist."""
        if text not in _BY_NOTATION:
            raise ValueError(text)
        return _BY_NOTATION[text]

    def __str__(self) -> str:
        return f"{self.color}{self.strength}"

    @property
    def number(self) -> int:
        """The index in `PAWNS`."""
        return _NUMBERS[self]


PAWNS = tuple(Pawn(color, strength) for color in COLORS for strength in STRENGTHS)
"""All different pawns, by color and then by strength."""

PAWNS_OF = {color: tuple(pawn for pawn in PAWNS if pawn.color is color) for color in COLORS}
"""Color -> its pawns, from the weakest to the strongest."""

_NUMBERS = {pawn: number for number, pawn in enumerate(PAWNS)}
_BY_NOTATION = {str(pawn): pawn for pawn in PAWNS}


# --- Piles -----------------------------------------------------------------------------------------------------------

_BITS = 4
"""Number of bits for a pawn in a pile."""

_ABOVE = tuple(1 << _BITS * storeys for storeys in range(TOWER + 1))
"""_ABOVE[n]: the leading bit of a pile with n storeys."""

_PAWN = _ABOVE[1] - 1
"""The bits of the top pawn."""


class Pile(int):
    """A stack of pawns of different colors (rules 2.1 and 4.4); false for an empty square.

    It is encoded as a leading 1 followed by the numbers of its pawns from bottom to top, `_BITS` each, or as 0 if it is
    empty. So the top pawn is in the lowest bits, and storeys are added and removed by shifting.
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Pile:
        """Parse pawns from bottom to top, such as `B4 G1 Y3`. Raises `ValueError` if the pile is impossible."""
        code = 1
        for word in text.split():
            code = code << _BITS | Pawn.parse(word).number
        if code not in _PILES:
            raise ValueError(text)
        return _PILES[code]

    def __str__(self) -> str:
        return " ".join(map(str, self.pawns))

    def __repr__(self) -> str:
        return f"Pile({str(self)!r})"

    @property
    def label(self) -> Text:
        """The pawns as a text, from top to bottom: `Y3, G1 and B4`."""
        return Text("{pawns}", pawns=tuple(str(pawn) for pawn in reversed(self.pawns)))

    @property
    def pawns(self) -> tuple[Pawn, ...]:
        """The pawns from bottom to top."""
        return tuple(PAWNS[self >> _BITS * below & _PAWN] for below in reversed(range(self.height)))

    @property
    def height(self) -> int:
        """The number of pawns."""
        # With the leading 1, n storeys have `_BITS` * n + 1 bits.
        return self.bit_length() // _BITS

    @property
    def top(self) -> Pawn:
        """The top pawn of a pile that is not empty."""
        return PAWNS[self & _PAWN]

    @property
    def points(self) -> int:
        """Height times the strength of the top pawn (rule 7); 0 for an empty square."""
        return self.height * self.top.strength

    def upper(self, storeys: int) -> Pile:
        """The uppermost storeys as a pile (rule 4.2)."""
        bit = _ABOVE[storeys]
        return _PILES[bit | self & bit - 1]

    def without_upper(self, storeys: int) -> Pile:
        """The pile without its uppermost storeys."""
        return _PILES[self >> _BITS * storeys]

    def topped_with(self, pile: Pile) -> Pile:
        """The pile after another one lands on it (rule 4.3). They must not share a color."""
        storeys = pile.height
        # `^` removes the leading 1 of the landing pile.
        return _PILES[self << _BITS * storeys | pile ^ _ABOVE[storeys]]


EMPTY = Pile(0)
"""An empty square."""

Board = tuple[Pile, ...]
"""The pile of each square."""


def _layers() -> Iterator[dict[int, tuple[Mask, ...]]]:
    """All piles of each height up to a tower: encoding -> colors from top to bottom."""
    pawns = [(number, mask_of([pawn.color])) for number, pawn in enumerate(PAWNS)]
    # The leading 1, see `Pile`.
    layer: dict[int, tuple[Mask, ...]] = {1: ()}
    for _ in range(TOWER):
        layer = {
            code << _BITS | number: (color, *colors)
            for code, colors in layer.items()
            for number, color in pawns
            # The pawns of a pile have different colors (rule 4.4).
            if color not in colors
        }
        yield layer


def _count_liftable(colors: tuple[Mask, ...], target: Mask) -> int:
    """The number of pawns from the top down that share no color with the target."""
    return next((n for n, color in enumerate(colors) if color & target), len(colors))


# 16, 192 and 1,536 piles can be on a square, and there are 6,144 towers.
*_LOW, _TOWERS = ({Pile(code): colors for code, colors in layer.items()} for layer in _layers())
_STANDING = {pile: colors for layer in _LOW for pile, colors in layer.items()}
"""Pile that can be on a square, i.e. not a tower (rule 4.6) -> its colors from top to bottom."""

_PILES = {0: EMPTY, 1: EMPTY} | {int(pile): pile for pile in (*_STANDING, *_TOWERS)}
"""Encoding -> the only instance of the pile, so that equal boards compare fast; 1 is the rest of a pile that moved as a
whole."""

SINGLES = {pawn: _PILES[_ABOVE[1] | number] for pawn, number in _NUMBERS.items()}
"""Pawn -> the pile of this pawn alone."""

COLORS_OF: dict[Pile, Mask] = {pile: sum(colors) for pile, colors in _STANDING.items()}
"""Pile on the board -> its colors."""

HEIGHT: dict[Pile, int] = {pile: pile.height for pile in _STANDING}
"""Pile on the board -> its height; faster than the property."""

Mover = tuple[int, tuple[int, ...]]
"""The range of a pile (rule 4.3), and for each color set of a target the number of pawns, from the top, that can land
there (rule 4.4)."""

_LIFTS = {
    colors: tuple(_count_liftable(colors, n) for n in range(ALL_COLORS + 1)) for colors in set(_STANDING.values())
}
_MOVERS = {pile: (pile.top.strength, _LIFTS[colors]) for pile, colors in _STANDING.items()}

TOPPED_BY: tuple[dict[Pile, Mover], ...] = tuple(
    {pile: _MOVERS[pile] for pile, colors in _STANDING.items() if colors[0] & mask} for mask in range(ALL_COLORS + 1)
)
"""Color set -> the piles whose top pawn has one of these colors (rules 4.1, 4.5 and 7)."""
