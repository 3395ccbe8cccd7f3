"""A turn: exactly one move, and everything that follows from it (rules 4 to 6)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Decision, Event, Refusal
from engine.games.jinns import refusals, words
from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.builder import JinnsBuilder
from engine.games.jinns.events import SharedTower, Storeys, TookTower
from engine.games.jinns.offers import turn_decisions
from engine.games.jinns.pawns import TOWER
from engine.games.jinns.state import Jinns, Question
from engine.texts import Seat, Text

UPPER = 2
"""Storeys in the upper part of a tower that partners share (rule 5)."""


@dataclass(frozen=True, slots=True)
class Turn(Question[Move]):
    """What the seat on turn moves. It lies below all other questions."""

    rule = "4"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """Every move; never empty, since a seat without one has missed its turn already."""
        return turn_decisions(state.board, state.turn, state.owned, state.terms.partners)

    def resolve(self, state: Jinns, seat: Seat, action: Move) -> tuple[Jinns, tuple[Event, ...]]:
        """Move, take off a tower, and pass the turn on."""
        after = JinnsBuilder(state)
        after.move(seat, action)
        if gain := _gain_of(state, seat, action):
            after.take_off(gain)
        emptied = not (after.board[action.square] and after.board[action.to])
        # No pawn ever comes to an empty square, so what came before one was emptied cannot come again (rule 6.2).
        after.pass_turn(Seat((seat + 1) % state.seats), state.owned, () if emptied else state.record)
        return after.done()

    def named(self, state: Jinns, action: Move, field: str = "") -> Text | None:
        """The pawns that go, and the piles they leave and land on."""
        return words.moved(state, action, field)

    def gloss(self, state: Jinns, action: Move) -> Text:
        """What is built, and how the points change."""
        return words.moved_gloss(state, action)

    def advice(self, state: Jinns) -> tuple[Text, ...]:
        """Towers in reach, and how far pawns go."""
        (decision,) = self.decisions(state)
        return words.turn_advice(state, [move for move in decision.options if isinstance(move, Move)])

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Say which condition fails, and name the pawn in the way."""
        return refusals.moving(state, seat, action)


def _gain_of(state: Jinns, seat: Seat, move: Move) -> TookTower | SharedTower | None:
    """What a move takes off the quay, and who gets it (rules 4.6 and 5); nothing if the pile stays where it lands."""
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


TURN = Turn()
