"""When somebody's time is up: pure functions of times in UTC, which neither wait nor look at a clock.

A turn has the period of the pace, and then what its person has in the bank. What it takes beyond the period is gone
from the bank; a turn within it puts an eighth of the period back, up to the full bank. Quiet hours and days away do
not count, but for no more than `CAP` a turn. Nor does a time in which nobody looked at the clocks, since nobody could
play then either, and after it everybody has at least what lies between a warning and the end.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator
from datetime import UTC, datetime, timedelta

from bot.store.clocks import IDLE, SeatClock, Verdict
from bot.tables.hours import at_hour, when_free, zone_of
from bot.tables.paces import Pace
from bot.tables.preferences import Preferences, quiet_hours
from engine.texts import Seat

CAP = timedelta(days=7)
"""So long quiet hours and days away can stop the clock, a turn."""

VOTE_LEAST, VOTE_MOST = timedelta(hours=4), timedelta(days=1)
"""A vote about somebody who is late lasts half of a turn, and between these two times."""

NEVER = datetime.max.replace(tzinfo=UTC)
NOTHING = timedelta()


def lead(clock: SeatClock) -> timedelta:
    """How long somebody has at least from the warning on."""
    return clock.period / 4


def preferences_kept(preferences: Preferences) -> dict[str, str]:
    """What of somebody's preferences stops their clock, as it is kept with it."""
    return {"zone": preferences.zone, "quiet": preferences.quiet, "away": preferences.away}


def full(match_id: int, seat: Seat, user_id: int, now: datetime, pace: Pace) -> SeatClock:
    """The clock of somebody who has not been called yet: stopped, and with a full bank."""
    return SeatClock(match_id, seat, user_id, IDLE, pace.period, pace.bank, now, now)


def begun(clock: SeatClock, version: int, preferences: Preferences, now: datetime) -> SeatClock:
    """A clock at the beginning of a turn; what others decide about the turn before is carried out all the same."""
    fresh = dataclasses.replace(
        clock,
        version=version,
        since=now,
        spent=NOTHING,
        stopped=NOTHING,
        warned=None,
        out=None,
        barred=False,
        votes={},
        vote_ends=None,
        reminds_at=None,
        preferences=preferences_kept(preferences),
    )
    return _looked_at_for(planned(fresh, now), now)


def ended(clock: SeatClock) -> SeatClock:
    """A clock whose turn is over; where others vote about it, the vote is over (`Verdict.ENDED`)."""
    return dataclasses.replace(clock, verdict=Verdict.ENDED) if clock.out and not clock.verdict else clock


def _looked_at_for(clock: SeatClock, now: datetime) -> SeatClock:
    """If there is a verdict, the clock is looked at to carry that out."""
    return dataclasses.replace(clock, at=now) if clock.verdict else clock


def planned(clock: SeatClock, now: datetime) -> SeatClock:
    """A running clock with the end of its time, and when to look at it next."""
    clock = dataclasses.replace(clock, until=runs_out(clock), turn_until=turn_up(clock))
    if clock.out:
        # a reminder comes before the end of its vote (`put_to_vote`)
        return dataclasses.replace(clock, at=clock.reminds_at or clock.vote_ends)
    # never `until` without a warning: everybody is warned first, however late that is
    return dataclasses.replace(clock, at=clock.until if clock.warned else warning_at(clock, now))


def under_pace(clock: SeatClock, pace: Pace, *, by: int) -> SeatClock:
    """A clock under a new pace: a full bank, and no late turns any more; but the user who set it gains neither."""
    bank, strikes = (min(clock.bank, pace.bank), clock.strikes) if clock.user_id == by else (pace.bank, 0)
    return dataclasses.replace(clock, period=pace.period, bank=bank, strikes=strikes)


def idle(clock: SeatClock, now: datetime) -> SeatClock:
    """The same clock, stopped."""
    still = dataclasses.replace(clock, version=IDLE, out=None, warned=None, barred=False, at=None)
    return _looked_at_for(still, now)


def ran(clock: SeatClock, now: datetime) -> SeatClock:
    """A clock as of a later time; as of an earlier one it has not moved."""
    return _walked(clock, now, timedelta.max)


def runs_out(clock: SeatClock) -> datetime:
    """When its time will be up."""
    return _walked(clock, NEVER, clock.period + clock.bank).since


def turn_up(clock: SeatClock) -> datetime | None:
    """When the time of the turn itself is up; from then on the bank runs."""
    over = clock.spent >= clock.period
    return clock.turn_until if over else _walked(clock, NEVER, clock.period).since


def bank_left(clock: SeatClock, now: datetime) -> timedelta:
    """What a clock has in the bank at a time; while the bank runs, that is less and less."""
    beyond = ran(clock, now).spent - clock.period if clock.runs and not clock.barred else NOTHING
    return max(clock.bank - max(beyond, NOTHING), NOTHING)


def warning_at(clock: SeatClock, now: datetime) -> datetime:
    """When its person is warned, from now on: some time before, and never in their quiet hours, be they away or not."""
    return when_free(dataclasses.replace(_preferences(clock), away=""), max(_nearly_up(clock), now))


def _nearly_up(clock: SeatClock) -> datetime:
    return _walked(clock, NEVER, clock.period + clock.bank - lead(clock)).since


def warned(clock: SeatClock, now: datetime) -> SeatClock:
    """The clock of somebody who was warned that their time is nearly up: they have some of it left in any case."""
    return planned(dataclasses.replace(_with_lead(ran(clock, now)), warned=now, number=clock.number + 1), now)


