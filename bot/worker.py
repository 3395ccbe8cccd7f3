"""The worker: does what is due, by the jobs in the store.

It sleeps until the earliest job is due and does a few side by side: no job twice, and one at a time for each match and
each user. A job that fails is tried again after a growing pause (`bot.pauses`). While the database is unavailable,
nothing is done, since nothing could be noted.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol, TypeAlias

from bot.clock import Clock, backoff
from bot.errors import TROUBLE, reason
from bot.interactions.refusals import Verdict, verdict
from bot.pauses import Pause, Pauses
from bot.store.jobs import Job, JobKind, Key
from bot.store.store import Store
from bot.store.trouble import DatabaseTrouble, TroubleKind

_log = logging.getLogger(__name__)

NAP = 300.0
"""The longest pause between two looks, in seconds: a machine may be suspended, or its clock set."""

SIDE_BY_SIDE = 8
"""Jobs of a kind that are done at once."""

GRACE = 5.0
"""Seconds: for what is under way when the bot leaves, and for how long people wait for a board after a start."""

Run: TypeAlias = Callable[[Job], Awaitable[Job | None]]
"""Does a job. Returns what is due next instead, `None` if nothing is, or the job itself if it has to be tried again.

Raises `TROUBLE` if Discord does not take something: that is tried again, too.
"""


def key_of(job: Job) -> Hashable:
    """The job alone."""
    return job.key


@dataclass(frozen=True, slots=True)
class Work:
    """How a kind of job is done.

    Two jobs with the same `lane` never run at once. After a failure, all jobs with the same `subject` pause: by default
    this job alone, else all that a run does with it.
    """

    run: Run
    lane: Callable[[Job], Hashable]
    subject: Callable[[Job], Hashable] = key_of


class Absent(Protocol):
    """The servers whose jobs have to wait, because they are unavailable or the bot is not in them."""

    def rests(self, guild_id: int) -> bool:
        """Whether the jobs of a server wait."""

    async def set_aside(self, guild_ids: Collection[int], now: datetime) -> None:
        """Called with the servers of which jobs are due, and wait."""


class _NoneAbsent:
    def rests(self, guild_id: int) -> bool:
        return False

    async def set_aside(self, guild_ids: Collection[int], now: datetime) -> None:
        """None of them waits."""


class Worker:
    """Does the jobs of this process."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._jobs = store.jobs
        self._clock = clock
        self._work: Mapping[JobKind, Work] = {}
        self._before: Callable[[datetime], Awaitable[None]] | None = None
        self._absent: Absent = _NoneAbsent()
        self._slots: defaultdict[JobKind, asyncio.Semaphore] = defaultdict(partial(asyncio.Semaphore, SIDE_BY_SIDE))
        self._lanes: dict[Hashable, asyncio.Task[None]] = {}
        # lanes with a job that waits for another one
        self._blocked: set[Hashable] = set()
        # by match, from the start until they were tried once
        self._boards: dict[int, asyncio.Task[None]] = {}
        self._pauses = Pauses()
        self._looking: asyncio.Task[None] | None = None
        self._closed = False

    async def start(
        self,
        work: Mapping[JobKind, Work],
        before: Callable[[datetime], Awaitable[None]],
        absent: Absent | None = None,
    ) -> None:
        """Begin, with the boards that wait. `before` is called with the time before anything due is done; the jobs of
        servers that are `absent` wait, except for one attempt at their boards.
        """
        self._work, self._before, self._absent = work, before, absent or self._absent
        with suppress(DatabaseTrouble):  # the log has a line about it
            await self._jobs.begin_anew(self._clock.now())
            for job in await self._jobs.due(self._clock.now()):
                if job.kind is JobKind.BOARD and (task := self._begin(job)):
                    self._boards[job.match_id] = task
        self._looking = asyncio.create_task(self._look_again_and_again())

    async def board_tried(self, match_id: int) -> None:
        """Wait, for a while, until the board that the last process left waiting is out: before the match goes on."""
        if task := self._boards.get(match_id):
            await asyncio.wait({task}, timeout=GRACE)

    def rests(self, guild_id: int) -> bool:
        """Whether the jobs of a server wait, because it is not there."""
        return self._absent.rests(guild_id)

    def wake(self) -> None:
        """Look now."""
        self._jobs.wake.set()

    def retry_in_server(self, guild_id: int) -> None:
        """Permissions, channels or threads of a server have changed: jobs that failed there are tried soon."""
        if self._pauses.server_changed(guild_id, self._clock.now()):
            self.wake()

    def retry_for_user(self, job: Job) -> None:
        """A user has made a job due: it is tried soon, even if it pauses."""
        if self._pauses.user_waits(self._subject(job), self._clock.now()):
            self.wake()

    def discord_works(self) -> None:
        """A request has succeeded: jobs that failed in an outage are tried soon."""
        if self._pauses.discord_works(self._clock.now()):
            self.wake()

    async def close(self, *, grace: float = GRACE) -> None:
        """Begin nothing any more, and finish what is under way, if that takes no longer than a while."""
        self._closed = True
        if self._looking is not None:
            self._looking.cancel()
        tasks = list(self._lanes.values())
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        # what is canceled here is still in the table, and is done after the next start
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # --- looking ---

    async def _look_again_and_again(self) -> None:
        failed = 0
        while not self._closed:
            # before the look, not after it: a job written meanwhile must cause another look
            self._jobs.wake.clear()
            # what is written from now on may be too late for this look
            self._jobs.asleep_until = None
            try:
                nap = await self.look()
                failed = 0
            except DatabaseTrouble:  # the log has a line about it
                nap, failed = backoff(failed), failed + 1
            # a fault of ours must not end the worker, or nothing due would ever be done again
            except Exception:
                _log.exception("the worker could not look what is due")
                nap, failed = backoff(failed), failed + 1
            await self._sleep(nap, soundly=failed > 0)

    async def _sleep(self, seconds: float, *, soundly: bool) -> None:
        """Until the time is over or, unless `soundly`, a job is due before."""
        # after a failure, new jobs must not cut the pause short, or every move would try the broken database again
        over = asyncio.Event() if soundly else self._jobs.wake
        self._jobs.asleep_until = self._clock.now() + timedelta(seconds=seconds)
        timer = self._clock.later(seconds, over.set)
        try:
            await over.wait()
        finally:
            timer.cancel()

    async def look(self) -> float:
        """Begin what is due, and say in how many seconds to look again. Raises `DatabaseTrouble`."""
        await self._store.require_well()
        now = self._clock.now()
        if self._before is not None:
            await self._before(now)
        due = await self._jobs.due(now)
        self._pauses.forget_ended({self._subject(job) for job in due}, now)
        await self._begin_present(due, now)
        await self._begin_early(now)
        ahead = [self._pauses.next_end(now), await self._jobs.next_after(now)]
        return min([NAP, *((at - now).total_seconds() for at in ahead if at is not None)])

    async def _begin_early(self, now: datetime) -> None:
        """Begin the jobs whose pause has ended early; their stored time is its regular end."""
        early = self._pauses.early(now)
        jobs = await self._jobs.find_all(early) if early else []
        for key in early.keys() - {job.key for job in jobs}:
            self._pauses.clear(early[key])
        for job in jobs:
            if not self._absent.rests(job.guild_id):
                self._begin(job)

    async def _begin_present(self, due: Sequence[Job], now: datetime) -> None:
        """Begin jobs, except for those of absent servers."""
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
        if self._pauses.holds(self._subject(job), self._clock.now()):
            return None
        lane = self._work[job.kind].lane(job)
        # not queued: once the lane is free, the next look finds what is due then
        if lane in self._lanes:
            self._blocked.add(lane)
            return None
        task = self._lanes[lane] = asyncio.create_task(self._do(job.key))
        task.add_done_callback(partial(self._ended, lane, job))
        return task

    def _ended(self, lane: Hashable, job: Job, task: asyncio.Task[None]) -> None:
        del self._lanes[lane]
        if self._boards.get(job.match_id) is task:
            del self._boards[job.match_id]
        # a fault of the worker itself
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("a job failed: %s", job.kind, exc_info=error)
        if lane in self._blocked:
            self._blocked.remove(lane)
            self.wake()

    async def _do(self, key: Key) -> None:
        """Do a job if it is still due, and note the result."""
        # read only now: during the wait for a slot it may have been done, moved or deleted
        async with self._slots[key[0]]:
            job = await self._find(key)
            if job is None:
                return
            try:
                after = await self._work[job.kind].run(job)
                await (self._finish_unchanged(job) if after == job else self._finish(job, after))
            except (DatabaseTrouble, *TROUBLE) as error:
                await self._pause(job, error)
            # a fault of one kind of job must not stop the others
            except Exception as error:
                _log.exception("%s of match %d failed", job.kind, job.match_id)
                await self._pause(job, error)

    async def _find(self, key: Key) -> Job | None:
        """A job as it is now, if it may be done."""
        try:
            job, now = await self._jobs.find(*key), self._clock.now()
        except DatabaseTrouble:  # the log has a line about it
            self._clock.later(backoff(0), self.wake)
            return None
        if job is None or self._closed:
            return None
        is_due = job.due_at <= now or self._pauses.may_be_early(self._subject(job), job.due_at, now)
        return job if is_due else None

    def _subject(self, job: Job) -> Hashable:
        return self._work[job.kind].subject(job)

    async def _finish(self, job: Job, after: Job | None) -> None:
        """Note when a job is due again, or that it is done; a change made while it ran wins."""
        await self._jobs.replace(job, after)
        self._pauses.clear(self._subject(job))

    async def _finish_unchanged(self, job: Job) -> None:
        """The job has to be tried again, unless its kind has written another time for it."""
        current = await self._jobs.find(*job.key)
        if current is not None and (current.due_at, current.state) == (job.due_at, job.state):
            await self._pause(job, None)
        else:
            self._pauses.clear(self._subject(job))

    async def _pause(self, job: Job, error: Exception | None) -> None:
        """Let a job be tried again after a pause, whatever has been written to it while it ran."""
        advice, now = verdict(error) if error else Verdict.SOON, self._clock.now()
        pause = self._pauses.begin(self._subject(job), job.key, job.guild_id, advice, attempts=job.attempts, now=now)
        seconds = (pause.until - now).total_seconds()
        if error is not None:
            _log.warning("%s of match %d is tried again in %g s: %s", job.kind, job.match_id, seconds, reason(error))
        # while nothing can be written, the pause is known to this process only
        self._clock.later(seconds, self.wake)
        if isinstance(error, DatabaseTrouble) and error.kind is not TroubleKind.DAMAGED:
            return
        with suppress(DatabaseTrouble):  # the log has a line about it
            await self._note_pause(job, pause)

    async def _note_pause(self, job: Job, pause: Pause) -> None:
        """Store the attempts of a job and the end of its pause, unless it is about something else by now."""
        async with self._store.transaction():
            current = await self._jobs.find(*job.key)
            if current is not None and self._subject(current) == self._subject(job):
                await self._jobs.postpone(current, pause.until, attempts=pause.attempts)
