"""The worker: due jobs run once, failures wait for longer and longer, and no job blocks another."""

from __future__ import annotations

import asyncio
import dataclasses
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from bot import worker
from bot.clock import MIN_PAUSE, Clock
from bot.errors import GameFault
from bot.jobs.kinds import SUBJECTS
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import Job, JobKind, Key
from bot.store.store import Store
from bot.worker import Absent, Work, Worker, key_of
from engine.texts import Text
from tests.bot.refusing import refusal
from tests.crowd.database import in_memory

START = Clock().now()
SECOND, HOUR = timedelta(seconds=1), timedelta(hours=1)


class Workshop(Clock):
    """A worker for jobs of the kinds `DIGEST` (by user) and `STORY` (beside everything else), on a clock to push.

    What is to be done when one runs is said in `acts`, by key; without that it is done at once.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.time = START
        self.acts: dict[Key, Callable[[Job], Awaitable[Job | None]]] = {}
        self.runs: list[tuple[Key, datetime]] = []
        self.most: defaultdict[JobKind, int] = defaultdict(int)
        self._under_way: defaultdict[JobKind, int] = defaultdict(int)
        self.looks: list[datetime] = []
        self.worker = self.new_worker()

    def new_worker(self) -> Worker:
        return Worker(self.store, self)

    def now(self) -> datetime:
        return self.time

    def later(self, seconds: float, do: Callable[[], None]) -> Any:
        """Return a timer that never goes off: the tests push."""
        return SimpleNamespace(cancel=lambda: None)

    async def start(self, *, by_itself: bool = False, absent: Absent | None = None) -> None:
        """Begin; unless it looks `by_itself`, it does so only when it is pushed."""
        lanes = {
            JobKind.DIGEST: lambda job: job.user_id,
            JobKind.STORY: lambda job: job.key,
            JobKind.BOARD: lambda job: job.key,
            JobKind.REMINDER: lambda job: job.user_id,
        }
        subjects = {kind: SUBJECTS.get(kind, key_of) for kind in lanes}
        work = {kind: Work(self._run, lane, subjects[kind]) for kind, lane in lanes.items()}
        await self.worker.start(work, self._before, absent)
        if not by_itself:
            assert self.worker._checking is not None
            self.worker._checking.cancel()
            await self.push(0)

    async def push(self, seconds: float) -> None:
        """Let time pass, and all be done that is due by then."""
        self.time += seconds * SECOND
        await self.worker.start_due_jobs()
        while self.worker._lanes:
            await asyncio.wait(list(self.worker._lanes.values()))

    async def _before(self, now: datetime) -> None:
        self.looks.append(now)

    async def _run(self, job: Job) -> Job | None:
        self.runs.append((job.key, self.time))
        self._under_way[job.kind] += 1
        self.most[job.kind] = max(self.most[job.kind], self._under_way[job.kind])
        try:
            return await self.acts[job.key](job) if job.key in self.acts else None
        finally:
            self._under_way[job.kind] -= 1

    async def put(self, *jobs: Job) -> None:
        await self.store.jobs.put(*jobs)

    async def left(self) -> list[Job]:
        return await self.store.jobs.due(START + 10000 * HOUR)

    def fail(self, job: Job, *errors: Exception) -> None:
        """Let the next attempts at a job fail."""
        remaining = list(errors)

        async def act(_: Job) -> None:
            if remaining:
                raise remaining.pop(0)

        self.acts[job.key] = act

    def ran(self, job: Job) -> list[float]:
        """Times at which a job was tried, in seconds."""
        return [(at - START).total_seconds() for key, at in self.runs if key == job.key]


@pytest.fixture
async def shop() -> AsyncIterator[Workshop]:
    async with in_memory() as database:
        shop = Workshop(Store(database))
        await shop.start()
        yield shop
        await shop.worker.close()


def digest(user_id: int, seconds: float = 0.0) -> Job:
    return Job(JobKind.DIGEST, START + seconds * SECOND, user_id=user_id)


def story(match_id: int) -> Job:
    return Job(JobKind.STORY, START, match_id)


async def test_a_job_runs_once_when_it_is_due(shop: Workshop) -> None:
    await shop.put(digest(7, 60))
    assert 60 == await shop.worker.start_due_jobs()
    await shop.push(59)
    assert [] == shop.ran(digest(7))
    await shop.push(1)
    await shop.push(600)
    assert ([60], []) == (shop.ran(digest(7)), await shop.left())


async def test_the_worker_never_sleeps_longer_than_its_maximum(shop: Workshop) -> None:
    await shop.put(digest(7, 9999))
    assert worker.MAX_SLEEP == await shop.worker.start_due_jobs()


async def test_a_job_may_set_its_next_due_time(shop: Workshop) -> None:
    async def again(job: Job) -> Job:
        return job.at(shop.time + HOUR, number=job.state.get("number", 0) + 1)

    shop.acts[digest(7).key] = again
    await shop.put(digest(7))
    await shop.push(0)
    (job,) = await shop.left()
    assert (START + HOUR, {"number": 1}) == (job.due_at, job.state)
    await shop.push(3600)
    assert [0, 3600] == shop.ran(digest(7))


async def test_a_change_made_during_a_job_is_not_overwritten(shop: Workshop) -> None:
    async def hurried(job: Job) -> None:
        await shop.put(job.at(shop.time + HOUR, changed=True))

    shop.acts[digest(7).key] = hurried
    await shop.put(digest(7))
    await shop.push(0)
    assert [{"changed": True}] == [job.state for job in await shop.left()]


async def test_a_failed_job_is_retried_after_pauses_that_grow_to_minutes(shop: Workshop) -> None:
    shop.fail(digest(7), *[refusal(503)] * 6)
    await shop.put(digest(7))
    for _ in range(2000):
        await shop.push(1)
    ran = shop.ran(digest(7))
    assert [5, 20, 80, 320, 320] == [round(b - a) for a, b in pairwise(ran)][:5]
    assert [] == await shop.left()


async def test_retry_pauses_for_an_inaccessible_channel_grow_to_an_hour(shop: Workshop) -> None:
    shop.fail(digest(7), *[refusal(403, 50013)] * 12)
    await shop.put(digest(7))
    for _ in range(12):
        (job,) = await shop.left()
        await shop.push((job.due_at - shop.time).total_seconds())
    (job,) = await shop.left()
    assert (12, HOUR) == (job.attempts, job.due_at - shop.time)


async def test_unfinished_and_faulty_jobs_are_retried_too(shop: Workshop, caplog) -> None:
    async def not_yet(job: Job) -> Job:
        return job

    shop.acts[digest(7).key] = not_yet
    shop.fail(digest(8), ZeroDivisionError("a fault"))
    await shop.put(digest(7), digest(8))
    await shop.push(0)
    assert [1, 1] == [job.attempts for job in await shop.left()]
    shop.fail(digest(9), GameFault(Text("A fault.")))
    await shop.put(digest(9))
    await shop.push(0)
    retried = "digest of match 0 is tried again in 5 s: ZeroDivisionError"
    assert ["digest of match 0 failed", retried] == caplog.messages, "nothing about the unfinished and the faulty one"
    shop.acts.clear()
    await shop.push(5)
    assert [] == await shop.left()


@pytest.mark.parametrize(
    ("error", "tried"), [(refusal(503), True), (TimeoutError(), True), (refusal(403, 50013), False)]
)
async def test_a_successful_request_retries_other_jobs_unless_they_were_permanently_refused(
    shop: Workshop, error: Exception, tried: bool
) -> None:
    shop.fail(digest(7), *[error] * 4)
    await shop.put(dataclasses.replace(digest(7), attempts=2))
    await shop.push(0)
    await shop.push(6)
    assert [0] == shop.ran(digest(7)), "the pause is longer"
    shop.worker.retry_after_outage()
    await shop.push(0.5)
    assert ([0, 6.5] if tried else [0]) == shop.ran(digest(7))


async def test_the_success_of_other_requests_does_not_skip_the_pause(shop: Workshop) -> None:
    shop.fail(digest(7), *[refusal(503)] * 99)
    await shop.put(digest(7))
    for _ in range(100):
        await shop.push(0.1)
        shop.worker.retry_after_outage()
    ran = shop.ran(digest(7))
    assert all(5 <= b - a <= 5.3 for a, b in pairwise(ran))
    assert 2 == len(ran)


@pytest.mark.parametrize(
    "retry",
    [
        Worker.retry_after_outage,
        lambda worker: worker.retry_in_server(0),
        lambda worker: worker.retry_for_user(digest(7)),
    ],
)
async def test_the_end_of_a_pause_before_its_time_wakes_the_worker(
    shop: Workshop, retry: Callable[[Worker], None]
) -> None:
    shop.fail(digest(7), refusal(503))
    await shop.put(digest(7))
    await shop.push(0)
    shop.store.jobs.wake.clear()
    retry(shop.worker)
    assert shop.store.jobs.wake.is_set()


async def test_after_a_success_the_next_failure_is_the_first_again(shop: Workshop) -> None:
    """Whether its successor is due at once because the job returns it or because the job has put it."""
    outcomes: list[str]

    async def act(job: Job) -> Job:
        if (outcome := outcomes.pop(0)) == "fails":
            raise refusal(503)
        successor = job.at(job.due_at, number=job.state.get("number", 0) + 1)
        if outcome == "puts":
            await shop.put(successor)
        return job if outcome == "puts" else successor

    for user_id, success in ((7, "returns"), (8, "puts")):
        outcomes, shop.acts[digest(user_id).key] = ["fails", "fails", success, "fails", success], act
        await shop.put(dataclasses.replace(digest(user_id), due_at=shop.time))
        for seconds in (0, 5, 20, 0, 4, 1):
            await shop.push(seconds)
        began, *times = shop.ran(digest(user_id))
        assert [5, 25, 25, 30] == [at - began for at in times]
        await shop.store.jobs.drop(*digest(user_id).key)


@pytest.mark.parametrize(("seconds", "state"), [(0, {"number": 1}), (60, {})])
async def test_an_unchanged_job_does_not_pause_if_its_run_has_stored_another_state_or_time(
    shop: Workshop, seconds: float, state: dict[str, int]
) -> None:
    async def rewrite(job: Job) -> Job:
        await shop.put(job.at(job.due_at + seconds * SECOND, **state))
        return job

    shop.acts[digest(7).key] = rewrite
    await shop.put(digest(7))
    await shop.push(0)
    assert [(seconds * SECOND, state, 0)] == [
        (job.due_at - START, job.state, job.attempts) for job in await shop.left()
    ]
    shop.acts.clear()
    await shop.push(seconds)
    assert ([0, seconds], []) == (shop.ran(digest(7)), await shop.left())


async def test_a_job_dropped_during_its_failed_attempt_stays_dropped(
    shop: Workshop, caplog: pytest.LogCaptureFixture
) -> None:
    async def drop(job: Job) -> None:
        await shop.store.jobs.drop(*job.key)
        raise OSError("an outage")

    shop.acts[digest(7).key] = drop
    await shop.put(digest(7))
    for _ in range(60):
        await shop.push(1)
    assert ([1], []) == (shop.ran(digest(7)), await shop.left())
    assert ["digest of match 0 is tried again in 5 s: OSError"] == caplog.messages


async def test_a_job_cannot_shorten_its_pause_by_rewriting_itself(shop: Workshop) -> None:
    async def rewrite(job: Job) -> None:
        await shop.put(job.at(shop.time, number=len(shop.runs)))
        raise OSError("an outage")

    shop.acts[digest(7).key] = rewrite
    await shop.put(digest(7))
    for _ in range(200):
        await shop.push(1)
    assert [1, 6, 26, 106] == [round(at) for at in shop.ran(digest(7))]
    (job,) = await shop.left()
    assert (4, {"number": 4}) == (job.attempts, job.state)


async def test_a_rewritten_job_waits_for_the_end_of_its_pause(shop: Workshop) -> None:
    shop.acts[digest(7).key] = refuse
    for _ in range(200):
        await shop.put(digest(7).at(shop.time))
        await shop.push(1)
    assert [1, 6, 26, 106] == [round(at) for at in shop.ran(digest(7))]


async def test_all_jobs_about_one_subject_pause_together(shop: Workshop) -> None:
    jobs = [Job(JobKind.REMINDER, START, match_id, user_id=7) for match_id in range(1, 20)]
    shop.acts |= {job.key: refuse for job in jobs}
    await shop.put(*jobs, Job(JobKind.REMINDER, START, 1, user_id=8))
    for _ in range(60):
        await shop.push(1)
    assert 1 + 3 == len(shop.runs)


async def test_the_board_of_a_new_move_does_not_wait_for_the_pause_of_the_previous_one(shop: Workshop) -> None:
    board = Job(JobKind.BOARD, START, 3, state={"mark": "1-a"})
    shop.acts[board.key] = refuse
    await shop.put(dataclasses.replace(board, attempts=5))
    await shop.push(0)
    del shop.acts[board.key]
    await shop.put(Job(JobKind.BOARD, START + 10 * SECOND, 3, state={"mark": "2-b"}))
    await shop.push(10)
    assert ([0, 10], []) == (shop.ran(board), await shop.left())


async def test_the_board_of_a_move_made_during_a_failed_attempt_does_not_wait(shop: Workshop) -> None:
    board = Job(JobKind.BOARD, START, 3, state={"mark": "1-a"})
    newer = Job(JobKind.BOARD, START, 3, state={"mark": "2-b"})

    async def overtaken(_: Job) -> None:
        await shop.put(newer)
        raise refusal(503)

    shop.acts[board.key] = overtaken
    await shop.put(board)
    await shop.push(0)
    assert [newer] == await shop.left()
    shop.acts.clear()
    await shop.push(0)
    assert [] == await shop.left()


async def refuse(_: Job) -> None:
    raise refusal(503)


async def test_the_number_of_attempts_survives_a_restart(shop: Workshop) -> None:
    shop.fail(digest(7), *[refusal(503)] * 9)
    await shop.put(digest(7))
    await shop.push(0)
    await shop.push(5)
    await shop.worker.close()
    shop.worker = shop.new_worker()
    await shop.start()
    (job,) = await shop.left()
    assert (3, 80) == (job.attempts, (job.due_at - shop.time).total_seconds())


async def test_pauses_of_dropped_jobs_are_removed(shop: Workshop) -> None:
    jobs = [story(n) for n in range(1, 300)]
    shop.acts |= {job.key: refuse for job in jobs}
    await shop.put(*jobs)
    for _ in range(60):
        await shop.push(0)
    assert len(jobs) == len(shop.worker._pauses)
    for job in jobs:
        await shop.store.jobs.drop(*job.key)
    shop.worker.retry_after_outage()
    await shop.push(10)
    assert not len(shop.worker._pauses)


async def test_a_failed_early_attempt_is_followed_by_a_full_pause(shop: Workshop) -> None:
    shop.fail(digest(7), *[refusal(503)] * 99)
    await shop.put(dataclasses.replace(digest(7), attempts=9))
    for _ in range(3700):
        await shop.push(1)
        shop.worker.retry_after_outage()
    assert 11 <= len(shop.ran(digest(7))) <= 15


@pytest.mark.parametrize(("guild_id", "tried"), [(0, True), (5, False)])
async def test_a_change_in_a_server_retries_its_failed_jobs_soon_and_once(
    shop: Workshop, guild_id: int, tried: bool
) -> None:
    shop.fail(digest(7), *[refusal(403, 50013)] * 9)
    await shop.put(dataclasses.replace(digest(7), attempts=2))
    await shop.push(0)
    for _ in range(10):
        shop.worker.retry_in_server(guild_id)
    await shop.push(0.4)
    assert [0] == shop.ran(digest(7))
    for _ in range(10):
        await shop.push(0.1)
    assert (2 if tried else 1) == len(shop.ran(digest(7)))


async def test_a_user_who_makes_a_job_due_skips_its_pause_but_cannot_force_endless_retries(
    shop: Workshop,
) -> None:
    shop.fail(digest(7), *[refusal(403, 50013)] * 99)
    await shop.put(dataclasses.replace(digest(7), attempts=9))
    await shop.push(0)
    shop.worker.retry_for_user(digest(8))
    await shop.push(10)
    assert [0] == shop.ran(digest(7))
    for _ in range(600):
        shop.worker.retry_for_user(digest(7))
        await shop.push(1)
    (_, first, *others) = shop.ran(digest(7))
    assert first - 10 <= 2
    assert [150, 150, 150] == [round(later - earlier) for earlier, later in pairwise([first, *others])]


async def test_a_job_written_during_its_pause_is_not_tried_before_its_new_time(shop: Workshop) -> None:
    """One that was dropped meanwhile, and one that only got another time."""
    dropped, later = digest(7), digest(8)
    shop.fail(dropped, refusal(503))
    shop.fail(later, refusal(503))
    await shop.put(*(dataclasses.replace(job, attempts=3) for job in (dropped, later)))
    await shop.push(0)
    await shop.store.jobs.drop(*dropped.key)
    await shop.put(digest(8, 3600))
    shop.worker.retry_after_outage()
    await shop.push(5)
    await shop.put(digest(7, 100))
    await shop.push(50)
    await shop.push(45)
    await shop.push(3500)
    assert ([0, 100], [0, 3600]) == (shop.ran(dropped), shop.ran(later))


async def test_few_jobs_run_concurrently_and_conflicting_jobs_run_one_at_a_time(shop: Workshop) -> None:
    gate = asyncio.Event()

    async def held(_: Job) -> None:
        await gate.wait()

    jobs = [story(n) for n in range(1, 30)]
    same = [Job(JobKind.DIGEST, START, match_id=n, user_id=7) for n in range(3)]
    shop.acts |= {job.key: held for job in (*jobs, *same)}
    await shop.put(*jobs, *same)
    for _ in range(3):
        await shop.worker.start_due_jobs()
        await asyncio.sleep(0.01)
    assert (worker.MAX_CONCURRENT, 1) == (shop.most[JobKind.STORY], shop.most[JobKind.DIGEST])
    gate.set()
    for _ in range(4):
        await shop.push(0)
    assert ([], 1, 32) == (await shop.left(), shop.most[JobKind.DIGEST], len(shop.runs))


async def test_the_worker_wakes_for_new_jobs_and_jobs_that_waited_for_others(
    shop: Workshop,
) -> None:
    await shop.start(by_itself=True)
    await shop.put(*(Job(JobKind.DIGEST, START, match_id=n, user_id=7) for n in range(3)))
    async with asyncio.timeout(10):
        while await shop.left():  # noqa: ASYNC110 - the clock stands still: no nap ends
            await asyncio.sleep(0.01)
    assert 3 == len(shop.runs)


async def test_no_job_runs_while_the_database_is_unavailable(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    async def ill() -> None:
        raise DatabaseUnavailable(FailureKind.FULL, "full")

    await shop.put(digest(7))
    monkeypatch.setattr(shop.store, "require_available", ill)
    with pytest.raises(DatabaseUnavailable):
        await shop.push(0)
    assert [] == shop.runs
    monkeypatch.undo()
    await shop.push(0)
    assert [] == await shop.left()


@pytest.mark.parametrize("error", [DatabaseUnavailable(FailureKind.FULL, "full"), ZeroDivisionError("a fault")])
async def test_the_pauses_between_failed_checks_double_until_one_succeeds(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    results, pauses = iter([error, error, error, None, error]), list[float]()

    async def check() -> None:
        if result := next(results, None):
            raise result

    def pass_at_once(seconds: float, do: Callable[[], None]) -> Any:
        pauses.append(seconds)
        return asyncio.get_running_loop().call_soon(do)

    sleep, are_sound = shop.worker._sleep, list[bool]()

    async def record_sleep(seconds: float, *, soundly: bool) -> None:
        are_sound.append(soundly)
        await sleep(seconds, soundly=soundly)

    monkeypatch.setattr(shop.worker, "_sleep", record_sleep)
    monkeypatch.setattr(shop.store, "require_available", check)
    monkeypatch.setattr(shop, "later", pass_at_once)
    await shop.start(by_itself=True)
    async with asyncio.timeout(10):
        while len(pauses) < 5:  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert [MIN_PAUSE, 2 * MIN_PAUSE, 4 * MIN_PAUSE, worker.MAX_SLEEP, MIN_PAUSE] == pauses[:5]
    assert [True, True, True, False, True] == are_sound[:5], "new jobs do not shorten the pauses"


async def test_a_new_job_ends_a_sleep_with_its_timer_but_not_a_sound_one(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    timers, canceled = list[Callable[[], None]](), list[float]()

    def later(seconds: float, do: Callable[[], None]) -> Any:
        timers.append(do)
        return SimpleNamespace(cancel=lambda: canceled.append(seconds))

    monkeypatch.setattr(shop, "later", later)
    shop.worker.wake()
    await shop.worker._sleep(60, soundly=False)
    assert [60] == canceled
    sound = asyncio.create_task(shop.worker._sleep(5, soundly=True))
    while len(timers) < 2:  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert not sound.done()
    assert shop.time + 5 * SECOND == shop.store.jobs.asleep_until
    timers[1]()
    await sound
    assert [60, 5] == canceled


async def test_a_job_whose_result_was_not_written_is_repeated(shop: Workshop) -> None:
    shop.fail(digest(7), DatabaseUnavailable(FailureKind.LOCKED, "locked"))
    shop.fail(digest(8), DatabaseUnavailable(FailureKind.DAMAGED, "a page"))
    await shop.put(digest(7), digest(8))
    await shop.push(0)
    assert {7: 0, 8: 1} == {job.user_id: job.attempts for job in await shop.left()}
    await shop.push(5)
    assert [] == await shop.left()


async def test_the_worker_checks_for_downtime_before_due_jobs(shop: Workshop) -> None:
    await shop.push(3600)
    assert [START, START + HOUR] == [shop.looks[0], shop.looks[-1]]


async def test_callers_can_wait_for_the_board_of_a_match_after_a_start(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, board = asyncio.Event(), Job(JobKind.BOARD, START + HOUR, 3, state={"mark": "1-a"})

    async def held(_: Job) -> None:
        await gate.wait()

    shop.acts[board.key] = held
    await shop.put(board)
    shop.worker = shop.new_worker()
    starting = asyncio.create_task(shop.start())
    while not shop.runs:  # noqa: ASYNC110
        await asyncio.sleep(0)
    waiting = asyncio.create_task(shop.worker.wait_for_board(3))
    await shop.worker.wait_for_board(4)
    assert not waiting.done()
    monkeypatch.setattr(worker, "GRACE", 0)
    async with asyncio.timeout(10):
        await shop.worker.wait_for_board(3)
    gate.set()
    await asyncio.gather(waiting, starting)
    assert [] == await shop.left()


async def test_of_absent_servers_only_boards_are_tried_at_a_start(shop: Workshop) -> None:
    waiting: list[object] = []

    async def set_aside(guild_ids: object, now: datetime) -> None:
        waiting.append(guild_ids)

    board = Job(JobKind.BOARD, START, 3, state={"mark": "1-a"})
    await shop.put(digest(7), board)
    shop.worker = shop.new_worker()
    await shop.start(absent=SimpleNamespace(rests=lambda guild_id: True, set_aside=set_aside))
    await shop.push(60)
    assert [board.key] == [key for key, _ in shop.runs]
    assert {0} == waiting[-1]


async def test_running_jobs_finish_before_shutdown_and_no_new_ones_start(shop: Workshop) -> None:
    gate = asyncio.Event()

    async def held(_: Job) -> None:
        await gate.wait()

    running, queued = [digest(n) for n in range(1, 1 + worker.MAX_CONCURRENT)], digest(7_000)
    shop.acts = dict.fromkeys((job.key for job in running), held)
    await shop.put(*running)
    await shop.worker.start_due_jobs()
    await shop.put(queued)
    await shop.worker.start_due_jobs()
    closing = asyncio.create_task(shop.worker.close())
    await asyncio.sleep(0.01)
    await shop.put(digest(8_000))
    gate.set()
    await closing
    assert [7_000, 8_000] == sorted(job.user_id for job in await shop.left())


async def test_a_hanging_job_does_not_block_shutdown_and_is_kept(shop: Workshop) -> None:
    async def hangs(_: Job) -> None:
        await asyncio.Event().wait()

    shop.acts[digest(7).key] = hangs
    await shop.put(digest(7))
    await shop.worker.start_due_jobs()
    await asyncio.sleep(0.01)
    await shop.worker.close(grace=0.01)
    assert [0] == [job.attempts for job in await shop.left()]
