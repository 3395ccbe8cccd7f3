"""Points and winners (rule 7)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.core import Outcome
from engine.games.jinns.events import EndReason
from engine.games.jinns.options import Terms, opposite
from engine.games.jinns.pawns import TOPPED_BY, Board, Mask, Pile, colors_in
from engine.texts import Seat


def worth(pile: Pile, neutral: Mask, terms: Terms) -> int:
    """Points of a pile in front of a player; under `zero` a neutral top counts nothing (rule 9)."""
    return 0 if pile.top.color in colors_in(neutral) and not terms.neutral_counts else pile.points


def on_board(board: Board, colors: Mask) -> int:
    """Points of the piles topped by one of these colors."""
    own = TOPPED_BY[colors]
    return sum(pile.points for pile in board if pile in own)


def outcome(scores: Sequence[int], terms: Terms, reason: EndReason) -> Outcome:
    """Most points win; who is equal shares the win. With `team_score` partners add up."""
    if terms.team_score:
        scores = [score + scores[opposite(Seat(seat))] for seat, score in enumerate(scores)]
    # Partners who add up have equal scores, and so share the win.
    share = 1 / scores.count(max(scores))
    return Outcome(tuple(share if score == max(scores) else 0.0 for score in scores), tuple(scores), reason)
