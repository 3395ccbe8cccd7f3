"""What people were last reminded of, all their matches together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from bot.store.codec import time_at_or_none, time_of
from bot.store.database import Database

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LastReminder:
    """How many reminders a user was sent, the last one `at` a time. They want to hear nothing more `until` another.

    Times are in UTC; those long ago stand for never.
    """

    number: int = 0
    at: datetime = LONG_AGO
    until: datetime = LONG_AGO


class Reminded:
    """The last reminders of everybody."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, user_id: int) -> LastReminder:
        """The last reminder of a user."""
        row = await self._database.fetch_one("SELECT * FROM reminded WHERE user_id = ?", user_id)
        if row is None:
            return LastReminder()
        at, until = time_at_or_none(row["at"]), time_at_or_none(row["until"])
        return LastReminder(row["number"], at or LONG_AGO, until or LONG_AGO)

    async def note(self, user_id: int, number: int, at: datetime) -> None:
        """A user was sent their reminder with this number."""
        sql = """
            INSERT INTO reminded (user_id, number, at) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET number = excluded.number, at = excluded.at
        """
        await self._database.execute(sql, user_id, number, time_of(at))

    async def snooze(self, user_id: int, until: datetime) -> None:
        """Let a user hear nothing until a time."""
        sql = """
            INSERT INTO reminded (user_id, number, until) VALUES (?, 0, ?)
            ON CONFLICT (user_id) DO UPDATE SET until = excluded.until
        """
        await self._database.execute(sql, user_id, time_of(until))
