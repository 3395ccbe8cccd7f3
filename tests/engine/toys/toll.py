"""Toll: a weighted draw with few outcomes, and a decision for a seat that is not on turn, which interrupts the turn."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from random import Random

from engine.builder import Builder
from engine.core import (
    Action,
    Aside,
    Decision,
    Event,
    Frame,
    GameSpec,
    Options,
    Outcome,
    Setup,
    State,
    describe,
    option,
)
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text, joined


class Reason(StrEnum):
    ARRIVED = "arrived"
    BROKE = "broke"


class TollOptions(Options):
    road: int = option(8, "Length of the road", 8, 4)
    fast: bool = option(False, "Whether camels walk one step more")


class Travel(Action):
    """Send your camels on."""


class Levy(Action):
    """Ask a traveler for toll, or let them pass."""

    pay: bool = describe("Whether they have to pay")


class Walk(Action):
    """Walk some steps."""

    steps: int


class Walked(Event):
    template = "{seat} {seat:walks|walk} {steps} {steps:step|steps}."

    seat: Seat
    steps: int


class TollPaid(Event):
    template = "{keeper} {keeper:takes|take} a coin from {payer}."

    keeper: Seat
    payer: Seat


class Turn(Frame["Road", Travel]):
    rule = "2"

    seat: Seat

    def decisions(self, state: Road) -> tuple[Decision, ...]:
        return (Decision(self.seat, Text("Send your camels on."), (Travel(),)),)

    def resolve(self, state: Road, seat: Seat, action: Travel) -> tuple[Road, tuple[Event, ...]]:
        after = RoadBuilder(state)
        after.answered()
        after.ask(Walking(seat), Turn(Seat((seat + 1) % len(state.places))))
        return after.done()


class Walking(Frame["Road", Walk]):
    seat: Seat

    def decisions(self, state: Road) -> tuple[Decision, ...]:
        steps = tuple(Walk(n + state.fast) for n in (1, 2, 3))
        return (Decision(CHANCE, Text("The camels walk."), steps, weights=(3, 2, 1)),)

    def resolve(self, state: Road, seat: Seat, action: Walk) -> tuple[Road, tuple[Event, ...]]:
        after = RoadBuilder(state)
        after.places[self.seat] += action.steps
        after.answered()
        if after.places[self.seat] % 2:
            after.ask(Gate(self.seat))
        after.tell(Walked(self.seat, action.steps))
        return after.checked()


LEVYING = Aside("levying", Text("whether a traveler pays me"), "3")


class Gate(Frame["Road", Levy]):
    """A traveler stands at a gate. The keeper decides, and is not on turn (nor next on turn, with three seats)."""

    rule, aside = "3", LEVYING

    traveler: Seat

    def decisions(self, state: Road) -> tuple[Decision, ...]:
        keeper = Seat((self.traveler - 1) % len(state.places))
        return (Decision(keeper, Text("Shall the traveler pay?"), (Levy(True), Levy(False))),)

    def resolve(self, state: Road, seat: Seat, action: Levy) -> tuple[Road, tuple[Event, ...]]:
        after = RoadBuilder(state)
        after.answered()
        if action.pay:
            after.coins[seat] += 1
            after.coins[self.traveler] -= 1
            after.tell(TollPaid(seat, self.traveler))
        return after.checked()


class Road(State):
    places: tuple[int, ...]
    coins: tuple[int, ...]
    road: int
    fast: bool

    @property
    def arrived(self) -> bool:
        return max(self.places) >= self.road

    def turn_of(self) -> Seat | None:
        frame = self.frames[-1] if self.frames else None
        return frame.traveler if isinstance(frame, Gate) else None

    def outcome(self) -> Outcome | None:
        if self.frames:
            return None
        scores = tuple(place + coins for place, coins in zip(self.places, self.coins, strict=True))
        share = 1 / scores.count(max(scores))
        returns = tuple(share if score == max(scores) else 0.0 for score in scores)
        return Outcome(returns, scores, Reason.ARRIVED if self.arrived else Reason.BROKE)

    def observe(self, viewer: Seat | None) -> Road:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Road:
        return self

    def diagram(self) -> Text:
        standing = enumerate(zip(self.places, self.coins, strict=True))
        line = "{seat}: step {place}, {coins} {coins:coin|coins}"
        return joined([Text(line, seat=Seat(n), place=place, coins=coins) for n, (place, coins) in standing], "\n")


class RoadBuilder(Builder[Road]):
    def __init__(self, before: Road) -> None:
        super().__init__(before)
        self.places = list(before.places)
        self.coins = list(before.coins)

    def position(self) -> Road:
        return replace(self.before, frames=tuple(self.frames), places=tuple(self.places), coins=tuple(self.coins))

    def checked(self) -> tuple[Road, tuple[Event, ...]]:
        """End the ply, and also the game if a seat has arrived or is broke."""
        if max(self.places) >= self.before.road or 0 in self.coins:
            self.frames.clear()
        return self.done()


def start(setup: Setup) -> Road:
    places = (0,) * setup.seats
    return Road((Turn(Seat(0)),), places, tuple(2 for _ in places), setup.options.road, setup.options.fast)


GAME = GameSpec(
    slug="toll",
    title="Toll",
    summary="Walk the road; at every gate your neighbor may take a coin.",
    seats=(2, 3),
    options=TollOptions,
    actions=(Travel, Levy),
    chances=(Walk,),
    rules_version=1,
    rulebook=Rulebook.parse(
        "## 1 Aim\nGo {road=4: 4 | 8} places.\n\n"
        "## 2 Travel\nSome steps{fast=yes: , and one more}.\n\n"
        "## 3 Toll\nOne coin on odd places."
    ),
    start=start,
    asides=(LEVYING,),
)
