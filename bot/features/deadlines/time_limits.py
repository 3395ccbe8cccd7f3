"""Clocks of players: pure functions of times in UTC, which neither wait nor read a clock.

A turn may take the period of its pace, and then the bank of its player. Time beyond the period is taken from the bank;
a turn within the period adds an eighth of the period to the bank, up to the full bank. Quiet hours, days away
and days off do not count, up to `MAX_PAUSE` a turn. Gaps in which the bot was down do not count, since no player could
act then; after a gap each player has at least the time between the warning and the end.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.store.clocks import IDLE, SeatClock, Verdict
from bot.tables.hours import at_hour, next_day_off, present, when_free, zone_of
from bot.tables.paces import Pace
from bot.tables.preferences import Preferences, quiet_hours
from engine.texts import Seat

MAX_PAUSE = timedelta(days=7)
"""The time for which quiet hours, days away and days off can stop the clock in one turn."""

MIN_VOTE, MAX_VOTE = timedelta(hours=4), timedelta(days=1)
"""The limits of a vote about a late player, which lasts half of a turn."""

CLOCK_PREFERENCES = ("zone", "quiet", "away", "off")
"""The preferences that stop a clock."""

NEVER = datetime.max.replace(tzinfo=UTC)
ZERO = timedelta()


def lead(clock: SeatClock) -> timedelta:
    """The time between the warning and the end of a player's time, at least."""
    return clock.period / 4


def clock_preferences(preferences: Preferences) -> dict[str, str]:
    """The preferences that stop a user's clock, as stored with it."""
    return {name: getattr(preferences, name) for name in CLOCK_PREFERENCES}


def full_clock(match_id: int, seat: Seat, user_id: int, now: datetime, pace: Pace) -> SeatClock:
    """The clock of a player before their first turn: stopped, and with a full bank."""
    return SeatClock(match_id, seat, user_id, IDLE, pace.period, pace.bank, now, now)


def begin_turn(clock: SeatClock, version: int, preferences: Preferences, now: datetime) -> SeatClock:
    """A clock at the beginning of a turn; a pending verdict about the previous turn stays."""
    fresh = dataclasses.replace(
        clock,
        version=version,
        since=now,
        spent=ZERO,
        stopped=ZERO,
        warned=None,
        out=None,
        barred=False,
        votes={},
        vote_ends=None,
        reminds_at=None,
        preferences=clock_preferences(preferences),
    )
    return _check_verdict(schedule(fresh, now), now)


def end_turn(clock: SeatClock) -> SeatClock:
    """A clock after its turn; a vote about the turn ends with it (`Verdict.ENDED`)."""
    return dataclasses.replace(clock, verdict=Verdict.ENDED) if clock.out and not clock.verdict else clock


def _check_verdict(clock: SeatClock, now: datetime) -> SeatClock:
    """A clock to be checked at once if its verdict is pending."""
    return dataclasses.replace(clock, at=now) if clock.verdict else clock


def schedule(clock: SeatClock, now: datetime) -> SeatClock:
    """A running clock with the end of its time, and the time of its next check."""
    clock = dataclasses.replace(clock, until=runs_out_at(clock), turn_until=turn_ends_at(clock))
    if clock.out:
        # a reminder comes before the end of its vote (`put_to_vote`)
        return dataclasses.replace(clock, at=clock.reminds_at or clock.vote_ends)
    # never `until` without a warning: each player is warned first, however late that is
    return dataclasses.replace(clock, at=clock.until if clock.warned else warning_at(clock, now))


def change_pace(clock: SeatClock, pace: Pace, *, by: int) -> SeatClock:
    """A clock under a new pace: a full bank, and no late turns; but user `by`, who set it, gains neither."""
    bank, strikes = (min(clock.bank, pace.bank), clock.strikes) if clock.user_id == by else (pace.bank, 0)
    return dataclasses.replace(clock, period=pace.period, bank=bank, strikes=strikes)


