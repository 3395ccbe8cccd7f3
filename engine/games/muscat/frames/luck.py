"""Tokens turned up from the piles. Nobody knows their order, so each one is drawn when it is needed (rule 8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from random import Random

from engine.core import Decision, Event
from engine.games.muscat.actions import TurnUp
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.draft import Draft
from engine.games.muscat.frames.place import PlaceDrawn, PlaceFirst
from engine.games.muscat.offers import places
from engine.games.muscat.state import Muscat, Pile, Question
from engine.texts import CHANCE, Seat

_TURN_UPS = tuple(map(TurnUp, ARTISTS))


@dataclass(frozen=True, slots=True)
class FromPile(Question[TurnUp]):
    """Luck turns up a token of this seat."""

    seat: Seat

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """One outcome per kind of artist left, weighted by their number."""
        return _turn_ups(state.piles[self.seat])

    def sample(self, state: Muscat, rng: Random) -> TurnUp:
        """Any of the tokens left is as likely as any other."""
        return rng.choice(_tokens(state.piles[self.seat]))


@lru_cache(maxsize=512)
def _tokens(pile: Pile) -> tuple[TurnUp, ...]:
    return tuple(chain.from_iterable(map(repeat, _TURN_UPS, pile)))


@lru_cache(maxsize=512)
def _turn_ups(pile: Pile) -> tuple[Decision, ...]:
    options = tuple(turn_up for turn_up, left in zip(_TURN_UPS, pile, strict=True) if left)
    weights = tuple(left for left in pile if left)
    return (Decision(CHANCE, "The next artist is turned up.", options, weights=weights),)


@dataclass(frozen=True, slots=True)
class FirstFaceUp(FromPile):
    """The face-up token of a seat, before anybody places anything (rule 3)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Lay it beside the pile."""
        draft = Draft(state, state.frames[:-1])
        draft.show(self.seat, action.artist)
        return draft.pause()


@dataclass(frozen=True, slots=True)
class NextFaceUp(FromPile):
    """The next face-up token, after the last one was brought in (rule 4.1)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Lay it beside the pile; this closes a turn."""
        draft = Draft(state, state.frames[:-1])
        draft.show(self.seat, action.artist)
        return draft.finish()


@dataclass(frozen=True, slots=True)
class DrawFirst(FromPile):
    """The first token of a seat (rule 3)."""

    opens_turn = True

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Ask for its market, or take the next one in order if the host wants it so."""
        draft = Draft(state, state.frames[:-1])
        token = draft.draw(self.seat, action.artist)
        if state.setup.options.start_placement == "fixed":
            draft.bring_in(token, draft.plan.places[state.clock].market)
        else:
            draft.ask(PlaceFirst(token))
        return draft.finish()


@dataclass(frozen=True, slots=True)
class DrawNew(FromPile):
    """A token drawn on purpose, instead of the face-up one (rule 4.1)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Ask for its market; without one it goes to street 1 by itself."""
        draft = Draft(state, state.frames[:-1])
        token = draft.draw(self.seat, action.artist)
        options = places(state.board, token, draft.plan)
        if options is draft.plan.in_street:
            draft.bring_in(token, options[0].market)
        else:
            draft.ask(PlaceDrawn(token))
        return draft.finish()
