"""All possible moves of the game, created once and shared by all positions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.pawns import TOWER
from engine.games.jinns.ring import RING, Square

Bundle = tuple[Move, ...]
"""Moves from one square to another that differ in the number of pawns and in `keep`."""

Bundles = tuple[tuple[tuple[Bundle, ...], ...], ...]
"""[pawns that can be lifted, 0..3][origin][target] -> the moves, the top pawn alone first."""

_QUESTIONS = {TOWER: (Keep.HIGH, Keep.LOW), TOWER - 1: (Keep.LEAVE, Keep.TAKE3)}
"""Height of the new tower -> the choices of partners (rule 5)."""


@cache  # thousands of moves, created on first use
def plain_moves() -> Bundles:
    """The moves without partners, which have no `keep`."""
    return _all_bundles(0)


@cache  # needed only for games of four
def partner_moves() -> tuple[Bundles, ...]:
    """[height of the target, 0..3] -> the moves with partners, with `keep` for towers (rule 5)."""
    return tuple(map(_all_bundles, range(TOWER)))


def _all_bundles(below: int) -> Bundles:
    """The bundles for targets of the height `below`; 0 for moves without `keep`."""
    return tuple(
        tuple(tuple(tuple(_moves(origin, target, lifted, below)) for target in RING) for origin in RING)
        for lifted in range(TOWER)
    )


def _moves(origin: Square, target: Square, lifted: int, below: int) -> Iterator[Move]:
    for take in range(1, lifted + 1):
        for keep in _QUESTIONS.get(below + take, (None,)) if below else (None,):
            yield Move(origin, take, target, keep)
