"""The rise of an artist to a higher level or into the palace (rules 5.3 to 5.5)."""

from __future__ import annotations

from functools import cache

from engine.core import Action, Aside, Decision, Event, Refusal, describe
from engine.games.muscat.artists import Artist
from engine.games.muscat.board import MAX_SEATS, NUMBERS, OPEN, Token, token_of
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import LEVELS, Market, markets, markets_on
from engine.games.muscat.ending import finish
from engine.games.muscat.options import SHARE
from engine.games.muscat.prospects import FULL, neighbors_gloss, safety_advice
from engine.games.muscat.refusals import crowded_market, unknown_market
from engine.games.muscat.state import Muscat, Riser
from engine.games.muscat.verb import BRING, Choice, Verb
from engine.texts import Seat, Text

RISING = Aside("rising", Text("where my risen artist goes"), "5.3")

_RISE = "Place your {artist} on level {level}."
_JUMP = "Jump with your {artist} to level {level}."


class Rise(Verb):
    """Choose the market your rising artist enters."""

    label = "Rise to {market}"

    market: Market = describe("a market with room for your artist, such as 2C", "Which market?")

    def title(self, state: Muscat) -> Text:
        """The riser and its market."""
        return Text("{artist} → {market}", artist=state.rising[0].artist.capitalized, market=self.market)

    def spelled_out(self, state: Muscat) -> Text:
        """The riser and its market."""
        return Text(BRING, artist=state.rising[0].artist, market=self.market)

    def gloss(self, state: Muscat) -> Text:
        """The neighbors of the riser."""
        riser = state.rising[0]
        return neighbors_gloss(state, self.market, token_of(riser.seat, riser.artist))


_RISES = {market: Rise(market) for market in markets(MAX_SEATS)}


class Rose(Event):
    """`market` is on the level above `origin`."""

    template = "{seat:@’s|your} {artist} climbs to {market}."
    brief = "{artist} climbs to {market}"

    seat: Seat
    artist: Artist
    origin: Market
    market: Market

    def and_then(self, after: Event) -> Event | None:
        """One event for both risers of the seat."""
        if not isinstance(after, Rose) or after.seat != self.seat:
            return None
        return BothRose(self.seat, self.artist, self.market, after.artist, after.market)


class BothRose(Event):
    """Two `Rose` of a seat in a row."""

    template = "{seat:@’s|your} {artist} climbs to {market}, the {other} to {target}."

    seat: Seat
    artist: Artist
    market: Market
    other: Artist
    target: Market


class Jumped(Event):
    """`market` is at least two levels above `origin`, since the markets between are full."""

    template = "{seat:@’s|your} {artist} makes a career jump to {market}."
    brief = "{artist} jumps to {market}"

    seat: Seat
    artist: Artist
    origin: Market
    market: Market


class EnteredPalace(Event):
    template = "{seat:@’s|your} {artist} enters the palace."
    brief = "{artist} enters the palace"

    seat: Seat
    artist: Artist
    origin: Market

    def and_then(self, after: Event) -> Event | None:
        """One event for both risers of the seat, unless they jump."""
        if not type(self) is type(after) is EnteredPalace or after.seat != self.seat:
            return None
        return BothEnteredPalace(self.seat, self.artist, after.artist)


class BothEnteredPalace(Event):
    """Two `EnteredPalace` of a seat in a row."""

    template = "{seat:@’s|your} {artist} and {other} enter the palace."

    seat: Seat
    artist: Artist
    other: Artist


class JumpedIntoPalace(EnteredPalace):
    """`origin` is below level 4."""

    template = "{seat:@’s|your} {artist} makes a career jump into the palace."
    brief = "{artist} jumps into the palace"


def rise(
    after: MuscatBuilder, origin: Market, token: Token, next_token: Token | None, blocked: Market | None = None
) -> None:
    """Ask the owner of a riser for its market, or move it into the palace if no level has room (rules 5.3 to 5.5).

    Args:
        after: the builder of the ply.
        origin: the market of the cycle, already empty.
        token: the riser.
        next_token: the riser after it, if any.
        blocked: the market that the strongest artist of this cycle has entered, if any.
    """
    if targets := _targets(after, origin, token, blocked):
        # The second waits, since it must not follow the strongest to its market (rule 5.3).
        after.ask(ChooseMarket(token, origin, targets, next_token, blocked))
        return
    _enter_palace(after, token, origin)
    if next_token:
        # The palace has room for all, so the second has no market to avoid (rule 5.5).
        rise(after, origin, next_token, None)


