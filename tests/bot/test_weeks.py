"""Some of the simulated weeks; `make weeks` is about a thousand. A promise that the bot breaks is noticed."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from bot import worker
from bot.features.deadlines import reminders
from bot.features.deadlines.reminder_times import reminder_at
from bot.features.deadlines.time_limits import pause_clock, warning_at
from bot.features.deadlines.timeouts import Timeouts
from bot.jobs import digest
from bot.store.clocks import SeatClock
from bot.store.jobs import Job
from bot.store.reminded import LastReminder
from bot.tables import hours
from bot.tables.preferences import Preferences
from bot.tables.table import Table
from tests.crowd.groups import simulate
from tests.crowd.promises import Breach

GROUPS = ("test/10", "test/18")
WEEKS = 4
"""Groups that have enough of everything in this time: votes, changes of the clock, closed channels, planned turns."""


@pytest.fixture(autouse=True)
def _own_nap(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The simulation changes the nap of the worker."""
    monkeypatch.setattr(worker, "MAX_SLEEP", worker.MAX_SLEEP)


async def test_for_weeks_no_player_is_unfairly_late_or_disturbed_and_no_table_is_frozen() -> None:
    first, second = GROUPS
    counts = await simulate(first, WEEKS) + await simulate(second, WEEKS)
    assert counts["moves"] > 100, counts
    messages = ("reminder messages", "vote messages", "morning messages", "times a player was late")
    acts = ("standing answers chosen", "snoozed", "turns planned")
    assert [] == [event for event in (*messages, *acts) if counts[event] <= 3], counts


check_time = Timeouts._check_time


async def check_without_warning(self: Timeouts, table: Table, clock: SeatClock) -> None:
    """Announce that the time is up when the warning is due."""
    if clock.warned is None and warning_at(clock, self._services.clock.now()) <= self._services.clock.now():
        await self._announce_timeout(table, clock, clock)
    else:
        await check_time(self, table, clock)


async def decide_nothing(self: Timeouts, table: Table, clock: SeatClock) -> None:
    """Keep every vote open."""
    await self._put(table, clock, pause_clock(clock, self._services.clock.now(), timedelta(hours=9)))


def remind_hourly(job: Job, preferences: Preferences, last: LastReminder, now: datetime) -> datetime | None:
    """Remind users every hour."""
    return reminder_at(job, replace(preferences, interval=min(1, preferences.interval)), last, now)


BREACHES: dict[str, tuple[object, str, object]] = {
    "quiet hours and absences are respected": (hours, "_quiet_until", lambda _preferences, moment: moment),
    "reminders come at intervals": (reminders, "reminder_at", remind_hourly),
    "players are late only after their time": (Timeouts, "_check_time", check_without_warning),
    "a vote ends in time": (Timeouts, "_check_vote", decide_nothing),
    "a day has one morning message": (digest, "morning_after", lambda _preferences, sent: sent + timedelta(hours=1)),
}
"""A promise, and the function of the bot whose replacement breaks it."""


@pytest.mark.parametrize("promise", BREACHES)
async def test_a_broken_promise_would_be_detected(promise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(*BREACHES[promise])
    assert promise in await breach_of(GROUPS[0]) or promise in await breach_of(GROUPS[1])


async def breach_of(seed: str) -> str:
    """The evidence of a group; empty if all promises are kept."""
    try:
        await simulate(seed, WEEKS)
    except Breach as breach:
        return str(breach)
    return ""
