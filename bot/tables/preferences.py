"""Preferences of users, which apply in all servers and games."""

from __future__ import annotations

import dataclasses
import re
from functools import lru_cache

from bot.store.settings import Settings
from engine.languages import Language
from engine.values import Value
from locales import language_of

SCOPE, NAME, LOCALE = "user", "preferences", "locale"

UNKNOWN_ZONE = "UTC"
"""The time zone of users without a choice. Some users may have chosen it."""


class Preferences(Value):
    """The preferences of a user, with defaults.

    `at_once`: typed moves are played without a preview. `coached`: questions come with advice for beginners.
    `contrast`: private pictures have stronger colors. `language`: the code of the language of private messages; "" for
    the locale of the Discord client.

    `interval`: hours between reminders; 0 for none. `direct`: reminders come as direct messages instead of in the
    channel. `zone`: the name of the time zone; `zone_asked`: the bot has asked for it, or the user has set it.
    `zone_shown`: the other players of a game see the user's local time. `quiet`: the hours without reminders, as
    `22-8`. `away`: the end of an absence without reminders, in UTC and ISO 8601; ""
    without one. `off`: the days off, which come again, and single ones, as ISO weekdays and dates: `6 7 2026-12-24`.
    `summary`: a direct message every morning with all games, `BESIDE` the reminders or `INSTEAD` of them;
    "" for none. `next_notice`: a direct message when the turn before the user's has begun. `unlisted`: other users see
    no results of this one (`bot.store.ratings` reads it, too).
    """

    at_once: bool = False
    coached: bool = False
    contrast: bool = False
    interval: int = 24
    language: str = ""
    direct: bool = False
    zone: str = UNKNOWN_ZONE
    zone_asked: bool = False
    zone_shown: bool = False
    quiet: str = ""
    away: str = ""
    off: str = ""
    summary: str = ""
    next_notice: bool = False
    unlisted: bool = False

    @property
    def may_ask_zone(self) -> bool:
        """Whether the time zone is unknown and the bot has never asked for it."""
        return self.zone == UNKNOWN_ZONE and not self.zone_asked


BESIDE, INSTEAD = "beside", "instead"
"""The values of `summary`."""

USUAL = Preferences()

_NAMES = frozenset(field.name for field in dataclasses.fields(Preferences))


def quiet_hours(quiet: str) -> tuple[int, int] | None:
    """The hours of the day at which quiet hours begin and end; `None` without quiet hours."""
    hours = re.fullmatch(r"(\d{1,2})-(\d{1,2})", quiet)
    begins, over = map(int, hours.groups()) if hours else (0, 0)
    return (begins, over) if begins != over and max(begins, over) < 24 else None


WEEKDAYS = ("1", "2", "3", "4", "5", "6", "7")
"""The ISO weekdays, from Monday on."""


@lru_cache(maxsize=1024)
def days_off(off: str) -> frozenset[str]:
    """The ISO weekdays and dates of days off; none if all weekdays are off, so that a user is free at some time."""
    days = frozenset(off.split())
    return frozenset() if days.issuperset(WEEKDAYS) else days


async def preferences_of(settings: Settings, user_id: int) -> Preferences:
    """The preferences of a user."""
    stored = await settings.get(SCOPE, user_id, NAME)
    # skips names of older and newer versions
    return Preferences(**{name: value for name, value in stored.items() if name in _NAMES}) if stored else USUAL


async def language_of_reader(settings: Settings, user_id: int, locale: str = "") -> Language | None:
    """The language of a user: their preference, else the current locale, else the stored one; `None` without any."""
    preference = (await preferences_of(settings, user_id)).language
    code = preference or locale or await settings.get(SCOPE, user_id, LOCALE)
    return language_of(code) if code else None


async def note_locale(settings: Settings, user_id: int, locale: str) -> None:
    """Store a user's locale for messages outside interactions: Discord sends it with interactions only."""
    stored = await settings.get(SCOPE, user_id, LOCALE)
    # English is the default and not stored
    if language_of(stored or "") is not language_of(locale):
        await settings.put(SCOPE, user_id, LOCALE, locale)


async def keep_preferences(settings: Settings, user_id: int, preferences: Preferences) -> None:
    """Store the preferences of a user."""
    await settings.put(SCOPE, user_id, NAME, dataclasses.asdict(preferences))
