"""Preferences as read from the stored choices of users."""

from __future__ import annotations

from bot.store.settings import Settings
from bot.tables.preferences import (
    NAME,
    SCOPE,
    USUAL,
    Preferences,
    keep_preferences,
    language_of_reader,
    note_locale,
    preferences_of,
)
from locales import language_of
from tests.crowd.database import in_memory

ANA, BEN, CARO = 1, 2, 3


async def test_unknown_preferences_are_ignored_and_missing_ones_get_defaults() -> None:
    async with in_memory() as database:
        settings = Settings(database)
        await settings.put(SCOPE, ANA, NAME, {"interval": 8, "from the future": True})
        await keep_preferences(settings, BEN, Preferences(quiet="22-8"))
        assert Preferences(interval=8) == await preferences_of(settings, ANA)
        assert Preferences(quiet="22-8") == await preferences_of(settings, BEN)
        assert USUAL == await preferences_of(settings, CARO)


async def test_messages_outside_interactions_follow_the_latest_language_of_discord() -> None:
    async with in_memory() as database:
        settings = Settings(database)
        for locale in ("de", "fr", "en-US", "es-ES"):
            await note_locale(settings, ANA, locale)
            assert language_of(locale) is await language_of_reader(settings, ANA)
