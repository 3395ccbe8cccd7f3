"""The draws of tokens from the piles, whose order is unknown, so each one is drawn when it is needed (rule 8)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, repeat
from random import Random

from engine.core import Decision, Event
from engine.games.muscat.actions import TurnUp
from engine.games.muscat.artists import ARTISTS
from engine.games.muscat.board import Counts
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Start, starts
from engine.games.muscat.frames.place import PlaceDrawn, PlaceFirst
from engine.games.muscat.glosses import kinds
from engine.games.muscat.offers import places
from engine.games.muscat.repertoire import repertoire_for
from engine.games.muscat.state import Muscat, OpensTurn, Question
from engine.texts import CHANCE, Seat, Text

_PROMPT = Text("The next artist is turned up.")
_NEWCOMER = "{seat:@’s|your} hidden artist is turned up, and {seat} {seat:chooses|choose} its market on level 1."
_TURN_UPS = tuple(map(TurnUp, ARTISTS))


@dataclass(frozen=True, slots=True)
class FromPile(Question[TurnUp]):
    """Turn up a token of this seat."""

    seat: Seat

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The kinds of artists in the pile, weighted by number."""
        return _turn_ups(state.piles[self.seat], _PROMPT)

    def odds(self, state: Muscat) -> Text:
        """The number of hidden artists of each kind."""
        pile = state.piles[self.seat]
        template = "{seat:@’s|your} {number} hidden {number:artist|artists}: {kinds}."
        return Text(template, seat=self.seat, number=sum(pile), kinds=kinds(pile))

    def sample(self, state: Muscat, rng: Random) -> TurnUp:
        """Draw a token of the pile, all equally likely."""
        return rng.choice([*chain.from_iterable(map(repeat, _TURN_UPS, state.piles[self.seat]))])


def _turn_ups(pile: Counts, prompt: Text) -> tuple[Decision, ...]:
    options = tuple(turn_up for turn_up, count in zip(_TURN_UPS, pile, strict=True) if count)
    weights = tuple(count for count in pile if count)
    return (Decision(CHANCE, prompt, options, weights=weights),)


@dataclass(frozen=True, slots=True)
class FirstFaceUp(FromPile):
    """The first face-up token of a seat, before the first placement (rule 3)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Put the token beside the pile."""
        after = MuscatBuilder(state)
        after.answered()
        after.show(self.seat, action.artist)
        # Not `finish`: `DrawFirst`, which opens a turn, follows the last token, but no turn has ended yet.
        return after.done()


@dataclass(frozen=True, slots=True)
class NextFaceUp(FromPile):
    """The next face-up token, after the last one was brought in (rule 4.1)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Put the token beside the pile and end the turn."""
        after = MuscatBuilder(state)
        after.answered()
        after.show(self.seat, action.artist)
        return after.finish()


@dataclass(frozen=True, slots=True)
class DrawFirst(FromPile, OpensTurn):
    """The first token of a seat (rule 3)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Ask for its market, or use the next one in order, depending on the option."""
        after = MuscatBuilder(state)
        after.answered()
        token = after.draw(self.seat, action.artist)
        if state.setup.options.start_placement == "fixed":
            # The clock counts the start placements from 0.
            after.bring_in(token, starts(state.seats)[state.clock])
        else:
            after.ask(PlaceFirst(token))
        return after.finish()


@dataclass(frozen=True, slots=True)
class DrawNew(FromPile):
    """A token drawn instead of bringing in the face-up one (rule 4.1)."""

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The kinds of artists in the pile, with a prompt that names the next step."""
        return _turn_ups(state.piles[self.seat], Text(_NEWCOMER, seat=self.seat))

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Ask for its market; if no market has room, it goes to street 1."""
        after = MuscatBuilder(state)
        after.answered()
        token = after.draw(self.seat, action.artist)
        if places(state.board, token, repertoire_for(state.seats)):
            after.ask(PlaceDrawn(token))
        else:
            after.bring_in(token, Start.STREET)
        return after.finish()
