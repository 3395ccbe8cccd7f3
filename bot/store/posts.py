"""Boards that wait to be posted, and the newest one of each match that was."""

from __future__ import annotations

from typing import Any

from bot.store.clocks import Clocks
from bot.store.codec import json_at, json_of
from bot.store.database import Database, Row
from bot.store.rows import Calls, Post, Status
from bot.store.timers import Timers

_POST = "SELECT id, version, message_id, body FROM posts WHERE match_id = ? AND status = ? ORDER BY id DESC LIMIT 1"


class Posts:
    """The boards of all matches. What is to be done is said of those in the share of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine = database.mine("posts.match_id")
        self._timers = Timers(database)
        self._clocks = Clocks(database)

    async def add(self, match_id: int, version: int) -> int:
        """A board that waits to be posted. Returns its id."""
        sql = "INSERT INTO posts (match_id, version, status) VALUES (?, ?, 'pending') RETURNING id"
        return int((await self._database.execute(sql, match_id, version))[0][0])

    async def waiting(self) -> list[int]:
        """The ids of the matches with a board that was not posted yet, the one that has waited longest first."""
        sql = f"""
            SELECT match_id FROM posts WHERE status = 'pending' AND {self._mine} GROUP BY match_id ORDER BY min(id)
        """
        return await self._database.fetch_column(sql)

    async def pending(self, match_id: int) -> Post | None:
        """The newest board that waits to be posted; older ones are superseded by it."""
        row = await self._database.fetch_one(_POST, match_id, "pending")
        return _post(row) if row else None

    async def newest(self, match_id: int) -> Post | None:
        """The newest board that was posted, unless it was retired."""
        row = await self._database.fetch_one(_POST, match_id, "sent")
        return _post(row) if row else None

    async def outlived(self) -> list[int]:
        """The ids of the matches that were called off, and whose newest board still has its controls."""
        sql = f"""
            SELECT DISTINCT posts.match_id FROM posts JOIN matches ON matches.id = posts.match_id
            WHERE posts.status = 'sent' AND matches.status = ? AND {self._mine}
        """
        return await self._database.fetch_column(sql, Status.ENDED)

    async def retired(self, post_id: int) -> None:
        """Note that a board has lost its controls, or can lose them no more."""
        await self._database.execute("UPDATE posts SET status = 'retired' WHERE id = ?", post_id)

    async def posted(
        self,
        match_id: int,
        post_id: int,
        message_id: int,
        version: int,
        body: dict[str, Any],
        *,
        calls: Calls | None = None,
    ) -> None:
        """Note that a board went out as a message. The older ones are forgotten, whether they were posted or wait.

        Those whom it calls have a timer from now on, and nobody else at this table.
        """
        sent = "UPDATE posts SET status = 'sent', message_id = ?, version = ?, body = ? WHERE id = ?"
        async with self._database.transaction():
            await self._database.execute(sent, message_id, version, json_of(body), post_id)
            await self._database.execute("DELETE FROM posts WHERE match_id = ? AND id < ?", match_id, post_id)
            if calls is not None:
                await self._timers.note_calls(match_id, calls)
                await self._clocks.put(calls.clocks)

    async def drop(self, match_id: int) -> None:
        """Give up the waiting boards of a match."""
        sql = "UPDATE posts SET status = 'dropped' WHERE match_id = ? AND status = 'pending'"
        await self._database.execute(sql, match_id)


def _post(row: Row) -> Post:
    return Post(row["id"], row["version"], row["message_id"], row["body"] and json_at(row["body"]))
