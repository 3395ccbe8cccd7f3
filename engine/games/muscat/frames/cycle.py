"""The cycle of power (rule 5), and its questions."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Aside, Decision, Event, Refusal
from engine.games.muscat import advice, refusals
from engine.games.muscat.actions import Pick, Rise
from engine.games.muscat.board import Token
from engine.games.muscat.builder import MuscatBuilder
from engine.games.muscat.city import Market
from engine.games.muscat.events import CycleRan, Jumped, Rose
from engine.games.muscat.frames.question import Choice
from engine.games.muscat.offers import higher_markets
from engine.games.muscat.state import Muscat, Riser
from engine.texts import Seat, Text

RISING = Aside("rising", Text("where my risen artist goes"), "5.3")

_RISE = "Place your {artist} on level {level}."
_JUMP = "Jump with your {artist} to level {level}."


def run_cycle(after: MuscatBuilder, seat: Seat, market: Market) -> None:
    """Run the cycle of a full market: the weakest artist falls, then the strongest and the second rise.

    Args:
        after: the builder of the ply.
        seat: the seat on turn.
        market: the full market.
    """
    trio = after.trio(market)
    assert trio is not None, "only a market with three artists has a cycle"
    up, next_up = trio.strongest, trio.second
    after.tell(CycleRan(seat, market, up.seat, up.artist, next_up.seat, next_up.artist))
    # All three artists leave before the first one rises (rule 5.2).
    after.clear(market)
    after.fall_to_street(trio.weakest, market)
    _rise(after, market, up, next_up)


def _rise(
    after: MuscatBuilder, origin: Market, token: Token, next_token: Token | None, taken: Market | None = None
) -> None:
    """Ask the owner of a riser for its market, or move it into the palace if no level has room (rules 5.3 to 5.5)."""
    targets = higher_markets(after.board, after.before.setup, origin, token, taken)
    if targets:
        # The second waits, since it must not follow the strongest to its market (rule 5.3).
        after.ask(ChooseMarket(token, origin, targets, next_token, taken))
        return
    after.enter_palace(token, origin)
    if next_token:
        # The palace has room for all, so the second has no market to avoid (rule 5.5).
        _rise(after, origin, next_token, None)


@dataclass(frozen=True, slots=True)
class ChooseMarket(Choice[Rise]):
    """The market that a riser enters, chosen by its owner, even out of turn (rule 5.3).

    `targets` are the possible markets on the lowest level that has any. For the strongest, `next_token` is the second;
    for the second, `taken` is the market that the strongest entered.
    """

    rule, aside = "5.3", RISING

    token: Token
    origin: Market
    targets: tuple[Market, ...]
    next_token: Token | None
    taken: Market | None

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
        return (Decision(self.token.seat, prompt, tuple(map(Rise, self.targets))),)

    def resolve(self, state: Muscat, seat: Seat, action: Rise) -> tuple[Muscat, tuple[Event, ...]]:
        """Enter the market; then the second artist rises, or the turn goes on."""
        after = MuscatBuilder(state)
        after.answered()
        after.enter(action.market, self.token)
        kind = Jumped if _is_jump(self.origin, action.market) else Rose
        after.tell(kind(seat, self.token.artist, self.origin, action.market))
        if self.next_token:
            _rise(after, self.origin, self.next_token, None, action.market)
        return after.finish()

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on a safe market for the riser."""
        return advice.safe_beside(self.token.artist), advice.FULL

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the artist in the way."""
        if isinstance(action, Rise):
            return refusals.rise(state, self.token, self.origin, self.taken, action.market)
        return None


def _is_jump(origin: Market, target: Market) -> bool:
    """Whether the rise skips a level (rule 5.4)."""
    return target.level > origin.level + 1


@dataclass(frozen=True, slots=True)
class PickCycle(Choice[Pick]):
    """The choice of the seat on turn between two full markets after an expulsion (rule 4.5)."""

    rule = "4.5"

    one: Market
    other: Market

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The two markets."""
        prompt = Text("Set {one} or {other} in motion.", one=self.one, other=self.other)
        return (Decision(state.turn, prompt, (Pick(self.one), Pick(self.other))),)

    def resolve(self, state: Muscat, seat: Seat, action: Pick) -> tuple[Muscat, tuple[Event, ...]]:
        """Run the cycle of the market."""
        after = MuscatBuilder(state)
        after.answered()
        run_cycle(after, seat, action.market)
        return after.finish()

    def advice(self, state: Muscat) -> tuple[Text, ...]:
        """Advice on the artists that fall."""
        return advice.PICK

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the two markets of the expulsion."""
        if not isinstance(action, Pick):
            return None
        text = "The expulsion was between {one} and {other}; one of them is set in motion."
        return Refusal(Text(text, one=self.one, other=self.other), "4.5")
