"""Auto-answers: standing answers to off-turn questions."""

from __future__ import annotations

from enum import StrEnum


class AutoAnswer(StrEnum):
    """The way in which the bot answers an off-turn question for a seat."""

    COMPUTER = "computer"
    DECLINE = "decline"
    FIRST = "first"
