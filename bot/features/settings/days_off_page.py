"""Days off: weekdays and single days on which a user is not reminded and their clocks stop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any

from discord.ui import TextDisplay

from bot.errors import UserError
from bot.features.fields import NO_SUCH_TEXT
from bot.features.handlers import Request, anywhere
from bot.features.settings.preference_changes import change
from bot.interactions.controls import Menu
from bot.interactions.forms import Form
from bot.interactions.kinds import declare_anywhere
from bot.interactions.parts import Layout, layout, row, stamp
from bot.interactions.typed import MAX_LINE
from bot.tables.hours import DAY_NAMES, at_hour, is_day_off, zone_of
from bot.tables.preferences import WEEKDAYS, Preferences, preferences_of
from engine.texts import Text

DAY = timedelta(days=1)

MAX_DATES = 40
"""Single days off of a user."""

MAX_AHEAD = timedelta(days=366)
"""The longest time from today to a single day off."""

MAX_IN_A_ROW = 14
"""Days off without a free day between them, as many as an absence."""

NOON = 12
"""The hour that names a date to readers in most other time zones, too."""


@declare_anywhere("settingspage")
def show_settings(page: str) -> None:
    """*Back*: a page of the settings."""


@anywhere("daysoff")
async def show(request: Request) -> None:
    """Show the days off of the user."""
    await _show(request, await preferences_of(request.services.store.settings, request.user_id))


@anywhere("weekdays")
async def choose_weekdays(request: Request) -> None:
    """Store the weekdays that were chosen as days off."""
    if not {*request.values} <= {*WEEKDAYS}:
        raise UserError(NO_SUCH_TEXT)
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    days = single_days(preferences, _today(request, preferences))
    await _store(request, preferences, sorted({*request.values}), days)


@anywhere("askdates")
async def ask_dates(request: Request) -> None:
    """Open the form for single days."""
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    await request.response.ask(_form(single_days(preferences, today := _today(request, preferences)), today))


@anywhere("dates")
async def submit_dates(request: Request) -> None:
    """Store the single days of the form, which replace the earlier ones."""
    preferences = await preferences_of(request.services.store.settings, request.user_id)
    today = _today(request, preferences)
    days = read_dates(request.value, today)
    if days is None:
        raise UserError(
            Text(
                "I can’t read these dates. Type them as in {example}: at most {most} days in the next 12 months.",
                example=_example(today),
                most=MAX_DATES,
            )
        )
    await _store(request, preferences, weekdays_off(preferences), days)


async def _store(request: Request, before: Preferences, weekdays: Sequence[str], days: Sequence[date]) -> None:
    off = " ".join((*weekdays, *map(date.isoformat, days)))
    if {*weekdays} == {*WEEKDAYS}:
        raise UserError(
            Text("You can’t take every day of the week off. For a longer time, choose *Away* in `/me settings`.")
        )
    if longest_row(Preferences(off=off), _today(request, before)) > MAX_IN_A_ROW:
        raise UserError(Text("More than {most} days off in a row would hold up your games.", most=MAX_IN_A_ROW))
    await change(request, "off", off, partial(_show, request))


async def _show(request: Request, preferences: Preferences) -> None:
    await request.response.show(days_off_layout(preferences, request.services.clock.now()))


def _today(request: Request, preferences: Preferences) -> date:
    return request.services.clock.now().astimezone(zone_of(preferences)).date()


# --- the days ---


def weekdays_off(preferences: Preferences) -> list[str]:
    """The weekdays among a user's days off."""
    return [day for day in WEEKDAYS if day in preferences.off.split()]


def single_days(preferences: Preferences, today: date) -> list[date]:
    """The single days off of a user from today on, in order."""
    dates = (date.fromisoformat(day) for day in preferences.off.split() if day not in WEEKDAYS)
    return sorted(day for day in dates if day >= today)


def read_dates(typed: str, today: date) -> list[date] | None:
    """The days of a typed list of dates and of ranges of dates; `None` if it is unreadable or too long.

    Days before today are left out.
    """
    days: set[date] = set()
    for part in re.split(r"[,;\n]", typed):
        if part.strip():
            span = _span(part)
            if span is None or span[-1] > today + MAX_AHEAD:
                return None
            days.update(span)
    coming = sorted(day for day in days if day >= today)
    return coming if len(coming) <= MAX_DATES else None


def _span(part: str) -> list[date] | None:
    """The days of one date, or from a first to a last date with at most one word or dash in between."""
    match = re.fullmatch(r"\s*(\d{4}-\d{1,2}-\d{1,2})(?:\s*[^\d\s]*\s*(\d{4}-\d{1,2}-\d{1,2}))?\s*", part)
    if match is None:
        return None
    try:
        first, last = (date(*map(int, (end or match[1]).split("-"))) for end in match.groups())
    except ValueError:  # not a day of the calendar
        return None
    length = (last - first).days + 1
    return [first + n * DAY for n in range(length)] if 0 < length <= MAX_DATES else None


def longest_row(preferences: Preferences, today: date) -> int:
    """The largest number of days off in a row, within the time for which single days can be set."""
    longest = row_length = 0
    for n in range(MAX_AHEAD.days + MAX_IN_A_ROW):
        row_length = row_length + 1 if is_day_off(preferences, today + n * DAY) else 0
        longest = max(longest, row_length)
    return longest


def ranges_of(days: Iterable[date]) -> Iterator[tuple[date, date]]:
    """The first and the last day of each row of days without a gap."""
    row: list[date] = []
    for day in days:
        if row and day > row[-1] + DAY:
            yield row[0], row[-1]
            row = []
        row.append(day)
    if row:
        yield row[0], row[-1]


# --- layouts ---


def days_off_layout(preferences: Preferences, now: datetime) -> Layout:
    """The weekdays to choose from, and the single days with their form."""
    about = Text(
        "### Your days off\n"
        "No reminders until the morning after, and your clock stops, for up to 7 days a turn. Others see when you’ll "
        "be back, but not why you’re away."
    )
    rows = tuple(zip(WEEKDAYS, DAY_NAMES, strict=True))
    weekdays = Menu(choose_weekdays.id(), rows, Text("No regular days off"), weekdays_off(preferences), several=True)
    single = Text("**Specific dates** – {days}", days=_days_words(preferences, now))
    form = ask_dates.button(Text("Change the dates"))
    back = show_settings.button(Text("Back"), page="away")
    return layout(TextDisplay[Any](str(about)), row(weekdays), TextDisplay[Any](str(single)), row(form, back))


def _days_words(preferences: Preferences, now: datetime) -> Text:
    ranges = ranges_of(single_days(preferences, now.astimezone(zone_of(preferences)).date()))
    listed = [" – ".join(stamp(at_hour(preferences, day, NOON), "D") for day in dict.fromkeys(ends)) for ends in ranges]
    return Text("{days}", days=", ".join(listed)) if listed else Text("none")


def _form(days: Iterable[date], today: date) -> Form:
    return Form(
        submit_dates.id(),
        Text("Specific dates off"),
        Text("Dates"),
        most=MAX_LINE,
        hint=_example(today),
        about=Text("Year-month-day, separated by commas. These dates replace the earlier ones."),
        optional=True,
        value=", ".join(" – ".join(map(date.isoformat, dict.fromkeys(ends))) for ends in ranges_of(days)),
    )


def _example(today: date) -> str:
    return f"{today.year}-12-24 – {today.year}-12-26, {today.year + 1}-01-01"
