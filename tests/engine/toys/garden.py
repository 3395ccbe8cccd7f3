"""Garden: a decision with a few hundred options of three fields, the last of which may not apply."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from random import Random
from typing import NamedTuple

from engine.builder import Builder
from engine.core import (
    Action,
    Decision,
    Event,
    Frame,
    GameSpec,
    Options,
    Outcome,
    Refusal,
    Setup,
    State,
    describe,
    option,
)
from engine.rulebook import Rulebook
from engine.texts import Seat, Text


class Reason(StrEnum):
    PLANTED = "planted"


class Crop(StrEnum):
    DATE = "date"
    FIG = "fig"
    FALLOW = "fallow"

    @property
    def label(self) -> str:
        return f"{self} tree" if self is not Crop.FALLOW else "nothing"


class Bed(NamedTuple):
    """A coordinate: the fourth bed of the second column is `b4`."""

    column: str
    row: int

    @classmethod
    def parse(cls, text: str) -> Bed:
        return cls("abcdefghi"["abcdefghi".index(text[:1])], int(text[1:]))

    def __str__(self) -> str:
        return f"{self.column}{self.row}"


class GardenOptions(Options):
    size: int = option(9, "Beds to a side", 9, 5)


class Plant(Action):
    """Use a bed of the garden."""

    bed: Bed = describe("The bed, such as b4")
    crop: Crop = describe("What grows there")
    neighbor: Seat | None = describe("Who may share the fruit")


class Planted(Event):
    template = "{seat} plants {bed} with {crop}."

    seat: Seat
    bed: Bed
    crop: Crop


@lru_cache(maxsize=200)  # hundreds each, which a bot asks for many times in a position
def _uses(beds: tuple[Bed, ...], seat: Seat, seats: int) -> tuple[Plant, ...]:
    others = [Seat(i) for i in range(seats) if i != seat]
    uses = [(crop, other) for crop in (Crop.DATE, Crop.FIG) for other in others] + [(Crop.FALLOW, None)]
    return tuple(Plant(bed, crop, neighbor) for bed in beds for crop, neighbor in uses)


class Planting(Frame["Garden", Plant]):
    rule = "2"

    seat: Seat

    def decisions(self, state: Garden) -> tuple[Decision, ...]:
        return (Decision(self.seat, Text("Plant a bed."), _uses(state.beds, self.seat, len(state.fruit))),)

    def resolve(self, state: Garden, seat: Seat, action: Plant) -> tuple[Garden, tuple[Event, ...]]:
        after = GardenBuilder(state)
        after.beds.remove(action.bed)
        after.fruit[seat] += {Crop.DATE: 3, Crop.FIG: 2, Crop.FALLOW: 0}[action.crop]
        if action.neighbor is not None:
            after.fruit[action.neighbor] += 1
        after.turns_left -= 1
        after.answered()
        if after.turns_left:
            after.ask(Planting(Seat((seat + 1) % len(state.fruit))))
        after.tell(Planted(seat, action.bed, action.crop))
        return after.done()

    def why_not(self, state: Garden, seat: Seat, action: Action) -> Refusal | None:
        if isinstance(action, Plant) and action.bed not in state.beds:
            return Refusal(Text("There is no free bed {bed}.", bed=action.bed), "2")
        return Refusal(Text("A tree is shared with one neighbor, a fallow bed with nobody."), "3")


class Garden(State):
    beds: tuple[Bed, ...]
    fruit: tuple[int, ...]
    turns_left: int

    def outcome(self) -> Outcome | None:
        if self.frames:
            return None
        share = 1 / self.fruit.count(max(self.fruit))
        returns = tuple(share if own == max(self.fruit) else 0.0 for own in self.fruit)
        return Outcome(returns, self.fruit, Reason.PLANTED)

    def observe(self, viewer: Seat | None) -> Garden:
        return self

    def determinize(self, viewer: Seat | None, rng: Random) -> Garden:
        return self


class GardenBuilder(Builder[Garden]):
    def __init__(self, before: Garden) -> None:
        super().__init__(before)
        self.beds = list(before.beds)
        self.fruit = list(before.fruit)
        self.turns_left = before.turns_left

    def position(self) -> Garden:
        return replace(
            self.before,
            frames=tuple(self.frames),
            beds=tuple(self.beds),
            fruit=tuple(self.fruit),
            turns_left=self.turns_left,
        )


def start(setup: Setup) -> Garden:
    size = setup.options.size
    beds = tuple(Bed(column, row) for column in "abcdefghi"[:size] for row in range(1, size + 1))
    return Garden((Planting(Seat(0)),), beds, (0,) * setup.seats, 2 * setup.seats)


GAME = GameSpec(
    slug="garden",
    title="Garden",
    summary="Plant beds and share the fruit.",
    seats=(2, 3),
    options=GardenOptions,
    actions=(Plant,),
    chances=(),
    rules_version=1,
    rulebook=Rulebook.parse(
        "## 1 Aim\nGrow fruit.\n\n"
        "## 2 Beds\nOne tree a bed, {size=5: five | nine} to a side.\n\n"
        "## 3 Sharing\nWith one neighbor."
    ),
    start=start,
)
