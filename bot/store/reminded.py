"""The last reminders of users. One reminder is about all matches of a user."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from bot.store.codec import json_at, json_of, time_at_or_none, time_of
from bot.store.database import Repository
from engine.values import Value

About: TypeAlias = tuple[int, int]
"""A decision: its match, and the version since which it has been open."""

Message: TypeAlias = tuple[int, int]
"""A message: its channel and its id."""

MAX_MESSAGES = 50
"""Matches of a user whose last reminder is stored."""

NONCE_LIFETIME = timedelta(minutes=5)
"""Discord remembers a nonce for a few minutes; after that, a retry would send a second message."""

LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class LastReminder(Value):
    """The number of reminders sent to a user, and when the last one was sent (`at`).

    The user has snoozed reminders `until` a time. `sending` are the decisions of a reminder whose delivery began at
    `begun_at` and has no known result. `messages`: match -> its last reminder. Times are in UTC; `LONG_AGO` means
    never.
    """

    number: int = 0
    at: datetime = LONG_AGO
    until: datetime = LONG_AGO
    sending: frozenset[About] = frozenset()
    begun_at: datetime = LONG_AGO
    messages: Mapping[int, Message] = field(default_factory=dict)

    def may_have_been_sent(self, now: datetime) -> bool:
        """Whether a delivery has no known result yet, and Discord would still recognize its nonce."""
        return bool(self.sending) and now - self.begun_at < NONCE_LIFETIME


class Reminded(Repository):
    """The last reminders of all users."""

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
        """Record that the first attempt to send a user's next reminder, about these decisions, begins."""
        sql = """
            INSERT INTO reminded (user_id, sending, begun_at) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET sending = excluded.sending, begun_at = excluded.begun_at
        """
        await self._database.execute(sql, user_id, json_of(sorted(sending)), time_of(at))

    async def note(self, user_id: int, number: int, at: datetime, messages: Mapping[int, Message]) -> None:
        """Record that a user's reminder was sent. `messages` replaces the stored ones; the newest come last."""
        sql = """
            INSERT INTO reminded (user_id, number, at, messages) VALUES (?, ?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE
            SET number = excluded.number, at = excluded.at, sending = excluded.sending, messages = excluded.messages
        """
        newest = [(match_id, *message) for match_id, message in messages.items()][-MAX_MESSAGES:]
        # `excluded.sending` is the default of the column, an empty list: the delivery is done
        await self._database.execute(sql, user_id, number, time_of(at), json_of(newest))

    async def snooze(self, user_id: int, until: datetime) -> None:
        """Send a user no reminder until a time."""
        sql = """
            INSERT INTO reminded (user_id, number, until) VALUES (?, 0, ?)
            ON CONFLICT (user_id) DO UPDATE SET until = excluded.until
        """
        await self._database.execute(sql, user_id, time_of(until))
