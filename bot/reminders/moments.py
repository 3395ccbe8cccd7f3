"""When somebody is reminded. Nothing here waits or looks at a clock: times come in and go out, in UTC."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.habits.habits import INSTEAD, Habits
from bot.habits.times import at_hour, morning, when_free, zone_of
from bot.store.rows import Reminded, Timer

GAP = timedelta(hours=1)
"""Between two reminders to one person."""

TOGETHER = timedelta(hours=1)
"""Games that come due so soon after a reminder stand in it, rather than in the next one."""

DAY = timedelta(days=1)

EVENING = 19
"""The hour of the day in which the evening begins."""

LATER = timedelta(hours=2)
"""What is left of an evening that has begun."""

SNOOZES = ("hour", "evening", "tomorrow")


def reminder_at(timer: Timer, habits: Habits, last: Reminded, now: datetime) -> datetime | None:
    """When a user is reminded of a decision that waits for him, from now on; never if he does not want to be."""
    if not habits.interval or habits.summary == INSTEAD:
        return None
    return when_free(habits, max(now, _wanted(timer, habits, last), last.at + GAP, last.until))


def _wanted(timer: Timer, habits: Habits, last: Reminded) -> datetime:
    """After his interval, or at the end of the time for which he put the last reminder off."""
    if timer.reminded is not None and last.until > timer.reminded:
        return last.until
    return (timer.reminded or timer.since) + timedelta(hours=habits.interval)


def snoozed_until(snooze: str, habits: Habits, now: datetime) -> datetime:
    """When somebody who puts a reminder off wants to be told again."""
    if snooze == "hour":
        return now + timedelta(hours=1)
    if snooze == "tomorrow":
        return morning(habits, now, 1)
    return max(at_hour(habits, now.astimezone(zone_of(habits)).date(), EVENING), now + LATER)
