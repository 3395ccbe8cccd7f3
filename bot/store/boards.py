"""The newest board of a match that was posted, and the one that is to be posted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.store.columns import OtherId


@dataclass(frozen=True, slots=True)
class Board:
    """A board that was posted for a version of the match; `body` is the JSON of the message."""

    version: int
    message_id: OtherId
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PendingBoard:
    """A board that a job has to post, by its mark; `superseded` is the mark of one before it that may be posted."""

    mark: str
    superseded: str | None = None