def _targets(after: MuscatBuilder, origin: Market, token: Token, blocked: Market | None) -> tuple[Market, ...]:
    """The markets with room on the lowest possible level (rules 5.3 and 5.4); empty = the palace.

    The second artist can follow the strongest only to the last market left, with the option `blocked_second`.
    """
    room, setup = OPEN[token.field], after.before.setup
    for level in _levels(setup.seats)[origin.level :]:
        targets = [market for number, market in level if room[after.board[number]]]
        if blocked in targets and not (setup.options.blocked_second == SHARE and len(targets) == 1):
            targets.remove(blocked)
        if targets:
            return tuple(targets)
    return ()


@cache
def _levels(seats: int) -> tuple[tuple[tuple[int, Market], ...], ...]:
    """The markets of each level with their indexes on the board, so that `[n:]` are the levels above n."""
    return tuple(tuple((NUMBERS[seats][market], market) for market in markets_on(level, seats)) for level in LEVELS)


def _enter_palace(after: MuscatBuilder, token: Token, origin: Market) -> None:
    """Move a riser into the palace (rule 5.5), which is a jump from below level 4 (rule 5.4)."""
    # A count is enough, since artists never leave the palace (rule 5.5).
    after.courtiers[token.number] += 1
    kind = EnteredPalace if origin.level == LEVELS[-1] else JumpedIntoPalace
    after.tell(kind(token.seat, token.artist, origin))


class ChooseMarket(Choice[Rise]):
    """The market that a riser enters, chosen by its owner, even out of turn (rule 5.3).

    `targets` are the possible markets on the lowest level that has any. For the strongest, `next_token` is the second;
    for the second, `blocked` is the market that the strongest entered.
    """

    rule, aside = "5.3", RISING

    token: Token
    origin: Market
    targets: tuple[Market, ...]
    next_token: Token | None
    blocked: Market | None

    def rising(self, state: Muscat) -> tuple[Riser, ...]:
        """This riser, and the second one if it is waiting."""
        risers = (self.token, self.next_token) if self.next_token else (self.token,)
        return tuple(Riser(token.seat, token.artist, self.origin) for token in risers)

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The decision of the owner."""
        # All targets are on one level (rule 5.4).
        target = self.targets[0]
        jump = _is_jump(self.origin, target)
        prompt = Text(_JUMP if jump else _RISE, level=target.level, artist=self.token.artist)
        return (Decision(self.token.seat, prompt, tuple(map(_RISES.__getitem__, self.targets))),)

    def resolve(self, state: Muscat, seat: Seat, action: Rise) -> tuple[Muscat, tuple[Event, ...]]:
        """Enter the market; then the second artist rises, or the turn goes on."""
        after = MuscatBuilder(state)
        after.answered()
        after.enter(action.market, self.token)
        kind = Jumped if _is_jump(self.origin, action.market) else Rose
        after.tell(kind(seat, self.token.artist, self.origin, action.market))
        if self.next_token:
            rise(after, self.origin, self.next_token, None, action.market)
        return finish(after)

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on a safe market for the riser."""
        return safety_advice(self.token.artist), FULL

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the artist in the way."""
        return self._refusal(state, action.market) if isinstance(action, Rise) else None

    def _refusal(self, state: Muscat, market: Market) -> Refusal:
        if unknown := unknown_market(state, market):
            return unknown
        if market.level <= self.origin.level:
            template = "A riser goes up: {market} is not above level {level}."
            return Refusal(Text(template, market=market, level=self.origin.level), "5.3")
        if market == self.blocked:
            template = "The strongest has just entered {market}; the second needs another market."
            return Refusal(Text(template, market=market), "5.3")
        if OPEN[self.token.field][state.code(market)]:
            text = Text("No career jump to {market} while a market below has room.", market=market)
            return Refusal(text, "5.4")
        return crowded_market(state, self.token.artist, market, "5.3")


def _is_jump(origin: Market, target: Market) -> bool:
    """Whether the rise skips a level (rule 5.4)."""
    return target.level > origin.level + 1
