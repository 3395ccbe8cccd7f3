"""Undo requests, one for each match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from bot.store.columns import Hidden, OtherId
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A seat's request to take back its last choice, made at a version of the match, and the seats that have agreed."""

    seat: Seat
    version: int
    agreed: Annotated[frozenset[Seat], Hidden()] = frozenset()
    message_id: OtherId | None = None
