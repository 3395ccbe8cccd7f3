"""The conditions for the end of the game (rule 6)."""

from __future__ import annotations

from engine.games.muscat.events import Ended, EndReason, Exhausted, Stuck
from engine.games.muscat.offers import reemployments, turn_options
from engine.games.muscat.options import AT_ONCE, NO_ACTION
from engine.games.muscat.repertoire import repertoire_for
from engine.games.muscat.state import Muscat
from engine.texts import Seat


def ending(following: Muscat) -> Ended | None:
    """The end of the game, if it is over at the start of this turn. The palace takes precedence (rules 6.1 and 6.2)."""
    if following.last_round and round_over(following):
        return Ended(EndReason.PALACE)
    # The option `exhaustion_end` selects the condition (rule 9).
    ends_by, turn, seats = following.setup.options.exhaustion_end, following.turn, following.seats
    if ends_by == AT_ONCE:
        order = (Seat((turn + n) % seats) for n in range(seats))
        return next((Exhausted(EndReason.EXHAUSTION, seat) for seat in order if _exhausted(following, seat)), None)
    # A seat can always bring in a face-up token (rule 4.1).
    if following.shown[turn] is not None:
        return None
    if ends_by == NO_ACTION:
        return None if turn_options(following) else Stuck(EndReason.NO_ACTION, turn)
    return Exhausted(EndReason.EXHAUSTION, turn) if _exhausted(following, turn) else None


def round_over(following: Muscat) -> bool:
    """Whether the turn before this one was the last of its round."""
    # The start placements are round 0 (rule 10), so complete rounds are multiples of the number of seats.
    return following.clock % following.seats == 0


def _exhausted(state: Muscat, seat: Seat) -> bool:
    """Whether a seat can neither bring in nor re-employ an artist (rule 6.2)."""
    if state.shown[seat] is not None:  # without a face-up token, the pile is empty, too
        return False
    return not reemployments(state.board, state.idlers[seat], repertoire_for(state.seats))
