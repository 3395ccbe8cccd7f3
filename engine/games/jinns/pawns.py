"""Pawns, piles of them and sets of their colors; the only place that knows how they are kept as numbers.

Positions are searched by the million, so what a move has to know of a pile is looked up in tables by the pile itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from engine.texts import Text

STRENGTHS = (1, 2, 3, 4)
COPIES = 2
"""Pawns of each color and strength (rule 2.1)."""

TOWER = 4
"""Storeys of a complete tower, one of each color (rule 4.6)."""


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


# --- Sets of colors --------------------------------------------------------------------------------------------------

Mask = int
"""A set of colors: bit n stands for `COLORS[n]`. `&` and `|` do with it what they do with sets."""

NO_COLORS: Mask = 0
ALL_COLORS: Mask = (1 << len(COLORS)) - 1

_SETS = tuple(tuple(color for n, color in enumerate(COLORS) if mask >> n & 1) for mask in range(ALL_COLORS + 1))


def colors_in(mask: Mask) -> tuple[Color, ...]:
    """The colors of a set, in their order."""
    return _SETS[mask]


def mask_of(colors: Iterable[Color]) -> Mask:
    """The set of these colors."""
    return sum(1 << COLORS.index(color) for color in set(colors))


def without_owner(owned: Sequence[Mask]) -> Mask:
    """The colors that are neutral, given those of each seat (rule 2.3)."""
    # No color has two owners, so the sum is the union.
    return ALL_COLORS - sum(owned)


# --- Pawns -----------------------------------------------------------------------------------------------------------


class Pawn(NamedTuple):
    """A pawn, of which there are two alike (rule 2.1); written `Y3`."""

    color: Color
    strength: int

    @classmethod
    def parse(cls, text: str) -> Pawn:
        """The pawn a text stands for. Raises `ValueError` if there is none."""
        if text not in _WRITTEN:
            raise ValueError(text)
        return _WRITTEN[text]

    def __str__(self) -> str:
        return f"{self.color}{self.strength}"

    @property
    def number(self) -> int:
        """Its place in `PAWNS`."""
        return _NUMBERS[self]


PAWNS = tuple(Pawn(color, strength) for color in COLORS for strength in STRENGTHS)
"""All different pawns, by color and then by strength."""

PAWNS_OF = {color: tuple(pawn for pawn in PAWNS if pawn.color is color) for color in COLORS}
"""Color -> its pawns, from the weakest to the strongest."""

_NUMBERS = {pawn: number for number, pawn in enumerate(PAWNS)}
_WRITTEN = {str(pawn): pawn for pawn in PAWNS}


# --- Piles -----------------------------------------------------------------------------------------------------------

_BITS = 4
"""Of a pawn in a pile: enough for its number."""

_ABOVE = tuple(1 << _BITS * storeys for storeys in range(TOWER + 1))
"""_ABOVE[n]: the bit in front of n storeys."""

_PAWN = _ABOVE[1] - 1
"""The bits of the top pawn."""


class Pile(int):
    """Pawns on top of each other, of different colors (rules 2.1 and 4.4); false for an empty square.

    As a number it is 1 followed by the numbers of its pawns from bottom to top, `_BITS` each, and 0 if there is none:
    so the top pawn is in the lowest bits, and storeys come and go by shifting.
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Pile:
        """The pile a text such as `B4 G1 Y3` stands for, from bottom to top. Raises `ValueError` if there is none."""
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
        """How people read it, from top to bottom: `Y3, G1 and B4`."""
        return Text("{pawns}", pawns=tuple(str(pawn) for pawn in reversed(self.pawns)))

    @property
    def pawns(self) -> tuple[Pawn, ...]:
        """From bottom to top."""
        return tuple(PAWNS[self >> _BITS * below & _PAWN] for below in reversed(range(self.height)))

    @property
    def height(self) -> int:
        """How many pawns it has."""
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
        """The uppermost storeys as a pile of their own (rule 4.2)."""
        bit = _ABOVE[storeys]
        return _PILES[bit | self & bit - 1]

    def without_upper(self, storeys: int) -> Pile:
        """What stays below the uppermost storeys."""
        return _PILES[self >> _BITS * storeys]

    def topped_with(self, pile: Pile) -> Pile:
        """The pile that arises when another one lands on this one, which has none of its colors (rule 4.3)."""
        storeys = pile.height
        # Without the leading 1 of the pile that lands.
        return _PILES[self << _BITS * storeys | pile ^ _ABOVE[storeys]]


EMPTY = Pile(0)
"""No pile: an empty square."""

Board = tuple[Pile, ...]
"""A pile per square."""


def _layered() -> Iterator[dict[int, tuple[Mask, ...]]]:
    """All piles with one storey, with two, up to a tower: number -> colors from top to bottom."""
    pawns = [(number, mask_of([pawn.color])) for number, pawn in enumerate(PAWNS)]
    # The leading 1, see `Pile`.
    layer: dict[int, tuple[Mask, ...]] = {1: ()}
    for _ in range(TOWER):
        layer = {
            code << _BITS | number: (color, *colors)
            for code, colors in layer.items()
            for number, color in pawns
            # No pile has two pawns of a color (rule 4.4).
            if color not in colors
        }
        yield layer


def _liftable(colors: tuple[Mask, ...], target: Mask) -> int:
    """How many pawns share no color with the target, from the top down."""
    return next((n for n, color in enumerate(colors) if color & target), len(colors))


# 16, 192 and 1,536 piles can be on a square, and there are 6,144 towers.
*_LOW, _TOWERS = ({Pile(code): colors for code, colors in layer.items()} for layer in _layered())
_STANDING = {pile: colors for layer in _LOW for pile, colors in layer.items()}
"""The piles that can be on a square, as towers cannot (rule 4.6) -> their colors from top to bottom."""

_PILES = {0: EMPTY, 1: EMPTY} | {int(pile): pile for pile in (*_STANDING, *_TOWERS)}
"""Number -> the pile, made once, so that equal boards compare quickly; 1 is what a pile leaves that moves whole."""

SINGLES = {pawn: _PILES[_ABOVE[1] | number] for pawn, number in _NUMBERS.items()}
"""A pawn -> the pile of that pawn alone."""

COLORS_OF: dict[Pile, Mask] = {pile: sum(colors) for pile, colors in _STANDING.items()}
"""All colors of a pile on the quay."""

HEIGHT: dict[Pile, int] = {pile: pile.height for pile in _STANDING}
"""Storeys of a pile on the quay, where its property is too slow."""

Mover = tuple[int, tuple[int, ...]]
"""How many piles a pile counts (rule 4.3); and [colors of the target] how many of its pawns, from the top, can land
there (rule 4.4)."""

_LIFTS = {colors: tuple(_liftable(colors, n) for n in range(ALL_COLORS + 1)) for colors in set(_STANDING.values())}
_MOVERS = {pile: (pile.top.strength, _LIFTS[colors]) for pile, colors in _STANDING.items()}

TOPPED_BY: tuple[dict[Pile, Mover], ...] = tuple(
    {pile: _MOVERS[pile] for pile, colors in _STANDING.items() if colors[0] & mask} for mask in range(ALL_COLORS + 1)
)
"""[colors] -> the piles on the quay whose top pawn has one of them (rules 4.1, 4.5 and 7)."""
