"""The change of place: an artist joins a pair on its level, and the cycle runs there (rule 4.4)."""

from __future__ import annotations

from engine.core import Event, Refusal, describe
from engine.games.muscat.artists import Artist
from engine.games.muscat.board import CAPACITY, COUNT, OWN, VACANT, token_of, trio_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market
from engine.games.muscat.neighbors import NeighborVerb, neighbor_actions
from engine.games.muscat.refusals import crowded_market, refuse_too_few
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import market_name
from engine.games.muscat.verbs.cycle import run_cycle
from engine.games.muscat.verbs.remove import GiveUp, price_gloss
from engine.texts import Seat, Text

_NEEDS = Text("a change of place goes to a pair")

_VACANT_IN_PAIR = tuple(fields if count == CAPACITY - 1 else 0 for fields, count in zip(VACANT, COUNT, strict=True))
"""Code -> the empty fields of a market with two tokens."""


class Change(NeighborVerb):
    """Move your artist to a pair on the same level; the cycle runs there at once."""

    label = "{artist} {origin} → {target}"
    rule = "4.4"

    artist: Artist = describe("the artist that moves", "Which artist?")
    origin: Market = describe("the market it leaves", "From which market?")
    target: Market = describe("the pair it joins, a market on the same level", "To which market?")

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> list[Change]:
        """The artists of the seat that fit into a pair, market by market."""
        board, own, actions = state.board, OWN[seat], neighbor_actions(Change, state.setup.seats)
        offers: list[Change] = []
        for origin, here in enumerate(board):
            if mine := own[here]:
                for target, changes in actions[origin]:
                    if fields := mine & _VACANT_IN_PAIR[board[target]]:
                        offers += changes[fields]
        return offers

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Move the artist as the third one, and run the cycle."""
        token = token_of(seat, self.artist)
        after.leave(self.origin, token)
        after.enter(self.target, token)
        after.tell(Moved(seat, self.artist, self.origin, self.target))
        # Pushed before the cycle runs, so that it is below the cycle's questions: the price is paid last (rule 4.7).
        after.ask(GiveUp())
        run_cycle(after, seat, self.target)

    def title(self, state: Muscat) -> Text:
        """The way of the artist."""
        template = "{artist} {origin} → {target}"
        return Text(template, artist=self.artist.capitalized, origin=self.origin, target=self.target)

    def spelled_out(self, state: Muscat) -> Text:
        """The way of the artist."""
        template = "Move the {artist} from {origin} to {target}"
        return Text(template, artist=self.artist, origin=self.origin, target=self.target)

    def field_name(self, state: Muscat, field: str) -> Text:
        """The artist, or a market with the others there."""
        if field == "artist":
            return self.artist.capitalized
        return market_name(state, self.origin if field == "origin" else self.target, besides=self.artist)

    def gloss(self, state: Muscat) -> Text:
        """The effect of the cycle, and the price."""
        trio = trio_of(state.code(self.target) + token_of(state.turn, self.artist).weight)
        return price_gloss(state, (self.target, trio))

    def refusal_by_target(self, state: Muscat, seat: Seat) -> Refusal:
        """No pair, or no room."""
        lonely = refuse_too_few(state, self.target, CAPACITY - 1, _NEEDS, "4.4")
        return lonely or crowded_market(state, self.artist, self.target, "4.4")


class Moved(Event):
    template = "{seat:@’s|your} {artist} moves from {origin} to {market}."
    brief = "{artist} moves from {origin} to {market}"

    seat: Seat
    artist: Artist
    origin: Market
    market: Market
