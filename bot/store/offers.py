"""Offers: seats of computers that any user may take over."""

from __future__ import annotations

from dataclasses import dataclass

from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """The computers' seats that any user may take over, and the message that offers them."""

    seats: frozenset[Seat] = frozenset()
    message_id: int | None = None
