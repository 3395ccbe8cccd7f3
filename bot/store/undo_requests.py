"""Undo requests, one for each match."""

from __future__ import annotations

from typing import Annotated

from bot.store.columns import Hidden, OtherId
from engine.texts import Seat
from engine.values import Value


class UndoRequest(Value):
    """A seat's request to take back its last choice, made at a version of the match, and the seats that have agreed."""

    seat: Seat
    version: int
    agreed: Annotated[frozenset[Seat], Hidden()] = frozenset()
    message_id: OtherId | None = None
