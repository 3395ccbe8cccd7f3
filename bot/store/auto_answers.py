"""How questions outside their own turn are answered for seats."""

from __future__ import annotations

from enum import StrEnum


class AutoAnswer(StrEnum):
    """How a question outside one's own turn is answered once and for all, where its seat does not want to be asked."""

    COMPUTER = "computer"
    DECLINE = "decline"
    FIRST = "first"
