"""Times of reminders: hours of the day across changes of the clocks, and weeks of a village that plays."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from random import Random
from types import SimpleNamespace
from typing import Any, cast
from zoneinfo import ZoneInfo

import pytest

from bot.clock import Clock
from bot.features.deadlines.reminder_times import is_last, reminder_at, snooze_until
from bot.features.deadlines.reminders import Due, Reminders, Sent
from bot.features.deadlines.sending import reminder_layout
from bot.features.deadlines.waiting import Waiting
from bot.features.settings.preference_page import PAGES, TIMES, preferences_layout
from bot.store.codec import time_at, time_of
from bot.store.database import Database
from bot.store.jobs import JobKind, reminder_job
from bot.store.log import NewEntries
from bot.store.reminded import LastReminder
from bot.store.store import Store
from bot.tables.hours import OTHER_NAMES, all_zones, find_zones, morning, next_day_off, next_morning, when_free
from bot.tables.preferences import INSTEAD, Preferences, keep_preferences, quiet_hours
from engine.match import Entry
from engine.texts import Seat, Text
from tests.bot.interactions.test_layouts import check
from tests.crowd.database import in_memory

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def utc(day: int, hour: int, minute: int = 0, *, month: int = 10) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


BERLIN = Preferences(zone="Europe/Berlin", quiet="22-8")


def test_a_place_in_several_time_zones_offers_all_of_them() -> None:
    zones = find_zones("pacific")
    assert {"US/Pacific", "Canada/Pacific", "Pacific/Auckland"} <= {*zones}
    assert ["Europe/Berlin"] == [*find_zones("berlin")]


@pytest.mark.parametrize(
    ("moment", "free"),
    [
        (utc(24, 19, 59), utc(24, 19, 59)),  # 21:59 in summer
        (utc(24, 20), utc(25, 7)),  # the clock is set back in this night, so it is an hour longer
        (utc(25, 6, 59), utc(25, 7)),
        (utc(25, 20, 59), utc(25, 20, 59)),  # 21:59 in winter
        (utc(25, 21), utc(26, 7)),
        (utc(28, 21, 30, month=3), utc(29, 6, month=3)),  # and here it is an hour shorter
    ],
)
def test_quiet_hours_follow_local_time(moment: datetime, free: datetime) -> None:
    assert free == when_free(BERLIN, moment)


@pytest.mark.parametrize(
    ("quiet", "moment", "free"),
    [
        ("13-15", utc(1, 9, 30), utc(1, 9, 30)),
        ("13-15", utc(1, 13), utc(1, 15)),
        ("13-15", utc(1, 14, 59), utc(1, 15)),
        ("13-15", utc(1, 15), utc(1, 15)),
        ("13-15", utc(1, 15, 30), utc(1, 15, 30)),
        ("1-6", utc(1, 0, 30), utc(1, 0, 30)),
        ("1-6", utc(1, 1), utc(1, 6)),
        ("1-6", utc(1, 23), utc(1, 23)),
        ("0-9", utc(1, 0), utc(1, 9)),
        ("22-0", utc(1, 23), utc(2, 0)),
        ("22-0", utc(1, 12), utc(1, 12)),
    ],
)
def test_quiet_hours_within_one_day_apply_only_between_their_start_and_end(
    quiet: str, moment: datetime, free: datetime
) -> None:
    assert free == when_free(Preferences(quiet=quiet), moment)


@pytest.mark.parametrize(
    ("quiet", "hours"),
    [("22-8", (22, 8)), ("0-23", (0, 23)), ("22-24", None), ("24-8", None), ("5-5", None), ("8", None), ("", None)],
)
def test_quiet_hours_need_two_different_hours_of_the_day(quiet: str, hours: tuple[int, int] | None) -> None:
    assert hours == quiet_hours(quiet)


@pytest.mark.parametrize("quiet", ["22-8", "23-7", "0-9", "13-15", "1-6"])
def test_quiet_hours_end_within_half_a_day_in_every_time_zone(quiet: str) -> None:
    random = Random(7)
    for zone in sorted(all_zones()):
        moment = utc(1, 0, month=1) + timedelta(minutes=random.randrange(365 * 1440))
        free = when_free(Preferences(zone=zone, quiet=quiet), moment)
        assert moment <= free <= moment + 12 * HOUR
        assert not _is_quiet(Preferences(zone=zone, quiet=quiet), free), (zone, moment)


def test_the_next_morning_is_after_the_current_one() -> None:
    this = morning(BERLIN, utc(20, 12), 0)
    assert [this, this + DAY] == [next_morning(BERLIN, moment) for moment in (this - HOUR, this)]


def test_an_absence_ends_in_the_morning() -> None:
    back = morning(BERLIN, utc(23, 15), 3)
    assert utc(26, 7) == back
    away = dataclasses.replace(BERLIN, away=back.isoformat())
    assert [back, utc(26, 8)] == [when_free(away, moment) for moment in (utc(24, 12), utc(26, 8))]


@pytest.mark.parametrize(
    ("off", "moment", "free"),
    [
        ("6 7", utc(23, 21, 30), utc(26, 7)),  # at night on Friday: the quiet hours lead into the weekend
        ("6 7", utc(23, 19), utc(23, 19)),
        ("6 7", utc(26, 6, 59), utc(26, 7)),
        ("6 7 2026-10-26", utc(24, 12), utc(27, 7)),  # a holiday on Monday
        ("2026-10-20", utc(19, 21, 59), utc(21, 6)),
        ("2026-10-20", utc(21, 6), utc(21, 6)),
        ("1 2 3 4 5 6 7", utc(24, 12), utc(24, 12)),  # which no page allows: a user is free at last
    ],
)
def test_a_day_off_lasts_from_its_midnight_to_the_morning_after(off: str, moment: datetime, free: datetime) -> None:
    assert free == when_free(dataclasses.replace(BERLIN, off=off), moment)


def test_the_night_after_a_day_off_belongs_to_it() -> None:
    assert utc(26, 8) == when_free(Preferences(off="7"), utc(26, 3))


def test_days_off_follow_an_absence_without_a_gap() -> None:
    away = dataclasses.replace(BERLIN, off="6 7", away=morning(BERLIN, utc(20, 12), 4).isoformat())
    assert utc(26, 7) == when_free(away, utc(21, 12))


@pytest.mark.parametrize(
    ("off", "day", "following"),
    [
        ("6", date(2026, 10, 24), date(2026, 10, 31)),  # a Saturday
        ("6", date(2026, 10, 23), date(2026, 10, 24)),
        ("6 2026-10-26", date(2026, 10, 24), date(2026, 10, 26)),
        ("2026-10-26", date(2026, 10, 26), None),
        ("2026-12-24 2026-12-26", date(2026, 10, 26), date(2026, 12, 24)),
        ("", date(2026, 10, 26), None),
    ],
)
def test_the_next_day_off_comes_after_a_day(off: str, day: date, following: date | None) -> None:
    assert following == next_day_off(dataclasses.replace(BERLIN, off=off), day)


@pytest.mark.parametrize(
    ("snooze", "now", "until"),
    [
        ("hour", utc(24, 9), utc(24, 10)),
        ("evening", utc(24, 9), utc(24, 17)),
        ("evening", utc(24, 16, 30), utc(24, 18, 30)),
        ("evening", utc(25, 9), utc(25, 18)),
        ("tomorrow", utc(24, 9), utc(25, 7)),
    ],
)
def test_a_snooze_can_last_until_evening_or_morning(snooze: str, now: datetime, until: datetime) -> None:
    assert until == snooze_until(snooze, BERLIN, now)


def test_a_snooze_also_covers_a_game_that_comes_due_meanwhile() -> None:
    snoozed = LastReminder(1, utc(1, 0), utc(9, 12))
    new = reminder_job(1, 2, 3, utc(1, 1))
    assert utc(9, 12) == reminder_at(new, Preferences(interval=4), snoozed, utc(1, 9))


@pytest.mark.parametrize("preferences", [Preferences(interval=0), Preferences(summary=INSTEAD)])
def test_a_user_who_wants_no_reminders_gets_none(preferences: Preferences) -> None:
    assert reminder_at(reminder_job(1, 2, 3, utc(1, 1)), preferences, LastReminder(), utc(9, 9)) is None


@pytest.mark.parametrize(
    ("since", "reminded", "last", "at"),
    [
        (utc(1, 1), None, LastReminder(), utc(2, 1)),
        (utc(1, 1), utc(2, 5), LastReminder(1, utc(2, 5)), utc(3, 5)),
        (utc(1, 1), utc(2, 5), LastReminder(1, utc(3, 4, 30)), utc(3, 5, 30)),  # one about another game
        (utc(1, 1), utc(2, 5), LastReminder(1, utc(2, 5), utc(2, 9)), utc(2, 9)),
        (utc(1, 1), utc(2, 5), LastReminder(1, utc(2, 5), utc(2, 5)), utc(3, 5)),
    ],
)
def test_a_reminder_comes_after_the_interval_an_hour_after_another_or_at_the_end_of_a_snooze(
    since: datetime, reminded: datetime | None, last: LastReminder, at: datetime
) -> None:
    job = reminder_job(1, 2, 3, since)
    job = job.at(since, reminded=reminded and time_of(reminded))
    assert at == reminder_at(job, Preferences(interval=24), last, utc(1, 2))
    assert utc(9, 9) == reminder_at(job, Preferences(interval=24), last, utc(9, 9)), "at once if that is over"


def test_the_last_reminder_is_at_least_the_seventh_and_a_week_old() -> None:
    since = utc(1, 9)
    waiting = reminder_job(1, 2, 3, since)
    last = {
        (number, days): is_last(waiting.at(since, times=number - 1), since + days * DAY)
        for number in (1, 6, 7, 8)
        for days in (0, 6, 7, 8)
    }
    assert {(7, 7), (7, 8), (8, 7), (8, 8)} == {case for case, ends in last.items() if ends}
    assert not is_last(waiting.at(since), since + 8 * DAY), "one of a version that counted none"


def test_an_unknown_time_zone_counts_as_utc() -> None:
    job = reminder_job(1, 2, 3, utc(1, 0))
    preferences = Preferences(zone="Atlantis/Poseidonis", quiet="22-8")
    assert utc(2, 8) == reminder_at(job, preferences, LastReminder(), utc(1, 9))


@pytest.mark.parametrize(
    ("typed", "zones"),
    [
        ("Berlin", ["Europe/Berlin"]),
        (" new YORK ", ["America/New_York"]),
        ("sao paulo", ["America/Sao_Paulo"]),
        ("São Paulo", ["America/Sao_Paulo"]),
        ("utc", ["UTC"]),
        ("Wien", ["Europe/Vienna"]),
        ("Tokio", ["Asia/Tokyo"]),
        ("Moskau", ["Europe/Moscow"]),
        ("Brüssel", ["Europe/Brussels"]),
        ("europe/kiev", ["Europe/Kiev"]),
        ("knox indiana", ["America/Indiana/Knox"]),
        ("Bahia", ["America/Bahia"]),  # and not `America/Bahia_Banderas`
        ("Atlantis", []),
        ("  ", []),
    ],
)
def test_time_zones_are_found_from_typed_text(typed: str, zones: list[str]) -> None:
    assert zones == list(find_zones(typed))


def test_time_zones_that_start_with_the_typed_place_come_first() -> None:
    assert ["US/Indiana-Starke", "America/Indiana/Knox"] == [
        zone for zone in find_zones("indiana") if zone in ("America/Indiana/Knox", "US/Indiana-Starke")
    ]


def test_the_pages_of_the_settings_fit() -> None:
    now = utc(24, 9)
    for preferences in (Preferences(), dataclasses.replace(BERLIN, away=utc(30, 7).isoformat())):
        for page in PAGES:
            check(preferences_layout(preferences, now, page))
        check(preferences_layout(preferences, now, TIMES, find_zones("a")))


def table(title: str) -> Any:
    """The parts of a table that a reminder reads; ids are as long as they can be."""
    longest = 10**19 - 1
    row, board = SimpleNamespace(guild_id=longest, channel_id=longest), SimpleNamespace(message_id=longest)
    return SimpleNamespace(title=title, row=row, board=board, say=lambda text, *_: str(text))


def test_a_reminder_of_many_games_fits() -> None:
    waiting = Waiting(1, 2, 3, 4, Seat(0), Text("y" * 900), False, table("x" * 45))
    for direct in (True, False):
        check(reminder_layout(10**18, [(waiting, utc(1, 0))] * 40, direct=direct))


def _is_quiet(preferences: Preferences, moment: datetime) -> bool:
    """Said in another way than the bot does."""
    hour = moment.astimezone(ZoneInfo(preferences.zone)).hour
    quiet = {"22-8": {22, 23, *range(8)}, "23-7": {23, *range(7)}, "0-9": {*range(9)}, "13-15": {13, 14}}
    quiet["1-6"] = {*range(1, 6)}
    return hour in quiet.get(preferences.quiet, set())


# --- a village that plays ---

WEEKS = 4
"""Simulated weeks: the clocks change within them in each of these zones that changes them at all."""

ZONES = ("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia")
SERVERS = 2


class Killed(BaseException):
    """The process is gone, at this very instant."""


@dataclass
class Asked:
    """The decision that a match waits for."""

    user_id: int
    version: int
    since: datetime
    times: int = 0


@dataclass
class Village(Clock):
    """People who play for weeks, put off and change their preferences, and a bot that is killed now and then."""

    database: Database
    random: Random = field(default_factory=lambda: Random(20261122))
    time: datetime = field(default_factory=lambda: utc(1, 6))
    questions: dict[int, Asked] = field(default_factory=dict)
    preferences: dict[int, Preferences] = field(default_factory=dict)
    told_at: dict[int, datetime] = field(default_factory=dict)
    told_of: dict[tuple[int, int], datetime] = field(default_factory=dict)
    eager: dict[int, datetime] = field(default_factory=dict)
    dead: bool = False
    unnoted: set[int] = field(default_factory=set)
    risk: float = 0.01
    nonces: dict[str, int] = field(default_factory=dict)
    lists: dict[int, set[tuple[int, int]]] = field(default_factory=dict)
    faults: list[AssertionError] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.store = Store(self.database)
        self.reminders = Reminders(self._killable(), self, self.look, self.send, self.remove)

    def now(self) -> datetime:
        return self.time

    def _killable(self) -> Store:
        """The store, in which a write may be the last thing, or may not come to it."""
        for part, name in ((self.store.jobs, "replace"), (self.store.jobs, "put"), (self.store.reminded, "note")):
            setattr(part, name, self._deadly(getattr(part, name)))
        return self.store

    def _deadly(self, write: Any) -> Any:
        async def written(*values: Any) -> Any:
            self._maybe_kill()
            done = await write(*values)
            self._maybe_kill()
            return done

        return written

    def _maybe_kill(self) -> None:
        if self.dead:  # and nothing that was under way goes on
            raise Killed
        if self.random.random() < self.risk:
            self.counts["killed"] += 1
            self.dead = True
            raise Killed

    # tables and Discord as the bot sees them

    async def look(self, match_id: int, user_id: int) -> Waiting | None:
        decision = self.questions[match_id]
        if decision.user_id != user_id:
            return None
        place, prompt = (match_id % SERVERS, match_id), Text("Where?")
        return Waiting(match_id, decision.version, *place, Seat(0), prompt, False, table("Muscat"))

    async def send(self, user_id: int, due: Due, direct: bool, nonce: str) -> Sent:
        self._maybe_kill()
        if self.random.random() < 0.03:
            self.counts["refused"] += 1
            raise OSError("an outage")
        due = due if direct else [(w, since) for w, since in due if w.place == due[0][0].place]
        if nonce in self.nonces:
            self.counts["repeated, and so the same message"] += 1
            return Sent(due, (1, self.nonces[nonce]))
        self.nonces[nonce] = message_id = len(self.nonces)
        self.lists[message_id] = {(user_id, waiting.match_id) for waiting, _ in due}
        try:
            self._check(user_id, due)
        except AssertionError as fault:  # the bot would only log it
            self.faults.append(fault)
        self._maybe_kill()
        return Sent(due, (1, message_id))

    async def remove(self, channel_id: int, message_id: int) -> None:
        self._maybe_kill()
        self.counts["removed"] += 1
        gone = self.lists.pop(message_id)
        if not all(any(message in messages for messages in self.lists.values()) for message in gone):
            self.faults.append(AssertionError(f"the last reminder of {gone} is gone"))

    def _check(self, user_id: int, due: Due) -> None:
        """Outages, kills and delays."""
        preferences = self.preferences[user_id]
        assert preferences.interval, "they want no reminders"
        assert not _is_quiet(preferences, self.time)
        assert str(self.time.astimezone(ZoneInfo(preferences.zone)).isoweekday()) not in preferences.off.split()
        assert not preferences.away or datetime.fromisoformat(preferences.away) <= self.time
        # known: a game that comes due between a kill and the next attempt changes the message
        unnoted = user_id in self.unnoted
        assert unnoted or self.time >= self.told_at.get(user_id, utc(1, 0)) + HOUR, "two within an hour"
        for waiting, _ in due:
            decision = self.questions[waiting.match_id]
            assert (user_id, waiting.version) == (decision.user_id, decision.version), "they are not due"
            before = self.told_of.get((waiting.match_id, waiting.version), decision.since)
            rest = self.time - max(before, self.eager.get(user_id, before))
            eager = self.eager.get(user_id, before) > before
            assert eager or unnoted or rest >= (preferences.interval - 1) * HOUR, f"so soon: {rest}"
            self.told_of[waiting.match_id, waiting.version] = self.time
            decision.times += 1
        self.told_at[user_id] = self.time
        self.counts["reminders"] += 1
        self.counts["games in them"] += len(due)

    # what people do

    async def move(self, match_id: int) -> None:
        """The due player acts: some continue without a board, otherwise the board calls another player."""
        decision = self.questions[match_id]
        version, goes_on = decision.version + 1, self.random.random() < 0.2
        self.counts["moves"] += 1
        if decision.times:
            self.counts["moves after a reminder"] += 1
        who = decision.user_id if goes_on else self.random.choice(list(self.preferences))
        await self.ask(match_id, Asked(who, version, self.time))
        if not goes_on:
            await self.board(match_id)

    async def ask(self, match_id: int, asked: Asked) -> None:
        self.questions[match_id] = asked
        new = NewEntries(asked.version - 1, [Entry(Seat(0), "draw")], self.time)
        await self.store.log.append(match_id, new)

    async def board(self, match_id: int) -> None:
        decision = self.questions[match_id]
        called = reminder_job(match_id, decision.user_id, decision.version, self.time)
        await self.alive(self.store.jobs.replace_all(JobKind.REMINDER, match_id, [called]))

    async def live(self, user_id: int, preferences: Preferences) -> None:
        self.preferences[user_id] = preferences
        await keep_preferences(self.store.settings, user_id, preferences)
        await self.store.jobs.make_due_for_user(self.time, JobKind.REMINDER, user_id)
        self.eager[user_id] = self.time  # what they waited by their old preferences counts by the new ones

    async def snooze(self, user_id: int) -> None:
        until = snooze_until(self.random.choice(("hour", "evening", "tomorrow")), self.preferences[user_id], self.time)
        await self.store.reminded.snooze(user_id, until)
        await self.store.jobs.make_due_for_user(self.time, JobKind.REMINDER, user_id)
        self.eager[user_id] = until
        self.counts["snoozes"] += 1

    def some_preferences(self) -> Preferences:
        random = self.random
        preferences = Preferences(
            interval=random.choice((0, 4, 12, 24, 24, 24, 72)),
            direct=random.random() < 0.4,
            zone=random.choice(ZONES),
            quiet=random.choice(("", "22-8", "13-15", "1-6")),
            off=random.choice(("", "", "", "6 7", "2")),
        )
        away = morning(preferences, self.time, random.choice((1, 3, 7, 14)))
        return dataclasses.replace(preferences, away=away.isoformat() if random.random() < 0.2 else "")

    # how time goes by

    async def settle(self, people: Sequence[int], matches: Sequence[int]) -> None:
        for user_id in people:
            await self.live(user_id, self.some_preferences() if user_id % 3 else Preferences(zone="Europe/Berlin"))
        for match_id in matches:
            await self.ask(match_id, Asked(self.random.choice(people), 1, self.time))
            await self.board(match_id)

    async def until(self, moment: datetime) -> None:
        """Let the bot do its work up to a moment."""
        while earliest := await self.database.fetch_value("SELECT min(due_at) FROM jobs"):
            if time_at(earliest) > moment:
                break
            self.time = max(self.time + timedelta(seconds=1), time_at(earliest))
            self.counts["rounds"] += 1
            for user_id in {job.user_id: None for job in await self.store.jobs.due(self.time)}:
                await self.serve(user_id)
        self.time = max(self.time, moment)

    async def serve(self, user_id: int) -> None:
        """Do what the worker does for a user; after a kill, what the next process does."""
        try:
            await self.reminders.serve(user_id)
            self.unnoted.discard(user_id)
        except OSError:
            for job in await self.store.jobs.due(self.time):
                if job.user_id == user_id:
                    await self.alive(self.store.jobs.replace(job, job.at(self.time + timedelta(minutes=1))))
        except Killed:
            self.dead = False
            self.unnoted.add(user_id)
            self.time += timedelta(seconds=30)
            self.reminders = Reminders(self.store, self, self.look, self.send, self.remove)

    async def alive(self, work: Awaitable[Any]) -> None:
        """Do something without a kill."""
        risk, self.risk = self.risk, 0.0
        await work
        self.risk = risk

    async def something(self) -> None:
        """Let a random person act."""
        match self.random.choices(("move", "snooze", "change"), (8, 1, 1))[0]:
            case "move":
                await self.move(self.random.choice(list(self.questions)))
            case "snooze" if self.told_at:
                await self.snooze(self.random.choice(list(self.told_at)))
            case _:
                changing = [user_id for user_id in self.preferences if user_id % 3]
                await self.live(self.random.choice(changing), self.some_preferences())

    def check_nobody_is_forgotten(self) -> None:
        """People with the usual preferences and without a pause have a reminder for each game that waits long."""
        for decision in self.questions.values():
            usual = decision.user_id % 3 == 0 and decision.user_id not in self.eager
            assert decision.times or not usual or self.time - decision.since < DAY + 4 * HOUR


@pytest.fixture
async def village() -> AsyncIterator[Village]:
    async with in_memory() as database:
        await database.fetch("PRAGMA foreign_keys = OFF")  # its matches are nothing but numbers
        yield Village(database)


async def test_simulated_weeks_send_no_duplicate_needless_or_mistimed_reminder(village: Village) -> None:
    await village.settle(range(1, 10), range(1, 13))
    village.eager.clear()
    end = village.time + timedelta(weeks=WEEKS)
    while village.time < end:
        await village.until(village.time + village.random.expovariate(1 / 2) * HOUR)
        village.check_nobody_is_forgotten()
        await village.something()
        assert not village.faults
    print(", ".join(f"{count} {what}" for what, count in village.counts.items()))
    assert village.counts["reminders"] > 100
    assert village.counts["removed"] > 50
    assert village.counts["killed"] > 10
    assert village.counts["repeated, and so the same message"] > 0


async def test_an_obsolete_reminder_delays_no_other_one() -> None:
    now, ana, sent = utc(9, 12), 7, list[list[int]]()

    async def look(match_id: int, _: int) -> Waiting | None:
        return Waiting(2, 3, 1, 1, Seat(0), Text("Where?"), False, table("Muscat")) if match_id == 2 else None

    async def send(_: int, due: Due, *__: object) -> Sent:
        sent.append([waiting.match_id for waiting, _ in due])
        return Sent(due, (1, 1))

    async with in_memory() as database:
        store = Store(database)
        for match_id in (1, 2):
            await store.jobs.put(reminder_job(match_id, ana, 3, now - 2 * DAY))
        # killed before it was sent; meanwhile Ana has acted in the first match
        await store.reminded.begin(ana, [(1, 3)], now)
        reminders = Reminders(store, cast(Clock, SimpleNamespace(now=lambda: now)), look, send, no_removal)
        await reminders.serve(ana)
        assert [] == sent, "the nonce belongs to a reminder of the first match"
        await reminders.serve(ana)
        assert [[2]] == sent
        await reminders.serve(ana)
        assert [[2]] == sent


@dataclass
class Sleepers:
    """A user with decisions in matches by number, and what they are reminded of."""

    store: Store
    now: datetime = datetime(2026, 10, 20, 12, tzinfo=UTC)
    version: int = 3
    is_timed: bool = False
    in_vote: bool = False
    sent: list[list[tuple[int, datetime, bool]]] = field(default_factory=list)

    async def look(self, match_id: int, _: int) -> Waiting:
        about = Seat(0), Text("Where?"), self.in_vote, table("Muscat")
        return Waiting(match_id, self.version, 1, 1, *about, is_timed=self.is_timed)

    async def send(self, _: int, due: Due, *__: object) -> Sent:
        self.sent.append([(waiting.match_id, since, waiting.is_last) for waiting, since in due])
        return Sent(due, (1, 1))

    async def remind(self) -> list[int]:
        """Let the reminder of the user be served. Returns the matches that still have a job."""
        clock = cast(Clock, SimpleNamespace(now=lambda: self.now))
        await Reminders(self.store, clock, self.look, self.send, no_removal).serve(7)
        return [job.match_id for job in await self.store.jobs.of_user(JobKind.REMINDER, 7)]


@pytest.fixture
async def sleepers() -> AsyncIterator[Sleepers]:
    async with in_memory() as database:
        await database.fetch("PRAGMA foreign_keys = OFF")  # its matches are nothing but numbers
        yield Sleepers(Store(database))


@pytest.mark.parametrize("is_timed", [True, False])
async def test_reminders_end_only_where_no_clock_runs(sleepers: Sleepers, is_timed: bool) -> None:
    sleepers.is_timed, since = is_timed, sleepers.now - 8 * DAY
    job = reminder_job(1, 7, 3, since)
    await sleepers.store.jobs.put(job.at(job.due_at, times=6))
    assert ([1] if is_timed else []) == await sleepers.remind()
    assert [[(1, since, not is_timed)]] == sleepers.sent


async def test_the_reminders_of_an_earlier_decision_do_not_count_for_a_new_one(sleepers: Sleepers) -> None:
    since = sleepers.now - 8 * DAY
    job = reminder_job(1, 7, sleepers.version - 1, since)
    await sleepers.store.jobs.put(job.at(job.due_at, times=6))
    assert [1] == await sleepers.remind()
    assert [[(1, since, False)]] == sleepers.sent


async def test_a_reminder_waits_for_the_end_of_the_vote_about_its_player(sleepers: Sleepers) -> None:
    sleepers.in_vote = True
    await sleepers.store.jobs.put(reminder_job(1, 7, 3, sleepers.now - 2 * DAY))
    await sleepers.remind()
    (job,) = await sleepers.store.jobs.of_user(JobKind.REMINDER, 7)
    assert ([], sleepers.now + HOUR) == (sleepers.sent, job.due_at)
    sleepers.in_vote = False
    await sleepers.remind()
    assert [[1]] == [[match_id for match_id, *_ in sent] for sent in sleepers.sent]


async def test_a_decision_that_came_up_while_the_reminder_was_sent_counts_as_not_reminded(
    sleepers: Sleepers, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = reminder_job(1, 7, 4, sleepers.now)

    async def send(_: int, due: Due, *__: object) -> Sent:
        await sleepers.store.jobs.put(newer)
        return Sent(due, (1, 1))

    monkeypatch.setattr(sleepers, "send", send)
    await sleepers.store.jobs.put(reminder_job(1, 7, 3, sleepers.now - 2 * DAY))
    await sleepers.remind()
    assert [newer] == await sleepers.store.jobs.of_user(JobKind.REMINDER, 7)


async def test_a_reminder_begins_with_the_game_that_has_waited_longest(sleepers: Sleepers) -> None:
    first, second = sleepers.now - 3 * DAY, sleepers.now - 2 * DAY
    await sleepers.store.jobs.put(reminder_job(1, 7, 3, second), reminder_job(2, 7, 3, first))
    await sleepers.remind()
    assert [[(2, first, False), (1, second, False)]] == sleepers.sent


async def test_a_decision_does_not_wait_since_before_the_board_that_called_its_player(sleepers: Sleepers) -> None:
    board, sleepers.version = sleepers.now - 23.5 * HOUR, 4
    job = reminder_job(1, 7, 3, board)
    await sleepers.store.log.append(1, NewEntries(3, [Entry(Seat(0), "draw")], board - 5 * DAY))
    await sleepers.store.jobs.put(job.at(sleepers.now))
    assert ([1], []) == (await sleepers.remind(), sleepers.sent)
    (job,) = await sleepers.store.jobs.of_user(JobKind.REMINDER, 7)
    assert (4, board) == (job.state["version"], time_at(job.state["since"]))


async def no_removal(*_: int) -> None:
    raise AssertionError("there is no older reminder")


def test_every_alternative_city_name_leads_to_its_time_zone() -> None:
    assert [] == [name for name in OTHER_NAMES if not find_zones(name)]
    assert {"Europe"} == {zone.partition("/")[0] for name in ("rom", "wien", "prag") for zone in find_zones(name)}
