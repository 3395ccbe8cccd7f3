"""Re-employment: an artist in a street goes back to work (rule 4.3)."""

from __future__ import annotations

from functools import cache

from engine.core import Event, Refusal, describe
from engine.games.muscat.artists import ARTISTS, FIELD, Artist
from engine.games.muscat.board import IDLERS, NUMBERS, OPEN, Idler, token_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market, markets_on
from engine.games.muscat.prospects import neighbors_gloss
from engine.games.muscat.refusals import crowded_market, not_in_street, unknown_market
from engine.games.muscat.state import LEVEL_POINTS, Muscat
from engine.games.muscat.verb import TurnVerb, market_name
from engine.texts import Seat, Text


class Reemploy(TurnVerb):
    """Find work for an artist of yours in the street, on the level right above it."""

    label = "{artist} → {market}"
    needs_idler = True

    artist: Artist = describe("the artist that goes back to work", "Which artist?")
    market: Market = describe("its market on the level right above its street, such as 2B", "Which market?")

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> list[Reemploy]:
        """The markets with room for each never-do-well, on the level above its street."""
        board, actions = state.board, _reemployments(state.setup.seats)
        offers: list[Reemploy] = []
        # Equal ones are one option (rule 2.1).
        for idler in dict.fromkeys(state.idlers[seat]):
            room = OPEN[idler.field]
            offers += [action for market, action in actions[idler] if room[board[market]]]
        return offers

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Move the artist from its street to the market."""
        token = token_of(seat, self.artist)
        after.remove_idler(token, self._street)
        after.enter(self.market, token)
        after.tell(Reemployed(seat, self.artist, self.market))

    def title(self, state: Muscat) -> Text:
        """The way from the street to the market."""
        template = "{artist} from street {street} → {market}"
        return Text(template, artist=self.artist.capitalized, street=self._street, market=self.market)

    def spelled_out(self, state: Muscat) -> Text:
        """The way from the street to the market."""
        template = "Bring the {artist} from street {street} to {market}"
        return Text(template, artist=self.artist, street=self._street, market=self.market)

    def field_name(self, state: Muscat, field: str) -> Text:
        """The artist with its streets, or the market with its artists."""
        if field == "market":
            return market_name(state, self.market)
        streets = tuple(sorted({street for street, of in state.idlers[state.turn] if of == FIELD[self.artist]}))
        return Text("{artist} in {streets:street|streets} {streets}", artist=self.artist.capitalized, streets=streets)

    def gloss(self, state: Muscat) -> Text:
        """The points gained, and the neighbors."""
        # From -1 to +2 for each level (rule 7).
        gain = (LEVEL_POINTS + 1) * self.market.level
        neighbors = neighbors_gloss(state, self.market, token_of(state.turn, self.artist))
        return Text("gains {gain} points; {beside}", gain=gain, beside=neighbors)

    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """A wrong street, or a market without room."""
        if unknown := unknown_market(state, self.market):
            return unknown
        if Idler(self._street, FIELD[self.artist]) not in state.idlers[seat]:
            return not_in_street(self.artist, self._street, "4.3")
        return crowded_market(state, self.artist, self.market, "4.3")

    @property
    def _street(self) -> int:
        # A street has the number of the level above it (rule 2.2).
        return self.market.level


class Reemployed(Event):
    template = "{seat:@’s|your} {artist} finds work again on {market}."
    brief = "{artist} works again on {market}"

    seat: Seat
    artist: Artist
    market: Market


@cache
def _reemployments(seats: int) -> dict[Idler, tuple[tuple[int, Reemploy], ...]]:
    """Never-do-well -> its actions, with the indexes of their markets on the board."""
    return {
        idler: tuple(
            (NUMBERS[seats][market], Reemploy(ARTISTS[idler.field], market))
            for market in markets_on(idler.street, seats)
        )
        for idler in IDLERS.values()
    }
