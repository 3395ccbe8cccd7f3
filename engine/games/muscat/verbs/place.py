"""The way of a new artist into the city (rules 3 and 4.1)."""

from __future__ import annotations

from functools import cache
from itertools import compress

from engine.core import Action, Decision, Event, Refusal, describe
from engine.games.muscat.artists import Artist
from engine.games.muscat.board import OPEN, Token
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market, Start, markets_on, starts
from engine.games.muscat.ending import finish
from engine.games.muscat.prospects import FULL, neighbors_gloss, safety_advice
from engine.games.muscat.refusals import crowded_market
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import BRING, Choice, TurnVerb, market_name
from engine.games.muscat.verbs.turn_up import NextFaceUp
from engine.texts import Seat, Text

_ALL_ALIKE = Text("Any market will do: those of a level are all alike, and others will join you there.")
_STRANDED = Text("no market on level 1 has room for it; there it costs a point")
_STREET_1 = Text("Street 1, since no market has room")


class Place(TurnVerb):
    """Bring your new artist to a market on level 1."""

    label = "New artist → {market}"

    market: Start = describe("the market on level 1, by its letter; “street” when none has room", "Which market?")

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> tuple[Place, ...]:
        """The markets with room for the face-up token, or street 1."""
        token = state.shown_tokens[seat]
        return (places(state, token) or (_IN_STREET,)) if token else ()

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Bring in the face-up token and turn up the next one."""
        token = after.shown_tokens[seat]
        assert token is not None, "there is a face-up token to bring in"
        after.shown_tokens[seat] = None
        bring_in(after, token, self.market)
        # At the end of the turn, if the pile is not empty (rule 4.1).
        if any(after.piles[seat]):
            after.ask(NextFaceUp(seat))

    def title(self, state: Muscat) -> Text:
        """The new artist and its start."""
        artist = _newcomer(state).artist
        if self.market is Start.STREET:
            return Text("New artist ({artist}) → street 1", artist=artist)
        return Text("New artist ({artist}) → {market}", artist=artist, market=self.market)

    def spelled_out(self, state: Muscat) -> Text:
        """The new artist and its start."""
        artist = _newcomer(state).artist
        if self.market is Start.STREET:
            return Text("Bring the {artist} to street 1", artist=artist)
        return Text(BRING, artist=artist, market=self.market)

    def field_name(self, state: Muscat, field: str) -> Text:
        """The market with its artists."""
        market = self.market.market
        return market_name(state, market, self.market) if market else _STREET_1

    def gloss(self, state: Muscat) -> Text:
        """The neighbors, or the price of the street."""
        market = self.market.market
        return neighbors_gloss(state, market, _newcomer(state)) if market else _STRANDED

    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """No artist to bring in, or no room."""
        token = state.shown_tokens[seat]
        if token is None:
            return Refusal(Text("You have no artist left to bring in."), "4.1")
        return _no_room(state, token, self.market)


_IN_STREET = Place(Start.STREET)


class Placed(Event):
    template = "{seat:@’s|your} {artist} starts on {market}."
    brief = "{artist} starts on {market}"

    seat: Seat
    artist: Artist
    market: Market


class Stranded(Event):
    template = "No market has room: {seat:@’s|your} {artist} ends up in street 1."
    brief = "{artist} ends up in street 1"

    seat: Seat
    artist: Artist


def places(state: Muscat, token: Token) -> tuple[Place, ...]:
    """The markets of level 1 with room for a new token; if empty, it must go to street 1 (rule 4.1)."""
    # The board begins with level 1.
    return tuple(compress(_on_level_1(state.setup.seats), map(OPEN[token.field].__getitem__, state.board)))


def bring_in(after: MuscatBuilder, token: Token, start: Start) -> None:
    """Put a new token on a market of level 1 or into street 1 (rule 4.1)."""
    if (market := start.market) is None:
        after.add_idler(token, 1)
        after.tell(Stranded(token.seat, token.artist))
    else:
        after.enter(market, token)
        after.tell(Placed(token.seat, token.artist, market))


@cache
def _on_level_1(seats: int) -> tuple[Place, ...]:
    return tuple(map(Place, starts(seats)))


def _newcomer(state: Muscat) -> Token:
    """The token that the deciding seat can bring in: the drawn one, or the face-up one."""
    token = state.drawn or state.shown_tokens[state.turn]
    assert token is not None, "the seat can bring in an artist"
    return token


def _no_room(state: Muscat, token: Token, start: Start) -> Refusal:
    if start.market is None:
        free = tuple(m for m in markets_on(1, state.seats) if OPEN[token.field][state.code(m)])
        return Refusal(Text("Nobody has to start in the street while a market has room: {free}.", free=free), "4.1")
    return _unknown_start(state, start) or crowded_market(state, token.artist, start.market, "4.1")


def _unknown_start(state: Muscat, start: Start) -> Refusal | None:
    possible = starts(state.seats)
    if start in possible:
        return None
    template = "“{start}” is not a market of level 1; with {seats} players they are {known}."
    return Refusal(Text(template, start=start, seats=state.seats, known=possible), "2.2")


# --- tokens drawn from the pile ---


class PlaceToken(Choice[Place]):
    """The market of a drawn token."""

    token: Token

    def drawn(self) -> Token:
        """The token to place."""
        return self.token

    def _decision(self, options: tuple[Place, ...]) -> tuple[Decision, ...]:
        """The decision of the seat that drew the token."""
        return (Decision(self.token.seat, Text("Place your {artist} on level 1.", artist=self.token.artist), options),)

    def resolve(self, state: Muscat, seat: Seat, action: Place) -> tuple[Muscat, tuple[Event, ...]]:
        """Place the token and end the turn."""
        after = MuscatBuilder(state)
        after.answered()
        bring_in(after, self.token, action.market)
        return finish(after)


class PlaceFirst(PlaceToken):
    """The empty market of level 1 for the first token of a seat (rule 3)."""

    rule = "3"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The empty markets of level 1."""
        # The board begins with level 1; the code of an empty market is 0.
        choices = zip(_on_level_1(state.seats), state.board, strict=False)
        return self._decision(tuple(place for place, code in choices if not code))

    def gloss(self, state: Muscat, action: Place) -> None:
        """`None`, since all options are equivalent."""

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice that all markets are equivalent."""
        return safety_advice(self.token.artist), _ALL_ALIKE

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the markets that are possible."""
        if not isinstance(action, Place):
            return None
        template = "Somebody stands on {market} already; the first artists start on empty markets."
        return _unknown_start(state, action.market) or Refusal(Text(template, market=action.market.market), "3")


class PlaceDrawn(PlaceToken):
    """The market of level 1 for a token drawn in a turn (rule 4.1)."""

    rule = "4.1"

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The markets with room. There is at least one, since the question is not asked otherwise."""
        return self._decision(places(state, self.token))

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on a safe market."""
        return safety_advice(self.token.artist), FULL

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the artist in the way."""
        return _no_room(state, self.token, action.market) if isinstance(action, Place) else None
