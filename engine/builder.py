"""A position while one ply changes it: the only mutable thing of a game, and it never leaves the ply."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Generic

from engine.core import Event, Frame, S
from engine.written import function, setters


class Builder(Generic[S]):
    """Has fields of the position it begins with, may be changed, and becomes the next one at the end.

    A subclass declares the fields it changes: a tuple of the state is a list here, all else is what it is there. The
    other fields stay as they were; they are read from `before`.

        class RaceBuilder(Builder["Race"]):
            points: list[int]
    """

    before: S
    """The position this ply began with."""

    events: list[Event]
    frames: list[Frame[S, Any]]

    def __init__(self, state: S) -> None:
        kind: Any = type(self)
        self.before = state
        self.events = []
        thaw, self._freeze = _written(kind, type(state))
        thaw(self, state)

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
        frozen: S = self._freeze(self, self.before)
        return frozen

    def done(self) -> tuple[S, tuple[Event, ...]]:
        """The position after the ply, and what happened: what `Frame.resolve` returns."""
        return self._freeze(self, self.before), (*self.events,)


# A ply takes some ten microseconds, and a loop over fifteen fields would be a third of it. So the fields are written
# out one by one, once for every builder and state.


@cache
def _written(builder: type, state_type: type) -> tuple[Callable[[Any, Any], None], Callable[[Any, Any], Any]]:
    """What begins and what ends a ply."""
    return _thawing(builder, state_type), _freezing(builder, state_type)


def _thawing(builder: type, state_type: type) -> Callable[[Any, Any], None]:
    """Gives a builder its fields of a state, with lists for tuples."""
    own = _own_fields(builder, state_type).items()
    return function("thaw(self, state)", *(f"self.{n} = " + (f"[*state.{n}]" if t else f"state.{n}") for n, t in own))


def _freezing(builder: type, state_type: type) -> Callable[[Any, Any], Any]:
    """Makes a state of a builder, and of the state before for what the builder has no part in."""
    own = _own_fields(builder, state_type)
    values = {f.name: "before." + f.name for f in dataclasses.fields(state_type)}
    values |= {name: f"(*self.{name},)" if tuples else f"self.{name}" for name, tuples in own.items()}
    lines = (f"set_{name}(state, {value})" for name, value in values.items())
    names = {"new": object.__new__, "state_type": state_type, **setters(state_type)}
    return function("freeze(self, before)", "state = new(state_type)", *lines, "return state", **names)


def _own_fields(builder: type, state_type: type) -> dict[str, bool]:
    """The fields of a state that a builder declares, and whether they are tuples there."""
    declared = {name for cls in builder.__mro__ for name in inspect.get_annotations(cls)}
    hints = typing.get_type_hints(state_type)
    fields = (f.name for f in dataclasses.fields(state_type) if f.name in declared)
    return {name: typing.get_origin(hints[name]) is tuple for name in fields}
