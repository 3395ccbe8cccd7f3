"""The worker: runs the jobs in the store when they are due.

It sleeps until the earliest job is due, and runs a few jobs concurrently: no job twice, and one at a time for each
match and each user. A failed job is retried after a growing pause (`bot.pauses`). While the database is unavailable, no
job runs, since its result could not be stored.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol, TypeAlias

from bot.clock import Clock, backoff
from bot.errors import DISCORD_ERRORS, GameFault, reason
from bot.interactions.refusals import Verdict, verdict
from bot.pauses import Pause, Pauses
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import Job, JobKind, Key
from bot.store.store import Store
from engine.values import Value

_log = logging.getLogger(__name__)

MAX_SLEEP = 300.0
"""The longest sleep between two checks, in seconds: a machine may be suspended, or its clock set."""

MAX_CONCURRENT = 8
"""Jobs of a kind that run at the same time."""

GRACE = 5.0
"""Seconds for running jobs at a shutdown, and for pending boards after a start."""

Run: TypeAlias = Callable[[Job], Awaitable[Job | None]]
"""Runs a job. Returns its successor, `None` if it is done, or the unchanged job to retry it.

Raises `DISCORD_ERRORS` if Discord refuses a request: the job is retried then, too.
"""


def key_of(job: Job) -> Hashable:
    """The key of a job, as a subject of its own."""
    return job.key


class Work(Value):
    """A kind of job: the function that runs it, and its rules.

    Two jobs with the same `lane` never run at the same time. After a failure, all jobs with the same `subject` pause:
    by default this job alone.
    """

    run: Run
    lane: Callable[[Job], Hashable]
    subject: Callable[[Job], Hashable] = key_of


class Absent(Protocol):
    """The servers whose jobs must wait, because they are unavailable or without the bot."""

    def rests(self, guild_id: int) -> bool:
        """Whether the jobs of a server wait."""

    async def set_aside(self, guild_ids: Collection[int], now: datetime) -> None:
        """Called with the servers that have due jobs, which must wait."""


class _NoneAbsent:
    def rests(self, guild_id: int) -> bool:
        return False

    async def set_aside(self, guild_ids: Collection[int], now: datetime) -> None:
        """Never called with a server."""


class Worker:
    """Runs the jobs of this process."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._jobs = store.jobs
        self._clock = clock
        self._work: Mapping[JobKind, Work] = {}
        self._before: Callable[[datetime], Awaitable[None]] | None = None
        self._absent: Absent = _NoneAbsent()
        self._slots: defaultdict[JobKind, asyncio.Semaphore] = defaultdict(partial(asyncio.Semaphore, MAX_CONCURRENT))
        self._lanes: dict[Hashable, asyncio.Task[None]] = {}
        # lanes with a job that waits for another one
        self._blocked: set[Hashable] = set()
        # by match, from the start until their first attempt
        self._boards: dict[int, asyncio.Task[None]] = {}
        self._pauses = Pauses()
        self._checking: asyncio.Task[None] | None = None
        self._closed = False

    async def start(
        self,
        work: Mapping[JobKind, Work],
        before: Callable[[datetime], Awaitable[None]],
        absent: Absent | None = None,
    ) -> None:
        """Start, with the pending boards first. `before` is called with the time before each check for due jobs. Jobs
        of `absent` servers wait, except for one attempt at their boards.
        """
        self._work, self._before, self._absent = work, before, absent or self._absent
        with suppress(DatabaseUnavailable):  # the log has a line about it
            await self._jobs.make_due_at_start(self._clock.now())
            for job in await self._jobs.due(self._clock.now()):
                if job.kind is JobKind.BOARD and (task := self._begin(job)):
                    self._boards[job.match_id] = task
        self._checking = asyncio.create_task(self._check_until_closed())

    async def wait_for_board(self, match_id: int) -> None:
        """Wait up to `GRACE` for the first attempt at a board that the previous process left pending."""
        if task := self._boards.get(match_id):
            await asyncio.wait({task}, timeout=GRACE)

    def rests(self, guild_id: int) -> bool:
        """Whether the jobs of a server wait, because it is absent."""
        return self._absent.rests(guild_id)

    def wake(self) -> None:
        """Check for due jobs now."""
        self._jobs.wake.set()

    def retry_in_server(self, guild_id: int) -> None:
        """Retry soon the failed jobs of a server whose permissions, channels or threads have changed."""
        if self._pauses.end_in_server(guild_id, self._clock.now()):
            self.wake()

    def retry_for_user(self, job: Job) -> None:
        """Retry soon a job that a user has made due, even if it pauses."""
        if self._pauses.end_for_user(self._subject(job), self._clock.now()):
            self.wake()

    def retry_after_outage(self) -> None:
        """Retry soon the jobs that failed in an outage, since a request has succeeded."""
        if self._pauses.end_after_outage(self._clock.now()):
            self.wake()

    async def close(self, *, grace: float = GRACE) -> None:
        """Start no more jobs, and let running ones finish within `grace` seconds."""
        self._closed = True
        if self._checking is not None:
            self._checking.cancel()
        tasks = list(self._lanes.values())
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        # canceled jobs are still in the store, and run after the next start
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- checks ---

    async def _check_until_closed(self) -> None:
        failed = 0
        while not self._closed:
            # before the check, not after it: a job written meanwhile must cause another check
            self._jobs.wake.clear()
            # jobs written from now on may be too late for this check
            self._jobs.asleep_until = None
            try:
                seconds = await self.start_due_jobs()
                failed = 0
            except DatabaseUnavailable:  # the log has a line about it
                seconds, failed = backoff(failed), failed + 1
            # a bug must not end the worker, or no more jobs would run
            except Exception:
                seconds = backoff(failed)
                _log.exception("the check for due jobs failed; the next one is in %g s", seconds)
                failed += 1
            await self._sleep(seconds, soundly=failed > 0)

    async def _sleep(self, seconds: float, *, soundly: bool) -> None:
        """Sleep until the time is over or, unless `soundly`, an earlier job is due."""
        # after a failure, new jobs must not shorten the pause, or each move would try the broken database again
        over = asyncio.Event() if soundly else self._jobs.wake
        self._jobs.asleep_until = self._clock.now() + timedelta(seconds=seconds)
        timer = self._clock.later(seconds, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()

    async def start_due_jobs(self) -> float:
        """Start all due jobs. Returns the seconds until the next check. Raises `DatabaseUnavailable`."""
        await self._store.require_available()
        now = self._clock.now()
        if self._before is not None:
            await self._before(now)
        due = await self._jobs.due(now)
        self._pauses.forget_ended({self._subject(job) for job in due}, now)
        await self._begin_present(due, now)
        await self._begin_early(now)
        ahead = [self._pauses.next_end(now), await self._jobs.next_after(now)]
        return min([MAX_SLEEP, *((at - now).total_seconds() for at in ahead if at is not None)])

    async def _begin_early(self, now: datetime) -> None:
        """Start the jobs whose pause has ended early; their stored time is its regular end."""
        early = self._pauses.early(now)
        jobs = await self._jobs.find_all(early) if early else []
        for key in early.keys() - {job.key for job in jobs}:
            self._pauses.clear(early[key])
        for job in jobs:
            if not self._absent.rests(job.guild_id):
                self._begin(job)

    async def _begin_present(self, due: Sequence[Job], now: datetime) -> None:
        """Start due jobs, except for those of absent servers."""
        resting = set()
        for job in due:
            if self._absent.rests(job.guild_id):
                resting.add(job.guild_id)
            else:
                self._begin(job)
        await self._absent.set_aside(resting, now)

    # --- one job ---

    def _begin(self, job: Job) -> asyncio.Task[None] | None:
        if self._closed:
            return None
        if self._pauses.is_paused(self._subject(job), self._clock.now()):
            return None
        lane = self._work[job.kind].lane(job)
        # not queued: once the lane is free, the next check finds the job if it is still due
        if lane in self._lanes:
            self._blocked.add(lane)
            return None
        task = self._lanes[lane] = asyncio.create_task(self._do(job.key))
        task.add_done_callback(partial(self._free_lane, lane, job))
        return task

    def _free_lane(self, lane: Hashable, job: Job, task: asyncio.Task[None]) -> None:
        del self._lanes[lane]
        if self._boards.get(job.match_id) is task:
            del self._boards[job.match_id]
        # a bug of the worker itself
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("the worker failed to run a job of the kind %s", job.kind, exc_info=error)
        if lane in self._blocked:
            self._blocked.remove(lane)
            self.wake()

    async def _do(self, key: Key) -> None:
        """Run a job if it is still due, and store the result."""
        # read only now: during the wait for a slot the job may have changed or ended
        async with self._slots[key[0]]:
            job = await self._find(key)
            if job is None:
                return
            try:
                after = await self._work[job.kind].run(job)
                await (self._finish_unchanged(job) if after == job else self._finish(job, after))
            except (DatabaseUnavailable, GameFault, *DISCORD_ERRORS) as error:
                await self._pause(job, error)
            # a bug in one kind of job must not stop the others
            except Exception as error:
                _log.exception("%s of match %d failed", job.kind, job.match_id)
                await self._pause(job, error)

    async def _find(self, key: Key) -> Job | None:
        """The current state of a job; `None` if it is not due, or gone."""
        try:
            job, now = await self._jobs.find(*key), self._clock.now()
        except DatabaseUnavailable:  # the log has a line about it
            self._clock.later(backoff(0), self.wake)
            return None
        if job is None or self._closed:
            return None
        is_due = job.due_at <= now or self._pauses.may_be_early(self._subject(job), job.due_at, now)
        return job if is_due else None

    def _subject(self, job: Job) -> Hashable:
        return self._work[job.kind].subject(job)

    async def _finish(self, job: Job, after: Job | None) -> None:
        """Replace a job by its successor, or delete it; a change made while it ran wins."""
        await self._jobs.replace(job, after)
        self._pauses.clear(self._subject(job))

    async def _finish_unchanged(self, job: Job) -> None:
        """Retry a job after a pause, unless its run has stored another time for it."""
        current = await self._jobs.find(*job.key)
        if current is not None and (current.due_at, current.state) == (job.due_at, job.state):
            await self._pause(job, None)
        else:
            self._pauses.clear(self._subject(job))

    async def _pause(self, job: Job, error: Exception | None) -> None:
        """Retry a job after a pause, even if it was changed while it ran."""
        advice, now = verdict(error) if error else Verdict.SOON, self._clock.now()
        pause = self._pauses.begin(self._subject(job), job.key, job.guild_id, advice, attempts=job.attempts, now=now)
        seconds = (pause.until - now).total_seconds()
        if error is not None:
            # the log has a line about the fault already
            level = logging.DEBUG if isinstance(error, GameFault) else logging.WARNING
            _log.log(level, "%s of match %d is tried again in %g s: %s", job.kind, job.match_id, seconds, reason(error))
        # in memory first: the database may be unavailable
        self._clock.later(seconds, self.wake)
        if isinstance(error, DatabaseUnavailable) and error.kind is not FailureKind.DAMAGED:
            return
        with suppress(DatabaseUnavailable):  # the log has a line about it
            await self._store_pause(job, pause)

    async def _store_pause(self, job: Job, pause: Pause) -> None:
        """Store the attempts of a job and the end of its pause, unless its subject has changed meanwhile."""
        async with self._store.transaction():
            current = await self._jobs.find(*job.key)
            if current is not None and self._subject(current) == self._subject(job):
                await self._jobs.postpone(current, pause.until, attempts=pause.attempts)
