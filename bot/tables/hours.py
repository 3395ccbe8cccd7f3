"""A user's day: time zones, quiet hours, absences, days off and mornings."""

from __future__ import annotations

import dataclasses
import unicodedata
import zoneinfo
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import cache

from bot.tables.preferences import Preferences, days_off, quiet_hours
from engine.texts import Text

DAY_NAMES = (
    Text("Monday"),
    Text("Tuesday"),
    Text("Wednesday"),
    Text("Thursday"),
    Text("Friday"),
    Text("Saturday"),
    Text("Sunday"),
)

MORNING = 8
"""The hour of the day at which an absence ends, and a day off on the day after."""

NEARLY_A_DAY = timedelta(hours=20)
"""The minimum time between two mornings, even if the user changes their time zone in between."""


def zone_of(preferences: Preferences) -> tzinfo:
    """The time zone of a user; UTC in place of one that this machine does not know any more."""
    try:
        return zoneinfo.ZoneInfo(preferences.zone)
    # `ZoneInfoNotFoundError` is a `KeyError`; a path raises `ValueError`, and a folder `OSError` on some systems
    except (KeyError, ValueError, OSError):
        return UTC


def at_hour(preferences: Preferences, day: date, hour: int) -> datetime:
    """A full hour of a user's day, in UTC."""
    return datetime.combine(day, time(hour), zone_of(preferences)).astimezone(UTC)


def hour_of_day(hour: int, half: str = "") -> int:
    """The hour of the day that a user typed, with `half` as `a` for AM, `p` for PM, or neither."""
    # German *um 20:00 am Samstag*: not the half of a day
    return hour % 12 + (12 if half == "p" else 0) if half and hour <= 12 else hour


def morning(preferences: Preferences, now: datetime, days: int) -> datetime:
    """The morning of the day after a number of days, in UTC."""
    return at_hour(preferences, now.astimezone(zone_of(preferences)).date() + timedelta(days), MORNING)


def next_morning(preferences: Preferences, after: datetime) -> datetime:
    """The first moment from the next morning on at which a user may be disturbed."""
    today = morning(preferences, after, 0)
    return when_free(preferences, today if today > after else morning(preferences, after, 1))


def morning_after(preferences: Preferences, sent: datetime) -> datetime:
    """The first moment from the morning of the day after a message on at which a user may be disturbed.

    The message may have come late, or before the morning of its own day.
    """
    return when_free(preferences, morning(preferences, sent, 1))


def away_until(preferences: Preferences, now: datetime) -> datetime | None:
    """The end of a user's absence; `None` without one."""
    back = datetime.fromisoformat(preferences.away) if preferences.away else now
    return back if back > now else None


def present(preferences: Preferences) -> Preferences:
    """The preferences without days away and days off, for waits that they must not extend."""
    return dataclasses.replace(preferences, away="", off="")


def when_free(preferences: Preferences, moment: datetime) -> datetime:
    """The first moment from this one on at which a user is neither away or off nor in their quiet hours."""
    # the end of one may lie within another
    while (free := _quiet_until(preferences, back_at(preferences, moment))) > moment:
        moment = free
    return moment


def back_at(preferences: Preferences, moment: datetime) -> datetime:
    """The first moment from this one on at which a user is neither away nor has a day off."""
    moment = away_until(preferences, moment) or moment
    while (free := _off_until(preferences, moment)) > moment:
        moment = free
    return moment


def next_day_off(preferences: Preferences, day: date) -> date | None:
    """The first day off after `day`, or `None`."""
    off = days_off(preferences.off)
    dates = [date.fromisoformat(single) for single in off if len(single) > 1 and single > day.isoformat()]
    week = [day + timedelta(days) for days in range(1, 8)]
    return min([*dates, *(day for day in week if is_day_off(preferences, day))], default=None)


def is_day_off(preferences: Preferences, day: date) -> bool:
    """Whether a user has a day off, on its weekday or its date."""
    return not days_off(preferences.off).isdisjoint((str(day.isoweekday()), day.isoformat()))


