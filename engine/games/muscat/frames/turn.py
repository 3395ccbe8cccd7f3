"""The question of a turn: exactly one action, and the price of special ones (rule 4)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Advice, Decision, Event, Refusal
from engine.games.muscat import advice, refusals
from engine.games.muscat.actions import Change, Cycle, Draw, Expel, Place, Reemploy, Remove, Transform
from engine.games.muscat.board import TOKENS, token_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.events import Expelled, Moved, Reemployed, Removed, Transformed
from engine.games.muscat.frames.cycle import PickCycle, run_cycle
from engine.games.muscat.frames.luck import DrawNew, NextFaceUp
from engine.games.muscat.frames.question import Choice
from engine.games.muscat.offers import turn_options
from engine.games.muscat.repertoire import repertoire_for
from engine.games.muscat.state import Muscat, OpensTurn
from engine.texts import Seat, Text

_ACTION = Text("Choose one action.")
_GIVE_UP = Text("Choose the artist who leaves.")

TurnAction = Place | Draw | Cycle | Reemploy | Change | Expel | Transform


@dataclass(frozen=True, slots=True)
class Turn(Choice[TurnAction], OpensTurn):
    """The action of the seat on turn. This frame is below all others; a turn begins whenever it comes up again."""

    rule = "4"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """All actions. Never empty, since the game ends if a seat has no action."""
        return (Decision(state.turn, _ACTION, turn_options(state)),)

    def resolve(self, state: Muscat, seat: Seat, action: TurnAction) -> tuple[Muscat, tuple[Event, ...]]:
        """Carry out the action."""
        after = MuscatBuilder(state)
        match action:
            case Place():
                _bring_in(after, seat, action)
            case Draw():
                # The artist is hidden even from its seat (rule 8), so CHANCE reveals it.
                after.ask(DrawNew(seat))
            case Cycle():
                run_cycle(after, seat, action.market)
            case Reemploy():
                _reemploy(after, seat, action)
            case Change():
                _change_place(after, seat, action)
            case Expel():
                _expel(after, seat, action)
            case Transform():
                _transform(after, seat, action)
        return after.finish()

    def advice(self, state: Muscat) -> Advice:
        """Opportunities, and the use of actions."""
        return advice.turn(state)

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the condition that fails and the artist in the way."""
        return refusals.turn(state, seat, action)


def _bring_in(after: MuscatBuilder, seat: Seat, action: Place) -> None:
    """Bring in the face-up token and turn up the next one (rule 4.1)."""
    token = after.shown[seat]
    assert token is not None, "there is a face-up token to bring in"
    after.shown[seat] = None
    after.bring_in(token, action.market)
    # At the end of the turn, if the pile is not empty (rule 4.1).
    if any(after.piles[seat]):
        after.ask(NextFaceUp(seat))


def _reemploy(after: MuscatBuilder, seat: Seat, action: Reemploy) -> None:
    """Move a never-do-well from a street to the level above it (rule 4.3)."""
    token = token_of(seat, action.artist)
    # A street has the number of the level above it (rule 2.2).
    after.call(token, action.market.level)
    after.enter(action.market, token)
    after.tell(Reemployed(seat, action.artist, action.market))


def _change_place(after: MuscatBuilder, seat: Seat, action: Change) -> None:
    """Move an artist to another market as its third one, and run its cycle (rule 4.4)."""
    token = token_of(seat, action.artist)
    after.leave(action.origin, token)
    after.enter(action.target, token)
    after.tell(Moved(seat, action.artist, action.origin, action.target))
    # Pushed before the cycle runs, so that it is below the cycle's questions: the price is paid last (rule 4.7).
    after.ask(GiveUp())
    run_cycle(after, seat, action.target)


def _expel(after: MuscatBuilder, seat: Seat, action: Expel) -> None:
    """Swap an artist with a rival's, then run the cycle of a full market of the two (rule 4.5)."""
    rival = after.holder(action.target, action.artist)
    assert rival is not None, "an expulsion needs a rival"
    mine, theirs = token_of(seat, action.artist), token_of(rival, action.artist)
    after.exchange(action.origin, mine, theirs)
    after.exchange(action.target, theirs, mine)
    after.tell(Expelled(seat, rival, action.artist, action.origin, action.target))
    # Paid after the cycle, see `_change_place`.
    after.ask(GiveUp())
    # Checked after the swap (rule 4.5).
    full = [market for market in (action.origin, action.target) if after.trio(market)]
    if len(full) == 1:
        run_cycle(after, seat, full[0])
    else:
        after.ask(PickCycle(action.origin, action.target))


def _transform(after: MuscatBuilder, seat: Seat, action: Transform) -> None:
    """Put a never-do-well on the empty field, remove the weakest from the game, and run the cycle (rule 4.6)."""
    trio = after.trio(action.market)
    assert trio is not None, "a transformation needs three artists"
    newcomer = TOKENS[seat][trio.missing]
    after.call(newcomer, action.street)
    # Now the field of the weakest is empty, which makes the newcomer the strongest (rules 4.6 and 5.1).
    after.exchange(action.market, trio.weakest, newcomer)
    after.tell(Transformed(seat, newcomer.artist, trio.weakest.artist, action.market, action.street))
    # No `GiveUp`: the newcomer from the street was the price (rule 4.6).
    run_cycle(after, seat, action.market)


@dataclass(frozen=True, slots=True)
class GiveUp(Choice[Remove]):
    """The never-do-well to give up for a change of place or an expulsion (rule 4.7)."""

    rule = "4.7"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """All never-do-wells of the seat, including one that this cycle dropped."""
        seat, removals = state.turn, repertoire_for(state.seats).removals
        # Equal ones are one option (rule 2.1).
        options = tuple(removals[idler] for idler in dict.fromkeys(state.idlers[seat]))
        return (Decision(seat, _GIVE_UP, options),)

    def resolve(self, state: Muscat, seat: Seat, action: Remove) -> tuple[Muscat, tuple[Event, ...]]:
        """Remove the artist and end the turn."""
        after = MuscatBuilder(state)
        after.answered()
        after.call(token_of(seat, action.artist), action.street)
        after.tell(Removed(seat, action.artist, action.street))
        return after.finish()

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on the least valuable artist."""
        return advice.GIVE_UP

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Say that the seat has no such artist in the street."""
        return refusals.remove(state, seat, action) if isinstance(action, Remove) else None
