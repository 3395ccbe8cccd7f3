"""The clocks of those who play: what of their time is left, and when to look after it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta
from typing import Any

from bot.store.codec import json_at, json_of, time_at_or_none, time_of, time_or_none
from bot.store.database import Database, Row, placeholders
from bot.store.notes import Notes
from bot.store.rows import Note, SeatClock, Verdict
from engine.texts import Seat


class Clocks:
    """The clocks of all matches, one a seat. What is to be done is said of those in the share of this process."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine = database.mine("clocks.match_id")
        self._notes = Notes(database)

    async def of(self, match_id: int) -> dict[Seat, SeatClock]:
        """The clocks of a match by seat."""
        rows = await self._database.fetch("SELECT * FROM clocks WHERE match_id = ?", match_id)
        return {Seat(row["seat"]): _clock(row) for row in rows}

    async def running(self) -> list[int]:
        """The matches of all that have to be looked after at some time."""
        sql = f"SELECT DISTINCT match_id FROM clocks WHERE at IS NOT NULL AND {self._mine}"
        return await self._database.fetch_column(sql)

    async def earliest(self) -> datetime | None:
        """When to look after the next one."""
        return time_at_or_none(await self._database.fetch_value(f"SELECT min(at) FROM clocks WHERE {self._mine}"))

    async def ripe(self, now: datetime) -> list[tuple[int, Seat]]:
        """Those to be looked after by now: match and seat."""
        sql = f"SELECT match_id, seat FROM clocks WHERE at <= ? AND {self._mine} ORDER BY at"
        return [(row["match_id"], Seat(row["seat"])) for row in await self._database.fetch(sql, time_of(now))]

    async def stood_in(self) -> list[int]:
        """The matches in which a computer plays a turn for somebody."""
        sql = f"SELECT DISTINCT match_id FROM clocks WHERE stand_in <> '' AND {self._mine}"
        return await self._database.fetch_column(sql)

    async def put(self, changed: Iterable[SeatClock], *notes: Note) -> None:
        """Write clocks, each in the place of the one before, and what is noted of it in their match."""
        clocks = list(changed)
        async with self._database.transaction():
            await self._database.execute_many(_PUT, map(_values, clocks))
            for clock in clocks:
                await self._notes.add(clock.match_id, *notes)

    async def forget(self, match_id: int, seat: Seat) -> None:
        """Look after a clock no more, as at a table that cannot go on."""
        await self._database.execute("UPDATE clocks SET at = NULL WHERE match_id = ? AND seat = ?", match_id, seat)

    async def hurry(self, user_id: int, now: datetime) -> None:
        """Let the running clocks of a user be looked at now, since their preferences have changed."""
        sql = "UPDATE clocks SET at = ? WHERE user_id = ? AND at IS NOT NULL"
        await self._database.execute(sql, time_of(now), user_id)

    async def dismiss(self, match_id: int, seats: Collection[Seat]) -> None:
        """The computers that stood in on these seats have done so."""
        sql = f"UPDATE clocks SET stand_in = '' WHERE match_id = ? AND seat IN ({placeholders([*seats])})"
        await self._database.execute(sql, match_id, *seats)


_COLUMNS = SeatClock.__slots__
_PUT = f"""
    INSERT INTO clocks ({", ".join(_COLUMNS)}) VALUES ({placeholders(_COLUMNS)})
    ON CONFLICT (match_id, seat) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[2:])}
"""

_SPANS = ("period", "bank", "spent", "stopped")
_TIMES = ("since", "until", "at", "warned", "out", "vote_ends", "reminds_at")


def _values(clock: SeatClock) -> list[Any]:
    """The values of a row in the order of its columns."""
    row: dict[str, Any] = {name: getattr(clock, name) for name in _COLUMNS}
    row |= {name: row[name].total_seconds() for name in _SPANS}
    row |= {name: time_or_none(row[name]) for name in _TIMES}
    row |= {"votes": json_of(clock.votes), "habits": json_of(clock.habits)}
    return list(row.values())


def _clock(row: Row) -> SeatClock:
    values: dict[str, Any] = dict(row)
    values |= {name: timedelta(seconds=row[name]) for name in _SPANS}
    values |= {name: time_at_or_none(row[name]) for name in _TIMES}
    votes = {int(user_id): choice for user_id, choice in json_at(row["votes"]).items()}
    values |= {"seat": Seat(row["seat"]), "verdict": Verdict(row["verdict"]), "barred": bool(row["barred"])}
    return SeatClock(**values | {"votes": votes, "habits": json_at(row["habits"])})
