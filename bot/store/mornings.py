"""When those who want one direct message a day are written to."""

from __future__ import annotations

from datetime import datetime

from bot.store.codec import time_at, time_at_or_none, time_of
from bot.store.database import Database
from bot.store.rows import NO_SERVER, Morning


class Mornings:
    """The next direct message of everybody who wants one a day; they are due in the process that has those."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine = "TRUE" if database.share.has(NO_SERVER) else "FALSE"

    async def earliest(self) -> datetime | None:
        """When the next one falls due."""
        return time_at_or_none(await self._database.fetch_value(f"SELECT min(at) FROM mornings WHERE {self._mine}"))

    async def ripe(self, now: datetime) -> list[int]:
        """The users for whom one has fallen due."""
        sql = f"SELECT user_id FROM mornings WHERE at <= ? AND {self._mine}"
        return await self._database.fetch_column(sql, time_of(now))

    async def of(self, user_id: int) -> Morning | None:
        """The next one of a user, if they want any."""
        row = await self._database.fetch_one("SELECT * FROM mornings WHERE user_id = ?", user_id)
        return Morning(row["user_id"], time_at(row["at"]), time_at(row["since"]), row["number"]) if row else None

    async def put(self, morning: Morning) -> None:
        """Keep the next one of a user, in place of another one."""
        sql = """
            INSERT INTO mornings (user_id, at, since, number) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET at = excluded.at, since = excluded.since, number = excluded.number
        """
        at, since = time_of(morning.at), time_of(morning.since)
        await self._database.execute(sql, morning.user_id, at, since, morning.number)

    async def move(self, before: Morning, after: Morning) -> None:
        """The same, unless it was changed or given up in the meantime."""
        sql = "UPDATE mornings SET at = ?, since = ?, number = ? WHERE user_id = ? AND at = ?"
        at, since = time_of(after.at), time_of(after.since)
        await self._database.execute(sql, at, since, after.number, before.user_id, time_of(before.at))

    async def drop(self, user_id: int) -> None:
        """A user wants none any more."""
        await self._database.execute("DELETE FROM mornings WHERE user_id = ?", user_id)
