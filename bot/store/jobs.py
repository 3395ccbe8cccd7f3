"""Jobs: all that is due later, whatever it is. `bot.jobs` has a module for what each kind does."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import chain, groupby
from typing import Any, TypeAlias

from bot.store.codec import json_at, json_of, time_at, time_at_or_none, time_of
from bot.store.database import Database, Row, placeholders

_log = logging.getLogger(__name__)

NOBODY, NO_MATCH, NO_SEAT = 0, 0, -1
"""The user, the match and the seat of a job that is about none."""

MOST_LINES = 20
"""Lines that may wait in one job, the last ones: as long as Discord is away."""

RESTING = datetime(9999, 1, 1, tzinfo=UTC)
"""When the jobs of a server without the bot are due."""

FAR_AHEAD = datetime(9000, 1, 1, tzinfo=UTC)
"""Later than any other job is due."""

MAX_KEYS = 100
"""Keys in one statement: SQLite has a limit on how deep an expression is nested."""

POSTED_WITHIN = timedelta(seconds=10)
"""A move posts its board at once; if that fails, a job posts it this much later."""

NOBODY_BEFORE = timedelta(hours=1)
"""No reminder comes sooner after a decision; when the job is due, it looks up when the user wants one."""


class JobKind(StrEnum):
    """What is due."""

    BOARD = "board"
    RETIRE = "retire"
    LOBBY_MESSAGE = "lobby message"
    LOBBY_EXPIRY = "lobby expiry"
    THREAD_ARCHIVE = "thread archive"
    CHANNEL_CHECK = "channel check"
    REMINDER = "reminder"
    DIGEST = "digest"
    CLOCK = "clock"
    ANSWER = "answer"
    COMPUTER = "computer"
    STORY = "story"
    MODERATION_LOG = "moderation log"
    LEAGUE = "league"


FACT_KINDS = (JobKind.BOARD, JobKind.COMPUTER, JobKind.CLOCK, JobKind.LOBBY_EXPIRY)
"""The kinds of jobs that tell something about a match: the board that waits, when a clock is looked at, and so on."""

Key: TypeAlias = tuple[JobKind, int, int, int]
"""JobKind, match, user and seat: of one there is at most one job."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something that is due at a time in UTC; `state` is what its kind has to remember, as JSON.

    `attempts` failed in a row so far.
    """

    kind: JobKind
    due_at: datetime
    match_id: int = NO_MATCH
    user_id: int = NOBODY
    seat: int = NO_SEAT
    attempts: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)
    guild_id: int = 0
    """The server of its match, as the database has it; of a job without a match, the one that it brings."""

    @property
    def key(self) -> Key:
        """What it is about."""
        return (self.kind, self.match_id, self.user_id, self.seat)

    def at(self, due_at: datetime, **state: Any) -> Job:
        """The same job at another time, with some of its state changed."""
        return dataclasses.replace(self, due_at=due_at, attempts=0, state={**self.state, **state})


@dataclass(frozen=True, slots=True)
class Put:
    """Write a job in place of the one with its key."""

    job: Job


@dataclass(frozen=True, slots=True)
class Drop:
    """Delete the job with a key, if there is one."""

    key: Key


@dataclass(frozen=True, slots=True)
class Expect:
    """Let a match have these jobs of a kind and no others; one about the same decision (`version`) stays as it is."""

    kind: JobKind
    jobs: tuple[Job, ...] = ()


@dataclass(frozen=True, slots=True)
class Hurry:
    """Make the jobs of a kind about a match due at a time, now."""

    kind: JobKind
    at: datetime


@dataclass(frozen=True, slots=True)
class HurryLeague:
    """Make the job of the league of a match due at a time, now, if the match belongs to one."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Extend:
    """Append the `lines` in the state of a job to those of the job with its key."""

    job: Job


JobChange: TypeAlias = Put | Drop | Expect | Hurry | HurryLeague | Extend
"""A change of the jobs about a match."""


@dataclass(frozen=True, slots=True)
class Backlog:
    """How many jobs of a kind are due, since when the oldest is, and how many failed at their last attempt."""

    waiting: int = 0
    oldest: datetime | None = None
    failed: int = 0


