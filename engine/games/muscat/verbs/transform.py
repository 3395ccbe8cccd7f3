"""The transformation: an artist from a street replaces the weakest, and the cycle runs (rule 4.6)."""

from __future__ import annotations

from functools import cache

from engine.core import Event, Refusal, describe
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import OWN, SEATS, TOKENS, TRIO, fields_in, trio_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import LEVELS, Market, markets
from engine.games.muscat.prospects import cycle_gloss
from engine.games.muscat.refusals import not_full, not_in_street, unknown_market, unknown_street
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import TurnVerb, missing_artist
from engine.games.muscat.verbs.cycle import run_cycle
from engine.texts import Seat, Text

_NEEDS = Text("a transformation needs three")

_FALLING = tuple(tuple(trio if trio and trio.weakest.seat == seat else None for trio in TRIO) for seat in SEATS)
"""_FALLING[seat][code]: the ranked artists of a full market whose weakest is the seat's."""


class Transform(TurnVerb):
    """Replace your weakest artist with one from a street, which becomes the strongest at once."""

    label = "{market}: newcomer from street {street}"
    needs_idler = True

    market: Market = describe("a full market where your artist is the weakest", "Which market?")
    street: int = describe("the street the newcomer comes from, by its number", "From which street?")

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> list[Transform]:
        """The full markets where the seat has the weakest artist, with each street that has the missing kind."""
        falling, actions = _FALLING[seat], _transformations(state.setup.seats)
        offers: list[Transform] = []
        for market, code in enumerate(state.board):
            if trio := falling[code]:
                # Equal ones are one option (rule 2.1).
                idlers = dict.fromkeys(state.idlers[seat])
                offers += [actions[market][idler.street - 1] for idler in idlers if idler.field == trio.missing]
        return offers

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Put the newcomer on the empty field, remove the weakest from the game, and run the cycle."""
        trio = after.trio(self.market)
        assert trio is not None, "a transformation needs three artists"
        newcomer = TOKENS[seat][trio.missing]
        after.remove_idler(newcomer, self.street)
        # Now the field of the weakest is empty, which makes the newcomer the strongest (rules 4.6 and 5.1).
        after.exchange(self.market, trio.weakest, newcomer)
        after.tell(Transformed(seat, newcomer.artist, trio.weakest.artist, self.market, self.street))
        # No `GiveUp`: the newcomer from the street was the price (rule 4.6).
        run_cycle(after, seat, self.market)

    def title(self, state: Muscat) -> Text:
        """The market and the newcomer."""
        template = "{market}: {artist} from street {street}"
        return Text(template, market=self.market, artist=missing_artist(state, self.market), street=self.street)

    def gloss(self, state: Muscat) -> Text:
        """The artist that leaves, and the effect of the cycle."""
        code = state.code(self.market)
        before = trio_of(code)
        newcomer = TOKENS[before.weakest.seat][before.missing]
        after = trio_of(code - before.weakest.weight + newcomer.weight)
        return cycle_gloss(after, Text("costs the {artist}; ", artist=before.weakest.artist))

    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """Fewer than three artists, another weakest one, or a wrong street."""
        unknown = unknown_market(state, self.market) or unknown_street(self.street)
        if refusal := unknown or not_full(state, self.market, _NEEDS, "4.6"):
            return refusal
        code = state.code(self.market)
        trio = trio_of(code)
        if trio.weakest.seat == seat:
            return not_in_street(ARTISTS[trio.missing], self.street, "4.6")
        own = tuple(ARTISTS[field] for field in fields_in(OWN[seat][code]))
        if not own:
            return Refusal(Text("None of your artists stands on {market}.", market=self.market), "4.6")
        template = "Your {own} on {market} {own:is|are} not the weakest; that is the {weakest}."
        return Refusal(Text(template, own=own, market=self.market, weakest=trio.weakest.artist), "4.6")


@cache
def _transformations(seats: int) -> tuple[tuple[Transform, ...], ...]:
    """Index of a market on the board -> its actions, street by street."""
    return tuple(tuple(Transform(market, street) for street in LEVELS) for market in markets(seats))


class Transformed(Event):
    """A transformation: `artist` came from `street` to `market`, and `weakest_artist` left the game."""

    template = "On {market} {seat:@’s|your} {weakest_artist} makes way for the {artist} from street {street}."
    brief = "{artist} replaces {weakest_artist}"

    seat: Seat
    artist: Artist
    weakest_artist: Artist
    market: Market
    street: int
