"""The expulsion: an artist swaps its market with a rival’s of its kind (rule 4.5)."""

from __future__ import annotations

from engine.core import Event, Refusal, describe
from engine.games.muscat.artists import FIELD, Artist
from engine.games.muscat.board import CAPACITY, COUNT, OWN, RIVALS, TRIO, token_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market
from engine.games.muscat.neighbors import NeighborVerb, neighbor_actions
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import market_name
from engine.games.muscat.verbs.cycle import run_cycle
from engine.games.muscat.verbs.pick import PickCycle
from engine.games.muscat.verbs.remove import GiveUp, Motion, price_gloss
from engine.texts import Seat, Text

_RIVALS_IN_TRIO = tuple(
    tuple(fields if count == CAPACITY else 0 for fields, count in zip(rivals, COUNT, strict=True)) for rivals in RIVALS
)
"""_RIVALS_IN_TRIO[seat][code]: the fields of other seats on a full market."""


class Expel(NeighborVerb):
    """Swap your artist with a rival’s of the same kind; the cycle runs on a full market of the two."""

    label = "{artist} {origin} ⇄ {target}"
    rule = "4.5"

    artist: Artist = describe("the kind of artist that is swapped", "Which artist?")
    origin: Market = describe("the market of your artist", "From which market?")
    target: Market = describe("the market of the rival’s artist", "Whose artist?")

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> list[Expel]:
        """The rivals of the same kind where one of the two markets is full, market by market."""
        board, own, actions = state.board, OWN[seat], neighbor_actions(Expel, state.setup.seats)
        offers: list[Expel] = []
        for origin, here in enumerate(board):
            if mine := own[here]:
                rivals = RIVALS[seat] if COUNT[here] == CAPACITY else _RIVALS_IN_TRIO[seat]
                for target, expulsions in actions[origin]:
                    if fields := mine & rivals[board[target]]:
                        offers += expulsions[fields]
        return offers

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Swap the artists, then run the cycle of a full market of the two."""
        rival = after.holder(self.target, self.artist)
        assert rival is not None, "an expulsion needs a rival"
        mine, theirs = token_of(seat, self.artist), token_of(rival, self.artist)
        after.exchange(self.origin, mine, theirs)
        after.exchange(self.target, theirs, mine)
        after.tell(Expelled(seat, rival, self.artist, self.origin, self.target))
        # Paid after the cycle, see `Change`.
        after.ask(GiveUp())
        # Checked after the swap (rule 4.5).
        full = [market for market in (self.origin, self.target) if after.trio(market)]
        if len(full) == 1:
            run_cycle(after, seat, full[0])
        else:
            after.ask(PickCycle(self.origin, self.target))

    def title(self, state: Muscat) -> Text:
        """The swap of the artist with its rival."""
        template = "{artist} {origin} ⇄ {rival:@’s|your} {target}"
        artist, rival = self.artist.capitalized, self._rival(state)
        return Text(template, artist=artist, origin=self.origin, rival=rival, target=self.target)

    def spelled_out(self, state: Muscat) -> Text:
        """The swap of the artist with its rival."""
        template, rival = "Swap the {artist} on {origin} with {rival:@’s|yours} on {target}", self._rival(state)
        return Text(template, artist=self.artist, origin=self.origin, rival=rival, target=self.target)

    def field_name(self, state: Muscat, field: str) -> Text:
        """The artist, its market with the others there, or the rival."""
        if field == "artist":
            return self.artist.capitalized
        if field == "origin":
            return market_name(state, self.origin, besides=self.artist)
        return Text("{rival:@’s|yours} on {market}", rival=self._rival(state), market=self.target)

    def gloss(self, state: Muscat) -> Text:
        """The effect of the cycle after the swap, and the price."""
        return price_gloss(state, *self._motions(state))

    def refusal_by_target(self, state: Muscat, seat: Seat) -> Refusal:
        """No rival, or no full market."""
        rival = self._rival(state)
        if rival is None:
            text = Text("No {artist} stands on {target}.", artist=self.artist, target=self.target)
        elif rival == seat:
            text = Text("The {artist} on {target} is your own.", artist=self.artist, target=self.target)
        else:
            template = "Neither {origin} nor {target} holds three artists."
            text = Text(template, origin=self.origin, target=self.target)
        return Refusal(text, "4.5")

    def _rival(self, state: Muscat) -> Seat | None:
        """The seat that has such an artist on the other market."""
        return state.market(self.target)[FIELD[self.artist]]

    def _motions(self, state: Muscat) -> list[Motion]:
        """The full markets after the swap."""
        rival = self._rival(state)
        assert rival is not None, "an expulsion needs a rival"
        # Both artists are of one kind, so the swap adds the same number to one code that it subtracts from the other.
        more = token_of(rival, self.artist).weight - token_of(state.turn, self.artist).weight
        swapped = (
            (self.origin, TRIO[state.code(self.origin) + more]),
            (self.target, TRIO[state.code(self.target) - more]),
        )
        return [(market, trio) for market, trio in swapped if trio]


class Expelled(Event):
    """An expulsion: the seat's artist went from `origin` to `market`, and the rival's the other way."""

    template = "{seat:@’s|your} {artist} drives {rival:@’s|yours} from {market} to {origin}."
    brief = "{artist} ousts {rival}: {origin} → {market}"

    seat: Seat
    rival: Seat
    artist: Artist
    origin: Market
    market: Market