def stop_clock(clock: SeatClock, now: datetime) -> SeatClock:
    """A clock stopped, which runs for no decision."""
    still = dataclasses.replace(clock, version=IDLE, out=None, warned=None, barred=False, at=None)
    return _check_verdict(still, now)


def advance(clock: SeatClock, now: datetime) -> SeatClock:
    """A clock as of a later time; an earlier time does not change it."""
    return _run(clock, now, timedelta.max)


def runs_out_at(clock: SeatClock) -> datetime:
    """The end of a clock's time, with the bank."""
    return _run(clock, NEVER, clock.period + clock.bank).since


def turn_ends_at(clock: SeatClock) -> datetime | None:
    """The end of the period of a turn; from then on the bank runs."""
    over = clock.spent >= clock.period
    return clock.turn_until if over else _run(clock, NEVER, clock.period).since


def bank_left(clock: SeatClock, now: datetime) -> timedelta:
    """The bank of a clock at a time; it shrinks while the bank runs."""
    beyond = advance(clock, now).spent - clock.period if clock.runs and not clock.barred else ZERO
    return max(clock.bank - max(beyond, ZERO), ZERO)


def warning_at(clock: SeatClock, now: datetime) -> datetime:
    """The time of the warning, from now on: `lead` before the end, but never in the player's quiet hours."""
    return when_free(present(_preferences(clock)), max(_nearly_up(clock), now))


def _nearly_up(clock: SeatClock) -> datetime:
    return _run(clock, NEVER, clock.period + clock.bank - lead(clock)).since


def warn(clock: SeatClock, now: datetime) -> SeatClock:
    """A clock after the warning, with at least `lead` of its time left."""
    return schedule(dataclasses.replace(_with_lead(advance(clock, now)), warned=now, number=clock.number + 1), now)


def change_preferences(clock: SeatClock, preferences: Preferences, now: datetime) -> SeatClock:
    """A clock under its user's current preferences; the time up to now counts by the previous ones."""
    changed = clock_preferences(preferences)
    if changed == clock_preferences(_preferences(clock)):
        return clock
    clock = schedule(dataclasses.replace(advance(clock, now), preferences=changed), now)
    # the old warning named a wrong time, so there will be another one
    return schedule(dataclasses.replace(clock, warned=None), now) if now < _nearly_up(clock) else clock


def pause_clock(clock: SeatClock, now: datetime, interval: timedelta) -> SeatClock:
    """A clock paused because its user or channel cannot be reached; the next check comes after `interval`."""
    # no time runs in a pause: only `since` moves on
    clock = dataclasses.replace(clock, since=now) if clock.barred else advance(clock, now)
    return dataclasses.replace(clock, barred=True, at=now + interval)


def resume_clock(clock: SeatClock, now: datetime) -> SeatClock:
    """A clock after its pause, if it is paused."""
    if not clock.barred:
        return clock
    return schedule(_with_lead(dataclasses.replace(clock, barred=False, since=now)), now)


def skip_gap(clock: SeatClock, start: datetime, now: datetime) -> SeatClock:
    """A clock without the time from `start` to now, in which the bot or the server was down."""
    moved = extend_vote(dataclasses.replace(advance(clock, start), since=now), now - start)
    # due at once, so that the usual check schedules the next one
    return dataclasses.replace(moved if clock.out else schedule(_with_lead(moved), now), at=now)


def start_vote(clock: SeatClock, preferences: Collection[Preferences], now: datetime) -> SeatClock:
    """The clock of a late player with a vote that starts now; `preferences` are those of the voters.

    Each voter has the same time outside of their quiet hours. Days away and days off do not extend a vote.
    """
    # one absent voter would hold up all others for days
    awake = [present(of_one) for of_one in preferences]
    duration = min(max(clock.period / 2, MIN_VOTE), MAX_VOTE)
    # the vote ends when the last voter has been awake for its duration
    half, ends = (
        max((_awake_for(of_one, now, time) for of_one in awake), default=now) for time in (duration / 2, duration)
    )
    return dataclasses.replace(clock, vote_ends=ends, reminds_at=_all_awake(awake, half, ends))