def under_preferences(clock: SeatClock, preferences: Preferences, now: datetime) -> SeatClock:
    """The clock of somebody who may have changed their preferences: up to now it went by the old ones."""
    kept = preferences_kept(preferences)
    if kept == clock.preferences:
        return clock
    clock = planned(dataclasses.replace(ran(clock, now), preferences=kept), now)
    # the old warning named a time that is no longer right, so there will be another one
    return planned(dataclasses.replace(clock, warned=None), now) if now < _nearly_up(clock) else clock


def barred(clock: SeatClock, now: datetime, look: timedelta) -> SeatClock:
    """A clock that is stopped because its user, or the table, cannot be reached."""
    # while it is barred, no time runs: only `since` moves on
    clock = dataclasses.replace(clock, since=now) if clock.barred else ran(clock, now)
    return dataclasses.replace(clock, barred=True, at=now + look)


def unbarred(clock: SeatClock, now: datetime) -> SeatClock:
    """The same clock when that is over."""
    if not clock.barred:
        return clock
    return planned(_with_lead(dataclasses.replace(clock, barred=False, since=now)), now)


def shifted(clock: SeatClock, looked: datetime, now: datetime) -> SeatClock:
    """A clock after a time that counts for nobody: since it was looked at, the machine slept, or was set back."""
    moved = postponed(dataclasses.replace(ran(clock, looked), since=now), now - looked)
    # due at once, so that the usual look plans the next one
    return dataclasses.replace(moved if clock.out or not clock.runs else planned(_with_lead(moved), now), at=now)


def put_to_vote(clock: SeatClock, preferences: Collection[Preferences], now: datetime) -> SeatClock:
    """The clock of somebody about whom others vote from now on, who have such preferences.

    Everybody has the same time for it outside of their quiet hours. Days away do not stop a vote.
    """
    # days away do not count: one absent voter would hold up everybody else for days
    awake = [dataclasses.replace(of_one, away="") for of_one in preferences]
    lasts = min(max(clock.period / 2, VOTE_LEAST), VOTE_MOST)
    # the vote lasts until the last voter has been awake for so long
    half, ends = (max((_awake_for(of_one, now, time) for of_one in awake), default=now) for time in (lasts / 2, lasts))
    return dataclasses.replace(clock, vote_ends=ends, reminds_at=_all_awake(awake, half, ends))


def postponed(clock: SeatClock, time: timedelta) -> SeatClock:
    """A clock whose vote goes on for so much longer, if there is one."""
    if clock.out is None or clock.vote_ends is None:
        return clock
    reminds_at = clock.reminds_at + time if clock.reminds_at else None
    return dataclasses.replace(clock, vote_ends=clock.vote_ends + time, reminds_at=reminds_at)


def _awake_for(preferences: Preferences, moment: datetime, time: timedelta) -> datetime:
    """When somebody has been outside of their quiet hours for so long from a moment on."""
    for until, free in _stretches(preferences, moment):
        if free and until - moment >= time:
            break
        moment, time = until, time - (until - moment) if free else time
    return moment + time


def _all_awake(preferences: Collection[Preferences], moment: datetime, end: datetime) -> datetime:
    """The first moment before an end at which nobody has quiet hours; the given one if there is none."""
    tried = moment
    while tried < end:
        free = max((when_free(of_one, tried) for of_one in preferences), default=tried)
        if free == tried:
            return tried
        tried = free
    return moment


def settled(clock: SeatClock, pace: Pace, acted: datetime | None) -> SeatClock:
    """What is left in the bank after a turn that ended at a time, or that its person did not end themselves."""
    if acted is None:
        return clock
    beyond = ran(clock, acted).spent - clock.period
    # only turns within the period fill the bank, so that it cannot be refilled while it is being used
    bank = clock.bank - beyond if beyond > NOTHING else min(clock.bank + pace.refill, pace.bank)
    return dataclasses.replace(clock, bank=max(bank, NOTHING), strikes=0)


def _with_lead(clock: SeatClock) -> SeatClock:
    # after a late warning, or a pause that nobody foresaw, some of what was spent is given back
    return dataclasses.replace(clock, spent=min(clock.spent, clock.period + clock.bank - lead(clock)))


def _walked(clock: SeatClock, end: datetime, enough: timedelta) -> SeatClock:
    """A clock as of a time, or once it has spent enough, if that comes first."""
    since, spent, stopped = clock.since, clock.spent, clock.stopped
    for until, free in _stretches(_preferences(clock), since):
        if since >= end or spent >= enough:
            break
        # beyond `CAP`, quiet hours and days away count as time
        pause = NOTHING if free else min(min(until, end) - since, CAP - stopped)
        run = min(min(until, end) - since - pause, enough - spent)
        since, spent, stopped = since + pause + run, spent + run, stopped + pause
    return dataclasses.replace(clock, since=since, spent=spent, stopped=stopped)


def _stretches(preferences: Preferences, moment: datetime) -> Iterator[tuple[datetime, bool]]:
    """Until when somebody is free from a moment on, or is not; and so on, in turn."""
    # endless for users with quiet hours: the caller has to stop
    while moment < NEVER:
        free = when_free(preferences, moment)
        if free > moment:
            yield free, False
        moment = _quiet_from(preferences, free)
        yield moment, True


def _preferences(clock: SeatClock) -> Preferences:
    kept = clock.preferences
    return Preferences(zone=kept["zone"], quiet=kept["quiet"], away=kept["away"])


def _quiet_from(preferences: Preferences, moment: datetime) -> datetime:
    """When the next quiet hours begin."""
    if (hours := quiet_hours(preferences.quiet)) is None:
        return NEVER
    begins, _ = hours
    today = moment.astimezone(zone_of(preferences)).date()
    return next(start for days in range(3) if (start := at_hour(preferences, today + timedelta(days), begins)) > moment)
