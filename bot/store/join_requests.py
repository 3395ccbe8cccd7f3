"""Requests to join tables that need the host's approval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from bot.store.columns import OtherId, Personal, UserId


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A user's request for a seat, the interaction that made it, the host's message, and whether the host declined."""

    user_id: UserId
    name: Annotated[str, Personal("")]
    interaction_id: OtherId
    message_id: OtherId | None = None
    declined: bool = False
