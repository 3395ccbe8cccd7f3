"""What falls due at some time, and what somebody was last told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from bot.store.codec import time_at, time_at_or_none, time_of, time_or_none
from bot.store.database import Database, Row, placeholders
from bot.store.rows import LONG_AGO, NEVER_REMINDED, Calls, Reminded, Timer, TimerKind

NOBODY = 0
"""The user of a timer that is about a whole table."""

CLOSED_WITHIN = timedelta(minutes=1)
"""Who ends a lobby lets its message say so at once; where that did not come about, it is seen to after so long."""

_STANDING = "match_id = ? AND user_id = ? AND kind = ? AND version = ?"
"""A timer as long as it is about the same decision."""


class Timers:
    """The timers of all matches. What is due is said of those in the share of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine = database.mine("timers.match_id")

    async def earliest(self, *kinds: TimerKind) -> datetime | None:
        """When the next one of some kinds falls due."""
        sql = f"SELECT min(at) FROM timers WHERE kind IN ({placeholders(kinds)}) AND {self._mine}"
        return time_at_or_none(await self._database.fetch_value(sql, *kinds))

    async def ripe(self, kind: TimerKind, now: datetime) -> list[int]:
        """The users for whom one has fallen due."""
        sql = f"SELECT DISTINCT user_id FROM timers WHERE kind = ? AND at <= ? AND {self._mine}"
        return await self._database.fetch_column(sql, kind, time_of(now))

    async def of(self, kind: TimerKind, user_id: int, *, anywhere: bool = False) -> list[Timer]:
        """The timers of a user, also those of other processes if wanted; the one that waits longest first."""
        where = "TRUE" if anywhere else self._mine
        sql = f"SELECT * FROM timers WHERE kind = ? AND user_id = ? AND {where} ORDER BY since, match_id"
        return [_timer(row) for row in await self._database.fetch(sql, kind, user_id)]

    async def ripe_tables(self, kinds: Collection[TimerKind], now: datetime) -> list[Timer]:
        """Those of whole tables that have fallen due, the one that waits longest first."""
        known = [*kinds]
        sql = f"SELECT * FROM timers WHERE kind IN ({placeholders(known)}) AND at <= ? AND {self._mine} ORDER BY at"
        return [_timer(row) for row in await self._database.fetch(sql, *known, time_of(now))]

    async def reminded(self, user_id: int) -> Reminded:
        """What a user was last sent."""
        row = await self._database.fetch_one("SELECT * FROM reminded WHERE user_id = ?", user_id)
        if row is None:
            return NEVER_REMINDED
        at, until = time_at_or_none(row["at"]), time_at_or_none(row["until"])
        return Reminded(row["number"], at or LONG_AGO, until or LONG_AGO)

    async def expect(self, match_id: int, kind: TimerKind, wanted: Sequence[Timer]) -> None:
        """At this table these timers of a kind, and no others; one for the same decision stays as it is."""
        key = "match_id = ? AND kind = ?"
        async with self._database.transaction():
            kept = "".join(" AND NOT (user_id = ? AND version = ?)" for _ in wanted)
            decisions = [value for timer in wanted for value in (timer.user_id, timer.version)]
            await self._database.execute(f"DELETE FROM timers WHERE {key}{kept}", match_id, kind, *decisions)
            sql = f"INSERT INTO timers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            await self._database.execute_many(sql, map(_values, wanted))

    async def note_calls(self, match_id: int, calls: Calls) -> None:
        """Those who are called have a timer that is looked at now; one for the same decision stays as it is."""
        kind, at = TimerKind.REMINDER, calls.at
        wanted = [Timer(match_id, user_id, kind, version, at, at) for user_id, version in calls.versions.items()]
        await self.expect(match_id, kind, wanted)

    async def settle(self, changes: Sequence[tuple[Timer, Timer | None]]) -> None:
        """Put timers in the place of others, or nothing; one that was changed in the meantime is left alone."""
        async with self._database.transaction():
            for before, after in changes:
                await self._replace(f"{_STANDING} AND at = ?", (*_key(before), time_of(before.at)), after)

    async def told(self, user_id: int, number: int, at: datetime, changes: Sequence[tuple[Timer, Timer]]) -> None:
        """Note what a user was sent, and what it was about; a decision that is gone in the meantime stays gone."""
        sql = """
            INSERT INTO reminded (user_id, number, at) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET number = excluded.number, at = excluded.at
        """
        async with self._database.transaction():
            await self._database.execute(sql, user_id, number, time_of(at))
            for before, after in changes:
                await self._replace(_STANDING, _key(before), after)

    async def take(self, timer: Timer) -> bool:
        """Forget a timer, unless it was changed in the meantime. Returns whether it stood as it was."""
        sql = f"DELETE FROM timers WHERE {_STANDING} AND at = ? RETURNING match_id"
        return bool(await self._database.execute(sql, *_key(timer), time_of(timer.at)))

    async def drop(self, match_id: int, kind: TimerKind, user_id: int = NOBODY) -> None:
        """Nothing of a kind is to be done any more for a whole table, or for a user there."""
        sql = "DELETE FROM timers WHERE match_id = ? AND kind = ? AND user_id = ?"
        await self._database.execute(sql, match_id, kind, user_id)

    async def put(self, match_id: int, kind: TimerKind, at: datetime) -> None:
        """A table is looked at now: it begins to wait anew."""
        sql = f"""
            INSERT INTO timers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (match_id, user_id, kind) DO UPDATE
            SET version = excluded.version, at = excluded.at, since = excluded.since, reminded = excluded.reminded
        """
        await self._database.execute(sql, *_values(Timer(match_id, NOBODY, kind, 0, at, at)))

    async def end_lobby(self, match_id: int, at: datetime) -> None:
        """People gather at a table no more, from a time on: nobody has to keep it open, but its message must say so."""
        async with self._database.transaction():
            await self.drop(match_id, TimerKind.LOBBY)
            await self.put(match_id, TimerKind.CLOSING, at + CLOSED_WITHIN)

    async def snooze(self, user_id: int, until: datetime, now: datetime) -> None:
        """Let a user hear nothing until a time."""
        sql = """
            INSERT INTO reminded (user_id, number, until) VALUES (?, 0, ?)
            ON CONFLICT (user_id) DO UPDATE SET until = excluded.until
        """
        async with self._database.transaction():
            await self._database.execute(sql, user_id, time_of(until))
            await self.hurry(user_id, now)

    async def hurry(self, user_id: int, now: datetime) -> None:
        """Let the reminders of a user be thought over now, since their preferences have changed."""
        sql = "UPDATE timers SET at = ? WHERE user_id = ? AND kind = ?"
        await self._database.execute(sql, time_of(now), user_id, TimerKind.REMINDER)

    async def _replace(self, which: str, key: Sequence[Any], after: Timer | None) -> None:
        if after is None:
            await self._database.execute(f"DELETE FROM timers WHERE {which}", *key)
            return
        sql = f"UPDATE timers SET version = ?, at = ?, since = ?, reminded = ? WHERE {which}"
        await self._database.execute(sql, *_values(after)[3:], *key)


_COLUMNS = "match_id, user_id, kind, version, at, since, reminded"


def _values(timer: Timer) -> tuple[Any, ...]:
    times = (time_of(timer.at), time_of(timer.since), time_or_none(timer.reminded))
    return (*_key(timer), *times)


def _key(timer: Timer) -> tuple[Any, ...]:
    return (timer.match_id, timer.user_id, timer.kind, timer.version)


def _timer(row: Row) -> Timer:
    at, since, reminded = time_at(row["at"]), time_at(row["since"]), time_at_or_none(row["reminded"])
    return Timer(row["match_id"], row["user_id"], TimerKind(row["kind"]), row["version"], at, since, reminded)
