"""What falls due at some time, and what somebody was last told."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, delete, func, select, true, tuple_, update

from bot.store.connections import Connection
from bot.store.rows import LONG_AGO, NEVER_REMINDED, Calls, Reminded, Timer, TimerKind, columns_of, in_utc
from bot.store.schema import reminded, timers
from bot.store.transactions import Transactions, new_rows, put_row, reading, writing


class Timers:
    """The timers of all matches. What is due is said of those in the share of this process."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._mine = transactions.mine(timers.c.match_id)

    @reading
    async def earliest(self, connection: Connection, *kinds: TimerKind) -> datetime | None:
        """When the next one of some kinds falls due."""
        query = select(func.min(timers.c.at)).where(timers.c.kind.in_(kinds), self._mine)
        return in_utc(await connection.scalar(query))

    @reading
    async def ripe(self, connection: Connection, kind: TimerKind, now: datetime) -> list[int]:
        """The users for whom one has fallen due."""
        query = select(timers.c.user_id).where(timers.c.kind == kind, timers.c.at <= now, self._mine).distinct()
        return list(await connection.scalars(query))

    @reading
    async def of(self, connection: Connection, kind: TimerKind, user_id: int, *, anywhere: bool = False) -> list[Timer]:
        """The timers of a user, also those of other processes if wanted; the one that waits longest first."""
        where = true() if anywhere else self._mine
        query = select(timers).where(timers.c.kind == kind, timers.c.user_id == user_id, where)
        return [_timer(row) for row in await connection.execute(query.order_by(timers.c.since, timers.c.match_id))]

    @reading
    async def ripe_tables(self, connection: Connection, kinds: Collection[TimerKind], now: datetime) -> list[Timer]:
        """Those of whole tables that have fallen due, the one that waits longest first."""
        query = select(timers).where(timers.c.kind.in_(kinds), timers.c.at <= now, self._mine).order_by(timers.c.at)
        return [_timer(row) for row in await connection.execute(query)]

    @reading
    async def reminded(self, connection: Connection, user_id: int) -> Reminded:
        """What a user was last sent."""
        row = (await connection.execute(select(reminded).where(reminded.c.user_id == user_id))).one_or_none()
        return (
            Reminded(row.number, in_utc(row.at) or LONG_AGO, in_utc(row.until) or LONG_AGO) if row else NEVER_REMINDED
        )

    @writing
    async def expect(self, connection: Connection, match_id: int, kind: TimerKind, wanted: Sequence[Timer]) -> None:
        """See `expect`, which does this within a transaction."""
        await expect(connection, match_id, kind, wanted)

    @writing
    async def settle(self, connection: Connection, changes: Sequence[tuple[Timer, Timer | None]]) -> None:
        """Put timers in the place of others, or nothing; one that was changed in the meantime is left alone."""
        for before, after in changes:
            await _replace(connection, (*_standing(before), timers.c.at == before.at), after)

    @writing
    async def told(
        self,
        connection: Connection,
        user_id: int,
        number: int,
        at: datetime,
        changes: Sequence[tuple[Timer, Timer]],
    ) -> None:
        """Note what a user was sent, and what it was about; a decision that is gone in the meantime stays gone."""
        await _put_reminded(connection, user_id, number=number, at=at)
        for before, after in changes:
            await _replace(connection, _standing(before), after)

    @writing
    async def drop(self, connection: Connection, match_id: int, kind: TimerKind) -> None:
        """Nothing of a kind is to be done for a whole table any more."""
        await drop_timer(connection, match_id, NOBODY, kind)

    @writing
    async def snooze(self, connection: Connection, user_id: int, until: datetime, now: datetime) -> None:
        """Let a user hear nothing until a time."""
        await _put_reminded(connection, user_id, until=until)
        await _hurry(connection, user_id, now)

    @writing
    async def hurry(self, connection: Connection, user_id: int, now: datetime) -> None:
        """Let the reminders of a user be thought over now, since his habits have changed."""
        await _hurry(connection, user_id, now)


