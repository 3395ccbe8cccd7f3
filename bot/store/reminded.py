"""What people were last reminded of, all their matches together."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from bot.store.codec import json_at, json_of, time_at_or_none, time_of
from bot.store.database import Repository

About: TypeAlias = tuple[int, int]
"""A decision: the match, and the version since which it waits."""

Message: TypeAlias = tuple[int, int]
"""A message: its channel and its id."""

KEPT = 50
"""Most matches of a user of which the last reminder is known."""

NONCE_LIVES = timedelta(minutes=5)
"""Discord knows a nonce for some minutes only; then there is no way to send the same message again."""

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class LastReminder:
    """How many reminders a user was sent, the last one `at` a time. They want no other `until` a later one.

    `sending` are the decisions in the next one, if sending it has begun, at `begun_at`, and nobody knows how that went.
    `messages`: match -> the last reminder of it.
    Times are in UTC; `LONG_AGO` means never.
    """

    number: int = 0
    at: datetime = LONG_AGO
    until: datetime = LONG_AGO
    sending: frozenset[About] = frozenset()
    begun_at: datetime = LONG_AGO
    messages: Mapping[int, Message] = field(default_factory=dict)

    def is_in_doubt(self, now: datetime) -> bool:
        """Whether the next one has perhaps been sent, and Discord would still know it by its nonce."""
        return bool(self.sending) and now - self.begun_at < NONCE_LIVES


class Reminded(Repository):
    """The last reminders of everybody."""

    async def of(self, user_id: int) -> LastReminder:
        """The last reminder of a user."""
        row = await self._database.fetch_one("SELECT * FROM reminded WHERE user_id = ?", user_id)
        if row is None:
            return LastReminder()
        at, until, begun_at = (time_at_or_none(row[name]) or LONG_AGO for name in ("at", "until", "begun_at"))
        sending = frozenset((match_id, version) for match_id, version in json_at(row["sending"]))
        messages = {match_id: (channel_id, message_id) for match_id, channel_id, message_id in json_at(row["messages"])}
        return LastReminder(row["number"], at, until, sending, begun_at, messages)

    async def begin(self, user_id: int, sending: Collection[About], at: datetime) -> None:
        """The next reminder of a user, about some decisions, is sent for the first time."""
        sql = """
            INSERT INTO reminded (user_id, sending, begun_at) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET sending = excluded.sending, begun_at = excluded.begun_at
        """
        await self._database.execute(sql, user_id, json_of(sorted(sending)), time_of(at))

    async def note(self, user_id: int, number: int, at: datetime, messages: Mapping[int, Message]) -> None:
        """A user was sent their reminder with this number; `messages` are known from now on, the newest last."""
        sql = """
            INSERT INTO reminded (user_id, number, at, messages) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE
            SET number = excluded.number, at = excluded.at, sending = excluded.sending, messages = excluded.messages
        """
        kept = [(match_id, *message) for match_id, message in messages.items()][-KEPT:]
        # `excluded.sending` is the default of the column, an empty list: nothing is being sent any more
        await self._database.execute(sql, user_id, number, time_of(at), json_of(kept))

    async def snooze(self, user_id: int, until: datetime) -> None:
        """Send a user no reminder until a time."""
        sql = """
            INSERT INTO reminded (user_id, number, until) VALUES (?, 0, ?)
            ON CONFLICT (user_id) DO UPDATE SET until = excluded.until
        """
        await self._database.execute(sql, user_id, time_of(until))
