"""How many matches there are, and how many wait for their boards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.store.codec import time_at_or_none
from bot.store.database import Database
from bot.store.rows import Status


@dataclass(frozen=True, slots=True)
class Count:
    """Matches by how they stand; those whose newest board is not posted yet, and since when the oldest waits."""

    matches: Mapping[Status, int]
    waiting: int
    oldest: datetime | None


class Census:
    """Counts what is kept of the share of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def taken(self) -> Count:
        """How things stand now."""
        mine = self._database.mine("matches.id")
        rows = await self._database.fetch(f"SELECT status, count(*) FROM matches WHERE {mine} GROUP BY status")
        counted = {Status(row[0]): row[1] for row in rows}
        sql = f"""
            SELECT count(DISTINCT posts.match_id), min(entries.at) FROM posts
            LEFT JOIN entries ON entries.match_id = posts.match_id AND entries.n = posts.version - 1
            WHERE posts.status = 'pending' AND {self._database.mine("posts.match_id")}
        """
        row = await self._database.fetch_one(sql)
        assert row is not None, "a count is always one row"
        return Count({status: counted.get(status, 0) for status in Status}, row[0], time_at_or_none(row[1]))
