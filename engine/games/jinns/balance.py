"""Lopsidedness: how unevenly the strength of each color is spread around the lake before the first move."""

from __future__ import annotations

from cmath import exp
from collections.abc import Sequence
from functools import cache
from math import pi

from engine.games.jinns.pattern import placements, stock
from engine.games.jinns.pawns import COLORS, EMPTY, SINGLES, STRENGTHS, Board, Color
from engine.games.jinns.ring import SQUARES

SCALE = 100
"""The unit of lopsidedness, so that the maximum for a color is about one."""

_AROUND = tuple(exp(2j * pi * square / SQUARES) for square in range(SQUARES))
"""The direction of each square from the middle of the lake, as a complex number."""

_SINGLE = {pile: (COLORS.index(pawn.color), pawn.strength) for pawn, pile in SINGLES.items()}
"""Pile of one pawn -> the index of its color, and its strength."""


def lopsidedness(board: Board, seats: int) -> list[float]:
    """The squared length of the sum of a color's pawns' directions, weighted by strength, for each color.

    If some pawns are not placed yet (rule 3.2), it is the mean over all their orders.
    """
    # Measured: of all features of a setup, this one predicted the winner best (engine/players/measurements.md).
    pulls = [0j] * len(COLORS)
    for square, pile in enumerate(board):
        if pile:
            color, strength = _SINGLE[pile]
            pulls[color] += strength * _AROUND[square]
    if EMPTY not in board:
        return [abs(pull) ** 2 / SCALE for pull in pulls]
    placed = board[: board.index(EMPTY)]
    return [
        _expected_square(pull, open_squares[len(placed)], stock(placed, color)) / SCALE
        for color, pull, open_squares in zip(COLORS, pulls, _open_squares(seats), strict=True)
    ]


def _expected_square(pull: complex, open_squares: Open, in_stock: Sequence[int]) -> float:
    """The mean squared pull if the pawns in stock are placed on the open squares in random order."""
    pawns, around = open_squares
    if not pawns:
        return abs(pull) ** 2
    mean = sum([n * strength for n, strength in zip(in_stock, STRENGTHS, strict=True)]) / pawns
    deviation = sum([n * (strength - mean) ** 2 for n, strength in zip(in_stock, STRENGTHS, strict=True)])
    # The variance of the pull for a random assignment of the strengths to these squares.
    spread = deviation / (pawns - 1) * (pawns - abs(around) ** 2 / pawns) if pawns > 1 else 0.0
    # The mean of a square is the square of the mean plus the variance.
    return abs(pull + mean * around) ** 2 + spread


Open = tuple[int, complex]
"""The number of open squares of a color, and the sum of their directions."""


@cache
def _open_squares(seats: int) -> tuple[tuple[Open, ...], ...]:
    """The open squares by color and number of placed pawns."""
    return tuple(tuple(_open_from(seats, color, placed) for placed in range(SQUARES)) for color in COLORS)


def _open_from(seats: int, color: Color, first: int) -> Open:
    rest = [_AROUND[n] for n, here in enumerate(placements(seats)) if here.color is color and n >= first]
    return len(rest), sum(rest, 0j)
