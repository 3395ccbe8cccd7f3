"""Who was invited to a table, and when."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from bot.store.codec import time_at, time_of
from bot.store.database import Repository


class Invitations(Repository):
    """The invitations to all tables: of everybody, the last one."""

    async def of(self, match_id: int) -> dict[int, datetime]:
        """Everybody who was invited to a table -> when, in UTC."""
        sql = "SELECT user_id, at FROM invitations WHERE match_id = ? ORDER BY at, user_id"
        return {row["user_id"]: time_at(row["at"]) for row in await self._database.fetch(sql, match_id)}

    async def note(self, match_id: int, user_ids: Collection[int], at: datetime) -> None:
        """These are invited now."""
        sql = """
            INSERT INTO invitations (match_id, user_id, at) VALUES (?, ?, ?)
            ON CONFLICT (match_id, user_id) DO UPDATE SET at = excluded.at
        """
        await self._database.execute_many(sql, [(match_id, user_id, time_of(at)) for user_id in user_ids])

    async def forget(self, match_id: int, user_ids: Collection[int]) -> None:
        """These could not be reached, so they may be invited again."""
        sql = "DELETE FROM invitations WHERE match_id = ? AND user_id = ?"
        await self._database.execute_many(sql, [(match_id, user_id) for user_id in user_ids])
