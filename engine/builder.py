"""A position while one ply changes it: the only mutable thing of a game, and it never leaves the ply."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable
from functools import cache
from typing import Any, Generic

from engine.core import Event, Frame, S


class Builder(Generic[S]):
    """Has the fields of the position it begins with, may be changed, and becomes the next one at the end.

    A subclass declares the fields it changes, for the type checker only: a tuple of the state is a list here, all else
    is what it is there.

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
        _thawing(type(state))(self, state)

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
        frozen: S = _freezing(type(self.before))(self)
        return frozen

    def done(self) -> tuple[S, tuple[Event, ...]]:
        """The position after the ply, and what happened: what `Frame.resolve` returns."""
        return self.position(), tuple(self.events)


# A ply takes some ten microseconds, and a loop over fifteen fields would be a third of it. So the fields are written
# out one by one, once for every state, as `dataclasses` write out theirs.


@cache
def _thawing(state_type: type) -> Callable[[Any, Any], None]:
    """Gives a builder the fields of a state, with lists for its tuples."""
    lines = (f"self.{n} = " + (f"[*state.{n}]" if tuples else f"state.{n}") for n, tuples in _fields(state_type))
    return _function("thaw(self, state)", *lines)


@cache
def _freezing(state_type: type) -> Callable[[Any], Any]:
    """Makes a state of a builder; its slots are filled without the detour of a frozen class."""
    slots = {f"set_{name}": getattr(state_type, name).__set__ for name, _ in _fields(state_type)}
    lines = (f"set_{n}(state, " + (f"(*self.{n},))" if tuples else f"self.{n})") for n, tuples in _fields(state_type))
    names = {"new": object.__new__, "state_type": state_type, **slots}
    return _function("freeze(self)", "state = new(state_type)", *lines, "return state", **names)


def _fields(state_type: type) -> list[tuple[str, bool]]:
    """The fields of a state, and which of them are tuples."""
    hints = typing.get_type_hints(state_type)
    return [(field.name, typing.get_origin(hints[field.name]) is tuple) for field in dataclasses.fields(state_type)]


def _function(head: str, *lines: str, **names: Any) -> Callable[..., Any]:
    body = "".join(f"\n    {line}" for line in lines)
    exec(f"def {head}:{body}", names)
    function: Callable[..., Any] = names[head.partition("(")[0]]
    return function
