"""Who follows a match without playing in it."""

from __future__ import annotations

from bot.store.database import Repository


class Followers(Repository):
    """The followers of all matches."""

    async def of(self, match_id: int) -> frozenset[int]:
        """The users who follow a match."""
        return frozenset(
            await self._database.fetch_column("SELECT user_id FROM followers WHERE match_id = ?", match_id)
        )

    async def put(self, match_id: int, user_id: int, *, follows: bool) -> None:
        """Note that a user follows a match, or that they do not."""
        if follows:
            sql = "INSERT INTO followers (match_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
        else:
            sql = "DELETE FROM followers WHERE match_id = ? AND user_id = ?"
        await self._database.execute(sql, match_id, user_id)
