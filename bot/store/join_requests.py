"""Requests to join tables that need the host's approval."""

from __future__ import annotations

from typing import Annotated

from bot.store.columns import OtherId, Personal, UserId
from engine.values import Value


class JoinRequest(Value):
    """A user's request for a seat, the interaction that made it, the host's message, and whether the host declined."""

    user_id: UserId
    name: Annotated[str, Personal("")]
    interaction_id: OtherId
    message_id: OtherId | None = None
    declined: bool = False
