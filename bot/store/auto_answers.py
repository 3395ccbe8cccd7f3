"""Auto-answers: standing answers to off-turn questions."""

from __future__ import annotations

from enum import StrEnum


class AutoAnswer(StrEnum):
    """How the bot answers an off-turn question for a seat that does not want to be asked."""

    COMPUTER = "computer"
    DECLINE = "decline"
    FIRST = "first"
