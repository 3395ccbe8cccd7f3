"""A turn: exactly one move, and everything that follows from it (rules 4 to 6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.core import Action, Decision, Event, Refusal
from engine.games.jinns import refusals
from engine.games.jinns.actions import Keep, Move
from engine.games.jinns.events import (
    ORDINALS,
    Began,
    CameAgain,
    Ended,
    EndReason,
    Missed,
    Moved,
    SharedTower,
    TookTower,
)
from engine.games.jinns.offers import turn_decisions
from engine.games.jinns.pawns import (
    EMPTY,
    PAWN_WORDS,
    PILE_TEXT,
    TOWER,
    Pile,
    height,
    pile_text,
    points,
    upper,
    without_upper,
)
from engine.games.jinns.record import Record, noted, times
from engine.games.jinns.state import Board, Jinns, Question
from engine.texts import Seat

FIRST = Seat(0)
"""Who begins (rule 3)."""

_STOREYS = {3: "three", 4: "four"}


@dataclass(frozen=True, slots=True)
class Turn(Question[Move]):
    """What the seat on turn moves. It lies below all other questions."""

    rule = "4"

    def decisions(self, state: Jinns) -> tuple[Decision, ...]:
        """Every move; never empty, since a seat without one has missed its turn already."""
        return moves_of(state, state.board, state.turn)

    def resolve(self, state: Jinns, seat: Seat, action: Move) -> tuple[Jinns, tuple[Event, ...]]:
        """Move, take off a tower, and pass the turn on."""
        origin, target = action.square, action.to
        pile, below = state.board[origin], state.board[target]
        moved = upper(pile, action.take)
        tower = below << 4 * action.take | moved & (1 << 4 * action.take) - 1
        board = list(state.board)
        board[origin], board[target] = without_upper(pile, action.take), tower
        events: list[Event] = [Moved(seat, origin, target, PILE_TEXT[moved], PAWN_WORDS[below & 15])]
        taken = state.taken
        if height(tower) == TOWER or action.keep is Keep.TAKE3:
            board[target] = EMPTY
            taken = _take_off(state, seat, action, tower, events)
        record = state.record if board[origin] and board[target] else ()
        return _give_turn(state, Seat((seat + 1) % len(taken)), events, tuple(board), state.moves + 1, taken, record)

    def gloss(self, state: Jinns, action: Move, names: Sequence[str]) -> str:
        """What a tower brings."""
        for event in self.resolve(state, state.turn, action)[1]:
            match event:
                case TookTower(points=gain):
                    return f"tower of four, you take it: {gain} points"
                case SharedTower(partner=partner, points=gain, given_points=given):
                    return f"{gain} points for you, {given} for {names[partner]}"
        return ""

    def why_not(self, state: Jinns, seat: Seat, action: Action) -> Refusal | None:
        """Say which condition fails, and name the pawn in the way."""
        return refusals.moving(state, seat, action)


TURN = Turn()
ONLY_TURN = (TURN,)


def begin(state: Jinns, *events: Event) -> tuple[Jinns, tuple[Event, ...]]:
    """The set-up is complete: the first seat begins."""
    return _give_turn(state, FIRST, [*events, Began(FIRST)], state.board, 0, state.taken, ())


def _take_off(state: Jinns, seat: Seat, move: Move, tower: Pile, events: list[Event]) -> tuple[tuple[Pile, ...], ...]:
    """A tower leaves the board: to who completed it (rule 4.6), or in two parts to him and his partner (rule 5)."""
    partner = state.partner(seat)
    if partner is None:
        events.append(TookTower(seat, move.to, pile_text(tower), state.worth(tower)))
        return _with_gain(state.taken, seat, tower)
    kept, given = upper(tower, 2), without_upper(tower, 2)
    if move.keep is Keep.LOW:
        kept, given = given, kept
    names = pile_text(kept), points(kept), pile_text(given), points(given)
    events.append(SharedTower(seat, partner, move.to, _STOREYS[height(tower)], *names))
    return _with_gain(_with_gain(state.taken, seat, kept), partner, given)


def _with_gain(taken: tuple[tuple[Pile, ...], ...], seat: Seat, pile: Pile) -> tuple[tuple[Pile, ...], ...]:
    return (*taken[:seat], (*taken[seat], pile), *taken[seat + 1 :])


def _give_turn(
    before: Jinns,
    first: Seat,
    events: list[Event],
    board: Board,
    moves: int,
    taken: tuple[tuple[Pile, ...], ...],
    record: Record,
) -> tuple[Jinns, tuple[Event, ...]]:
    """The next seat from `first` on that has a move is on turn, others miss theirs (rule 4.7); or the end (rule 6).

    The record may hold nothing from before a square was emptied.
    """
    terms, owned = before.terms, before.owned
    ended = None
    for seat in [first, *(Seat((first + n) % terms.seats) for n in range(1, terms.seats))]:
        if moves_of(before, board, seat):
            break
        events.append(Missed(seat))
    else:
        seat, ended = first, EndReason.NO_MOVES
        del events[-terms.seats :]
    record = noted(record, (seat, board))
    come, limit = times(record, (seat, board)), terms.repetition_limit
    if not ended and come == limit:
        ended = EndReason.REPETITION
    if ended:
        events.append(Ended(ended))
    elif come > 1:
        events.append(CameAgain(ORDINALS[come], ORDINALS[limit]))
    frames = () if ended else ONLY_TURN
    return Jinns(frames, terms, board, owned, seat, moves, taken, record, ended), tuple(events)


def moves_of(state: Jinns, board: Board, seat: Seat) -> tuple[Decision, ...]:
    """What a seat could do on a board if it were on turn; nothing if it has no move."""
    return turn_decisions(board, seat, state.owned[seat], state.neutral, state.partner_colors(seat))
