"""What somebody has chosen for themselves, in all servers and games."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass

from bot.store.settings import Settings
from engine.languages import Language
from locales import language_of

SCOPE, NAME, LOCALE = "user", "preferences", "locale"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences of a user, the usual ones unless they have changed them.

    `at_once`: typed moves are played without a preview. `coached`: questions come with advice for beginners.
    `contrast`: pictures for them alone have stronger colors.

    `interval`: hours after which they are reminded that they are waited for, and again and again; 0 for never.
    `language`: in which they read what is for them alone, by its code; "" for the one that Discord tells us.
    `direct`: by a direct message instead of in the channel. `zone`: the name of their time zone; `zone_asked`: they
    were asked for it once, or have set it. `quiet`: the hours in which they are not reminded, as `22-8`. `away`: nor
    before this time, in UTC and ISO 8601; "" if they are here. `summary`: whether they get one direct message every
    morning with all their games, beside the reminders or in their place; "" for none. `unlisted`: others see none of
    their results (`bot.store.ratings` reads it, too).
    """

    at_once: bool = False
    coached: bool = False
    contrast: bool = False
    interval: int = 24
    language: str = ""
    direct: bool = False
    zone: str = "UTC"
    zone_asked: bool = False
    quiet: str = ""
    away: str = ""
    summary: str = ""
    unlisted: bool = False

    @property
    def may_ask_zone(self) -> bool:
        """Whether their time zone is not known, and they were never asked for it."""
        return self.zone == "UTC" and not self.zone_asked


BESIDE, INSTEAD = "beside", "instead"
"""What `summary` can be."""

USUAL = Preferences()

_NAMES = frozenset(field.name for field in dataclasses.fields(Preferences))


def quiet_hours(quiet: str) -> tuple[int, int] | None:
    """The hour of the day in which it becomes quiet, and the one in which it is over; nothing without quiet hours."""
    found = re.fullmatch(r"(\d{1,2})-(\d{1,2})", quiet)
    begins, over = map(int, found.groups()) if found else (0, 0)
    return (begins, over) if begins != over and max(begins, over) < 24 else None


async def preferences_of(settings: Settings, user_id: int) -> Preferences:
    """What is stored of a user."""
    stored = await settings.get(SCOPE, user_id, NAME)
    # names of an older or newer version are passed over
    return Preferences(**{name: value for name, value in stored.items() if name in _NAMES}) if stored else USUAL


async def language_of_reader(settings: Settings, user_id: int, locale: str = "") -> Language | None:
    """The language of a user: as they have chosen, else by the locale that Discord tells now, or has told before.

    Nothing for somebody of whom neither is known.
    """
    chosen = (await preferences_of(settings, user_id)).language
    known = chosen or locale or await settings.get(SCOPE, user_id, LOCALE)
    return language_of(known) if known else None


async def note_locale(settings: Settings, user_id: int, locale: str) -> None:
    """Remember the locale of a user, for messages that answer nothing: Discord tells it with interactions only."""
    known = await settings.get(SCOPE, user_id, LOCALE)
    # most read English, of whom nothing is stored
    if language_of(known or "") is not language_of(locale):
        await settings.put(SCOPE, user_id, LOCALE, locale)


async def keep_preferences(settings: Settings, user_id: int, preferences: Preferences) -> None:
    """Store them."""
    await settings.put(SCOPE, user_id, NAME, dataclasses.asdict(preferences))
