"""Days off: weekdays that come again and single days. The others see until which day a player is away."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.features.settings.days_off_page import (
    days_off_layout,
    longest_row,
    read_dates,
    single_days,
)
from bot.store.store import Store
from bot.tables.absent import due_and_absent
from bot.tables.preferences import Preferences, keep_preferences
from engine.texts import Text
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.forging import forge
from tests.bot.habits import open_settings
from tests.bot.interactions.test_layouts import check
from tests.bot.timed_app import TimedApp
from tests.crowd.database import in_memory

TODAY = date(2026, 11, 27)
DAY = timedelta(days=1)
BEACH = "🏖️ Away"


def days(*iso: str) -> list[date]:
    return [date.fromisoformat(day) for day in iso]


@pytest.mark.parametrize(
    ("typed", "dates"),
    [
        ("2026-12-24", days("2026-12-24")),
        ("2027-1-6; 2026-12-24,", days("2026-12-24", "2027-01-06")),
        ("2026-12-24 – 2026-12-26", days("2026-12-24", "2026-12-25", "2026-12-26")),
        ("2026-12-31 to 2027-01-01", days("2026-12-31", "2027-01-01")),
        ("2026-11-26-2026-11-28", days("2026-11-27", "2026-11-28")),
        ("", []),
        ("2026-02-30", None),
        ("2026-12-26 – 2026-12-24", None),
        ("2026-12-26 – 2026-12-25", None),
        ("12/24/2026", None),
        ("24.12.", None),
        ("2026-12-24 2026-12-26 2026-12-28", None),
        ("2027-11-28", days("2027-11-28")),
        ("2027-11-29", None),
        ("2027-11-27 – 2027-11-29", None),
        (f"{TODAY} – {TODAY + 39 * DAY}", [TODAY + n * DAY for n in range(40)]),
        (f"{TODAY} – {TODAY + 19 * DAY}, {TODAY + 30 * DAY} – {TODAY + 50 * DAY}", None),
        (f"{TODAY} – {TODAY + 40 * DAY}", None),
        ("9999-12-31", None),
    ],
)
def test_typed_days_may_be_single_dates_or_ranges(typed: str, dates: list[date] | None) -> None:
    assert dates == read_dates(typed, TODAY)


def test_single_days_and_adjacent_weekdays_count_as_one_row() -> None:
    assert 2 == longest_row(Preferences(off="6 7"), TODAY)
    assert 5 == longest_row(Preferences(off="6 7 2026-12-24 2026-12-25 2026-12-28"), TODAY)


def test_of_the_single_days_those_from_today_on_are_left_in_order() -> None:
    off = f"{TODAY + 2 * DAY} 6 {TODAY - DAY} {TODAY}"
    assert [TODAY, TODAY + 2 * DAY] == single_days(Preferences(off=off), TODAY)


def test_the_page_stays_within_limits_with_any_days_off() -> None:
    now = datetime.fromisoformat("2026-11-27T12:00:00+00:00")
    every_other = " ".join((TODAY + n * 2 * DAY).isoformat() for n in range(40))
    for off in ("", "6 7", f"1 2 3 4 5 6 {every_other}"):
        check(days_off_layout(Preferences(off=off), now))


async def test_only_absent_players_with_a_pending_decision_are_named() -> None:
    now = datetime(2026, 11, 27, 12, tzinfo=UTC)
    decisions = [SimpleNamespace(seat=0), SimpleNamespace(seat=1)]
    match = SimpleNamespace(state=SimpleNamespace(decisions=lambda: decisions))
    table: Any = SimpleNamespace(match=match, users={0: 71, 1: 72, 2: 73}, due_sentence=lambda: Text("due"))
    async with in_memory() as database:
        user_settings = Store(database).settings
        for user_id in (71, 72, 73):
            await keep_preferences(user_settings, user_id, Preferences(off=TODAY.isoformat()))
        sentence = str(await due_and_absent(user_settings, table, 72, now))
    assert [True, False, False] == [f"<@{user_id}>" in sentence for user_id in (71, 72, 73)]


async def page(person: Player) -> Seen:
    return await person.tap("Days off", on=await open_settings(person, "away"))


def weekdays(seen: Seen) -> list[str]:
    return [option.label for option in seen.menus[0].options if option.chosen]


async def type_dates(person: Player, typed: str, on: Seen) -> Seen:
    await person.tap("Change the dates", on=on)
    answer = await person.submit({"Dates": typed})
    assert answer is not None
    return answer


async def test_weekdays_and_dates_coexist_and_survive_a_restart(timed_app: TimedApp) -> None:
    ana, year = timed_app.app.room().person("Ana"), timed_app.fake_clock.now.year + 1
    await ana.choose("Saturday", "Sunday", on=await page(ana))
    await type_dates(ana, f"{year}-01-01 – {year}-01-02, {year}-01-06", on=await page(ana))
    await timed_app.app.close()
    await timed_app.app.open()
    seen = await page(ana)
    assert ["Saturday", "Sunday"] == weekdays(seen)
    assert 3 == seen.text.count("<t:"), "the ends of a row, and a single day"
    without = await ana.choose("Monday", on=seen)
    assert ["Monday"] == weekdays(without)
    await ana.tap("Change the dates", on=without)
    assert f"{year}-01-01 – {year}-01-02, {year}-01-06" in str(ana.modal)
    cleared = await ana.submit({"Dates": ""})
    assert cleared is not None
    assert (["Monday"], 0) == (weekdays(cleared), cleared.text.count("<t:"))
    assert [] == weekdays(await ana.choose(on=cleared))


async def test_back_leads_to_the_page_with_the_quiet_hours(app: App) -> None:
    ana = app.room().person("Ana")
    away = await ana.tap("Back", on=await page(ana))
    assert "**Away**" in away


async def test_taking_off_every_weekday_or_too_many_days_in_a_row_is_refused_and_changes_nothing(app: App) -> None:
    ana = app.room().person("Ana")
    seen = await ana.choose("Saturday", on=await page(ana))
    every = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    assert "You can’t take every day of the week off" in await ana.choose(*every, on=seen)
    next_year = date.today().year + 1
    assert "days off in a row" in await type_dates(ana, f"{next_year}-03-01 – {next_year}-03-20", on=seen)
    assert "I can’t read these dates" in await type_dates(ana, "Christmas", on=seen)
    menu = {"type": 3, "custom_id": seen.menus[0].custom_id, "options": []}
    assert (await forge(app, ana, seen, menu, values=["8"])).ephemeral
    ((stored,),) = app.query("SELECT value FROM settings WHERE name = 'preferences'")
    assert '"off":"6"' in stored
    again = await page(ana)
    assert ["Saturday"] == weekdays(again)
    assert "<t:" not in again.text


async def test_days_off_in_a_row_are_limited_to_the_maximum_absence(app: App) -> None:
    ana, first = app.room().person("Ana"), date.today() + 3 * DAY
    seen = await type_dates(ana, f"{first} – {first + 13 * DAY}", on=await page(ana))
    assert 2 == seen.text.count("<t:")
    assert "days off in a row" in await type_dates(ana, f"{first} – {first + 14 * DAY}", on=seen)


async def test_past_single_days_disappear_and_make_room_for_new_ones(timed_app: TimedApp) -> None:
    ana, today = timed_app.app.room().person("Ana"), timed_app.fake_clock.now.date()
    later = today + 9 * DAY
    await type_dates(ana, f"{today + DAY}, {later}", on=await page(ana))
    await timed_app.hours(72)
    seen = await page(ana)
    assert 1 == seen.text.count("<t:")
    await ana.tap("Change the dates", on=seen)
    assert (True, False) == tuple(str(day) in str(ana.modal) for day in (later, today + DAY))
    await ana.choose("Monday", on=seen)
    ((stored,),) = timed_app.app.query("SELECT value FROM settings WHERE name = 'preferences'")
    assert f"1 {later}" in stored


async def test_a_day_off_suspends_pings_and_a_reminder_follows_the_next_morning(timed_app: TimedApp) -> None:
    timed_app.fake_clock.show(12)
    room, (ana, ben) = await timed_app.begin("Ana", "Ben", game="beg")
    board = room.onlooker.last
    today = timed_app.fake_clock.now.date()
    await type_dates(ana, f"{today} – {today + DAY}", on=await page(ana))
    pings = len(ana.pings)
    await timed_app.hours(43)
    assert pings == len(ana.pings)
    answer = await ben.tap("Your move", on=board)
    assert f"{BEACH}: {ana.mention} until <t:" in answer
    await timed_app.hours(2)
    assert pings + 1 == len(ana.pings)
    assert BEACH not in await ben.tap("Your move", on=board)


async def test_the_lobby_shows_the_return_date_without_the_time_zone(timed_app: TimedApp) -> None:
    ana, ben = timed_app.app.room().people("Ana", "Ben")
    here = timed_app.fake_clock.now.astimezone(ZoneInfo("Pacific/Kiritimati")).date()
    free = here + 2 * DAY
    off = " ".join(day for day in "1234567" if day != str(free.isoweekday()))
    await timed_app.likes(ana, zone="Pacific/Kiritimati", off=off)
    await ana.slash("table new", game="muscat")
    at_eleven = datetime.combine(free, time(11), UTC)
    assert f"{BEACH}: {ana.mention} until <t:{int(at_eleven.timestamp())}:D>" in await ben.tap("Join")
