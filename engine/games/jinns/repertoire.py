"""Every move of the game, made once and shared by all positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.pawns import SQUARES, TOWER

Bundle = tuple[Move, ...]
"""Moves from one square to another that differ in the pawns taken along, and in what becomes of the tower."""

Bundles = tuple[tuple[Bundle, ...], ...]
"""[pawns that can be lifted, 0..3][origin * SQUARES + target] -> the moves, the top pawn alone first."""

_QUESTIONS = {TOWER: (Keep.HIGH, Keep.LOW), TOWER - 1: (Keep.LEAVE, Keep.TAKE3)}
"""Storeys of the new tower -> what partners choose between (rule 5)."""


@cache
def plain_moves() -> Bundles:
    """Moves without a question."""
    return tuple(_bundles(lifted, 0) for lifted in range(TOWER))


@cache
def partner_moves() -> tuple[Bundles, ...]:
    """[storeys of the target, 0..3] -> moves that say what becomes of the tower (rule 5)."""
    return tuple(tuple(_bundles(lifted, storeys) for lifted in range(TOWER)) for storeys in range(TOWER))


def _bundles(lifted: int, below: int) -> tuple[Bundle, ...]:
    squares = range(SQUARES)
    return tuple(tuple(_moves(origin, target, lifted, below)) for origin in squares for target in squares)


def _moves(origin: int, target: int, lifted: int, below: int) -> Iterator[Move]:
    """The moves of a bundle; `below` is 0 where no question is asked."""
    for take in range(1, lifted + 1):
        for keep in _QUESTIONS.get(below + take, (None,)) if below else (None,):
            yield _move(origin, take, target, keep)


@cache
def _move(origin: int, take: int, target: int, keep: Keep | None) -> Move:
    return Move(origin, take, target, keep)
