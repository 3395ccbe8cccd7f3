"""The cycle of power (rule 5): who falls, and where the others rise to."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.core import Action, Decision, Event, Refusal
from engine.games.muscat import refusals
from engine.games.muscat.actions import Pick, Rise
from engine.games.muscat.artists import Artist, Token
from engine.games.muscat.board import TRIO
from engine.games.muscat.draft import Draft
from engine.games.muscat.events import CycleRan, Jumped, Rose
from engine.games.muscat.offers import higher_markets
from engine.games.muscat.repertoire import repertoire
from engine.games.muscat.state import Muscat, Question
from engine.texts import Seat

NOWHERE = -1


def run_cycle(draft: Draft, seat: Seat, market: int) -> None:
    """Empty a market of three: the weakest falls, then the strongest and the second rise.

    Args:
        draft: the ply at work.
        seat: who is on turn.
        market: number of the market.
    """
    trio = TRIO[draft.board[market]]
    assert trio is not None, "only a market with three artists has a cycle"
    draft.tell(CycleRan, seat, draft.plan.names[market])
    draft.clear(market)
    draft.fall_to_street(trio.weakest, market)
    _rise(draft, market, trio.strongest, trio.second)


def _rise(draft: Draft, origin: int, token: Token, next_token: Token | None, taken: int = NOWHERE) -> None:
    """Ask the owner of a riser for its market, or let it into the palace if no level takes it (rules 5.3 to 5.5)."""
    share = draft.setup.options.blocked_second == "share"
    targets = higher_markets(draft.board, origin, token, taken, share)
    if targets:
        draft.ask(ChooseMarket(token, origin, targets, next_token, taken))
        return
    draft.enter_palace(token, origin)
    if next_token:
        _rise(draft, origin, next_token, None)


@dataclass(frozen=True, slots=True)
class ChooseMarket(Question[Rise]):
    """Which market a riser enters; its owner says, whoever is on turn (rule 5.3).

    `targets` are the admissible markets on the lowest level that has any, `next_token` the second if the strongest
    is asked now, `taken` the market the strongest has entered if the second is asked.
    """

    rule = "5.3"

    token: Token
    origin: int
    targets: tuple[int, ...]
    next_token: Token | None
    taken: int

    def rising(self) -> tuple[tuple[Seat, Token, int], ...]:
        """This riser, and the second if it waits."""
        risers = (self.token, self.next_token) if self.next_token else (self.token,)
        return tuple((token.seat, token, self.origin) for token in risers)

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """The owner of the riser chooses."""
        seats = state.setup.seats
        jump = self.targets[0] // seats > self.origin // seats + 1
        return _choose_market(seats, self.token.seat, self.token.artist, self.targets, jump)

    def resolve(self, state: Muscat, seat: Seat, action: Rise) -> tuple[Muscat, tuple[Event, ...]]:
        """Enter the market; then the second rises, or the turn goes on."""
        draft = Draft(state, state.frames[:-1])
        market, seats = draft.plan.numbers[action.market], state.setup.seats
        draft.enter(market, self.token)
        kind = Rose if market // seats == self.origin // seats + 1 else Jumped
        draft.tell(kind, seat, self.token.artist, draft.plan.names[self.origin], action.market)
        if self.next_token:
            _rise(draft, self.origin, self.next_token, None, market)
        return draft.finish()

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name who is in the way."""
        if isinstance(action, Rise):
            return refusals.rise(state, self.token, self.origin, self.taken, action.market)
        return None


@lru_cache(maxsize=4096)
def _choose_market(
    seats: int, seat: Seat, artist: Artist, targets: tuple[int, ...], jump: bool
) -> tuple[Decision, ...]:
    riser = f"{artist.label}’s career jump" if jump else artist.label
    prompt = f"Choose the market on level {targets[0] // seats + 1} for your {riser}."
    return (Decision(seat, prompt, tuple(repertoire(seats).rises[target] for target in targets)),)


@dataclass(frozen=True, slots=True)
class PickCycle(Question[Pick]):
    """Which of two full markets runs its cycle after an expulsion; the seat on turn picks (rule 4.5)."""

    rule = "4.5"

    markets: tuple[int, int]

    def decisions(self, state: Muscat) -> tuple[Decision, ...]:
        """One of the two."""
        plan = repertoire(state.seats)
        one, other = (plan.names[market] for market in self.markets)
        prompt = f"Choose which market is set in motion, {one} or {other}."
        return (Decision(state.turn, prompt, tuple(plan.picks[market] for market in self.markets)),)

    def resolve(self, state: Muscat, seat: Seat, action: Pick) -> tuple[Muscat, tuple[Event, ...]]:
        """Run it."""
        draft = Draft(state, state.frames[:-1])
        run_cycle(draft, seat, draft.plan.numbers[action.market])
        return draft.finish()

    def why_not(self, state: Muscat, seat: Seat, action: Action) -> Refusal | None:
        """Name the two markets of the expulsion."""
        if isinstance(action, Pick):
            one, other = (repertoire(state.seats).names[market] for market in self.markets)
            return Refusal(f"The expulsion was between {one} and {other}; one of them is set in motion.", self.rule)
        return None
