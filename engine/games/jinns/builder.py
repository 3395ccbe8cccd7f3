"""The changes of a position in Jinns of the Lake, in the terms of its rules."""

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
"""The first seat on turn (rule 3)."""


class JinnsBuilder(Builder[Jinns]):
    """A position while a ply changes it."""

    def __init__(self, before: Jinns) -> None:
        super().__init__(before)
        self.board = list(before.board)
        self.owned = list(before.owned)
        self.turn = before.turn
        self.moves = before.moves
        self.taken_piles = list(before.taken_piles)
        self.record = before.record
        self.ended = before.ended

    def position(self) -> Jinns:
        # Not `replace`, which takes longer: this is a hot spot of searches.
        return Jinns(
            frames=tuple(self.frames),
            terms=self.before.terms,
            board=tuple(self.board),
            owned=tuple(self.owned),
            turn=self.turn,
            moves=self.moves,
            taken_piles=tuple(self.taken_piles),
            record=self.record,
            ended=self.ended,
        )

    # --- The setup ---

    def place(self, square: Square, pawn: Pawn) -> None:
        """Put a pawn on the next square and pass the turn to the seat that places the following one (rule 3.1)."""
        self.board[square] = SINGLES[pawn]
        terms = self.before.terms
        # A random setup has no turns, and after the last square, `begin` sets the turn.
        if not terms.random and square < LAST:
            self.turn = placements(terms.seats)[square + 1].placer

    def begin(self) -> None:
        """Complete the setup and start the first turn (rule 3)."""
        # Only `Turn` remains, the lowest frame.
        del self.frames[1:]
        self.tell(Began(FIRST))
        # The position after the setup is the first one that counts as a repetition (rule 6.2).
        self.pass_turn(FIRST, tuple(self.owned), ())

    # --- A turn ---

    def move(self, seat: Seat, move: Move) -> None:
        """Move the uppermost pawns of a pile onto another pile (rules 4.2 and 4.3)."""
        board, origin, target = self.board, move.square, move.to
        pile, below = board[origin], board[target]
        moving = pile.upper(move.take)
        board[origin], board[target] = pile.without_upper(move.take), below.topped_with(moving)
        self.moves = self.before.moves + 1
        self.tell(Moved(seat, origin, target, moving))

    def take_off(self, gain: TookTower | SharedTower) -> None:
        """Give a tower to the seat that completed it (rule 4.6), or share it between partners (rule 5)."""
        self.board[gain.square] = EMPTY
        self.tell(gain)
        if isinstance(gain, SharedTower):
            # A taken pile counts for the seat that has it, regardless of its colors (rule 7).
            self.taken_piles[gain.seat] += (gain.own_pile,)
            self.taken_piles[gain.partner] += (gain.partner_pile,)
        else:
            self.taken_piles[gain.seat] += (gain.tower,)

    def pass_turn(self, first: Seat, owned: tuple[Mask, ...], record: tuple[Standing, ...]) -> None:
        """Pass the turn to the next seat from `first` on that can move (rule 4.7), or end the game (rule 6).

        `owned` are the colors of each seat, `record` the positions so far that can be repeated.
        """
        board = tuple(self.board)
        mover = self._next_mover(first, board, owned)
        # If no seat can move, `first` counts as on turn.
        self.turn = turn = first if mover is None else mover
        self.record = (*record, (turn, board))
        times, limit = self.record.count((turn, board)), self.before.terms.repetition_limit
        # Checked first: without moves, the game ends for this reason even if the position is repeated (rule 6.1).
        if mover is None:
            self._end(EndReason.NO_MOVES)
        elif times == limit:
            self._end(EndReason.REPETITION)
        elif times > 1:
            self.tell(CameAgain(Occurrence(times), Occurrence(limit)))

    def _next_mover(self, first: Seat, board: Board, owned: tuple[Mask, ...]) -> Seat | None:
        """The next seat with a move, reporting those that miss their turn; `None` if no seat has one."""
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
