"""The pauses after failed attempts: how long they are, what ends them early, and when they are forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.interactions.refusals import Verdict
from bot.pauses import Pause, Pauses
from bot.store.jobs import JobKind, Key

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
JOB, GUILD, OTHER_GUILD = "a job", 7, 8
KEY: Key = (JobKind.DIGEST, 0, 0, 70)
MINUTES, HOUR = [5, 20, 80, 320, 320, 320], [5, 20, 80, 320, 1280, 3600]


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def begin(pauses: Pauses, verdict: Verdict = Verdict.SOON, *, attempts: int = 3, seconds: float = 0) -> Pause:
    """Begin a pause: by default, of 320 s from noon on."""
    return pauses.begin(JOB, KEY, GUILD, verdict, attempts=attempts, now=at(seconds))


@pytest.mark.parametrize(
    ("verdict", "lengths"),
    [
        (Verdict.SOON, MINUTES),
        (Verdict.LATER, [10, 50, 250, 1250, 1800, 1800]),
        (Verdict.PERMISSIONS, HOUR),
        (Verdict.SUSPICION, HOUR),
        (Verdict.GIVE_UP, HOUR),
        (Verdict.UNKNOWN, HOUR),
    ],
)
def test_pauses_grow_with_the_stored_or_the_known_attempts(verdict: Verdict, lengths: list[float]) -> None:
    pauses = Pauses()
    for failed, seconds in enumerate(lengths):
        first = Pause(KEY, GUILD, verdict, failed + 1, at(0), at(seconds), was_early=False)
        assert first == begin(Pauses(), verdict, attempts=failed), "after a restart"
    begun = 0.0
    for failed, seconds in enumerate(lengths):
        next_pause = Pause(KEY, GUILD, verdict, failed + 1, at(begun), at(begun + seconds), was_early=False)
        assert next_pause == begin(pauses, verdict, attempts=0, seconds=begun), "each one at the end of the last"
        begun += seconds
    assert timedelta(seconds=lengths[-1]) == begin(Pauses(), verdict, attempts=9999).until - NOON
    pauses.clear(JOB)
    assert 1 == begin(pauses, verdict, attempts=0).attempts


def test_a_failed_early_attempt_in_an_outage_adds_the_rest_of_its_pause_to_the_next_one() -> None:
    pauses = Pauses()
    begin(pauses, attempts=0)
    assert at(5 + 20) == begin(pauses, attempts=0, seconds=4).until
    pauses.clear(JOB)
    begin(pauses)
    assert Pause(KEY, GUILD, Verdict.SOON, 5, at(10), at(320 + 320), was_early=True) == begin(pauses, seconds=10)
    begin(pauses, seconds=20)
    assert at(20 + 320 + 320) == begin(pauses, seconds=20).until, "at most one pause of the longest"
    assert at(700 + 320) == begin(pauses, seconds=700).until
    begin(pauses, Verdict.PERMISSIONS, attempts=9, seconds=1100)
    assert at(1110 + 3600) == begin(pauses, Verdict.PERMISSIONS, seconds=1110).until, "a whole pause, as always"


def test_a_job_pauses_from_its_failure_to_the_end_of_its_pause_unless_the_clock_is_set_back() -> None:
    pauses = Pauses()
    assert not pauses.is_paused(JOB, NOON)
    begin(pauses)
    seconds = (-1, 0, 319, 320)
    assert [False, True, True, False] == [pauses.is_paused(JOB, at(n)) for n in seconds]
    assert not pauses.is_paused("another", at(1))
    assert [at(320), at(320), None] == [pauses.next_end(at(n)) for n in (0, 319, 320)]
    pauses.begin("another", KEY, GUILD, Verdict.SOON, attempts=0, now=at(300))
    assert [at(305), at(320)] == [pauses.next_end(at(n)) for n in (300, 305)]
    pauses.clear("another")
    assert pauses.end_for_user(JOB, at(100))
    assert [True, False, False] == [pauses.is_paused(JOB, at(n)) for n in (100, 100.5, 320)]
    assert [at(100.5), None] == [pauses.next_end(at(n)) for n in (100, 100.5)]


def test_a_job_may_run_before_its_due_time_only_if_that_is_the_end_of_a_pause_that_ended_early() -> None:
    pauses = Pauses()
    begin(pauses)
    assert not pauses.may_be_early(JOB, at(320), at(319)), "the pause did not end early"
    assert {} == pauses.early(at(319))
    pauses.end_for_user(JOB, at(100))
    assert [False, True, True] == [pauses.may_be_early(JOB, at(320), at(n)) for n in (100, 100.5, 200)]
    assert [True, False] == [pauses.may_be_early(JOB, at(due), at(200)) for due in (110, 321)], "a new due time"
    assert not pauses.may_be_early("another", at(320), at(200))
    assert [{}, {KEY: JOB}, {KEY: JOB}, {}] == [pauses.early(at(n)) for n in (100, 100.5, 319, 320)]
    begin(pauses, seconds=310)
    pauses.end_for_user(JOB, at(315))
    assert at(310 + 150) == pauses.next_end(at(315))


def test_a_pause_is_forgotten_at_its_end_unless_its_job_is_due() -> None:
    pauses = Pauses()
    for seconds, due, remaining in ((0, [], 1), (319, [], 1), (320, [JOB], 1), (320, ["another"], 0), (-1, [], 0)):
        begin(pauses)
        pauses.forget_ended(due, at(seconds))
        assert remaining == len(pauses), (seconds, due)
        pauses.clear(JOB)
        pauses.clear("another")


@pytest.mark.parametrize(
    ("verdict", "seconds", "ends"),
    [
        (Verdict.SOON, 1, [5, 1.5, 1.5]),
        (Verdict.SOON, 60, [60.5, 60.5, 60.5]),
        (Verdict.LATER, 60, [1200, 1200, 1200]),
        (Verdict.LATER, 1205, [1205.5, 1205.5, 1205.5]),
        (Verdict.PERMISSIONS, 60, [3600, 60.5, 60.5]),
        (Verdict.SUSPICION, 60, [3600, 60.5, 60.5]),
        (Verdict.UNKNOWN, 60, [3600, 60.5, 60.5]),
    ],
)
def test_a_pause_ends_early_after_an_outage_or_a_change_of_its_server_or_by_a_user(
    verdict: Verdict, seconds: float, ends: list[float]
) -> None:
    ways = (
        lambda pauses, now: pauses.end_after_outage(now),
        lambda pauses, now: pauses.end_in_server(GUILD, now),
        lambda pauses, now: pauses.end_for_user(JOB, now),
    )
    for way, end in zip(ways, ends, strict=True):
        pauses, now = Pauses(), at(seconds)
        pause = begin(pauses, verdict, attempts=9)
        pause.until = at(3600)
        assert not pauses.end_in_server(OTHER_GUILD, now)
        assert not pauses.end_for_user("another", now)
        assert (end != 3600) == way(pauses, now)
        assert (at(end), at(end)) == (pause.end, pauses.next_end(now))
        assert not way(pauses, at(seconds + 600)), "once"
        assert at(end) == pause.end


@pytest.mark.parametrize(
    ("verdict", "seconds"), [(Verdict.SOON, 160), (Verdict.LATER, 1210), (Verdict.PERMISSIONS, 160)]
)
def test_after_a_failed_early_attempt_only_others_end_the_pause_and_not_at_once(
    verdict: Verdict, seconds: float
) -> None:
    pauses = Pauses()
    begin(pauses, verdict, attempts=9).until = at(3600)
    pause = begin(pauses, verdict, attempts=9, seconds=10)
    pause.until = at(3600)
    assert not pauses.end_after_outage(at(20))
    assert at(3600) == pause.end
    assert pauses.end_in_server(GUILD, at(20))
    assert at(seconds) == pause.end
    pause.until = at(30)
    assert at(30) == pause.end, "never later than without a change"
