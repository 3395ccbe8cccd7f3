"""Seats that computers play and anybody may take."""

from __future__ import annotations

from dataclasses import dataclass

from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """Seats that computers play and anybody may take, and the message that says so."""

    seats: frozenset[Seat] = frozenset()
    message_id: int | None = None