def extend_vote(clock: SeatClock, time: timedelta) -> SeatClock:
    """A clock whose vote, if it has one, lasts longer by `time`."""
    if clock.vote_ends is None:
        return clock
    reminds_at = clock.reminds_at + time if clock.reminds_at else None
    return dataclasses.replace(clock, vote_ends=clock.vote_ends + time, reminds_at=reminds_at)


def _awake_for(preferences: Preferences, moment: datetime, time: timedelta) -> datetime:
    """The end of a duration that starts at a moment and skips quiet hours."""
    for until, free in _stretches(preferences, moment):
        if free and until - moment >= time:
            break
        moment, time = until, time - (until - moment) if free else time
    return moment + time


def _all_awake(preferences: Collection[Preferences], moment: datetime, end: datetime) -> datetime:
    """The first time from `moment` on, before `end`, outside of all quiet hours; `moment` if there is none."""
    candidate = moment
    while candidate < end:
        free = max((when_free(of_one, candidate) for of_one in preferences), default=candidate)
        if free == candidate:
            return candidate
        candidate = free
    return moment


def settle(clock: SeatClock, pace: Pace, ended_at: datetime | None) -> SeatClock:
    """A clock with its bank after a turn; `ended_at` is `None` if the player did not end the turn themselves."""
    if ended_at is None:
        return clock
    beyond = advance(clock, ended_at).spent - clock.period
    # only turns within the period fill the bank, so that it cannot be refilled while it is being used
    bank = clock.bank - beyond if beyond > ZERO else min(clock.bank + pace.refill, pace.bank)
    return dataclasses.replace(clock, bank=max(bank, ZERO), strikes=0)


def _with_lead(clock: SeatClock) -> SeatClock:
    # after a late warning or an unforeseen pause the player gets some time back
    return dataclasses.replace(clock, spent=min(clock.spent, clock.period + clock.bank - lead(clock)))


def _run(clock: SeatClock, end: datetime, enough: timedelta) -> SeatClock:
    """A clock at `end`, or when it has spent `enough`, if that comes first."""
    since, spent, stopped = clock.since, clock.spent, clock.stopped
    for until, free in _stretches(_preferences(clock), since):
        if since >= end or spent >= enough:
            break
        # beyond `MAX_PAUSE`, quiet hours, days away and days off count
        pause = ZERO if free else min(min(until, end) - since, MAX_PAUSE - stopped)
        run = min(min(until, end) - since - pause, enough - spent)
        since, spent, stopped = since + pause + run, spent + run, stopped + pause
    return dataclasses.replace(clock, since=since, spent=spent, stopped=stopped)


def _stretches(preferences: Preferences, moment: datetime) -> Iterator[tuple[datetime, bool]]:
    """The stretches of a user's time from a moment on: the end of each, and whether the user is free in it."""
    # endless for users with quiet hours or weekdays off: the caller has to stop
    while moment < NEVER:
        free = when_free(preferences, moment)
        if free > moment:
            yield free, False
        moment = _busy_from(preferences, free)
        yield moment, True


def _preferences(clock: SeatClock) -> Preferences:
    # clocks written by an earlier version lack some of them
    stored: dict[str, Any] = {name: value for name, value in clock.preferences.items() if name in CLOCK_PREFERENCES}
    return Preferences(**stored)


def _busy_from(preferences: Preferences, moment: datetime) -> datetime:
    """The start of the next quiet hours or day off, after a moment at which the user is free."""
    today = moment.astimezone(zone_of(preferences)).date()
    day_off = next_day_off(preferences, today)
    off_from = at_hour(preferences, day_off, 0) if day_off else NEVER
    if (hours := quiet_hours(preferences.quiet)) is None:
        return off_from
    begins, _ = hours
    starts = (at_hour(preferences, today + timedelta(days), begins) for days in range(3))
    return min(off_from, next(start for start in starts if start > moment))
