"""Reads the time at which a table is to start, as people type times in their language and time zone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from bot.tables.hours import DAY_NAMES, hour_of_day, zone_of
from bot.tables.preferences import Preferences
from bot.tables.time_words import DAY_AFTER_TOMORROW, PARTS, in_english
from engine.languages import ENGLISH, language, reading
from engine.texts import Text

MAX_AHEAD = timedelta(days=30)
"""The longest time to a start: until then, the table occupies its channel."""

DAY, WEEK = timedelta(days=1), timedelta(days=7)

NO_HOUR = 99

MIN_LETTERS = 2
"""The shortest abbreviation of a weekday."""

TODAY, TOMORROW = Text("a typed day\4today"), Text("a typed day\4tomorrow")

UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": DAY}

# words of several languages that say nothing about a time
_FILLER = re.compile(r"\b(?:at|on|um|den|am|uhr|a|le|las?|el|alle|ore|il|the|h|this|ce|este|questo)\b")
_WAIT = re.compile(
    r"(?:in|dans|en|tra|fra)\s+(\d{1,3}(?:\.\d)?)\s*"
    r"(?:(?P<m>m|min\w*)|(?P<h>h|hrs?|hours?|std\.?|stunden?|heures?|horas?|or[ae])|(?P<d>d|days?|tag\w*|jours?|dias?|giorn[oi]))"
)
_COMMA = re.compile(r"(?<![\d/.:-])(\d{1,3}),(?=\d{1,2}(?![\d/:]))")
"""The comma of *21,30* or *1,5*, not that between a date and a time."""
_ISO_DATE = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b")
_DATE = re.compile(r"\b(?P<day>\d{1,2})\.\s?(?P<month>\d{1,2})\.(?:\s?(?P<year>\d{4})\b)?(?!\d)")
_SLASHED_DATE = re.compile(r"\b(?P<first>\d{1,2})/(?P<second>\d{1,2})(?:/(?P<year>\d{4}))?\b")
_DAY_OF_MONTH = re.compile(
    # not the hour of *Saturday 5 pm* or *Saturday 5 in the evening*
    r"\b(?P<weekday>[a-z]{2,})\.?\s(?:(?:the|den|le|el|il)\s)?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?!\d)"
    r"(?!\.?\d|:|\s?(?:[ap]\.?\s?m\b|h|uhr)|\.\s?\d\d?\.)\.?(?=.*\d)"
)
"""The day in *Saturday 5, 20:00*, beside its weekday."""
_TIME = re.compile(
    # a bare number is a time only after these words, or in a part of a day
    r"\b(?:(?:alle|ore|a las?|um)\s|h\s?)*(?P<hour>\d{1,2})"
    r"(?:[:.](?P<minute>\d\d)|\s?h(?:eures?|oras?|s)?\s?(?P<after_h>\d\d)?(?![a-z])|\s?uhr(?:\s(?P<after_uhr>\d\d))?)?"
    r"(?:\s?(?P<half>[ap]\.?\s?m\b\.?))?(?![\d.:])"
)


class _Day(NamedTuple):
    """A typed day, and the time after which the same words mean a later day, if it has passed."""

    day: date
    repeats: timedelta | None = None


def read_start(typed: str, preferences: Preferences, now: datetime) -> datetime | None:
    """The time that a user typed, in UTC; `None` if it is unreadable, past, or more than `MAX_AHEAD` away.

    Understands a wait, or a time of day with a date, a weekday or both, in the language of the reader or in English. A
    weekday beside a date has to belong to it. A time of day without a day is the next such time.
    """
    words = in_english(_plain(typed))
    if waiting := _WAIT.fullmatch(words):
        unit = UNITS[waiting.lastgroup or "m"]
        start: datetime | None = (now + float(waiting[1]) * unit).replace(second=0, microsecond=0)
    else:
        start = _at_time_of_day(words, now.astimezone(zone_of(preferences)))
    if start is None or not now < start <= now + MAX_AHEAD:
        return None
    return start.astimezone(UTC)


def typed_form(start: datetime, preferences: Preferences) -> str:
    """A start as its host can type it, in their time zone and language: `2026-12-24 7:30 PM`."""
    local = start.astimezone(zone_of(preferences))
    return f"{local:%Y-%m-%d} {language().time_of_day(local.time())}"


def _plain(typed: str) -> str:
    folded = unicodedata.normalize("NFKD", typed).casefold().replace("’", "'")
    plain = "".join(sign for sign in folded if not unicodedata.combining(sign))
    return " ".join(_COMMA.sub(r"\1.", plain).replace(",", " ").split())


def _at_time_of_day(words: str, now: datetime) -> datetime | None:
    """A time of day, on a day or the next possible one, in the time zone of `now`."""
    day, rest = _without_date(words, now.date())
    part, rest = _without_part(rest)
    at, rest = _without_time(rest, part)
    named = [_day_named(word, now.date()) for word in _FILLER.sub(" ", rest).replace(".", " ").split()]
    day = _common_day([*([day] if day else []), *named]) if day or named else _Day(now.date(), DAY)
    if at is None or day is None:
        return None
    return _next(day, at, now) if at < DAY or day.day == now.date() else None


def _common_day(days: Sequence[_Day | None]) -> _Day | None:
    """The day that all typed words mean: *Saturday*, or *Saturday, December 5* if that is a Saturday."""
    days_meant = [day for day in days if day]
    if len(days_meant) < len(days):
        return None
    # a date says more than a weekday
    chosen = min(days_meant, key=lambda day: day.repeats is not None)
    return chosen if all(_agrees(day, chosen.day) for day in days_meant) else None


def _agrees(day: _Day, chosen: date) -> bool:
    difference = chosen - day.day
    return not (difference % day.repeats if day.repeats else difference)


def _next(day: _Day, at: timedelta, now: datetime) -> datetime:
    # on the clock on the wall, as sums with a time zone are
    start = datetime.combine(day.day, time(), now.tzinfo) + at
    # *tonight at 1*, typed after midnight
    if at > DAY and start - now > DAY:
        start -= DAY
    # by their moments: a clock that is set back shows the same time twice
    passed = start.astimezone(UTC) <= now.astimezone(UTC)
    return start + day.repeats if passed and day.repeats else start


def _without_date(words: str, today: date) -> tuple[_Day | None, str]:
    """The date in some words, and the other words."""
    for pattern in (_ISO_DATE, _DATE, _SLASHED_DATE):
        if match := pattern.search(words):
            parts = {name: int(number) for name, number in match.groupdict().items() if number}
            days = list(_days_of(parts, today))
            # an ambiguous date stays among the words, which are unreadable then
            if len(days) == 1:
                return _Day(days[0]), words[: match.start()] + " " + words[match.end() :]
    return _without_day_of_month(words, today)


def _without_day_of_month(words: str, today: date) -> tuple[_Day | None, str]:
    """The next weekday with a number, such as *Saturday 5*, in some words, and the other words with the weekday."""
    for match in _DAY_OF_MONTH.finditer(words):
        weekday = _day_named(match["weekday"], today)
        ahead = (today + n * DAY for n in range(MAX_AHEAD.days + 1))
        day = next((day for day in ahead if weekday and day.day == int(match["day"]) and _agrees(weekday, day)), None)
        if day:
            return _Day(day), f"{words[: match.end('weekday')]} {words[match.end() :]}"
    return None, words


def _days_of(parts: dict[str, int], today: date) -> Iterator[date]:
    """The possible days of a date; without a year, it is the next such day."""
    if "first" not in parts:
        pairs = {(parts["month"], parts["day"])}
    elif language() is ENGLISH:
        # English is written in countries with either order
        pairs = {(parts["first"], parts["second"]), (parts["second"], parts["first"])}
    else:
        pairs = {(parts["second"], parts["first"])}
    for month, day in pairs:
        try:
            candidate = date(parts.get("year", today.year), month, day)
            yield candidate if "year" in parts or candidate >= today else candidate.replace(year=today.year + 1)
        except ValueError:  # not a day of the calendar
            continue


def _without_part(words: str) -> tuple[range | None, str]:
    """The hours of the part of a day in some words, and the other words."""
    parts = [word for word in words.split() if word in PARTS]
    if len(parts) != 1:
        return None, words
    return PARTS[parts[0]], words.replace(parts[0], " ")


def _without_time(words: str, part: range | None) -> tuple[timedelta | None, str]:
    """The time of day in some words, since the day began, and the other words."""
    matches = [match for match in _TIME.finditer(words) if part or match["hour"] != match[0]]
    if len(matches) != 1:
        return None, words
    (match,) = matches
    minute = int(match["minute"] or match["after_h"] or match["after_uhr"] or 0)
    hour = _hour(match, part)
    at = timedelta(hours=hour, minutes=minute)
    is_clear = hour != NO_HOUR and minute < 60 and (part or at <= DAY)
    return at if is_clear else None, f"{words[: match.start()]} {words[match.end() :]}"


def _hour(match: re.Match[str], part: range | None) -> int:
    """The hour of a match, in the part of the day; `NO_HOUR` for an hour outside of it."""
    half = (match["half"] or "")[:1]
    hour = hour_of_day(int(match["hour"]), half)
    if part is None:
        return hour
    return next((candidate for candidate in (hour, hour + 12, hour + 24) if candidate in part), NO_HOUR)


def _day_named(word: str, today: date) -> _Day | None:
    """The day of a name or its abbreviation, in the language of the reader or else in English."""
    for reader in (language(), ENGLISH):
        with reading(reader):
            for offset, name in enumerate((TODAY, TOMORROW)):
                if word == _plain(str(name)):
                    return _Day(today + offset * DAY)
            if word == DAY_AFTER_TOMORROW:
                return _Day(today + 2 * DAY)
            number = _weekday(word, [_plain(str(name)) for name in DAY_NAMES])
        if number is not None:
            return _Day(today + (number - today.weekday()) % 7 * DAY, WEEK)
    return None


def _weekday(word: str, names: Sequence[str]) -> int | None:
    """The index of the only weekday that begins with a word."""
    matches = [number for number, name in enumerate(names) if name.startswith(word) and len(word) >= MIN_LETTERS]
    return matches[0] if len(matches) == 1 else None