def _off_until(preferences: Preferences, moment: datetime) -> datetime:
    """The morning after a day off, at a moment from its midnight on; the moment itself at other times."""
    day = moment.astimezone(zone_of(preferences)).date()
    if is_day_off(preferences, day):
        return at_hour(preferences, day + timedelta(1), MORNING)
    this_morning = at_hour(preferences, day, MORNING)
    return max(moment, this_morning) if is_day_off(preferences, day - timedelta(1)) else moment


def _quiet_until(preferences: Preferences, moment: datetime) -> datetime:
    """The end of the quiet hours at a moment; the moment itself at other times."""
    if (hours := quiet_hours(preferences.quiet)) is None:
        return moment
    begins, over = hours
    local = moment.astimezone(zone_of(preferences))
    # quiet hours that begin before midnight end on the next day
    overnight = begins > over
    if local.hour < over and (overnight or local.hour >= begins):
        return at_hour(preferences, local.date(), over)
    if overnight and local.hour >= begins:
        return at_hour(preferences, local.date() + timedelta(1), over)
    return moment


OTHER_NAMES = {
    "algier": "algiers",
    "athen": "athens",
    "bagdad": "baghdad",
    "belgrad": "belgrade",
    "bombay": "kolkata",
    "bruselas": "brussels",
    "brussel": "brussels",
    "bruxelles": "brussels",
    "bukarest": "bucharest",
    "damaskus": "damascus",
    "delhi": "kolkata",
    "eriwan": "yerevan",
    "havanna": "havana",
    "hongkong": "hong kong",
    "kairo": "cairo",
    "kalkutta": "kolkata",
    "kapstadt": "johannesburg",
    "kobenhavn": "copenhagen",
    "kopenhagen": "copenhagen",
    "lisboa": "lisbon",
    "lissabon": "lisbon",
    "londra": "london",
    "londres": "london",
    "luxemburg": "luxembourg",
    "mexiko": "mexico city",
    "moscou": "moscow",
    "moscu": "moscow",
    "moskau": "moscow",
    "moskva": "moscow",
    "mumbai": "kolkata",
    "nikosia": "nicosia",
    "peking": "shanghai",
    "beijing": "shanghai",
    "prag": "prague",
    "praha": "prague",
    "rom": "rome",
    "roma": "rome",
    "singapur": "singapore",
    "taipeh": "taipei",
    "taschkent": "tashkent",
    "teheran": "tehran",
    "tiflis": "tbilisi",
    "tokio": "tokyo",
    "varsovie": "warsaw",
    "warschau": "warsaw",
    "warszawa": "warsaw",
    "wien": "vienna",
}
"""Cities as other languages call them, and large ones without a time zone of their own -> the city of the time zone."""


@cache
def all_zones() -> frozenset[str]:
    """The names of all time zones. Reads many files, the first time."""
    return frozenset(zoneinfo.available_timezones())


def find_zones(typed: str) -> Sequence[str]:
    """The time zones that match a typed place, best first; only one if the place is named in full."""
    words = OTHER_NAMES.get(_plain(typed), _plain(typed)).split()
    if not words:
        return []
    fitting = [zone for zone in all_zones() if all(word in _plain(zone) for word in words)]
    for named in (_plain, _place):
        exact = [zone for zone in fitting if named(zone) == " ".join(words)]
        # the same place may be in two zones: `America/Louisville`, `America/Kentucky/Louisville`
        if len(exact) == 1:
            return exact
    return sorted(fitting, key=lambda zone: (not _place(zone).startswith(words[0]), zone))


def _place(zone: str) -> str:
    return _plain(zone.rpartition("/")[2])


def _plain(name: str) -> str:
    """A name in lowercase ASCII, without accents and punctuation except the signs of `GMT+2`."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return " ".join(
        "".join(sign if sign.isalnum() or sign in "+-" else " " for sign in folded if sign.isascii()).split()
    )
