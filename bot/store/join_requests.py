"""Requests to join a table at which the host lets people in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from bot.store.columns import OtherId, Personal, UserId


@dataclass(frozen=True, slots=True)
class JoinRequest:
    """A user who asks for a seat by an interaction, the message that asks the host, and whether they have declined."""

    user_id: UserId
    name: Annotated[str, Personal("")]
    interaction_id: OtherId
    message_id: OtherId | None = None
    declined: bool = False
