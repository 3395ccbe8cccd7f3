"""Times of reminders: pure functions of times in UTC, which neither wait nor read a clock."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.store.codec import time_at, time_at_or_none
from bot.store.jobs import Job
from bot.store.reminded import LastReminder
from bot.tables.hours import at_hour, morning, when_free, zone_of
from bot.tables.preferences import INSTEAD, Preferences

MIN_GAP = timedelta(hours=1)
"""Between two reminders to one user."""

BATCH_WINDOW = timedelta(hours=1)
"""A reminder also lists games that come due within this time, rather than leaving them for the next one."""

DAY = timedelta(days=1)

MIN_REMINDERS, MIN_SILENCE = 7, timedelta(days=7)
"""Reminders of a decision without a clock end after this many of them and this time."""

EVENING = 19
"""The hour at which the evening begins."""

EVENING_DELAY = timedelta(hours=2)
"""The shortest snooze until the evening, if it has begun already."""


def reminder_at(job: Job, preferences: Preferences, last: LastReminder, now: datetime) -> datetime | None:
    """The time of the next reminder of a decision; `None` if the user wants no reminders."""
    if not preferences.interval or preferences.summary == INSTEAD:
        return None
    reminded = time_at_or_none(job.state["reminded"])
    due = (reminded or time_at(job.state["since"])) + timedelta(hours=preferences.interval)
    # after a snooze its end counts, not the interval
    if reminded is not None and last.until > reminded:
        due = last.until
    return when_free(preferences, max(now, due, last.at + MIN_GAP, last.until))


def is_last(job: Job, now: datetime) -> bool:
    """Whether a reminder now would be the last one of a decision without a clock."""
    # jobs written by an earlier version have no `times`
    return job.state.get("times", 0) + 1 >= MIN_REMINDERS and now - time_at(job.state["since"]) >= MIN_SILENCE


def snooze_until(snooze: str, preferences: Preferences, now: datetime) -> datetime:
    """The end of a snooze: `hour`, `evening` or `tomorrow`."""
    if snooze == "hour":
        return now + timedelta(hours=1)
    if snooze == "tomorrow":
        return morning(preferences, now, 1)
    return max(at_hour(preferences, now.astimezone(zone_of(preferences)).date(), EVENING), now + EVENING_DELAY)
