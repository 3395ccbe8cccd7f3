"""The end of a turn, and the conditions for the end of the game (rule 6)."""

from __future__ import annotations

from engine.core import Event
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.events import Ended, EndReason, Exhausted, LastRoundBegan, Stuck
from engine.games.muscat.options import AT_ONCE, NO_ACTION
from engine.games.muscat.state import Muscat, OpensTurn
from engine.games.muscat.verbs.reemploy import Reemploy
from engine.texts import Seat


def finish(after: MuscatBuilder) -> tuple[Muscat, tuple[Event, ...]]:
    """End the ply like `Builder.done`, and the turn if no question of it is pending."""
    if not isinstance(after.frames[-1], OpensTurn):
        return after.done()
    # First, since both checks below are about the next turn.
    after.clock = after.before.clock + 1
    following = after.position()
    if not following.last_round and following.palace_count >= following.palace_limit:
        after.last_round = True
        # If the last seat of a round fills the palace, the game ends at once, without a last round (rule 6.1).
        if not _round_over(following):
            after.tell(LastRoundBegan())
        following = after.position()
    if end := _find_end(following):
        _end(after, end)
        return after.done()
    # Not `done`, which would build the position again.
    return following, tuple(after.events)


def _end(after: MuscatBuilder, end: Ended) -> None:
    """End the game. An end that does not depend on the next seat belongs to the previous turn."""
    if end.reason is EndReason.PALACE or after.before.setup.options.exhaustion_end == AT_ONCE:
        after.clock = after.before.clock
    after.ended = end.reason
    after.frames.clear()
    after.tell(end)


def _find_end(following: Muscat) -> Ended | None:
    """The end of the game, if it is over at the start of this turn. The palace takes precedence (rules 6.1 and 6.2)."""
    if following.last_round and _round_over(following):
        return Ended(EndReason.PALACE)
    # The option `exhaustion_end` selects the condition (rule 9).
    ends_by, turn = following.setup.options.exhaustion_end, following.turn
    if ends_by == AT_ONCE:
        order = (Seat((turn + n) % following.seats) for n in range(following.seats))
        return next((Exhausted(EndReason.EXHAUSTION, seat) for seat in order if _is_exhausted(following, seat)), None)
    # A seat can always bring in a face-up token (rule 4.1).
    if following.shown_tokens[turn] is not None:
        return None
    if ends_by == NO_ACTION:
        return None if _has_options(following) else Stuck(EndReason.NO_ACTION, turn)
    return Exhausted(EndReason.EXHAUSTION, turn) if _is_exhausted(following, turn) else None


def _round_over(following: Muscat) -> bool:
    """Whether the turn before this one was the last of its round."""
    # The start placements are round 0 (rule 10), so complete rounds are multiples of the number of seats.
    return following.clock % following.seats == 0


def _is_exhausted(state: Muscat, seat: Seat) -> bool:
    """Whether a seat can neither bring in nor re-employ an artist (rule 6.2)."""
    # Without a face-up token, the pile is empty, too.
    return state.shown_tokens[seat] is None and not Reemploy.offers(state, seat)


def _has_options(following: Muscat) -> bool:
    """Whether the seat on turn has an option."""
    return any(decision.options for decision in following.decisions())
