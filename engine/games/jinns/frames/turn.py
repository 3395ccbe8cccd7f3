"""The question of a turn: exactly one move, with its consequences (rules 4 to 6)."""

from __future__ import annotations

from engine.core import Action, Advice, Decision, Event, Refusal
from engine.games.jinns import refusals, words
from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.builder import JinnsBuilder
from engine.games.jinns.events import SharedTower, Storeys, TookTower
from engine.games.jinns.offers import turn_decisions
from engine.games.jinns.pawns import TOWER
from engine.games.jinns.state import Jinns, Question
from engine.texts import Seat, Text

UPPER = 2
"""Number of storeys in the upper part of a tower that partners share (rule 5)."""


class Turn(Question[Move]):
    """The move of the seat on turn. This frame is below all others."""

    rule = "4"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """All legal moves. Never empty, since a seat without a move misses its turn."""
        return turn_decisions(state.board, state.turn, state.owned, state.terms.partners)

    def resolve(self, state: Jinns, seat: Seat, action: Move) -> tuple[Jinns, tuple[Event, ...]]:
        """Move, take off a tower, and pass the turn on."""
        after = JinnsBuilder(state)
        after.move(seat, action)
        if gain := _gain_of(state, seat, action):
            after.take_off(gain)
        emptied = not (after.board[action.square] and after.board[action.to])
        # Empty squares stay empty, so positions from before a square was emptied cannot be repeated (rule 6.2).
        after.pass_turn(Seat((seat + 1) % state.seats), state.owned, () if emptied else state.record)
        return after.done()

    def named(self, state: Jinns, action: Move, field: str = "") -> Text | None:
        """The moving pawns, their origin, and their target."""
        return words.move_name(state, action, field)

    def spelled_out(self, state: Jinns, action: Move) -> Text:
        """The move as a sentence."""
        return words.move_sentence(state, action)

    def gloss(self, state: Jinns, action: Move) -> Text:
        """The resulting pile, and the changes of points."""
        return words.move_gloss(state, action)

    def untold(self, state: Jinns, action: Move) -> Text:
        """The changes of points, which come from the tops of piles."""
        return words.point_changes(state, action)

    def advice(self, state: Jinns) -> Advice:
        """Towers within reach, and the range of pawns."""
        (decision,) = self.decisions(state)
        return words.turn_advice(state, [move for move in decision.options if isinstance(move, Move)])

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Name the condition that fails and the pawn in the way."""
        return refusals.moving(state, seat, action)


def _gain_of(state: Jinns, seat: Seat, move: Move) -> TookTower | SharedTower | None:
    """The tower that a move takes, with the shares of partners (rules 4.6 and 5); `None` if the pile stays."""
    below = state.board[move.to]
    # A tower of three stays unless it is taken in the move that makes it (rule 5.2).
    if below.height + move.take < TOWER and move.keep is not Keep.TAKE3:
        return None
    tower = below.topped_with(state.board[move.square].upper(move.take))
    partner = state.partner(seat)
    # The seat that completed the tower gets all of it (rule 4.6).
    if partner is None:
        return TookTower(seat, move.to, tower, state.worth(tower))
    # Of a tower of three, the partner gets the lowest pawn (rule 5.2).
    own, other = tower.upper(UPPER), tower.without_upper(UPPER)
    if move.keep is Keep.LOW:
        own, other = other, own
    return SharedTower(seat, partner, move.to, Storeys(tower.height), own, own.points, other, other.points)


TURN = Turn()
