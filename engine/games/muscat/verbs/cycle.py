"""The cycle of power on a full market (rules 4.2, 5.1 and 5.2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from functools import cache, lru_cache
from itertools import islice

from engine.core import Advised, Event, Refusal, describe
from engine.games.muscat.artists import ARTISTS, Artist
from engine.games.muscat.board import OWN, TRIO, Trio, trio_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import LEVELS, Market, markets
from engine.games.muscat.refusals import not_full, unknown_market
from engine.games.muscat.state import Muscat
from engine.games.muscat.verb import TurnVerb
from engine.games.muscat.verbs.rise import rise
from engine.texts import Seat, Text

_NEEDS = Text("a cycle needs three")


class Cycle(TurnVerb):
    """Set the cycle of power in motion on a market with three artists."""

    label = "Set {market} in motion"

    market: Market = describe("a market with three artists, such as 2B", "Which market?")

    @staticmethod
    def offers(state: Muscat, seat: Seat) -> list[Cycle]:
        """The full markets (rule 4.2); with the option, only those with an artist of the seat (rule 9)."""
        cycles = _cycles(state.setup.seats)
        own = OWN[seat] if state.setup.options.cycle_needs_own_token else None
        return [cycles[market] for market, code in enumerate(state.board) if TRIO[code] and (own is None or own[code])]

    def carry_out(self, after: MuscatBuilder, seat: Seat) -> None:
        """Run the cycle."""
        run_cycle(after, seat, self.market)

    def title(self, state: Muscat) -> Text:
        """The market."""
        return Text("Set {market} in motion", market=self.market)

    def gloss(self, state: Muscat) -> Text:
        """The seats whose artists rise, and the artist that falls."""
        trio = trio_of(state.code(self.market))
        fall = Text(", {last:@’s|your} {artist} falls", last=trio.weakest.seat, artist=trio.weakest.artist)
        top, one, other = self.market.level == LEVELS[-1], trio.strongest.seat, trio.second.seat
        if one == other:
            template = "the palace twice for {one}{fall}" if top else "{one} {one:rises|rise} twice{fall}"
            return Text(template, one=one, fall=fall)
        template = "palace for {one} and {other}{fall}" if top else "{one} and {other} rise{fall}"
        return Text(template, one=one, other=other, fall=fall)

    def refusal(self, state: Muscat, seat: Seat) -> Refusal:
        """Fewer than three artists, or none of the seat."""
        if refusal := unknown_market(state, self.market) or not_full(state, self.market, _NEEDS, "4.2"):
            return refusal
        text = Text("None of your artists stands on {market}; in this game you need one there.", market=self.market)
        return Refusal(text, "9")


@cache
def _cycles(seats: int) -> tuple[Cycle, ...]:
    return tuple(map(Cycle, markets(seats)))


class CycleRan(Event):
    """`strongest` and `second` are the owners of the artists that rise next."""

    template = "{seat} {seat:sets|set} {market} in motion{risers}."
    brief = "sets {market} in motion"

    seat: Seat
    market: Market
    strongest: Seat
    strongest_artist: Artist
    second: Seat
    second_artist: Artist
    # Derived from the other fields, so left out of comparisons.
    risers: Text = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        one, other = (self.strongest, self.strongest_artist), (self.second, self.second_artist)
        object.__setattr__(self, "risers", _risers(self.seat, one, other))


@lru_cache(maxsize=2048)  # needed for every cycle in a search; saves 3 % of it
def _risers(seat: Seat, one: tuple[Seat, Artist], other: tuple[Seat, Artist]) -> Text:
    """Two artists, with each owner named once. `Their own` comes first, so that it clearly refers to the subject."""
    (first, artist), (second, its_rival) = (other, one) if other[0] == seat != one[0] else (one, other)
    if first == second == seat:
        return Text(": {owner:their own|your} {one} and {other} rise", owner=seat, one=artist, other=its_rival)
    if first == second:
        return Text(": {owner:@’s|your} {one} and {other} rise", owner=first, one=artist, other=its_rival)
    if first == seat:
        template = ": {seat:their own|your} {one} and {owner:@’s|your} {other} rise"
        return Text(template, seat=seat, one=artist, owner=second, other=its_rival)
    template = ": {owner:@’s|your} {one} and {rival:@’s|your} {other} rise"
    return Text(template, owner=first, one=artist, rival=second, other=its_rival)


class Fell(Event):
    """`artist` was the weakest of the cycle on `origin`."""

    template = "{seat:@’s|your} {artist} falls to street {street}."

    seat: Seat
    artist: Artist
    origin: Market
    street: int


def run_cycle(after: MuscatBuilder, seat: Seat, market: Market) -> None:
    """Run the cycle of a full market: the weakest artist falls, then the strongest and the second rise.

    Args:
        after: the builder of the ply.
        seat: the seat on turn.
        market: the full market.
    """
    trio = after.trio(market)
    assert trio is not None, "only a market with three artists has a cycle"
    up, next_up, down = trio.strongest, trio.second, trio.weakest
    after.tell(CycleRan(seat, market, up.seat, up.artist, next_up.seat, next_up.artist))
    # All three artists leave before the first one rises (rule 5.2).
    after.clear(market)
    # The street below a level has its number (rule 2.2).
    after.add_idler(down, market.level)
    after.tell(Fell(down.seat, down.artist, market, market.level))
    rise(after, market, up, next_up)


# --- advice ---


def opportunities(state: Muscat, seat: Seat) -> Iterator[Text | Advised]:
    """The highest full market that would lift artists of the seat and drop none, and the highest that drops one."""
    # Markets are numbered level by level, so the reverse order starts with the highest.
    city = zip(markets(state.seats), state.board, strict=True)
    full = [(market, trio) for market, code in city if (trio := TRIO[code])][::-1]
    ranks = [(market, trio, rank) for market, trio in full if (rank := _rank(market, trio, seat))]
    lifting = (Advised(rank, Cycle(market)) for market, trio, rank in ranks if trio.weakest.seat != seat)
    throwing = (rank for _, trio, rank in ranks if trio.weakest.seat == seat)
    yield from islice(lifting, 1)
    yield from islice(throwing, 1)


def _rank(market: Market, trio: Trio, seat: Seat) -> Text | None:
    """The rank of an artist of the seat on a full market, with the reason; the weakest if there are several."""
    why = Text("{market} lacks {missing}", market=market, missing=ARTISTS[trio.missing].with_article)
    if trio.weakest.seat == seat:
        return Text("{why}: your {artist} is the weakest and would fall.", why=why, artist=trio.weakest.artist)
    if trio.strongest.seat == seat:
        template = "{why}: your {artist} is the strongest, so set it in motion and climb."
        return Text(template, why=why, artist=trio.strongest.artist)
    if trio.second.seat == seat:
        template = "{why}: your {artist} is the second, so set it in motion and climb."
        return Text(template, why=why, artist=trio.second.artist)
    return None
