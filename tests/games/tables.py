"""A match that goes on from a position, as the tests of all games play it."""

from __future__ import annotations

from random import Random
from typing import Any, Generic, Self, TypeVar, cast

import pytest

from engine.core import Action, Decision, Event, GameSpec, Setup, State
from engine.errors import IllegalAction
from engine.match import Match
from engine.notation import format_action, parse_action
from engine.texts import CHANCE, Seat
from engine.wording import say

S = TypeVar("S", bound=State)


class Table(Generic[S]):
    """Luck is played like other actions; with `luck` it comes by itself: first the outcomes there, then random ones."""

    def __init__(self, spec: GameSpec, setup: Setup, state: S, luck: list[str] | None = None) -> None:
        self.spec = spec
        self.match = Match(spec, setup, "seed of a test")
        self.match.state = state
        self.luck = luck
        self.told: list[Event] = []
        self._rng = Random(1)

    @property
    def state(self) -> S:
        return cast("S", self.match.state)

    @property
    def decision(self) -> Decision:
        (decision,) = self.state.decisions()
        return decision

    @property
    def due(self) -> Seat:
        return self.decision.seat

    def options(self, begin: str = "") -> list[str]:
        """Notations of the present options that begin with these words."""
        notations = [format_action(action) for action in self.decision.options]
        return [text for text in notations if f"{text} ".startswith(f"{begin} " if begin else "")]

    def play(self, *notations: str) -> Self:
        """Let each seat that is due do this, one after the other."""
        for notation in notations:
            self._apply(self.parsed(notation))
            while self.luck is not None and self.state.decisions() and self.due == CHANCE:
                self._apply(self.parsed(self.luck.pop(0)) if self.luck else self.by_luck())
        return self

    def by_luck(self) -> Action:
        """A random draw, for luck that the test does not choose."""
        return self.state.sample(self._rng)

    def parsed(self, notation: str) -> Action:
        return parse_action(notation, self.spec.chances if self.due == CHANCE else self.spec.actions)

    def _apply(self, action: Action) -> None:
        options = self.decision.options
        assert action in options or not options, f"{format_action(action)} is not among {self.options()}"
        self.match.state, events = self.state.apply(self.due, action)
        self.told += events

    def refusal(self, notation: str) -> tuple[str, str]:
        """The sentence and the section that a refused action is answered with; nothing may change."""
        before = self.state
        with pytest.raises(IllegalAction) as caught:
            self.match.play(self.due, self.match.parse(notation))
        assert self.state == before
        assert caught.value.rule in self.spec.rulebook.sections
        return say(caught.value.text, self.match.names), caught.value.rule

    def sentences(self) -> list[str]:
        """Sentences for all events so far."""
        return [say(event, self.match.names) for event in self.told]

    def shown(self, *kinds: type[Event]) -> list[Any]:
        """The events of these kinds so far."""
        return [event for event in self.told if isinstance(event, kinds)]
