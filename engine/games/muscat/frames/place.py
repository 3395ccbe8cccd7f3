"""The questions about the market of a token from the pile."""

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
    """The market of a drawn token."""

    token: Token

    def drawn(self) -> Token:
        """The token to place."""
        return self.token

    def resolve(self, state: Muscat, seat: Seat, action: Place) -> tuple[Muscat, tuple[Event, ...]]:
        """Place the token and end the turn."""
        after = MuscatBuilder(state)
        after.answered()
        after.bring_in(self.token, action.market)
        return after.finish()


@dataclass(frozen=True, slots=True)
class PlaceFirst(PlaceToken):
    """The empty market of level 1 for the first token of a seat (rule 3)."""

    rule = "3"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The empty markets of level 1."""
        choices = repertoire_for(state.seats).places
        # The board begins with level 1; the code of an empty market is 0.
        options = tuple(place for place, code in zip(choices, state.board, strict=False) if not code)
        prompt = Text("Place your {artist} on level 1.", artist=self.token.artist)
        return (Decision(self.token.seat, prompt, options),)

    def gloss(self, state: Muscat, action: Place) -> None:
        """`None`, since all options are equivalent."""

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice that all markets are equivalent."""
        return advice.safe_beside(self.token.artist), advice.ALL_ALIKE

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the markets that are possible."""
        return refusals.first_place(state, action.market) if isinstance(action, Place) else None


@dataclass(frozen=True, slots=True)
class PlaceDrawn(PlaceToken):
    """The market of level 1 for a token drawn in a turn (rule 4.1)."""

    rule = "4.1"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The markets with room. There is at least one, since the question is not asked otherwise."""
        options = places(state.board, self.token, repertoire_for(state.seats))
        prompt = Text("Place your {artist} on level 1.", artist=self.token.artist)
        return (Decision(self.token.seat, prompt, options),)

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on a safe market."""
        return advice.safe_beside(self.token.artist), advice.FULL

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the artist in the way."""
        return refusals.place(state, self.token, action.market) if isinstance(action, Place) else None
