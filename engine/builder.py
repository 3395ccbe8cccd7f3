"""Builders, the only mutable objects of a game: each applies the changes of one ply to a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic

from engine.core import Event, Frame, S


class Builder(ABC, Generic[S]):
    """A mutable copy of a position that becomes the next position.

    A subclass copies the fields that it changes, tuples as lists, and `position` puts them back. All other fields are
    unchanged; read them from `before`. In performance-critical games, `position` should call the class of the state
    with all fields, which takes half as long as `replace`.

        class RaceBuilder(Builder["Race"]):
            def __init__(self, before: Race) -> None:
                super().__init__(before)
                self.points = list(before.points)

            def position(self) -> Race:
                return replace(self.before, frames=tuple(self.frames), points=tuple(self.points))
    """

    def __init__(self, before: S) -> None:
        self.before = before
        """The position before the ply."""
        self.frames: list[Any] = list(before.frames)
        """The pending questions, the next one last."""
        self.events: list[Event] = []
        """The events reported so far."""

    @abstractmethod
    def position(self) -> S:
        """The position with the changes made so far."""

    def tell(self, *events: Event) -> None:
        """Report events."""
        self.events += events

    def ask(self, *questions: Frame[S, Any]) -> None:
        """Push questions that are asked before all pending ones, in this order."""
        # The top of the stack is the last frame.
        self.frames += questions[::-1]

    def answered(self) -> None:
        """Remove the pending question; the one below it becomes pending."""
        self.frames.pop()

    def done(self) -> tuple[S, tuple[Event, ...]]:
        """The position after the ply and its events, as `Frame.resolve` returns them."""
        return self.position(), tuple(self.events)
