"""The tokens that luck turns up from the piles, whose order is unknown, so each is drawn when it is needed (rule 8)."""

from __future__ import annotations

from itertools import chain, repeat
from random import Random

from engine.core import Action, Decision, Event, describe
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import Counts
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.ending import finish
from engine.games.muscat.state import Muscat, Question
from engine.texts import CHANCE, Seat, Text


class TurnUp(Action):
    """The artist that luck turns up from a hidden pile."""

    artist: Artist = describe("who it is")


class TurnedUp(Event):
    template = "Face up for {seat}: {artist}."
    minor = True

    seat: Seat
    artist: Artist


_PROMPT = Text("The next artist is turned up.")
_TURN_UPS = tuple(map(TurnUp, ARTISTS))


class FromPile(Question[TurnUp]):
    """Turn up a token of this seat."""

    seat: Seat

    def prompt(self) -> Text:
        """The draw and the next step."""
        return _PROMPT

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The kinds of artists in the pile, weighted by number."""
        pile = state.piles[self.seat]
        options = tuple(turn_up for turn_up, count in zip(_TURN_UPS, pile, strict=True) if count)
        weights = tuple(count for count in pile if count)
        return (Decision(CHANCE, self.prompt(), options, weights=weights),)

    def odds(self, state: Muscat) -> Text:
        """The number of hidden artists of each kind."""
        pile = state.piles[self.seat]
        template = "{seat:@’s|your} {number} hidden {number:artist|artists}: {kinds}."
        return Text(template, seat=self.seat, number=sum(pile), kinds=kind_counts(pile))

    def sample(self, state: Muscat, rng: Random) -> TurnUp:
        """Draw a token of the pile, all equally likely."""
        return rng.choice([*chain.from_iterable(map(repeat, _TURN_UPS, state.piles[self.seat]))])


def kind_counts(counts: Counts) -> tuple[Text, ...]:
    """The number of artists of each kind, without kinds that have none."""
    return tuple(artist.counted(count) for artist, count in zip(ARTISTS, counts, strict=True) if count)


class FirstFaceUp(FromPile):
    """The first face-up token of a seat, before the first placement (rule 3)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Put the token beside the pile."""
        # Not `finish`: `DrawFirst`, which opens a turn, follows the last token, but no turn has ended yet.
        return _show(state, self.seat, action.artist).done()


class NextFaceUp(FromPile):
    """The next face-up token, after the last one was brought in (rule 4.1)."""

    def resolve(self, state: Muscat, seat: Seat, action: TurnUp) -> tuple[Muscat, tuple[Event, ...]]:
        """Put the token beside the pile and end the turn."""
        return finish(_show(state, self.seat, action.artist))


def _show(state: Muscat, seat: Seat, artist: Artist) -> MuscatBuilder:
    """Answer the question with the face-up token of a seat."""
    after = MuscatBuilder(state)
    after.answered()
    after.tell(TurnedUp(seat, artist))
    after.shown_tokens[seat] = after.take_from_pile(seat, artist)
    return after
