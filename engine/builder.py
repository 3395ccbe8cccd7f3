"""A position while one ply changes it: the only mutable thing of a game, and it never leaves the ply."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic

from engine.core import Event, Frame, S


class Builder(ABC, Generic[S]):
    """Begins as a copy of a position, may be changed, and becomes the next one at the end.

    A subclass copies the fields that it changes, tuples as lists, and `position` puts them back. All other fields stay
    as they were; they are read from `before`. Where searches spend their time, `position` calls the class of the state
    with all of its fields, which takes half as long as `replace`.

        class RaceBuilder(Builder["Race"]):
            def __init__(self, before: Race) -> None:
                super().__init__(before)
                self.points = list(before.points)

            def position(self) -> Race:
                return replace(self.before, frames=tuple(self.frames), points=tuple(self.points))
    """

    def __init__(self, before: S) -> None:
        self.before = before
        """The position this ply began with."""
        self.frames: list[Any] = list(before.frames)
        self.events: list[Event] = []

    @abstractmethod
    def position(self) -> S:
        """The position as it is now."""

    def tell(self, *events: Event) -> None:
        """Let something happen."""
        self.events += events

    def ask(self, *questions: Frame[S, Any]) -> None:
        """Ask these before anything else, the first one first."""
        # The last frame is asked first.
        self.frames += questions[::-1]

    def answered(self) -> None:
        """The question asked now is dealt with; what lies below it comes next."""
        self.frames.pop()

    def done(self) -> tuple[S, tuple[Event, ...]]:
        """The position after the ply, and what happened: what `Frame.resolve` returns."""
        return self.position(), tuple(self.events)
