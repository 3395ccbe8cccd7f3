"""What a move takes off the quay, and who gets it (rules 4.6 and 5)."""

from __future__ import annotations

from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.events import SharedTower, Storeys, TookTower
from engine.games.jinns.pawns import TOWER
from engine.games.jinns.state import Jinns
from engine.texts import Seat

UPPER = 2
"""Storeys in the upper part of a tower that partners share (rule 5)."""

Gain = TookTower | SharedTower


def gain_of(state: Jinns, seat: Seat, move: Move) -> Gain | None:
    """The tower that a seat's move takes off; nothing if the pile stays where it lands."""
    below = state.board[move.to]
    # A tower of three stays unless it is taken in the move that makes it (rule 5.2).
    if below.height + move.take < TOWER and move.keep is not Keep.TAKE3:
        return None
    tower = below.topped_with(state.board[move.square].upper(move.take))
    partner = state.partner(seat)
    # The whole tower, for the seat that completed it (rule 4.6).
    if partner is None:
        return TookTower(seat, move.to, tower, state.worth(tower))
    # Of a tower of three the partner gets the lowest pawn (rule 5.2).
    kept, given = tower.upper(UPPER), tower.without_upper(UPPER)
    if move.keep is Keep.LOW:
        kept, given = given, kept
    return SharedTower(seat, partner, move.to, Storeys(tower.height), kept, kept.points, given, given.points)
