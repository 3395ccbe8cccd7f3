"""Jobs: stored pieces of work with a due time. `bot.jobs` has a module with the handler of each kind."""

from __future__ import annotations

import asyncio
import dataclasses
import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import chain, groupby
from typing import Any, TypeAlias

from bot.store.codec import json_at, json_of, time_at, time_at_or_none, time_of
from bot.store.database import Database, Row, placeholders
from engine.values import Value

_log = logging.getLogger(__name__)

NOBODY, NO_MATCH, NO_SEAT = 0, 0, -1
"""In place of the user, the match or the seat of a job without one."""

MAX_LINES = 20
"""Lines in one job of the moderation log. While Discord is unavailable, older lines are dropped."""

SUSPENDED_UNTIL = datetime(9999, 1, 1, tzinfo=UTC)
"""The due time of suspended jobs: those of a server without the bot."""

SUSPENDED_AFTER = datetime(9000, 1, 1, tzinfo=UTC)
"""Only suspended jobs are due after this time."""

MAX_KEYS = 100
"""Keys in one statement, since SQLite limits the depth of an expression."""

POST_DELAY = timedelta(seconds=10)
"""A move posts its board itself. If that fails, a job posts it after this time."""

MIN_REMINDER_DELAY = timedelta(hours=1)
"""The shortest time to a reminder. When the job is due, it looks up when the user wants it."""


class JobKind(StrEnum):
    """The kind of a job; the value is stored."""

    BOARD = "board"
    RETIRE = "retire"
    LOBBY_MESSAGE = "lobby message"
    LOBBY_EXPIRY = "lobby expiry"
    START = "start"
    THREAD_ARCHIVE = "thread archive"
    CHANNEL_CHECK = "channel check"
    REMINDER = "reminder"
    DIGEST = "digest"
    CLOCK = "clock"
    ANSWER = "answer"
    COMPUTER = "computer"
    STORY = "story"
    NEXT_NOTICE = "next notice"
    MODERATION_LOG = "moderation log"
    LEAGUE = "league"
    OVERVIEW = "overview"
    EVENTS = "events"


FACT_KINDS = (JobKind.BOARD, JobKind.COMPUTER, JobKind.CLOCK, JobKind.LOBBY_EXPIRY)
"""The kinds of jobs that tell something about a match: the board that waits, when a clock is looked at, and so on."""

Key: TypeAlias = tuple[JobKind, int, int, int]
"""Kind, match, user and seat of a job, which are unique."""


class Job(Value):
    """A piece of work that is due at a time in UTC.

    `attempts` is the number of failed attempts in a row, `state` the JSON data of the handler.
    """

    kind: JobKind
    due_at: datetime
    match_id: int = NO_MATCH
    user_id: int = NOBODY
    seat: int = NO_SEAT
    attempts: int = 0
    state: Mapping[str, Any] = field(default_factory=dict)
    guild_id: int = 0
    """The server of the match; the store looks it up. Only a job without a match sets it."""

    @property
    def key(self) -> Key:
        """The unique key of the job."""
        return (self.kind, self.match_id, self.user_id, self.seat)

    def at(self, due_at: datetime, **state: Any) -> Job:
        """A copy with another due time, no attempts, and changes to its state."""
        return dataclasses.replace(self, due_at=due_at, attempts=0, state={**self.state, **state})


class Put(Value):
    """Write a job in place of the one with its key."""

    job: Job


class Drop(Value):
    """Delete the job with a key, if there is one."""

    key: Key


class ReplaceAll(Value):
    """Replace all jobs of a kind of a match; a job about the same decision (`version`) stays unchanged."""

    kind: JobKind
    jobs: tuple[Job, ...] = ()


class MakeDue(Value):
    """Make the jobs of a kind about a match due at a time, now."""

    kind: JobKind
    at: datetime


class MakeLeagueDue(Value):
    """Make the job of the league of a match due at a time, now, if the match belongs to one."""

    at: datetime


class Extend(Value):
    """Append the `lines` in the state of a job to those of the job with its key."""

    job: Job


class PutNewer(Value):
    """Write a job, unless the job with its key is about the same `version` or a later one."""

    job: Job


JobChange: TypeAlias = Put | Drop | ReplaceAll | MakeDue | MakeLeagueDue | Extend | PutNewer
"""A change of the jobs about a match."""


class Backlog(Value):
    """The number of due jobs of a kind, the due time of the oldest, and the number of those whose last try failed."""

    waiting: int = 0
    oldest: datetime | None = None
    failed: int = 0


