"""The base class of questions to seats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from engine.core import Action
from engine.games.muscat import glosses, names
from engine.games.muscat.state import Muscat, Question
from engine.texts import Text

A = TypeVar("A", bound=Action)


@dataclass(frozen=True, slots=True)
class Choice(Question[A]):
    """A question to a seat, with options explained by the position."""

    def named(self, state: Muscat, action: A, field: str = "") -> Text | None:
        """The names of options by their artists and markets."""
        return names.named(state, action, field)

    def gloss(self, state: Muscat, action: A) -> Text | None:
        """The artists that rise and fall, the price, and the gain."""
        return glosses.gloss(state, action)
