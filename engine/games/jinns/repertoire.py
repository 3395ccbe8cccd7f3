"""Every move of the game, made once and shared by all positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.pawns import TOWER
from engine.games.jinns.ring import RING, Square

Bundle = tuple[Move, ...]
"""Moves from one square to another that differ in the pawns taken along, and in what becomes of the tower."""

Bundles = tuple[tuple[tuple[Bundle, ...], ...], ...]
"""[pawns that can be lifted, 0..3][origin][target] -> the moves, the top pawn alone first."""

_QUESTIONS = {TOWER: (Keep.HIGH, Keep.LOW), TOWER - 1: (Keep.LEAVE, Keep.TAKE3)}
"""Storeys of the new tower -> what partners choose between (rule 5)."""


@cache  # thousands of moves, made when they are needed first
def plain_moves() -> Bundles:
    """Moves without a question."""
    return _all_bundles(0)


@cache  # the same, for a game of four only
def partner_moves() -> tuple[Bundles, ...]:
    """[storeys of the target, 0..3] -> moves that say what becomes of the tower (rule 5)."""
    return tuple(map(_all_bundles, range(TOWER)))


def _all_bundles(below: int) -> Bundles:
    """`below` are the storeys of the target, or 0 where no question is asked."""
    return tuple(
        tuple(tuple(tuple(_moves(origin, target, lifted, below)) for target in RING) for origin in RING)
        for lifted in range(TOWER)
    )


def _moves(origin: Square, target: Square, lifted: int, below: int) -> Iterator[Move]:
    for take in range(1, lifted + 1):
        for keep in _QUESTIONS.get(below + take, (None,)) if below else (None,):
            yield Move(origin, take, target, keep)
