"""The worker: does what is due, by the jobs in the store.

It sleeps until the earliest job is due and does a few side by side: no job twice, and one at a time for each match and
each user. What fails is tried again after a pause that doubles. While the database is in trouble nothing is done, since
nothing could be noted.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol, TypeAlias

from bot.clock import Clock, backoff
from bot.errors import TROUBLE, reason
from bot.interactions.channels import is_temporary
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

SOON, SHORTEST = timedelta(seconds=0.5), timedelta(seconds=5)
"""Until another attempt once Discord works again, or lets the bot in; the least time between two attempts."""

CLOSED = 3600.0
"""The longest pause, in seconds, where Discord refuses for good; mostly a change of permissions ends it before."""

Run: TypeAlias = Callable[[Job], Awaitable[Job | None]]
"""Does a job. Returns what is due next instead, `None` if nothing is, or the job itself if it has to be tried again.

Raises `TROUBLE` if Discord does not take something: that is tried again, too.
"""


@dataclass(frozen=True, slots=True)
class Work:
    """How a kind of job is done, and what two jobs must not have in common to be done at once (`lane`)."""

    run: Run
    lane: Callable[[Job], Hashable]


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


@dataclass(slots=True)
class _Failure:
    """That the last attempt of a job failed at a time. `temporary`: other requests to Discord tell whether it would
    succeed now; then `early` is when it is tried, before its pause is over.
    """

    at: datetime
    guild_id: int
    temporary: bool
    early: datetime | None = None


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
        self._failures: dict[Key, _Failure] = {}
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
        """Permissions, channels or threads of a server have changed: what failed there is tried soon."""
        for failure in self._failures.values():
            if failure.guild_id == guild_id:
                failure.early = self._clock.now() + SOON
                self.wake()

    def discord_works(self) -> None:
        """A request has succeeded: what was not refused for a reason of its own is tried soon."""
        now = self._clock.now()
        for failure in self._failures.values():
            # only once for each failure: this is called for every request that succeeds
            if failure.temporary and failure.early is None:
                failure.early = max(now + SOON, failure.at + SHORTEST)
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
        await self._begin_due(now)
        # `due` does not find these: their stored time is the end of the pause
        for key, failure in list(self._failures.items()):
            is_early = failure.early and failure.early <= now and not self._absent.rests(failure.guild_id)
            if is_early and (found := await self._jobs.find(*key)):
                self._begin(found)
        ahead = [failure.early for failure in self._failures.values() if failure.early and failure.early > now]
        if next_due := await self._jobs.next_after(now):
            ahead.append(next_due)
        return min([NAP, *((at - now).total_seconds() for at in ahead)])

    async def _begin_due(self, now: datetime) -> None:
        resting = set()
        for job in await self._jobs.due(now):
            if self._absent.rests(job.guild_id):
                resting.add(job.guild_id)
            else:
                self._begin(job)
        await self._absent.set_aside(resting, now)

    # --- one job ---

    def _begin(self, job: Job) -> asyncio.Task[None] | None:
        if self._closed:
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
        """Do a job if it is still due, and note what becomes of it."""
        # read only now: during the wait for a slot it may have been done, moved or deleted
        async with self._slots[key[0]]:
            job = await self._find(key)
            if job is None:
                return
            try:
                after = await self._work[job.kind].run(job)
                if after == job:
                    await self._retry(job, None)
                    return
                self._failures.pop(key, None)
                # only if the job is still what was read: a change made while it ran wins
                await self._jobs.replace(job, after)
            except (DatabaseTrouble, *TROUBLE) as error:
                await self._retry(job, error)
            # a fault of one kind of job must not stop the others
            except Exception as error:
                _log.exception("%s of match %d failed", job.kind, job.match_id)
                await self._retry(job, error)

    async def _find(self, key: Key) -> Job | None:
        """A job as it is now, if it is due."""
        failure = self._failures.get(key)
        try:
            job, now = await self._jobs.find(*key), self._clock.now()
        except DatabaseTrouble:  # the log has a line about it
            self._look_soon()
            return None
        early = failure is not None and failure.early is not None and failure.early <= now
        if job is not None and not self._closed and (early or job.due_at <= now):
            return job
        if job is None:
            self._failures.pop(key, None)
        return None

    def _look_soon(self) -> None:
        """What could not be read or noted is still due."""
        self._clock.later(backoff(0), self.wake)

    async def _retry(self, job: Job, error: Exception | None) -> None:
        """Note that a job is tried again after a pause, unless it has changed meanwhile."""
        # all is done once more when the database is well; only what a damaged page concerns has to wait
        if isinstance(error, DatabaseTrouble) and error.kind is not TroubleKind.DAMAGED:
            self._look_soon()
            return
        temporary = error is None or is_temporary(error)
        now, pause = self._clock.now(), backoff(job.attempts, 0.0 if temporary else CLOSED)
        if error is not None:
            _log.warning("%s of match %d is tried again in %g s: %s", job.kind, job.match_id, pause, reason(error))
        self._failures.pop(job.key, None)  # it may have done its part, and written when it is due again
        try:
            if await self._jobs.replace(job, job.retried_at(now + timedelta(seconds=pause))):
                self._failures[job.key] = _Failure(now, job.guild_id, temporary)
        except DatabaseTrouble:  # the log has a line about it
            self._look_soon()
