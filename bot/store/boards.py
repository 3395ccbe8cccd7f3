"""The newest posted board of a match, and its pending board."""

from __future__ import annotations

from typing import Any

from bot.store.columns import OtherId
from engine.values import Value


class Board(Value):
    """A posted board: the version of the match that it shows, and the payload of its message as JSON (`body`)."""

    version: int
    message_id: OtherId
    body: dict[str, Any]


class PendingBoard(Value):
    """A board that a job has to post, by its mark; `superseded` is the mark of an earlier one of uncertain delivery."""

    mark: str
    superseded: str | None = None
