"""Clocks of players: quiet hours and days away do not count, through all changes of clocks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.features.deadlines.pace_and_vote_layouts import late_layout, warning_layout
from bot.features.deadlines.pace_and_votes import pace_layout
from bot.features.deadlines.time_limits import (
    MAX_PAUSE,
    advance,
    begin_turn,
    change_pace,
    change_preferences,
    full_clock,
    lead,
    pause_clock,
    resume_clock,
    runs_out_at,
    schedule,
    settle,
    skip_gap,
    start_vote,
    turn_ends_at,
    warn,
    warning_at,
)
from bot.store.clocks import SeatClock, Verdict
from bot.tables.paces import PACES, Pace, all_paces, pace_words
from bot.tables.preferences import Preferences
from engine.texts import Seat, Text
from tests.bot.interactions.test_layouts import check
from tests.bot.walks import CASES, set_row, walk
from tests.crowd.record import History, Record
from tests.crowd.times import Time

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DAILY, BRISK = PACES["daily"], PACES["brisk"]
AWAKE, BERLIN = Preferences(), Preferences(zone="Europe/Berlin", quiet="22-8")


def utc(day: int, hour: int, minute: int = 0, *, month: int = 10) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def clock(preferences: Preferences, since: datetime, pace: str = "daily", bank: timedelta | None = None) -> SeatClock:
    """The clock of a player that was mentioned at a time."""
    new = full_clock(1, Seat(0), 7, since, PACES[pace])
    return begin_turn(new if bank is None else replace(new, bank=bank), 3, preferences, since)


@pytest.mark.parametrize(("pace", "hours"), [("relaxed", 24), ("daily", 12), ("brisk", 4)])
def test_a_vote_lasts_half_a_turn_within_limits(pace: str, hours: int) -> None:
    late = start_vote(clock(AWAKE, utc(5, 12), pace), [AWAKE, AWAKE], utc(9, 12))
    assert (hours * HOUR, hours * HOUR / 2) == tuple(
        moment - utc(9, 12) for moment in (late.vote_ends, late.reminds_at) if moment is not None
    )


@pytest.mark.parametrize(
    ("preferences", "since", "until"),
    [
        (AWAKE, utc(5, 12), utc(6, 12)),
        (BERLIN, utc(5, 12), utc(7, 8)),  # 8 hours to 22:00, 14 on the next day, and 2 on the day after
        (BERLIN, utc(5, 23), utc(7, 16)),  # called at night: the clock starts in the morning
        (BERLIN, utc(24, 12), utc(26, 9)),  # on the night of the 25th the clocks go back: an hour more of sleep
        (BERLIN, utc(28, 12, month=3), utc(30, 7, month=3)),  # and here they have gone forward: an hour less
        (replace(AWAKE, away=utc(8, 8).isoformat()), utc(5, 12), utc(9, 8)),
        (replace(AWAKE, away=utc(30, 8).isoformat()), utc(5, 12), utc(13, 12)),  # for no more than a week
        (replace(AWAKE, away=utc(1, 8).isoformat()), utc(5, 12), utc(6, 12)),
        (replace(AWAKE, off="6 7"), utc(9, 12), utc(12, 20)),  # 12 hours of Friday, and from 8:00 on Monday
        (replace(BERLIN, off="6 7"), utc(9, 12), utc(12, 22, 0) + 10 * HOUR),
        (replace(AWAKE, off="2026-10-05 2026-10-06"), utc(5, 12), utc(8, 8)),
        (replace(AWAKE, off="1 2 3 4 5 6"), utc(5, 12), utc(13, 12)),  # for no more than a week
    ],
)
def test_quiet_hours_and_absences_stop_the_clock(preferences: Preferences, since: datetime, until: datetime) -> None:
    assert until == runs_out_at(clock(preferences, since, bank=timedelta()))


def test_the_bank_follows_the_period_and_is_drained_and_refilled_by_turns() -> None:
    running = clock(AWAKE, utc(5, 12))
    assert (utc(8, 12), utc(8, 6)) == (running.until, running.at)
    late = settle(running, DAILY, utc(6, 22))
    assert 38 * HOUR == late.bank
    assert 41 * HOUR == settle(clock(AWAKE, utc(7, 0), bank=late.bank), DAILY, utc(7, 1)).bank
    assert DAILY.bank == settle(running, DAILY, utc(5, 13)).bank, "it is full"
    assert late.bank == settle(replace(running, bank=late.bank), DAILY, None).bank, "somebody else ended the turn"


@pytest.mark.parametrize("pace", PACES.values(), ids=PACES)
def test_a_fast_turn_fills_the_bank_a_slow_one_drains_it_and_both_reset_late_turns(pace: Pace) -> None:
    random, bank, now, account = (
        Random(pace.words.template),
        pace.bank,
        utc(5, 12),
        full_clock(1, Seat(0), 7, utc(5, 12), pace),
    )
    for _ in range(60):
        time = random.random() * 2 * (pace.period + pace.bank) / 3
        running = begin_turn(replace(account, strikes=2), 3, AWAKE, now)
        assert (bank, 2) == (settle(running, pace, None).bank, settle(running, pace, None).strikes), "a stand-in acted"
        now += time
        account = settle(running, pace, now)
        change = pace.period - time if time > pace.period else pace.period / 8
        bank = min(max(bank + change, timedelta()), pace.bank)
        assert (bank, 0) == (account.bank, account.strikes)


def test_a_warning_waits_for_the_end_of_quiet_hours_and_leaves_time_to_move() -> None:
    running = clock(replace(BERLIN, away=utc(30, 8).isoformat()), utc(5, 12))
    now = warning_at(running, utc(20, 1))
    assert utc(20, 6) == now
    warned = warn(running, now)
    assert now + lead(warned) == warned.until == warned.at
    assert running.number + 1 == warned.number, "a second warning is a message of its own"


def test_days_off_delay_neither_the_warning_nor_a_vote() -> None:
    friday, off = utc(9, 12), replace(BERLIN, off="6 7")
    assert utc(10, 6) == warning_at(clock(off, utc(5, 12), bank=timedelta()), utc(10, 1))
    late = replace(clock(AWAKE, utc(5, 12)), out=friday)
    assert start_vote(late, [BERLIN], friday).vote_ends == start_vote(late, [off], friday).vote_ends


def test_a_stored_clock_without_days_off_still_loads() -> None:
    stored = {name: value for name, value in clock(BERLIN, utc(9, 12)).preferences.items() if name != "off"}
    warned = replace(clock(BERLIN, utc(9, 12)), preferences=stored, warned=utc(9, 13))
    assert warned == change_preferences(warned, BERLIN, utc(9, 14)), "no second warning"
    off = change_preferences(warned, replace(BERLIN, off="6 7"), utc(9, 14))
    assert off.until > warned.until
    assert (None, warning_at(off, utc(9, 14))) == (off.warned, off.at), "the first warning named another time"


def test_neither_a_clock_change_nor_machine_sleep_makes_a_player_late() -> None:
    running = clock(AWAKE, utc(5, 12))
    assert running == advance(running, utc(3, 0))
    for now in (utc(25, 12), utc(1, 0), utc(8, 11)):
        after = skip_gap(running, utc(8, 11), now)
        assert now + lead(running) == after.until, now
        assert now == after.at
    assert now + 61 * HOUR == skip_gap(running, utc(5, 23), now).until, "what they had left counts on"
    late = replace(running, out=utc(8, 10), vote_ends=utc(8, 20))
    after = skip_gap(late, utc(8, 11), utc(9, 11))
    assert (late.until, utc(9, 20)) == (after.until, after.vote_ends), "only the vote is longer"


def test_a_player_who_returns_early_loses_no_time() -> None:
    away = clock(replace(AWAKE, away=utc(12, 8).isoformat()), utc(5, 12))
    back = change_preferences(away, AWAKE, utc(7, 12))
    assert utc(10, 12) == back.until
    moved = change_preferences(warn(back, utc(10, 6)), replace(AWAKE, quiet="0-9"), utc(10, 8))
    assert (utc(10, 13), utc(10, 6)) == (moved.until, moved.warned), "an hour of it is quiet now"


def test_the_clock_stops_while_the_channel_is_unreachable() -> None:
    running = clock(AWAKE, utc(5, 12))
    closed = pause_clock(running, utc(6, 12), HOUR)
    for hour in range(40):
        closed = pause_clock(closed, utc(6, 13) + hour * HOUR, HOUR)
    assert utc(8, 6) + 48 * HOUR == resume_clock(closed, utc(8, 6)).until
    assert closed.barred


def test_clocks_agree_with_a_count_of_minutes() -> None:
    """The record of the simulated weeks counts in steps of five minutes; here both see the same."""
    random = Random(11)
    for _ in range(60):
        zone = random.choice(("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"))
        preferences = Preferences(zone=zone, quiet=random.choice(("", "22-8", "13-15", "1-6")))
        since = utc(random.choice((3, 24, 30)), random.randrange(24), month=random.choice((3, 4, 9, 10, 11)))
        if random.random() < 0.4:
            preferences = replace(preferences, off=random.choice(("6 7", "1 3 5", f"2 {since + DAY:%Y-%m-%d}")))
        if random.random() < 0.4:
            preferences = replace(preferences, away=(since + random.randrange(1, 300) * HOUR).isoformat())
        running = clock(preferences, since, random.choice(list(PACES)))
        record = Record(Time(since), {7: History([(since, preferences)])})
        active, stopped = record.active(7, since, running.until)
        assert abs(active - running.period - running.bank) <= HOUR / 6, (preferences, since)
        assert stopped <= MAX_PAUSE + HOUR


def test_every_pace_has_a_distinct_menu_row() -> None:
    rows = [str(pace_words(pace, firm=firm)) for pace, firm in all_paces().values()]
    assert len(set(rows)) == len(rows) == 7
    assert max(map(len, rows)) <= 100


def test_every_clock_message_fits_the_discord_limits() -> None:
    table = next(walk(*CASES[-1], "pace"))
    names = tuple(replace(holder, user_id=10**18 + n, name="W" * 20) for n, holder in enumerate(table.row.holders))
    set_row(table, holders=names, pace="daily", guild_id=1)
    seat = table.match.state.decisions()[0].seat
    late = replace(clock(AWAKE, utc(5, 12)), seat=seat, user_id=names[seat].user_id, out=utc(8, 12))
    table.facts = table.facts.with_clocks([late])
    votes = {holder.user_id: "play" for holder in names[1:] if holder.user_id}
    for verdict in Verdict:
        check(late_layout(table, replace(late, verdict=verdict, votes=votes)))
    for sure in (True, False):
        check(warning_layout(table, replace(late, strikes=2), Text("x" * 200), direct=sure))
        check(pace_layout(table, utc(7, 12), may_choose=sure))


def test_a_new_pace_refills_every_bank_except_that_of_the_player_who_set_it() -> None:
    daily, brisk = PACES["daily"], PACES["brisk"]
    late = replace(full_clock(1, Seat(0), 7, datetime(2026, 11, 22, tzinfo=UTC), daily), bank=HOUR, strikes=2)
    others, own = change_pace(late, brisk, by=8), change_pace(late, brisk, by=7)
    assert (brisk.period, brisk.bank, 0) == (others.period, others.bank, others.strikes)
    assert (brisk.period, HOUR, 2) == (own.period, own.bank, own.strikes)
    own = change_pace(replace(late, bank=daily.bank), brisk, by=7)
    assert (brisk.bank, 2) == (own.bank, own.strikes), "more than the new pace allows"


def test_a_verdict_that_is_not_carried_out_yet_is_due_at_the_next_turn() -> None:
    pending, now = replace(clock(AWAKE, utc(5, 12)), verdict=Verdict.PLAY), utc(6, 12)
    assert (Verdict.PLAY, now) == ((fresh := begin_turn(pending, 5, AWAKE, now)).verdict, fresh.at)


def test_the_end_of_a_period_stays_what_it_was_while_the_bank_runs() -> None:
    began = clock(AWAKE, utc(3, 8))
    late = advance(began, utc(4, 14))
    assert (utc(4, 8), 30 * HOUR) == (turn_ends_at(began), late.spent)
    assert utc(4, 8) == turn_ends_at(schedule(late, utc(4, 14)))


def test_a_vote_in_whose_rest_not_all_are_awake_is_reminded_of_in_its_middle() -> None:
    """One voter sleeps after their four hours until the vote is over, the other one until three o’clock."""
    late, now = clock(AWAKE, utc(3, 8), pace="brisk"), utc(5, 10)
    voters = [Preferences(quiet="14-19", zone="UTC"), Preferences(quiet="10-15", zone="UTC")]
    vote = start_vote(replace(late, out=now), voters, now)
    assert (utc(5, 19), utc(5, 17)) == (vote.vote_ends, vote.reminds_at)
