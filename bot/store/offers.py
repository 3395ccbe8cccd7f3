"""Offers: seats of computers that any user may take over."""

from __future__ import annotations

from engine.texts import Seat
from engine.values import Value


class Offer(Value):
    """The computers' seats that any user may take over, and the message that offers them."""

    seats: frozenset[Seat] = frozenset()
    message_id: int | None = None
