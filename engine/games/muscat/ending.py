"""When the game ends (rule 6)."""

from __future__ import annotations

from engine.games.muscat.events import Ended, EndReason, Exhausted, Stuck
from engine.games.muscat.offers import reemployments, turn_options
from engine.games.muscat.options import AT_ONCE, NO_ACTION
from engine.games.muscat.repertoire import repertoire_for
from engine.games.muscat.state import Muscat
from engine.texts import Seat


def ending(following: Muscat) -> Ended | None:
    """Whether and why the game is over, now that a turn has passed on: the palace goes first (rules 6.1 and 6.2)."""
    if following.last_round and round_over(following):
        return Ended(EndReason.PALACE)
    if following.setup.options.exhaustion_end == AT_ONCE:
        return _anybody_exhausted(following)
    return _plight(following, following.turn)


def _plight(following: Muscat, seat: Seat) -> Ended | None:
    """What keeps the seat on turn from going on, as the option `exhaustion_end` counts it (rule 9)."""
    if following.shown[seat] is not None:
        return None
    if following.setup.options.exhaustion_end == NO_ACTION:
        return None if turn_options(following) else Stuck(EndReason.NO_ACTION, seat)
    return Exhausted(EndReason.EXHAUSTION, seat) if _exhausted(following, seat) else None


def _anybody_exhausted(following: Muscat) -> Exhausted | None:
    """The first seat in order of play that has nobody left, for an end `at_once` (rule 9)."""
    seats = following.seats
    order = (Seat((following.turn + n) % seats) for n in range(seats))
    return next((Exhausted(EndReason.EXHAUSTION, seat) for seat in order if _exhausted(following, seat)), None)


def round_over(following: Muscat) -> bool:
    """Whether the turn that has passed on was the last one of its round."""
    # The start placements are round 0 (rule 10), so whole rounds are multiples of the seats.
    return following.clock % following.seats == 0


def _exhausted(state: Muscat, seat: Seat) -> bool:
    """Whether a seat can neither bring in nor re-employ an artist (rule 6.2)."""
    if state.shown[seat] is not None:  # without a face-up token there is no pile any more
        return False
    return not reemployments(state.board, state.idlers[seat], repertoire_for(state.seats))