_KEY = "kind = ? AND match_id = ? AND user_id = ? AND seat = ?"
# a match never changes its server, so an update leaves `guild_id` alone; shard 0 does jobs without a server
_PUT = """
    INSERT INTO jobs (kind, match_id, user_id, seat, due_at, attempts, state, guild_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, COALESCE((SELECT guild_id FROM matches WHERE id = ?), ?))
    ON CONFLICT (kind, match_id, user_id, seat) DO UPDATE
    SET due_at = excluded.due_at, attempts = excluded.attempts, state = excluded.state
"""


class Jobs:
    """The jobs of all matches and people. What is due is said of those in the share of this process.

    `wake` is set when a job is due before `asleep_until`, which is when the worker looks again; `None` while it looks.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine = database.shard_range.condition("jobs.guild_id")
        self.wake = asyncio.Event()
        self.asleep_until: datetime | None = None

    async def put(self, *jobs: Job) -> None:
        """Write jobs, each in place of the one with its key."""
        await self._database.execute_many(_PUT, [(*_values(job), job.match_id, job.guild_id) for job in jobs])
        for job in jobs:
            self._wake_for(job.due_at)

    async def apply(self, match_id: int, changes: Iterable[JobChange]) -> None:
        """Make changes of the jobs about a match, in order."""
        for is_put, some in groupby(changes, lambda change: isinstance(change, Put)):
            if is_put:
                # together: one statement for all of them
                await self.put(*(change.job for change in some if isinstance(change, Put)))
            else:
                for change in some:
                    await self._apply(match_id, change)

    async def _apply(self, match_id: int, change: JobChange) -> None:
        match change:
            case Drop(key):
                await self.drop(*key)
            case Expect(kind, jobs):
                await self.expect(kind, match_id, jobs)
            case Hurry(kind, at):
                await self.hurry(at, kind, match_id)
            case HurryLeague(at):
                await self.hurry_league(at, match_id)
            case Extend(job):
                await self.extend(job)
            case Put(job):
                await self.put(job)

    async def put_new(self, *jobs: Job) -> None:
        """The same, but one that is there already stays as it is."""
        new = [job for job in jobs if await self.find(*job.key) is None]
        await self.put(*new)

    async def extend(self, *jobs: Job) -> None:
        """Write jobs with `lines` in their state, each behind the lines of the one with its key."""
        async with self._database.transaction():
            for job in jobs:
                before = await self.find(*job.key)
                lines = [*(before.state["lines"] if before else ()), *job.state["lines"]]
                await self.put(job.at(job.due_at, lines=lines[-MOST_LINES:]))

    async def drop(self, kind: JobKind, match_id: int, user_id: int = NOBODY, seat: int = NO_SEAT) -> None:
        """Delete a job, if there is one."""
        await self._database.execute(f"DELETE FROM jobs WHERE {_KEY}", kind, match_id, user_id, seat)

    async def find(self, kind: JobKind, match_id: int, user_id: int = NOBODY, seat: int = NO_SEAT) -> Job | None:
        """A job by its key."""
        row = await self._database.fetch_one(f"SELECT * FROM jobs WHERE {_KEY}", kind, match_id, user_id, seat)
        return _job(row) if row else None

    async def find_all(self, keys: Iterable[Key]) -> list[Job]:
        """The jobs with these keys, as far as there are any."""
        wanted, rows = list(keys), list[Row]()
        for start in range(0, len(wanted), MAX_KEYS):
            some = wanted[start : start + MAX_KEYS]
            sql = f"SELECT * FROM jobs WHERE {' OR '.join([f'({_KEY})'] * len(some))}"
            rows += await self._database.fetch(sql, *chain.from_iterable(some))
        return [_job(row) for row in rows]

    async def about_table(self, match_id: int) -> list[Job]:
        """The jobs about a match from which its facts follow (`FACT_KINDS`)."""
        sql = f"SELECT * FROM jobs WHERE kind IN ({placeholders(FACT_KINDS)}) AND match_id = ?"
        return [_job(row) for row in await self._database.fetch(sql, *FACT_KINDS, match_id)]

    async def of_match(self, kind: JobKind, match_id: int) -> list[Job]:
        """The jobs of a kind about a match."""
        rows = await self._database.fetch("SELECT * FROM jobs WHERE kind = ? AND match_id = ?", kind, match_id)
        return [_job(row) for row in rows]

    async def of_user(self, kind: JobKind, user_id: int, *, anywhere: bool = False) -> list[Job]:
        """The jobs of a kind for a user, by match; `anywhere`: also those of other processes."""
        mine = "TRUE" if anywhere else self._mine
        sql = f"SELECT * FROM jobs WHERE kind = ? AND user_id = ? AND {mine} ORDER BY match_id"
        return [_job(row) for row in await self._database.fetch(sql, kind, user_id)]

    async def due(self, now: datetime) -> list[Job]:
        """What is due by now: boards first, then by time. A damaged row is passed over."""
        # `kind <> ?` is false for boards, and false sorts before true
        sql = f"SELECT * FROM jobs WHERE due_at <= ? AND {self._mine} ORDER BY kind <> ?, due_at"
        jobs = []
        for row in await self._database.fetch(sql, time_of(now), JobKind.BOARD):
            try:
                jobs.append(_job(row))
            except ValueError:
                _log.error("a job of match %s cannot be read", row["match_id"])
        return jobs

    async def next_after(self, now: datetime) -> datetime | None:
        """When the first job after a time is due."""
        sql = f"SELECT min(due_at) FROM jobs WHERE due_at > ? AND {self._mine}"
        return time_at_or_none(await self._database.fetch_value(sql, time_of(now)))

    async def replace(self, before: Job, after: Job | None) -> bool:
        """Put a job in place of another one, or nothing. False, and no change, if it is not what it was before."""
        # compared as text, which works because dicts keep their order: JSON survives a round trip unchanged
        still = (*before.key, time_of(before.due_at), json_of(dict(before.state)))
        if after is None:
            # `RETURNING`: what comes back says whether there was such a row, in both databases
            sql = f"DELETE FROM jobs WHERE {_KEY} AND due_at = ? AND state = ? RETURNING kind"
            return bool(await self._database.execute(sql, *still))
        sql = f"""
            UPDATE jobs SET due_at = ?, attempts = ?, state = ? WHERE {_KEY} AND due_at = ? AND state = ? RETURNING kind
        """
        # `[4:]` leaves out the key
        replaced = bool(await self._database.execute(sql, *_values(after)[4:], *still))
        self._wake_for(after.due_at)
        return replaced

    async def postpone(self, job: Job, until: datetime, *, attempts: int) -> None:
        """Let a job be due at a time, or later if it is anyway, after this number of attempts that failed."""
        sql = f"UPDATE jobs SET attempts = ?, due_at = CASE WHEN due_at < ? THEN ? ELSE due_at END WHERE {_KEY}"
        await self._database.execute(sql, attempts, time_of(until), time_of(until), *job.key)
        self._wake_for(until)

    async def expect(self, kind: JobKind, match_id: int, wanted: Sequence[Job]) -> None:
        """At this match these jobs of a kind, and no others; one about the same decision (`version`) stays as it is."""
        async with self._database.transaction():
            known = {(job.key, job.state["version"]): job for job in await self.of_match(kind, match_id)}
            expected = {(job.key, job.state["version"]): job for job in wanted}
            # jobs that stay are not rewritten: they would lose their due time and their attempts
            for about in known.keys() - expected.keys():
                await self.drop(*about[0])
            await self.put(*(expected[about] for about in expected.keys() - known.keys()))

    async def hurry(self, now: datetime, kind: JobKind, match_id: int) -> None:
        """Let the jobs of a kind about a match be due now."""
        sql = "UPDATE jobs SET due_at = ? WHERE kind = ? AND match_id = ?"
        await self._database.execute(sql, time_of(now), kind, match_id)
        self._wake_for(now)

    async def hurry_user(self, now: datetime, kind: JobKind, user_id: int) -> None:
        """The same for those for a user, in whatever process."""
        # this process is woken; another one sees it at its next look, five minutes later at most (`bot.worker.NAP`)
        sql = "UPDATE jobs SET due_at = ? WHERE kind = ? AND user_id = ?"
        await self._database.execute(sql, time_of(now), kind, user_id)
        self._wake_for(now)

    async def hurry_league(self, now: datetime, match_id: int) -> None:
        """Let the job of the league of a match be due now, if the match is one of a league."""
        sql = """
            UPDATE jobs SET due_at = ?
            WHERE kind = ? AND seat IN (SELECT league_id FROM league_tables WHERE match_id = ?)
        """
        await self._database.execute(sql, time_of(now), JobKind.LEAGUE, match_id)
        self._wake_for(now)

    async def begin_anew(self, now: datetime) -> None:
        """After a start: boards that wait are due now, and whatever failed."""
        sql = f"UPDATE jobs SET due_at = ? WHERE (kind = ? OR attempts > 0) AND {self._mine}"
        await self._database.execute(sql, time_of(now), JobKind.BOARD)

    async def rest(self, guild_id: int, now: datetime) -> None:
        """Let the jobs of a server that are due by now wait until `resume`."""
        sql = "UPDATE jobs SET due_at = ?, attempts = 0 WHERE guild_id = ? AND due_at <= ?"
        await self._database.execute(sql, time_of(RESTING), guild_id, time_of(now))

    async def resume(self, guild_id: int, now: datetime) -> None:
        """Let the resting jobs of a server be due now."""
        # earlier than `RESTING`: after the clock of the machine was set back, stored times have moved
        sql = "UPDATE jobs SET due_at = ? WHERE due_at > ? AND guild_id = ?"
        await self._database.execute(sql, time_of(now), time_of(FAR_AHEAD), guild_id)
        self._wake_for(now)

    async def backlog(self, now: datetime) -> dict[JobKind, Backlog]:
        """What waits, by kind; kinds of which nothing waits are not named."""
        sql = f"""
            SELECT kind, count(*), min(due_at), sum(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) FROM jobs
            WHERE (due_at <= ? OR attempts > 0) AND {self._mine} GROUP BY kind
        """
        rows = await self._database.fetch(sql, time_of(now))
        return {JobKind(row[0]): Backlog(row[1], time_at(row[2]), int(row[3])) for row in rows}

    def _wake_for(self, due_at: datetime) -> None:
        # `None`: the worker is looking right now, and may have missed this job
        if self.asleep_until is None or due_at < self.asleep_until:
            self.wake.set()


def board_mark(version: int) -> str:
    """The mark of a new board of a match: that of no other one, in letters that the id of a control may have."""
    # the version alone would not do: *Unstick* in `/server games` posts the board of a version once more
    return f"{version}-{secrets.randbelow(0x10000):04x}"


def board_job(match_id: int, mark: str, at: datetime, superseded: str | None = None) -> Job:
    """A job that posts a board, unless the move itself has posted it.

    The board may take the place of another one, `superseded`, which may have been posted.
    """
    return Job(JobKind.BOARD, at + POSTED_WITHIN, match_id, state={"mark": mark, "superseded": superseded})


def version_of(mark: str) -> int:
    """The version of the match that a board with a mark shows."""
    return int(mark.partition("-")[0])


def reminder_job(match_id: int, user_id: int, version: int, since: datetime) -> Job:
    """A reminder to come, of a decision that has been open since a version, and has waited since a time."""
    state = {"version": version, "since": time_of(since), "reminded": None}
    return Job(JobKind.REMINDER, since + NOBODY_BEFORE, match_id, user_id, state=state)


def _values(job: Job) -> tuple[Any, ...]:
    return (*job.key, time_of(job.due_at), job.attempts, json_of(dict(job.state)))


def _job(row: Row) -> Job:
    """The job of a row. Raises `ValueError` if it is damaged."""
    state = json_at(row["state"])
    if not isinstance(state, dict):
        raise ValueError(f"the state of a job is no object, but a {type(state).__name__}")
    return Job(
        JobKind(row["kind"]),
        time_at(row["due_at"]),
        row["match_id"],
        row["user_id"],
        row["seat"],
        row["attempts"],
        state,
        row["guild_id"],
    )
