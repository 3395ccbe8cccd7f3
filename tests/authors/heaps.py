"""Heaps: take stones; an option reads differently in every position. As small as a new game gets, with `named`."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from random import Random

from engine.builder import Builder
from engine.core import (
    Action,
    Decision,
    Event,
    Frame,
    GameSpec,
    Options,
    Outcome,
    Preset,
    Setup,
    State,
    describe,
    option,
)
from engine.rulebook import Rulebook
from engine.texts import Seat, Text


class Reason(StrEnum):
    TAKEN = "taken"


class HeapsOptions(Options):
    heaps: int = option(3, "Number of heaps", 3, 4)


class Take(Action):
    """Take stones from a heap."""

    heap: int = describe("The number of the heap")
    stones: int = describe("How many stones")


class Taken(Event):
    template = "{seat} {seat:takes|take} {stones} from heap {heap}."

    seat: Seat
    stones: int
    heap: int


class Turn(Frame["Heaps", Take]):
    rule = "2"

    seat: Seat

    def decisions(self, state: Heaps) -> tuple[Decision, ...]:
        sizes = enumerate(state.heaps, 1)
        takes = tuple(Take(heap, stones) for heap, size in sizes for stones in range(1, size + 1))
        return (Decision(self.seat, Text("Take stones from a heap."), takes),)

    def named(self, state: Heaps, action: Take, field: str = "") -> Text | None:
        size = state.heaps[action.heap - 1]
        if field == "heap":
            return Text("Heap {heap} of {size}", heap=action.heap, size=size)
        if field == "stones":
            return Text("All {stones}" if action.stones == size else "{stones}", stones=action.stones)
        return Text("{stones} of {size} from heap {heap}", stones=action.stones, size=size, heap=action.heap)

    def gloss(self, state: Heaps, action: Take) -> Text:
        return Text("leaves {left} in all", left=sum(state.heaps) - action.stones)

    def resolve(self, state: Heaps, seat: Seat, action: Take) -> tuple[Heaps, tuple[Event, ...]]:
        after = HeapsBuilder(state)
        after.answered()
        after.heaps[action.heap - 1] -= action.stones
        after.scores[seat] += action.stones
        after.tell(Taken(seat, action.stones, action.heap))
        if any(after.heaps):
            after.ask(Turn(Seat((seat + 1) % len(after.scores))))
        else:
            after.last = seat
        return after.done()


class Heaps(State):
    heaps: tuple[int, ...]
    scores: tuple[int, ...]
    last: Seat | None = None

    def outcome(self) -> Outcome | None:
        if self.last is None:
            return None
        returns = tuple(float(seat == self.last) for seat in range(len(self.scores)))
        return Outcome(returns, self.scores, Reason.TAKEN)

    def observe(self, viewer: Seat | None) -> Heaps:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Heaps:
        return self


class HeapsBuilder(Builder[Heaps]):
    def __init__(self, before: Heaps) -> None:
        super().__init__(before)
        self.heaps = list(before.heaps)
        self.scores = list(before.scores)
        self.last = before.last

    def position(self) -> Heaps:
        return replace(
            self.before,
            frames=tuple(self.frames),
            heaps=tuple(self.heaps),
            scores=tuple(self.scores),
            last=self.last,
        )


def start(setup: Setup) -> Heaps:
    return Heaps((Turn(Seat(0)),), tuple(range(3, 3 + setup.options.heaps)), (0,) * setup.seats)


GAME = GameSpec(
    slug="heaps",
    title="Heaps",
    summary="Take the last stone.",
    seats=(2, 3),
    options=HeapsOptions,
    actions=(Take,),
    chances=(),
    rules_version=1,
    start=start,
    presets=(Preset("Quick", {"heaps": 3}),),
    rulebook=Rulebook.parse(
        "## 1 Aim\nTake the last stone. There are {heaps=4: four | three} heaps.\n\n"
        "## 2 Turn\nTake one or more stones from one heap."
    ),
)