async def note_calls(connection: Connection, match_id: int, calls: Calls) -> None:
    """Those who are called have a timer that is looked at now; one for the same decision stays as it is."""
    kind = TimerKind.REMINDER
    wanted = [
        Timer(match_id, user_id, kind, version, calls.at, calls.at) for user_id, version in calls.versions.items()
    ]
    await expect(connection, match_id, kind, wanted)


async def expect(connection: Connection, match_id: int, kind: TimerKind, wanted: Sequence[Timer]) -> None:
    """At this table these timers of a kind, and no others; one for the same decision stays as it is."""
    decisions = [(timer.user_id, timer.version) for timer in wanted]
    await connection.execute(_OTHERS, {"of_match": match_id, "of_kind": kind, "decisions": decisions})
    if wanted:
        await connection.execute(new_rows(connection, timers), [columns_of(timer) for timer in wanted])


async def drop_timer(connection: Connection, match_id: int, user_id: int, kind: TimerKind) -> None:
    """Nothing of a kind is to be done for a user at a table any more."""
    gone = (timers.c.match_id == match_id, timers.c.user_id == user_id, timers.c.kind == kind)
    await connection.execute(delete(timers).where(*gone))


async def _hurry(connection: Connection, user_id: int, now: datetime) -> None:
    reminders = (timers.c.user_id == user_id, timers.c.kind == TimerKind.REMINDER)
    await connection.execute(update(timers).where(*reminders).values(at=now))


NOBODY = 0
"""The user of a timer that is about a whole table."""


async def put_timer(connection: Connection, match_id: int, kind: TimerKind, at: datetime) -> None:
    """A table is looked at now: it begins to wait anew."""
    await put_row(connection, timers, columns_of(Timer(match_id, NOBODY, kind, 0, at, at)))


CLOSED_WITHIN = timedelta(minutes=1)
"""Whoever ends a lobby lets its message say so at once; where that did not come about, it is seen to after so long."""


async def end_lobby(connection: Connection, match_id: int, at: datetime) -> None:
    """People gather at a table no more, from a time on: nobody has to keep it open, but its message must say so."""
    await drop_timer(connection, match_id, NOBODY, TimerKind.LOBBY)
    await put_timer(connection, match_id, TimerKind.CLOSING, at + CLOSED_WITHIN)


async def take_timer(connection: Connection, timer: Timer) -> bool:
    """Forget a timer, unless it was changed in the meantime. Returns whether it stood as it was."""
    found = await connection.execute(delete(timers).where(*_standing(timer), timers.c.at == timer.at))
    return bool(found.rowcount)


async def _replace(connection: Connection, which: Sequence[ColumnElement[bool]], after: Timer | None) -> None:
    if after is None:
        await connection.execute(delete(timers).where(*which))
    else:
        await connection.execute(update(timers).where(*which).values(columns_of(after)))


async def _put_reminded(connection: Connection, user_id: int, **values: Any) -> None:
    await put_row(connection, reminded, {"user_id": user_id, **values})


def _standing(timer: Timer) -> tuple[ColumnElement[bool], ...]:
    """A timer as long as it is about the same decision."""
    key = (timers.c.match_id == timer.match_id, timers.c.user_id == timer.user_id, timers.c.kind == timer.kind)
    return (*key, timers.c.version == timer.version)


def _timer(row: Row[Any]) -> Timer:
    at, since = in_utc(row.at), in_utc(row.since)
    assert at is not None, "the column is never empty"
    assert since is not None, "the column is never empty"
    kind = TimerKind(row.kind)
    return Timer(row.match_id, row.user_id, kind, row.version, at, since, in_utc(row.reminded))


# made once: to put a statement together takes as long as to carry it out
_OTHERS = delete(timers).where(
    timers.c.match_id == bindparam("of_match"),
    timers.c.kind == bindparam("of_kind"),
    tuple_(timers.c.user_id, timers.c.version).not_in(bindparam("decisions", expanding=True)),
)
