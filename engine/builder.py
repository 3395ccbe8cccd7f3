"""A position while one ply changes it: the only mutable thing of a game, and it never leaves the ply."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Generic

from engine.core import Event, Frame, S


class Builder(Generic[S]):
    """Reads like the position it begins with, may be changed, and becomes the next one at the end.

    A subclass declares the fields it changes, for the type checker only: a tuple of the state is a list here, all else
    is what it is there. What a ply does not touch costs nothing.

        class RaceBuilder(Builder["Race"]):
            points: list[int]
    """

    before: S
    """The position this ply began with."""

    events: list[Event]
    frames: list[Frame[S, Any]]

    def __init__(self, state: S) -> None:
        self.before = state
        self.events = []

    if not TYPE_CHECKING:  # so that a misspelled field does not pass for one of the state

        def __getattr__(self, name: str) -> Any:
            """A field that this ply has not looked at yet."""
            if name not in _places(type(self.before)):
                raise AttributeError(f"{type(self.before).__name__} has no field {name!r}")
            value = getattr(self.before, name)
            self.__dict__[name] = value = list(value) if type(value) is tuple else value
            return value

    def tell(self, *events: Event) -> None:
        """Let something happen."""
        self.events += events

    def ask(self, *questions: Frame[S, Any]) -> None:
        """Ask these before anything else, the first one first."""
        self.frames += questions[::-1]

    def answered(self) -> None:
        """The question asked now is dealt with; what lies below it comes next."""
        self.frames.pop()

    def position(self) -> S:
        """The position as it stands now."""
        state_type = type(self.before)
        places, values = _places(state_type), list(_all_fields(state_type)(self.before))
        for name, value in self.__dict__.items():
            if name in places:
                values[places[name]] = tuple(value) if type(value) is list else value
        return state_type(*values)

    def done(self) -> tuple[S, tuple[Event, ...]]:
        """The position after the ply, and what happened: what `Frame.resolve` returns."""
        return self.position(), tuple(self.events)


@cache
def _places(state: type) -> dict[str, int]:
    """Name of a field -> its place among the fields of a state."""
    return {field.name: place for place, field in enumerate(dataclasses.fields(state))}


@cache
def _all_fields(state: type) -> Callable[[Any], tuple[Any, ...]]:
    return attrgetter(*_places(state))
