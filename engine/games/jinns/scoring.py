"""Points and winners (rule 7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Outcome
from engine.games.jinns.events import EndReason
from engine.games.jinns.options import opposite
from engine.games.jinns.pawns import TOPPED_BY, Pile, colors_in
from engine.texts import Seat

if TYPE_CHECKING:
    from engine.games.jinns.state import Jinns


def worth(state: Jinns, pile: Pile) -> int:
    """Points of a pile in front of a player; under `zero` a neutral top counts nothing (rule 9)."""
    nobodys = pile.top.color in colors_in(state.neutral)
    return 0 if nobodys and not state.terms.neutral_counts else pile.points


def on_board(state: Jinns, seat: Seat) -> int:
    """Points of the piles topped by a color of this seat."""
    own = TOPPED_BY[state.owned[seat]]
    return sum(pile.points for pile in state.board if pile in own)


def outcome(state: Jinns, reason: EndReason) -> Outcome:
    """Most points win; who is equal shares the win. With `team_score` partners add up."""
    scores = tuple(state.score(Seat(seat)) for seat in range(state.seats))
    if state.terms.team_score:
        scores = tuple(score + scores[opposite(Seat(seat))] for seat, score in enumerate(scores))
    share = 1 / scores.count(max(scores))
    return Outcome(tuple(share if score == max(scores) else 0.0 for score in scores), scores, reason)
