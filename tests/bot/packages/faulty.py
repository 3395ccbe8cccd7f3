"""A game for two that does wrong where a test wants it to; it is imported by its own name, as from a package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import StrEnum
from random import Random
from typing import Any

from engine.builder import Builder
from engine.core import Action, Decision, Event, Frame, GameSpec, Options, Outcome, Setup, State, describe
from engine.rulebook import Rulebook
from engine.texts import Seat, Text
from renders import plain
from renders.canvas import Canvas

PLIES = 6

wrongs: dict[str, Callable[[], Any]] = {}
"""Faults by place: the function that runs there in place of the right code, and returns its value."""


def right(place: str, value: Callable[[], Any]) -> Any:
    """The right value, unless a test wants a wrong one there."""
    return wrongs[place]() if place in wrongs else value()


class Reason(StrEnum):
    DONE = "done"


class Take(Action):
    """Take some."""

    label = "Take {some}"

    some: int = describe("How many")


class Taken(Event):
    template = "{seat} {seat:takes|take} {some}."

    seat: Seat
    some: object


class Wordy:
    """A value of an event whose words are made by the game."""

    def __init__(self, some: int) -> None:
        self.some = some

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wordy) and other.some == self.some

    def __hash__(self) -> int:
        return self.some

    def __str__(self) -> str:
        words: str = right("event", lambda: str(self.some))
        return words


class Turn(Frame["Piles", Take]):
    seat: Seat

    def decisions(self, state: Piles) -> tuple[Decision, ...]:
        decision = Decision(self.seat, right("prompt", lambda: Text("Take some.")), (Take(1), Take(2)))
        decisions: tuple[Decision, ...] = right("decisions", lambda: (decision,))
        return decisions

    def gloss(self, state: Piles, action: Take) -> Text:
        gloss: Text = right("gloss", lambda: Text("of many"))
        return gloss

    def resolve(self, state: Piles, seat: Seat, action: Take) -> tuple[Piles, tuple[Event, ...]]:
        right("resolve", lambda: None)
        after = PilesBuilder(state)
        after.answered()
        after.plies += 1
        after.tell(Taken(seat, Wordy(action.some)))
        if after.plies < PLIES:
            after.ask(Turn(Seat(1 - seat)))
        return after.done()


class Piles(State):
    plies: int = 0

    def outcome(self) -> Outcome | None:
        over = Outcome((1.0, 0.0), (2, 1), Reason.DONE)
        outcome: Outcome | None = right("outcome", lambda: None if self.frames else over)
        return outcome

    def observe(self, viewer: Seat | None) -> Piles:
        seen: Piles = right("observe", lambda: self)
        return seen

    def determinize(self, viewer: Seat | None, rng: Random) -> Piles:
        return self

    def tally(self, seat: Seat) -> int:
        points: int = right("tally", lambda: self.plies)
        return points


class PilesBuilder(Builder[Piles]):
    def __init__(self, before: Piles) -> None:
        super().__init__(before)
        self.plies = before.plies

    def position(self) -> Piles:
        return replace(self.before, frames=tuple(self.frames), plies=self.plies)


def start(setup: Setup) -> Piles:
    right("start", lambda: None)
    return Piles((Turn(Seat(0)),))


def seat_names(setup: Setup) -> tuple[str, ...]:
    names: tuple[str, ...] = right("seat_names", lambda: ("North", "South"))
    return names


def seat_colors(setup: Setup) -> tuple[str, ...]:
    colors: tuple[str, ...] = right("seat_colors", lambda: ("Red", "Blue"))
    return colors


def evaluate(state: Piles) -> tuple[float, ...]:
    shares: tuple[float, ...] = right("evaluate", lambda: (0.5, 0.5))
    return shares


def paint(view: Any, labels: Sequence[str], persons: Sequence[str] = ()) -> Canvas:
    canvas: Canvas = right("paint", lambda: plain.paint(view, labels, persons))
    return canvas


def alt(view: Any, labels: Sequence[str]) -> str:
    words: str = right("alt", lambda: plain.alt(view, labels))
    return words


def tell(view: Any, labels: Sequence[str]) -> str:
    words: str = right("tell", lambda: plain.tell(view, labels))
    return words


panels = plain.panels

GAME = GameSpec(
    slug="faulty",
    title="Faulty",
    summary="Take some.",
    seats=(2,),
    options=Options,
    actions=(Take,),
    chances=(),
    rules_version=1,
    rulebook=Rulebook.parse("## 1 Aim\nTake some."),
    start=start,
    seat_names=seat_names,
    seat_colors=seat_colors,
    evaluate=evaluate,
    picture="faulty",
    interface=1,
)
