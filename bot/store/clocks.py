"""The clocks of those who play: what of their time is left. When to look after one is a job."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from bot.store.codec import json_at, json_of, time_at_or_none, time_of
from bot.store.database import Database, Row, placeholders
from bot.store.jobs import Job, JobKind, Jobs
from bot.store.table_events import TableEvent, TableEvents
from engine.texts import Seat

IDLE = -1
"""The version of a stopped clock: nothing is asked of its user, or no board has said so yet."""


class Verdict(StrEnum):
    """What was decided when somebody's time was up, as long as it is not carried out in full.

    `NONE`: nothing, or all is done. `ENDED`: their own move, or another one's, came first.
    """

    NONE = ""
    WAIT = "wait"
    PLAY = "play"
    HOLD = "hold"
    INVITE = "invite"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The time that a user has for their turn on a seat; all times in UTC.

    The turn is about the decision that is open since `version`. For it they have `period`, and then what is in their
    `bank`. Up to `since` they have `spent` so much of it, and it was `stopped` for so long by their `preferences`
    (those of that time); if they stay as they are, `period` is up at `turn_until` and all of it at `until`. It is
    looked at again `at` a time; they were `warned`, and it was `out`, at others. `barred`: the clock is stopped
    because Discord does not deliver what they have to know.

    `strikes` are the turns in a row that a computer played for them, `lost` all of them; `number` counts what was sent
    because of this clock. `message_id` is where the others vote, `votes` are their choices by user, `verdict` is what
    came of it. The vote ends at `vote_ends`; those who have not voted are reminded at `reminds_at`, once. `stand_in` is
    the computer that plays the turn in their place, if one does.
    """

    match_id: int
    seat: Seat
    user_id: int
    version: int
    period: timedelta
    bank: timedelta
    since: datetime
    until: datetime
    at: datetime | None = None
    spent: timedelta = timedelta()
    stopped: timedelta = timedelta()
    warned: datetime | None = None
    out: datetime | None = None
    barred: bool = False
    strikes: int = 0
    lost: int = 0
    number: int = 0
    message_id: int | None = None
    votes: dict[int, str] = field(default_factory=dict)
    verdict: Verdict = Verdict.NONE
    stand_in: str = ""
    preferences: dict[str, str] = field(default_factory=dict)
    vote_ends: datetime | None = None
    reminds_at: datetime | None = None
    turn_until: datetime | None = None

    @property
    def runs(self) -> bool:
        """Whether something is asked of them, and they could know."""
        return self.version != IDLE


class Clocks:
    """The clocks of all matches, one a seat. What is to be done is said of those in the share of this process."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs = jobs
        self._table_events = TableEvents(database)

    async def of(self, match_id: int) -> dict[Seat, SeatClock]:
        """The clocks of a match by seat."""
        sql = """
            SELECT clocks.*, jobs.due_at AS at FROM clocks LEFT JOIN jobs
            ON jobs.kind = ? AND jobs.match_id = clocks.match_id AND jobs.seat = clocks.seat
            WHERE clocks.match_id = ?
        """
        rows = await self._database.fetch(sql, JobKind.CLOCK, match_id)
        return {Seat(row["seat"]): _clock(row) for row in rows}

    async def running(self) -> list[int]:
        """The matches with clocks that have to be looked after at some time."""
        sql = f"""
            SELECT DISTINCT match_id FROM jobs WHERE kind = ? AND
            {self._database.shard_range.condition("jobs.guild_id")}
        """
        return await self._database.fetch_column(sql, JobKind.CLOCK)

    async def put(self, changed: Iterable[SeatClock], *events: TableEvent) -> None:
        """Write clocks, each in the place of the one before, with their jobs, and what is noted in their match."""
        clocks = list(changed)
        async with self._database.transaction():
            await self._database.execute_many(_PUT, map(_values, clocks))
            await self._jobs.put(*(Job(JobKind.CLOCK, c.at, c.match_id, seat=c.seat) for c in clocks if c.at))
            for clock in clocks:
                # `at` is not a column but the due time of the job; without it there is no job
                if clock.at is None:
                    await self.forget(clock.match_id, clock.seat)
            for match_id in {clock.match_id for clock in clocks}:
                await self._table_events.add(match_id, *events)

    async def forget(self, match_id: int, seat: Seat) -> None:
        """Look after a clock no more, as at a table that cannot go on."""
        await self._jobs.drop(JobKind.CLOCK, match_id, seat=seat)

    async def hurry(self, user_id: int, now: datetime) -> None:
        """Let the running clocks of a user be looked at now, since their preferences have changed."""
        sql = "SELECT match_id FROM clocks WHERE user_id = ?"
        # clocks that stand still have no job, so nothing happens to them
        for match_id in await self._database.fetch_column(sql, user_id):
            await self._jobs.hurry(now, JobKind.CLOCK, match_id)

    async def dismiss(self, match_id: int, seats: Collection[Seat]) -> None:
        """The stand-ins on these seats have played their turns."""
        sql = f"UPDATE clocks SET stand_in = '' WHERE match_id = ? AND seat IN ({placeholders([*seats])})"
        await self._database.execute(sql, match_id, *seats)


# in the order of the fields: the first two are the key
_COLUMNS = tuple(name for name in SeatClock.__slots__ if name != "at")
_PUT = f"""
    INSERT INTO clocks ({", ".join(_COLUMNS)}) VALUES ({placeholders(_COLUMNS)})
    ON CONFLICT (match_id, seat) DO UPDATE SET {", ".join(f"{name} = excluded.{name}" for name in _COLUMNS[2:])}
"""

_SPANS = ("period", "bank", "spent", "stopped")
_TIMES = ("since", "until", "warned", "out", "vote_ends", "reminds_at", "turn_until")


def _values(clock: SeatClock) -> list[Any]:
    """The values of a row in the order of its columns."""
    row: dict[str, Any] = {name: getattr(clock, name) for name in _COLUMNS}
    row |= {name: row[name].total_seconds() for name in _SPANS}
    row |= {name: row[name] and time_of(row[name]) for name in _TIMES}
    row |= {"votes": json_of(clock.votes), "preferences": json_of(clock.preferences)}
    return list(row.values())


def _clock(row: Row) -> SeatClock:
    values: dict[str, Any] = dict(row)
    values |= {name: timedelta(seconds=row[name]) for name in _SPANS}
    values |= {name: time_at_or_none(row[name]) for name in (*_TIMES, "at")}
    # JSON has only strings as keys
    votes = {int(user_id): choice for user_id, choice in json_at(row["votes"]).items()}
    values |= {"seat": Seat(row["seat"]), "verdict": Verdict(row["verdict"]), "barred": bool(row["barred"])}
    return SeatClock(**values | {"votes": votes, "preferences": json_at(row["preferences"])})
