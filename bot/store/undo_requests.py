"""Requests to take something back, one a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from bot.store.columns import Hidden, OtherId
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """To take back what a seat chose last: asked of others at a version of the match; some have agreed already."""

    seat: Seat
    version: int
    agreed: Annotated[frozenset[Seat], Hidden()] = frozenset()
    message_id: OtherId | None = None
