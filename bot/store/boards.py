"""The newest board of each match that was posted. One that waits to be is a job."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bot.store.codec import json_at, json_of
from bot.store.database import Repository


@dataclass(frozen=True, slots=True)
class Board:
    """A board that was posted for a version of the match; `body` is what the message said, as JSON."""

    version: int
    message_id: int
    body: dict[str, Any]


class Boards(Repository):
    """The boards of all matches."""

    async def of(self, match_id: int) -> Board | None:
        """The newest board of a match, as long as it has its controls."""
        row = await self._database.fetch_one("SELECT * FROM boards WHERE match_id = ?", match_id)
        return Board(row["version"], row["message_id"], json_at(row["body"])) if row else None

    async def put(self, match_id: int, board: Board) -> None:
        """A board was posted, in place of the one before."""
        sql = """
            INSERT INTO boards (match_id, version, message_id, body) VALUES (?, ?, ?, ?)
            ON CONFLICT (match_id) DO UPDATE
            SET version = excluded.version, message_id = excluded.message_id, body = excluded.body
        """
        await self._database.execute(sql, match_id, board.version, board.message_id, json_of(board.body))

    async def drop(self, match_id: int) -> None:
        """The newest board has lost its controls, or can lose them no more."""
        await self._database.execute("DELETE FROM boards WHERE match_id = ?", match_id)
