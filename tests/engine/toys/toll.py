"""Toll: a weighted draw with few outcomes, and a question to a seat that is not on turn, pushed on the turn's own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from random import Random

from engine.core import Action, Decision, Event, Frame, GameSpec, Options, Outcome, Setup, State, describe, option
from engine.rulebook import Rulebook
from engine.texts import CHANCE, Seat, Text


class Reason(StrEnum):
    ARRIVED = "arrived"
    BROKE = "broke"


@dataclass(frozen=True, slots=True)
class TollOptions(Options):
    road: int = option(8, "Length of the road", 8, 4)
    fast: bool = option(False, "Whether camels walk one step more")


@dataclass(frozen=True, slots=True)
class Travel(Action):
    """Send your camels on."""


@dataclass(frozen=True, slots=True)
class Levy(Action):
    """Ask a traveler for toll, or let him pass."""

    pay: bool = describe("Whether he has to pay")


@dataclass(frozen=True, slots=True)
class Walk(Action):
    """Walk some steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class Walked(Event):
    template = "{seat} walks {steps} steps."

    seat: Seat
    steps: int


@dataclass(frozen=True, slots=True)
class TollPaid(Event):
    template = "{keeper} takes a coin from {payer}."

    keeper: Seat
    payer: Seat


@dataclass(frozen=True, slots=True)
class Turn(Frame["Road", Travel]):
    rule = "2"

    seat: Seat

    def decisions(self, state: Road) -> tuple[Decision, ...]:
        return (Decision(self.seat, Text("Send your camels on."), (Travel(),)),)

    def resolve(self, state: Road, seat: Seat, action: Travel) -> tuple[Road, tuple[Event, ...]]:
        following = Turn(Seat((seat + 1) % len(state.places)))
        return replace(state, frames=(following, Walking(seat))), ()


@dataclass(frozen=True, slots=True)
class Walking(Frame["Road", Walk]):
    seat: Seat

    def decisions(self, state: Road) -> tuple[Decision, ...]:
        steps = tuple(Walk(n + state.fast) for n in (1, 2, 3))
        return (Decision(CHANCE, Text("The camels walk."), steps, weights=(3, 2, 1)),)

    def resolve(self, state: Road, seat: Seat, action: Walk) -> tuple[Road, tuple[Event, ...]]:
        places = (*state.places[: self.seat], state.places[self.seat] + action.steps, *state.places[self.seat + 1 :])
        after = replace(state, places=places, frames=state.frames[:-1])
        if places[self.seat] % 2 and not after.arrived:
            after = replace(after, frames=(*after.frames, Gate(self.seat)))
        return after.checked(), (Walked(self.seat, action.steps),)


@dataclass(frozen=True, slots=True)
class Gate(Frame["Road", Levy]):
    """A traveler stands at a gate: its keeper decides, who is not on turn and never the next on turn with three."""

    rule = "3"

    traveler: Seat

    def decisions(self, state: Road) -> tuple[Decision, ...]:
        keeper = Seat((self.traveler - 1) % len(state.places))
        return (Decision(keeper, Text("Shall the traveler pay?"), (Levy(True), Levy(False))),)

    def resolve(self, state: Road, seat: Seat, action: Levy) -> tuple[Road, tuple[Event, ...]]:
        after = replace(state, frames=state.frames[:-1])
        if not action.pay:
            return after, ()
        coins = [have + (i == seat) - (i == self.traveler) for i, have in enumerate(state.coins)]
        return replace(after, coins=tuple(coins)).checked(), (TollPaid(seat, self.traveler),)


@dataclass(frozen=True, slots=True)
class Road(State):
    places: tuple[int, ...]
    coins: tuple[int, ...]
    road: int
    fast: bool

    @property
    def arrived(self) -> bool:
        return max(self.places) >= self.road

    def checked(self) -> Road:
        return replace(self, frames=()) if self.arrived or 0 in self.coins else self

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


def start(setup: Setup) -> Road:
    nobody = (0,) * setup.seats
    return Road((Turn(Seat(0)),), nobody, tuple(2 for _ in nobody), setup.options.road, setup.options.fast)


GAME = GameSpec(
    slug="toll",
    title="Toll",
    summary="Walk the road; at every gate your neighbor may take a coin.",
    seats=(2, 3),
    options=TollOptions,
    actions=(Travel, Levy),
    chances=(Walk,),
    rules_version=1,
    rulebook=Rulebook.parse("## 1 Aim\nGo far.\n\n## 2 Travel\nSome steps.\n\n## 3 Toll\nOne coin on odd places."),
    start=start,
)
