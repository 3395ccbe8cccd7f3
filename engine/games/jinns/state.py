"""A position of Jinns of the Lake: what is where, whose turn it is, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Self, TypeVar

from engine.core import Action, Frame, Outcome, State
from engine.games.jinns.events import EndReason
from engine.games.jinns.options import Terms, opposite
from engine.games.jinns.pattern import stock
from engine.games.jinns.pawns import (
    EMPTY,
    NO_COLORS,
    TOPPED_BY,
    Board,
    Color,
    Mask,
    Pile,
    colors_in,
    mask_of,
    without_owner,
)
from engine.games.jinns.ring import SQUARES
from engine.texts import Seat, Text

A = TypeVar("A", bound=Action)

Standing = tuple[Seat, Board]
"""What must come up again to be a repetition (rule 6.2): who is to move, and every pile."""


class Question(Frame["Jinns", A]):
    """A pending question of Jinns of the Lake."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Jinns(State):
    """A position. Everything lies open.

    `board` has a pile per square. `owned` are the colors of each seat as sets (see `pawns`). `turn` is the seat that
    is to place, choose or move; `moves` counts the moves so far. `taken` are the piles in front of each seat, in the
    order they came. `record` has the positions since a square was last emptied, each as often as it came.
    """

    frames: tuple[Question[Any], ...]
    terms: Terms
    board: Board
    owned: tuple[Mask, ...]
    turn: Seat
    moves: int
    taken: tuple[tuple[Pile, ...], ...]
    record: tuple[Standing, ...] = field(hash=False)  # takes long to hash, and hardly tells positions apart
    ended: EndReason | None

    @property
    def seats(self) -> int:
        """Number of players."""
        return self.terms.seats

    @property
    def placed(self) -> int:
        """How many pawns of the set-up are placed."""
        return SQUARES - self.board.count(EMPTY) if self.setting_up else SQUARES

    @property
    def setting_up(self) -> bool:
        """Whether pawns are still to be placed or colors to be chosen."""
        # `Turn` lies below whatever the set-up asks.
        return len(self.frames) > 1

    @property
    def times(self) -> int:
        """How often this position has come, with the same seat to move (rule 6.2); 0 in the set-up."""
        return self.record.count((self.turn, self.board))

    def if_on_turn(self, seat: Seat) -> Jinns | None:
        """A turn of another seat, with the quay as it is; nothing for one that cannot move."""
        asked = replace(self, turn=seat)
        return asked if len(self.frames) == 1 and asked.decisions() else None

    @property
    def neutral(self) -> Mask:
        """The colors that nobody owns."""
        return without_owner(self.owned)

    def colors(self, seat: Seat) -> tuple[Color, ...]:
        """The colors of a seat."""
        return colors_in(self.owned[seat])

    def owner(self, color: Color) -> Seat | None:
        """Whose color it is, `None` for a neutral one."""
        wanted = mask_of([color])
        return next((Seat(seat) for seat, mask in enumerate(self.owned) if mask & wanted), None)

    def partner(self, seat: Seat) -> Seat | None:
        """Who sits opposite, if they are partners (rule 5)."""
        return opposite(seat) if self.terms.partners else None

    def partner_colors(self, seat: Seat) -> Mask:
        """The partner's colors, none without partners."""
        return self.owned[opposite(seat)] if self.terms.partners else NO_COLORS

    def stock(self, color: Color) -> tuple[int, ...]:
        """How many pawns of strength 1, 2, 3, 4 are still to be placed."""
        return stock(self.board, color)

    def worth(self, pile: Pile) -> int:
        """Points of a taken pile (rule 7); the option `zero` lets a neutral top count nothing (rule 9)."""
        neutral = pile.top.color in colors_in(self.neutral)
        return 0 if neutral and not self.terms.neutral_counts else pile.points

    def taken_points(self, seat: Seat) -> int:
        """Points of what a seat has taken."""
        return sum(map(self.worth, self.taken[seat]))

    def lake_points(self, seat: Seat) -> int:
        """Points of the piles on the board that a seat controls."""
        # An empty square is not among them.
        own = TOPPED_BY[self.owned[seat]]
        return sum(pile.points for pile in self.board if pile in own)

    def score(self, seat: Seat) -> int:
        """Points of a seat if the game ended now, without its partner's (rule 7)."""
        return self.taken_points(seat) + self.lake_points(seat)

    def tally(self, seat: Seat) -> int:
        """The same."""
        return self.score(seat)

    def outcome(self) -> Outcome | None:
        """Most points win; who is equal shares the win. With `team_score` partners add up (rules 7 and 9)."""
        if self.ended is None:
            return None
        scores = [self.score(Seat(seat)) for seat in range(self.seats)]
        if self.terms.team_score:
            scores = [score + scores[opposite(Seat(seat))] for seat, score in enumerate(scores)]
        # Partners who add up have equal scores, and so share the win.
        best = max(scores)
        returns = tuple(1 / scores.count(best) if score == best else 0.0 for score in scores)
        return Outcome(returns, tuple(scores), self.ended)

    def account(self, seat: Seat) -> Text:
        """What is taken and what is on the lake, and the partner's points if they add up."""
        taken, lake, partner = self.taken_points(seat), self.lake_points(seat), self.partner(seat)
        own = Text("{taken} taken + {lake} on the lake", taken=taken, lake=lake)
        if partner is None or not self.terms.team_score:
            return own
        return Text("{own} + {points} from {partner}", own=own, points=self.score(partner), partner=partner)

    # Everything lies open, and pawns that luck lays are drawn when they are needed: nothing to hide.

    def observe(self, viewer: Seat | None) -> Self:
        """The position itself: all players see the same."""
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """The position itself."""
        return self
