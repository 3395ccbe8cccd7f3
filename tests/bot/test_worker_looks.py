"""Looks of the worker: when it looks, and what it tries before its time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio

from bot.clock import MIN_PAUSE
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import Job, JobKind
from bot.store.store import Store
from bot.worker import MAX_SLEEP, Work, Worker
from tests.crowd.database import in_memory
from tests.crowd.times import Time, Wheel

USER = 1000
NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@dataclass
class Office:
    """A worker with a clock that stands still between two calls of `wait`; `runs` are the times at which it worked."""

    store: Store
    clock: Wheel
    worker: Worker
    runs: list[datetime] = field(default_factory=list)
    does: Callable[[Job], Awaitable[Job | None]] | None = None

    async def run(self, job: Job) -> Job | None:
        self.runs.append(self.clock.now())
        return await self.does(job) if self.does else None

    async def wait(self, time: timedelta) -> None:
        """Let a time go by, with all that is done then."""
        end = self.clock.time.now + time
        while (at := self.clock.next) is not None and at <= end:
            self.clock.time.now = at
            self.clock.ring()
            await self.rest()
        self.clock.time.now = end
        await self.rest()

    async def rest(self) -> None:
        """Wait until the worker sleeps: nothing here takes more turns of the loop."""
        for _ in range(50):
            await asyncio.sleep(0)


@pytest_asyncio.fixture
async def office() -> AsyncIterator[Office]:
    async with in_memory() as database:
        store, clock = Store(database), Wheel(Time(NOON))
        place = Office(store, clock, Worker(store, clock))
        await place.worker.start({JobKind.REMINDER: Work(place.run, lambda job: job.key)}, _nothing)
        await place.rest()
        yield place
        await place.worker.close()


async def _nothing(_now: datetime) -> None:
    pass


def reminder(at: datetime) -> Job:
    return Job(JobKind.REMINDER, at, user_id=USER)


async def test_a_completed_early_retry_waits_for_its_next_due_time(office: Office) -> None:
    """The job failed before; with the first success of another request it succeeds, and writes when it is due again."""

    async def fail(_job: Job) -> Job | None:
        raise OSError("an outage")

    async def go_on(job: Job) -> Job | None:
        await office.store.jobs.put(reminder(office.clock.now() + HOUR))
        return job

    office.does = fail
    await office.store.jobs.put(reminder(NOON))
    await office.rest()
    office.does = go_on
    office.worker.retry_after_outage()
    await office.wait(10 * MINUTE)
    assert len(office.runs) == 2
    due = await office.store.jobs.find(*reminder(NOON).key)
    assert due is not None
    assert due.due_at == office.runs[-1] + HOUR


@pytest.mark.parametrize("damaged", ["state = 'x'", "state = '[]'", "kind = 'unknown'", "due_at = '2'"])
async def test_a_damaged_job_does_not_delay_other_jobs(office: Office, damaged: str) -> None:
    await office.store.jobs.put(Job(JobKind.REMINDER, NOON + MINUTE, user_id=USER + 1))
    async with office.store.transaction():
        await office.store.jobs._database.execute(f"UPDATE jobs SET {damaged}")
    await office.store.jobs.put(reminder(NOON + MINUTE))
    await office.wait(MINUTE)
    assert office.runs == [NOON + MINUTE]


@pytest.mark.parametrize("step", ["find", "postpone"])
async def test_a_brief_database_lock_delays_a_job_only_shortly(office: Office, step: str) -> None:
    jobs, works = office.store.jobs, getattr(office.store.jobs, step)

    async def locked(*_: object, **__: object) -> None:
        setattr(jobs, step, works)
        raise DatabaseUnavailable(FailureKind.LOCKED, "for a moment")

    async def fail_once(_job: Job) -> Job | None:
        office.does = None
        raise OSError("an outage")

    office.does = fail_once if step == "postpone" else None
    setattr(jobs, step, locked)
    await jobs.put(reminder(NOON))
    await office.rest()
    await office.wait(timedelta(seconds=MIN_PAUSE))
    assert await jobs.find(*reminder(NOON).key) is None


async def test_a_job_written_during_the_workers_check_runs_at_once(office: Office) -> None:
    """A job that is due now: too late for the last check, and too early for the next one."""
    jobs = office.store.jobs
    next_after = jobs.next_after

    async def written_meanwhile(now: datetime) -> datetime | None:
        result = await next_after(now)
        jobs.next_after = next_after
        await jobs.put(reminder(now))
        return result

    jobs.next_after = written_meanwhile
    look = timedelta(seconds=MAX_SLEEP)
    await office.wait(look)
    assert office.runs == [NOON + look]
