"""What can change in a position of Jinns of the Lake, in the words of its rules."""

from __future__ import annotations

from engine.builder import Builder
from engine.games.jinns.actions import Move
from engine.games.jinns.events import (
    Alone,
    Began,
    CameAgain,
    Ended,
    EndReason,
    Missed,
    Moved,
    Occurrence,
    SharedTower,
    TookTower,
)
from engine.games.jinns.offers import turn_decisions
from engine.games.jinns.pattern import placements
from engine.games.jinns.pawns import EMPTY, SINGLES, Board, Mask, Pawn
from engine.games.jinns.ring import LAST, Square
from engine.games.jinns.state import Jinns, Standing
from engine.texts import Seat

FIRST = Seat(0)
"""Who begins (rule 3)."""


class JinnsBuilder(Builder[Jinns]):
    """A position while a ply changes it."""

    def __init__(self, before: Jinns) -> None:
        super().__init__(before)
        self.board = list(before.board)
        self.owned = list(before.owned)
        self.turn = before.turn
        self.moves = before.moves
        self.taken = list(before.taken)
        self.record = before.record
        self.ended = before.ended

    def position(self) -> Jinns:
        # Written out, since searches spend much of their time here and `replace` takes longer.
        return Jinns(
            frames=tuple(self.frames),
            terms=self.before.terms,
            board=tuple(self.board),
            owned=tuple(self.owned),
            turn=self.turn,
            moves=self.moves,
            taken=tuple(self.taken),
            record=self.record,
            ended=self.ended,
        )

    # --- The set-up ---

    def place(self, square: Square, pawn: Pawn) -> None:
        """Put a pawn on the next square; the seat that places the one after it is on turn (rule 3.1)."""
        self.board[square] = SINGLES[pawn]
        terms = self.before.terms
        # Luck lays out pawns for nobody, and after the last square `begin` says whose turn it is.
        if not terms.random and square < LAST:
            self.turn = placements(terms.seats)[square + 1].placer

    def begin(self) -> None:
        """The set-up is complete: nothing but turns is asked any more, and the first seat begins (rule 3)."""
        # What is left is `Turn`, which lies below all others.
        del self.frames[1:]
        self.tell(Began(FIRST))
        # The position after the set-up is the first one that counts (rule 6.2).
        self.pass_turn(FIRST, tuple(self.owned), ())

    # --- A turn ---

    def move(self, seat: Seat, move: Move) -> None:
        """The uppermost pawns of a pile land on another one (rules 4.2 and 4.3)."""
        board, origin, target = self.board, move.square, move.to
        pile, below = board[origin], board[target]
        moving = pile.upper(move.take)
        board[origin], board[target] = pile.without_upper(move.take), below.topped_with(moving)
        self.moves = self.before.moves + 1
        self.tell(Moved(seat, origin, target, moving))

    def take_off(self, gain: TookTower | SharedTower) -> None:
        """A tower leaves the quay: to the seat that completed it (rule 4.6), or half of it to the partner (rule 5)."""
        self.board[gain.square] = EMPTY
        self.tell(gain)
        if isinstance(gain, SharedTower):
            # A taken pile counts for the seat that has it, whatever its colors (rule 7).
            self.taken[gain.seat] += (gain.kept,)
            self.taken[gain.partner] += (gain.given,)
        else:
            self.taken[gain.seat] += (gain.tower,)

    def pass_turn(self, first: Seat, owned: tuple[Mask, ...], record: tuple[Standing, ...]) -> None:
        """The next seat from `first` on that has a move is on turn (rule 4.7), or the game ends (rule 6).

        `owned` are the colors of each seat, `record` the positions so far that can still come again.
        """
        board = tuple(self.board)
        mover = self._next_with_a_move(first, board, owned)
        # If nobody can move, it would be the turn of `first`.
        self.turn = turn = first if mover is None else mover
        self.record = (*record, (turn, board))
        come, limit = self.record.count((turn, board)), self.before.terms.repetition_limit
        # Tested first: without any move the game is over, repeated position or not (rule 6.1).
        if mover is None:
            self._end(EndReason.NO_MOVES)
        elif come == limit:
            self._end(EndReason.REPETITION)
        elif come > 1:
            self.tell(CameAgain(Occurrence(come), Occurrence(limit)))

    def _next_with_a_move(self, first: Seat, board: Board, owned: tuple[Mask, ...]) -> Seat | None:
        """The next seat with a move, while others miss their turn; `None` if nobody has one."""
        terms, seat = self.before.terms, first
        missed: list[Seat] = []
        while not turn_decisions(board, seat, owned, terms.partners):
            missed.append(seat)
            seat = Seat((seat + 1) % terms.seats)
            if seat == first:
                return None
        if missed:
            self.tell(Alone(seat) if 2 <= len(missed) == terms.seats - 1 else Missed(tuple(missed)))
        return seat

    def _end(self, reason: EndReason) -> None:
        self.frames.clear()
        self.ended = reason
        self.tell(Ended(reason))