_KEY = "kind = ? AND match_id = ? AND user_id = ? AND seat = ?"
# a match never changes its server, so an update does not set `guild_id`; jobs without a server belong to shard 0
_PUT = """
    INSERT INTO jobs (kind, match_id, user_id, seat, due_at, attempts, state, guild_id)
    VALUES (?, ?, ?, ?, ?, ?, ?, COALESCE((SELECT guild_id FROM matches WHERE id = ?), ?))
    ON CONFLICT (kind, match_id, user_id, seat) DO UPDATE
    SET due_at = excluded.due_at, attempts = excluded.attempts, state = excluded.state
"""


class Jobs:
    """The jobs of all matches and users. `due` and `backlog` are limited to the shards of this process.

    `wake` is set for a job that is due before `asleep_until`, the worker's next check; `None` during a check.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._mine = database.shard_range.condition("jobs.guild_id")
        self.wake = asyncio.Event()
        self.asleep_until: datetime | None = None

    async def put(self, *jobs: Job) -> None:
        """Write jobs, in place of those with their keys."""
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
            case ReplaceAll(kind, jobs):
                await self.replace_all(kind, match_id, jobs)
            case MakeDue(kind, at):
                await self.make_due(at, kind, match_id)
            case MakeLeagueDue(at):
                await self.make_due_for_league(at, match_id)
            case Extend(job):
                await self.extend(job)
            case PutNewer(job):
                await self.put_newer(job)
            case Put(job):
                await self.put(job)

    async def put_new(self, *jobs: Job) -> None:
        """Write jobs, except those whose key exists already."""
        new = [job for job in jobs if await self.find(*job.key) is None]
        await self.put(*new)

    async def put_newer(self, job: Job) -> None:
        """Write a job, unless the job with its key is about the same `version` or a later one."""
        async with self._database.transaction():
            before = await self.find(*job.key)
            if before is None or before.state["version"] < job.state["version"]:
                await self.put(job)

    async def extend(self, *jobs: Job) -> None:
        """Append the `lines` in the state of jobs to those of the jobs with their keys."""
        async with self._database.transaction():
            for job in jobs:
                before = await self.find(*job.key)
                lines = [*(before.state["lines"] if before else ()), *job.state["lines"]]
                await self.put(job.at(job.due_at, lines=lines[-MAX_LINES:]))

    async def drop(self, kind: JobKind, match_id: int, user_id: int = NOBODY, seat: int = NO_SEAT) -> None:
        """Delete a job, if there is one."""
        await self._database.execute(f"DELETE FROM jobs WHERE {_KEY}", kind, match_id, user_id, seat)

    async def find(self, kind: JobKind, match_id: int, user_id: int = NOBODY, seat: int = NO_SEAT) -> Job | None:
        """A job by its key."""
        row = await self._database.fetch_one(f"SELECT * FROM jobs WHERE {_KEY}", kind, match_id, user_id, seat)
        return _job(row) if row else None

    async def find_all(self, keys: Iterable[Key]) -> list[Job]:
        """The existing jobs with these keys."""
        all_keys, rows = list(keys), list[Row]()
        for start in range(0, len(all_keys), MAX_KEYS):
            batch = all_keys[start : start + MAX_KEYS]
            sql = f"SELECT * FROM jobs WHERE {' OR '.join([f'({_KEY})'] * len(batch))}"
            rows += await self._database.fetch(sql, *chain.from_iterable(batch))
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
        """The jobs of a kind for a user, by match; with `anywhere`, also those of other processes."""
        mine = "TRUE" if anywhere else self._mine
        sql = f"SELECT * FROM jobs WHERE kind = ? AND user_id = ? AND {mine} ORDER BY match_id"
        return [_job(row) for row in await self._database.fetch(sql, kind, user_id)]

    async def due(self, now: datetime) -> list[Job]:
        """The due jobs: boards first, then by time. Damaged rows are skipped."""
        # `kind <> ?` is false for boards, and false sorts before true
        sql = f"SELECT * FROM jobs WHERE due_at <= ? AND {self._mine} ORDER BY kind <> ?, due_at"
        jobs = []
        for row in await self._database.fetch(sql, time_of(now), JobKind.BOARD):
            try:
                jobs.append(_job(row))
            except ValueError:
                _log.error("a job of match %s cannot be read, and does not run", row["match_id"])
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
            # `RETURNING`: the result tells whether there was such a row, in both databases
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

    async def replace_all(self, kind: JobKind, match_id: int, jobs: Sequence[Job]) -> None:
        """Replace all jobs of a kind of a match; a job about the same decision (`version`) stays unchanged."""
        async with self._database.transaction():
            before = {(job.key, job.state["version"]): job for job in await self.of_match(kind, match_id)}
            after = {(job.key, job.state["version"]): job for job in jobs}
            # remaining jobs are not rewritten: they would lose their due time and their attempts
            for key, _ in before.keys() - after.keys():
                await self.drop(*key)
            await self.put(*(after[decision] for decision in after.keys() - before.keys()))

    async def make_due(self, now: datetime, kind: JobKind, match_id: int) -> None:
        """Make the jobs of a kind of a match due now."""
        sql = "UPDATE jobs SET due_at = ? WHERE kind = ? AND match_id = ?"
        await self._database.execute(sql, time_of(now), kind, match_id)
        self._wake_for(now)

    async def make_due_for_user(self, now: datetime, kind: JobKind, user_id: int) -> None:
        """Make the jobs of a kind for a user due now, in all processes."""
        # this wakes only this process; others notice at their next check, at most five minutes later (`bot.worker`)
        sql = "UPDATE jobs SET due_at = ? WHERE kind = ? AND user_id = ?"
        await self._database.execute(sql, time_of(now), kind, user_id)
        self._wake_for(now)

    async def make_due_for_league(self, now: datetime, match_id: int) -> None:
        """Make the job of a league due now, if the match belongs to one."""
        sql = """
            UPDATE jobs SET due_at = ?
            WHERE kind = ? AND seat IN (SELECT league_id FROM league_tables WHERE match_id = ?)
        """
        await self._database.execute(sql, time_of(now), JobKind.LEAGUE, match_id)
        self._wake_for(now)

    async def make_due_at_start(self, now: datetime) -> None:
        """Make pending boards and failed jobs due now, after a start of the bot."""
        sql = f"UPDATE jobs SET due_at = ? WHERE (kind = ? OR attempts > 0) AND {self._mine}"
        await self._database.execute(sql, time_of(now), JobKind.BOARD)

    async def suspend(self, guild_ids: Iterable[int], now: datetime) -> None:
        """Suspend the due jobs of servers until `resume`."""
        sql = "UPDATE jobs SET due_at = ?, attempts = 0 WHERE guild_id = ? AND due_at <= ?"
        rows = [(time_of(SUSPENDED_UNTIL), guild_id, time_of(now)) for guild_id in guild_ids]
        await self._database.execute_many(sql, rows)

    async def resume(self, guild_id: int, now: datetime) -> None:
        """Make the suspended jobs of a server due now."""
        # not `= SUSPENDED_UNTIL`: stored times move when the system clock is set back
        sql = "UPDATE jobs SET due_at = ? WHERE due_at > ? AND guild_id = ?"
        await self._database.execute(sql, time_of(now), time_of(SUSPENDED_AFTER), guild_id)
        self._wake_for(now)

    async def backlog(self, now: datetime) -> dict[JobKind, Backlog]:
        """The backlog by kind, without kinds that have none."""
        sql = f"""
            SELECT kind, count(*), min(due_at), sum(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) FROM jobs
            WHERE (due_at <= ? OR attempts > 0) AND {self._mine} GROUP BY kind
        """
        rows = await self._database.fetch(sql, time_of(now))
        return {JobKind(row[0]): Backlog(row[1], time_at(row[2]), int(row[3])) for row in rows}

    def _wake_for(self, due_at: datetime) -> None:
        # `None`: the worker is checking right now, and may have missed this job
        if self.asleep_until is None or due_at < self.asleep_until:
            self.wake.set()


def board_mark(version: int) -> str:
    """A unique mark for a new board of a match, valid as a part of a control's id."""
    # the version alone is not unique: *Unstick* in `/server games` posts the board of a version again
    return f"{version}-{secrets.randbelow(0x10000):04x}"


def board_job(match_id: int, mark: str, at: datetime, superseded: str | None = None) -> Job:
    """A job that posts a board, unless the move itself has posted it.

    The board may take the place of another one, `superseded`, which may have been posted.
    """
    return Job(JobKind.BOARD, at + POST_DELAY, match_id, state={"mark": mark, "superseded": superseded})


def version_of(mark: str) -> int:
    """The version of the match that a board with a mark shows."""
    return int(mark.partition("-")[0])


def reminder_job(match_id: int, user_id: int, version: int, since: datetime) -> Job:
    """The first reminder of a decision that has been open since a version of the match, and since a time."""
    state = {"version": version, "since": time_of(since), "reminded": None}
    return Job(JobKind.REMINDER, since + MIN_REMINDER_DELAY, match_id, user_id, state=state)


def _values(job: Job) -> tuple[Any, ...]:
    return (*job.key, time_of(job.due_at), job.attempts, json_of(dict(job.state)))


def _job(row: Row) -> Job:
    """The job of a row. Raises `ValueError` if it is damaged."""
    state = json_at(row["state"])
    if not isinstance(state, dict):
        raise ValueError(f"the state of a job is not an object, but a {type(state).__name__}")
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
