"""The position of Jinns of the Lake."""

from __future__ import annotations

from dataclasses import field, replace
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
    neutral_colors,
)
from engine.games.jinns.ring import SQUARES
from engine.texts import Seat, Text
from engine.ties import explain_ties

A = TypeVar("A", bound=Action)

Standing = tuple[Seat, Board]
"""The seat on turn and the board, which define a repetition (rule 6.2)."""


class Question(Frame["Jinns", A]):
    """A pending question of Jinns of the Lake."""

    __slots__ = ()


class Jinns(State):
    """A position. Everything is public.

    `board` has the pile of each square. `owned` are the colors of each seat as sets (see `pawns`). `turn` is the seat
    that places, chooses or moves next; `moves` is the number of moves so far. `taken_piles` are those of each seat, in
    order. `record` has all positions since a square was last emptied, including repetitions.
    """

    frames: tuple[Question[Any], ...]
    terms: Terms
    board: Board
    owned: tuple[Mask, ...]
    turn: Seat
    moves: int
    taken_piles: tuple[tuple[Pile, ...], ...]
    record: tuple[Standing, ...] = field(hash=False)  # slow to hash, and hardly distinguishes positions
    ended: EndReason | None

    @property
    def seats(self) -> int:
        """The number of players."""
        return self.terms.seats

    @property
    def placed(self) -> int:
        """The number of pawns placed in the setup."""
        return SQUARES - self.board.count(EMPTY) if self.is_setting_up else SQUARES

    @property
    def is_setting_up(self) -> bool:
        """Whether the setup is going on: placing pawns or choosing colors."""
        # `Turn` is below the frames of the setup.
        return len(self.frames) > 1

    @property
    def times(self) -> int:
        """The number of times that this position has occurred with the same seat on turn (rule 6.2); 0 in the setup."""
        return self.record.count((self.turn, self.board))

    def if_on_turn(self, seat: Seat) -> Jinns | None:
        """The position with another seat on turn; `None` if that seat cannot move."""
        hypothetical = replace(self, turn=seat)
        return hypothetical if len(self.frames) == 1 and hypothetical.decisions() else None

    @property
    def neutral(self) -> Mask:
        """The colors without an owner."""
        return neutral_colors(self.owned)

    def colors(self, seat: Seat) -> tuple[Color, ...]:
        """The colors of a seat."""
        return colors_in(self.owned[seat])

    def owner(self, color: Color) -> Seat | None:
        """The owner of a color, `None` for a neutral one."""
        color_mask = mask_of([color])
        return next((Seat(seat) for seat, mask in enumerate(self.owned) if mask & color_mask), None)

    def partner(self, seat: Seat) -> Seat | None:
        """The partner of a seat, if there are partners (rule 5)."""
        return opposite(seat) if self.terms.partners else None

    def partner_colors(self, seat: Seat) -> Mask:
        """The colors of the partner; empty without partners."""
        return self.owned[opposite(seat)] if self.terms.partners else NO_COLORS

    def stock(self, color: Color) -> tuple[int, ...]:
        """The number of a color's pawns of strength 1, 2, 3, 4 that are not placed yet."""
        return stock(self.board, color)

    def worth(self, pile: Pile) -> int:
        """The points of a taken pile (rule 7). With the option `zero`, a neutral top has none (rule 9)."""
        neutral = pile.top.color in colors_in(self.neutral)
        return 0 if neutral and not self.terms.neutral_counts else pile.points

    def taken_points(self, seat: Seat) -> int:
        """The points of the piles taken by a seat."""
        return sum(map(self.worth, self.taken_piles[seat]))

    def lake_points(self, seat: Seat) -> int:
        """The points of the piles on the board that a seat controls."""
        # `TOPPED_BY` does not contain the empty pile.
        own = TOPPED_BY[self.owned[seat]]
        return sum(pile.points for pile in self.board if pile in own)

    def score(self, seat: Seat) -> int:
        """The score of a seat if the game ended now, without its partner's (rule 7)."""
        return self.taken_points(seat) + self.lake_points(seat)

    def tally(self, seat: Seat) -> int:
        """The score of a seat, which is public."""
        return self.score(seat)

    def outcome(self) -> Outcome | None:
        """The seats with the most points share the win; with `team_score`, partners add up (rules 7 and 9)."""
        if self.ended is None:
            return None
        scores = [self.score(Seat(seat)) for seat in range(self.seats)]
        if self.terms.team_score:
            scores = [score + scores[opposite(Seat(seat))] for seat, score in enumerate(scores)]
        # Partners with a team score have equal scores and share the win.
        best = max(scores)
        returns = tuple(1 / scores.count(best) if score == best else 0.0 for score in scores)
        tie_break = explain_ties(returns, scores, EQUAL, companies=self._companies())
        return Outcome(returns, tuple(scores), self.ended, tie_break)

    def _companies(self) -> tuple[int, ...]:
        return tuple(seat % (self.seats // 2 if self.terms.team_score else self.seats) for seat in range(self.seats))

    def account(self, seat: Seat) -> Text:
        """The points of taken piles and on the lake, and the partner's points if they add up."""
        safe, lake, partner = self.taken_points(seat), self.lake_points(seat), self.partner(seat)
        own = Text("{taken} taken + {lake} on the lake", taken=safe, lake=lake)
        if partner is None or not self.terms.team_score:
            return own
        return Text("{own} + {points} from {partner}", own=own, points=self.score(partner), partner=partner)

    # Everything is public, and a random setup draws pawns one at a time, so there is nothing to hide.

    def observe(self, viewer: Seat | None) -> Self:
        """The position itself, since everything is public."""
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Self:
        """The position itself."""
        return self


EQUAL = Text("Tied on points: the win is shared.")
