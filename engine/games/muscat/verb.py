"""The base classes of the actions and questions of seats."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, TypeVar

from engine.core import Action, Refusal
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market, Start
from engine.games.muscat.state import Muscat, Question
from engine.texts import Seat, Text

BRING = "Bring the {artist} to {market}"
"""An artist comes to a market, from outside the city or from the level below."""


class Verb(Action):
    """An action of a seat, with its texts. Everything about it is in its module in `verbs`."""

    # Not an `AbstractValue`, whose metaclass would slow down the check of verbs in `State.apply`.

    @abstractmethod
    def title(self, state: Muscat) -> Text | None:
        """The name of the option in this position; see `Frame.named`."""

    def spelled_out(self, state: Muscat) -> Text | None:
        """The option without arrows; see `Frame.spelled_out`."""
        return None

    @abstractmethod
    def gloss(self, state: Muscat) -> Text | None:
        """The meaning of the option in this position; see `Frame.gloss`."""

    def field_name(self, state: Muscat, field: str) -> Text | None:
        """The name of the value of a field in this position; see `Frame.named`."""
        match getattr(self, field):
            case Artist() as artist:
                return artist.capitalized
            case Market() as market:
                return market_name(state, market)
            case int(street):
                return Text("Street {street}", street=street)
        return None


class TurnVerb(Verb):
    """An action that a seat can choose in its turn (rule 4)."""

    needs_idler: ClassVar[bool] = False
    """Whether it takes an artist in a street, as a newcomer or as the price."""

    @staticmethod
    @abstractmethod
    def offers(state: Muscat, seat: Seat) -> Sequence[TurnVerb]:
        """The options of the seat on turn."""

    @abstractmethod
    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Change the position, report events and ask the questions that follow."""

    @abstractmethod
    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """The reason why the action is not among the offers. If all other conditions are met, it is the last one."""


V = TypeVar("V", bound=Verb)


class Choice(Question[V]):
    """A question to a seat, with options explained by the position."""

    def named(self, state: Muscat, action: V, field: str = "") -> Text | None:
        """The names of options by their artists and markets."""
        return action.field_name(state, field) if field else action.title(state)

    def spelled_out(self, state: Muscat, action: V) -> Text | None:
        """The options without arrows."""
        return action.spelled_out(state)

    def gloss(self, state: Muscat, action: V) -> Text | None:
        """The artists that rise and fall, the price, and the gain."""
        return action.gloss(state)


def market_name(state: Muscat, market: Market, place: Start | None = None, besides: Artist | None = None) -> Text:
    """The name of a market, or of the start there, with its artists except `besides`, the one that leaves or comes."""
    holders, name = zip(ARTISTS, state.market(market), strict=True), place or market
    artists = tuple(artist for artist, seat in holders if seat is not None and artist != besides)
    # A name has at most 40 characters (see `Frame.named`): too few for three artists.
    if len(artists) == 3:
        return Text("{place} (all but the {missing})", place=name, missing=missing_artist(state, market))
    if artists:
        return Text("{place} ({artists})", place=name, artists=artists)
    return Text("{place} (empty)" if besides is None else "{place} (nobody else)", place=name)


def missing_artist(state: Muscat, market: Market) -> Artist:
    """The kind of artist that a full market lacks."""
    return ARTISTS[state.market(market).index(None)]
