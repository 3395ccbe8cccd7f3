"""What the questions to seats have in common."""

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
    """A question to a seat, whose options are explained by the position."""

    def named(self, state: Muscat, action: A, field: str = "") -> Text | None:
        """Options go by the artists and markets they are about."""
        return names.named(state, action, field)

    def gloss(self, state: Muscat, action: A) -> Text | None:
        """Who rises and who falls, what it costs and what it brings."""
        return glosses.gloss(state, action)
