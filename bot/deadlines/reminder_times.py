"""When somebody is reminded. Nothing here waits or looks at a clock: times come in and go out, in UTC."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.store.codec import time_at, time_at_or_none
from bot.store.jobs import Job
from bot.store.reminded import LastReminder
from bot.tables.hours import at_hour, morning, when_free, zone_of
from bot.tables.preferences import INSTEAD, Preferences

GAP = timedelta(hours=1)
"""Between two reminders to one person."""

TOGETHER = timedelta(hours=1)
"""Games that come due so soon after a reminder are listed in it, rather than in the next one."""

DAY = timedelta(days=1)

MIN_REMINDERS, MIN_SILENCE = 7, timedelta(days=7)
"""Reminders of a decision that no clock runs for, and the time that it waits, before the reminders of it end."""

EVENING = 19
"""The hour of the day in which the evening begins."""

LATER = timedelta(hours=2)
"""What is left of an evening that has begun."""


def reminder_at(job: Job, preferences: Preferences, last: LastReminder, now: datetime) -> datetime | None:
    """When a user is reminded of a decision that waits for them, from now on; never if they do not want to be."""
    if not preferences.interval or preferences.summary == INSTEAD:
        return None
    reminded = time_at_or_none(job.state["reminded"])
    wanted = (reminded or time_at(job.state["since"])) + timedelta(hours=preferences.interval)
    # if they have put the last reminder off, the end of that time counts, and not their interval
    if reminded is not None and last.until > reminded:
        wanted = last.until
    return when_free(preferences, max(now, wanted, last.at + GAP, last.until))


def is_last(job: Job, now: datetime) -> bool:
    """Whether a reminder now is the last one of a decision that no clock runs for."""
    # jobs that were written by an earlier version have no `times`
    return job.state.get("times", 0) + 1 >= MIN_REMINDERS and now - time_at(job.state["since"]) >= MIN_SILENCE


def snoozed_until(snooze: str, preferences: Preferences, now: datetime) -> datetime:
    """When somebody who puts a reminder off wants to be reminded again."""
    if snooze == "hour":
        return now + timedelta(hours=1)
    if snooze == "tomorrow":
        return morning(preferences, now, 1)
    return max(at_hour(preferences, now.astimezone(zone_of(preferences)).date(), EVENING), now + LATER)
