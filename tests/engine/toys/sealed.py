"""Sealed Bids: all seats are due at once, bids are secret, and CHANCE opens them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from random import Random

from engine.builder import Builder
from engine.core import Action, Decision, Event, Frame, GameSpec, Options, Outcome, Setup, State, describe, option
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text

UNSEEN = -1
"""A bid that is hidden from the viewer."""


class Reason(StrEnum):
    ROUNDS = "rounds"


class SealedOptions(Options):
    rounds: int = option(3, "How many rounds are played", 3, 1)


class Bid(Action):
    """Seal a bid; the highest unique bid wins."""

    label = "Bid {coins}"

    coins: int = describe("Coins to bid")


class Open(Action):
    """Open all bids."""


class BidsOpened(Event):
    template = "The bids are {bids}."

    bids: tuple[int, ...]


class Bidding(Frame["Auction", Bid]):
    """The bid of each seat, `None` = not yet."""

    rule = "2"

    bids: tuple[int | None, ...]

    def decisions(self, state: Auction) -> tuple[Decision, ...]:
        options = tuple(Bid(coins) for coins in range(4))
        open_seats = (Seat(i) for i, bid in enumerate(self.bids) if bid is None)
        return tuple(Decision(seat, Text("Bid 0 to 3 coins."), options) for seat in open_seats)

    def resolve(self, state: Auction, seat: Seat, action: Bid) -> tuple[Auction, tuple[Event, ...]]:
        bids = (*self.bids[:seat], action.coins, *self.bids[seat + 1 :])
        after = AuctionBuilder(state)
        after.answered()
        after.ask(Bidding(bids) if None in bids else Opening(bids))
        return after.done()


class Opening(Frame["Auction", Open]):
    """All bids are sealed. An action of the last bidder must not open them, so CHANCE does."""

    bids: tuple[int | None, ...]

    def decisions(self, state: Auction) -> tuple[Decision, ...]:
        return (Decision(CHANCE, Text("The bids are opened."), (Open(),)),)

    def resolve(self, state: Auction, seat: Seat, action: Open) -> tuple[Auction, tuple[Event, ...]]:
        bids = tuple(bid for bid in self.bids if bid is not None)
        best = max((bid for bid in bids if bids.count(bid) == 1), default=None)
        after = AuctionBuilder(state)
        after.points = [have + (bid == best) for have, bid in zip(state.points, bids, strict=True)]
        after.rounds_left -= 1
        after.answered()
        if after.rounds_left:
            after.ask(Bidding((None,) * len(bids)))
        after.tell(BidsOpened(bids))
        return after.done()


class Auction(State):
    points: tuple[int, ...]
    rounds_left: int

    def outcome(self) -> Outcome | None:
        if self.frames:
            return None
        best = max(self.points)
        share = 1 / self.points.count(best)
        returns = tuple(share if points == best else 0.0 for points in self.points)
        return Outcome(returns, self.points, Reason.ROUNDS)

    def observe(self, viewer: Seat | None) -> Auction:
        return self._with_bids(lambda seat, bid: bid if bid is None or seat == viewer else UNSEEN)

    def determinize(self, viewer: Seat | None, rng: Random) -> Auction:
        return self._with_bids(lambda seat, bid: bid if bid is None or seat == viewer else rng.randrange(4))

    def _with_bids(self, seen: Callable[[int, int | None], int | None]) -> Auction:
        frames = (replace(f, bids=tuple(seen(i, bid) for i, bid in enumerate(f.bids))) for f in self.frames)
        return replace(self, frames=tuple(frames))


class AuctionBuilder(Builder[Auction]):
    def __init__(self, before: Auction) -> None:
        super().__init__(before)
        self.points = list(before.points)
        self.rounds_left = before.rounds_left

    def position(self) -> Auction:
        return replace(self.before, frames=tuple(self.frames), points=tuple(self.points), rounds_left=self.rounds_left)


def start(setup: Setup) -> Auction:
    return Auction((Bidding((None,) * setup.seats),), (0,) * setup.seats, setup.options.rounds)


GAME = GameSpec(
    slug="sealed",
    title="Sealed Bids",
    summary="Bid unseen; the highest bid that nobody shares wins the round.",
    seats=(2, 3, 4),
    options=SealedOptions,
    actions=(Bid,),
    chances=(Open,),
    rules_version=1,
    rulebook=Rulebook.parse(
        "## 1 Aim\nWin most of {rounds=1: one round | three rounds}.\n\n## 2 Bids\nEverybody bids 0 to 3 coins, unseen."
    ),
    start=start,
    hands=True,
)
