"""The questions where a token from the pile goes."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Decision, Event, Refusal
from engine.games.muscat import advice, refusals
from engine.games.muscat.actions import Place
from engine.games.muscat.board import Token
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.frames.question import Choice
from engine.games.muscat.offers import places
from engine.games.muscat.repertoire import repertoire_for
from engine.games.muscat.state import Muscat
from engine.texts import Seat, Text


@dataclass(frozen=True, slots=True)
class PlaceToken(Choice[Place]):
    """A token that has just been drawn waits for its market."""

    token: Token

    def drawn(self) -> Token:
        """The token in question."""
        return self.token

    def resolve(self, state: Muscat, seat: Seat, action: Place) -> tuple[Muscat, tuple[Event, ...]]:
        """Put it there, which ends the turn."""
        after = MuscatBuilder(state)
        after.answered()
        after.bring_in(self.token, action.market)
        return after.finish()


@dataclass(frozen=True, slots=True)
class PlaceFirst(PlaceToken):
    """On which empty market of level 1 the first token of a seat starts (rule 3)."""

    rule = "3"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The markets that are still empty."""
        choices = repertoire_for(state.seats).places
        # The board begins with level 1, and an empty market is 0.
        options = tuple(place for place, code in zip(choices, state.board, strict=False) if not code)
        prompt = Text("Place your {artist} on level 1.", artist=self.token.artist)
        return (Decision(self.token.seat, prompt, options),)

    def gloss(self, state: Muscat, action: Place) -> None:
        """All of them are empty: nothing tells them apart."""

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """That there is nothing to fear yet."""
        return advice.safe_beside(self.token.artist), advice.ALL_ALIKE

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Say who may start where."""
        return refusals.first_place(state, action.market) if isinstance(action, Place) else None


@dataclass(frozen=True, slots=True)
class PlaceDrawn(PlaceToken):
    """On which market of level 1 a token drawn on purpose starts (rule 4.1)."""

    rule = "4.1"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The markets with room; there is at least one, or nobody would be asked."""
        options = places(state.board, self.token, repertoire_for(state.seats))
        prompt = Text("Place your {artist} on level 1.", artist=self.token.artist)
        return (Decision(self.token.seat, prompt, options),)

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Where the artist is safe."""
        return advice.safe_beside(self.token.artist), advice.FULL

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name who is in the way."""
        return refusals.place(state, self.token, action.market) if isinstance(action, Place) else None
