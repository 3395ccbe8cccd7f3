"""A turn: exactly one action, and the price of the special ones (rule 4)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Decision, Event, Refusal
from engine.games.muscat import refusals
from engine.games.muscat.actions import Change, Cycle, Draw, Expel, Place, Reemploy, Remove, Transform
from engine.games.muscat.artists import ARTISTS, FIELD, TOKENS
from engine.games.muscat.board import HOLDERS, TRIO
from engine.games.muscat.draft import Draft
from engine.games.muscat.events import Expelled, Moved, Reemployed, Removed, Transformed
from engine.games.muscat.frames.cycle import PickCycle, run_cycle
from engine.games.muscat.frames.luck import DrawNew, NextFaceUp
from engine.games.muscat.offers import turn_options
from engine.games.muscat.repertoire import repertoire
from engine.games.muscat.state import Muscat, Question
from engine.texts import Seat

TurnAction = Place | Draw | Cycle | Reemploy | Change | Expel | Transform


@dataclass(frozen=True, slots=True)
class Turn(Question[TurnAction]):
    """What the seat on turn does. It lies below all other questions, and to come back to it is the next turn."""

    rule = "4"
    opens_turn = True

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """Everything a turn can be; never empty, since a seat with nothing to do has ended the game."""
        return (Decision(state.turn, "Choose one action for your turn.", turn_options(state)),)

    def resolve(self, state: Muscat, seat: Seat, action: TurnAction) -> tuple[Muscat, tuple[Event, ...]]:
        """Do it."""
        draft = Draft(state, state.frames)
        match action:
            case Place():
                _bring_in(draft, seat, action)
            case Draw():
                draft.ask(DrawNew(seat))
            case Cycle():
                run_cycle(draft, seat, draft.plan.numbers[action.market])
            case Reemploy():
                _reemploy(draft, seat, action)
            case Change():
                _change_place(draft, seat, action)
            case Expel():
                _expel(draft, seat, action)
            case Transform():
                _transform(draft, seat, action)
        return draft.finish()

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Say which condition fails, and name the artist in the way."""
        return refusals.turn(state, seat, action)


def _bring_in(draft: Draft, seat: Seat, action: Place) -> None:
    """The face-up token goes to level 1 or to street 1; the next one is turned up (rule 4.1)."""
    token = draft.shown[seat]
    assert token is not None, "there is a face-up token to bring in"
    draft.hide(seat)
    draft.bring_in(token, action.market)
    if any(draft.piles[seat]):
        draft.ask(NextFaceUp(seat))


def _reemploy(draft: Draft, seat: Seat, action: Reemploy) -> None:
    """From a street to the level right above it (rule 4.3)."""
    market = draft.plan.numbers[action.market]
    street = market // draft.setup.seats + 1
    draft.enter(market, draft.call(seat, (street, FIELD[action.artist])))
    draft.tell(Reemployed, seat, action.artist, action.market)


def _change_place(draft: Draft, seat: Seat, action: Change) -> None:
    """To another market as its third artist, whose cycle runs at once (rule 4.4)."""
    token = TOKENS[seat][FIELD[action.artist]]
    origin, target = draft.plan.numbers[action.origin], draft.plan.numbers[action.target]
    draft.leave(origin, token)
    draft.enter(target, token)
    draft.tell(Moved, seat, action.artist, action.origin, action.target)
    draft.ask(GiveUp())
    run_cycle(draft, seat, target)


def _expel(draft: Draft, seat: Seat, action: Expel) -> None:
    """Swap with a rival; then one full market of the two runs its cycle (rule 4.5)."""
    field = FIELD[action.artist]
    origin, target = draft.plan.numbers[action.origin], draft.plan.numbers[action.target]
    rival = HOLDERS[draft.board[target]][field]
    assert rival is not None, "an expulsion needs a rival"
    for market, leaves, enters in ((origin, seat, rival), (target, rival, seat)):
        draft.leave(market, TOKENS[leaves][field])
        draft.enter(market, TOKENS[enters][field])
    draft.tell(Expelled, seat, rival, action.artist, action.origin, action.target)
    draft.ask(GiveUp())
    full = [market for market in (origin, target) if TRIO[draft.board[market]]]
    if len(full) == 1:
        run_cycle(draft, seat, full[0])
    else:
        draft.ask(PickCycle((origin, target)))


def _transform(draft: Draft, seat: Seat, action: Transform) -> None:
    """A never-do-well takes the empty field, the weakest leaves the game, and the cycle runs (rule 4.6)."""
    market = draft.plan.numbers[action.market]
    trio = TRIO[draft.board[market]]
    assert trio is not None, "a transformation needs three artists"
    draft.leave(market, trio.weakest)
    draft.enter(market, draft.call(seat, (action.street, trio.missing)))
    draft.tell(Transformed, seat, ARTISTS[trio.missing], trio.weakest.artist, action.market, action.street)
    run_cycle(draft, seat, market)


@dataclass(frozen=True, slots=True)
class GiveUp(Question[Remove]):
    """Which never-do-well leaves the game, the price of a change of place or an expulsion (rule 4.7)."""

    rule = "4.7"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """Any own one, even one that this very cycle has thrown into the street."""
        seat, removals = state.turn, repertoire(state.seats).removals
        options = tuple(removals[idler] for idler in dict.fromkeys(state.idlers[seat]))
        return (Decision(seat, "Choose which of your artists in the streets leaves the game.", options),)

    def resolve(self, state: Muscat, seat: Seat, action: Remove) -> tuple[Muscat, tuple[Event, ...]]:
        """Take it out, which ends the turn."""
        draft = Draft(state, state.frames[:-1])
        draft.call(seat, (action.street, FIELD[action.artist]))
        draft.tell(Removed, seat, action.artist, action.street)
        return draft.finish()

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Say that nobody of that kind is there."""
        return refusals.remove(state, seat, action) if isinstance(action, Remove) else None
