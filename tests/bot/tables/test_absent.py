"""Times of absent players as others see them: the day of a return, and the local time of those who show theirs."""

from __future__ import annotations

from datetime import date, time

from bot.store.settings import Settings
from bot.tables.absent import absent_people, due_and_absent, local_times
from bot.tables.preferences import Preferences, keep_preferences
from tests.bot.refusing import CHANNEL, DAY, GUEST, HOST, HOUR, NOON, House
from tests.bot.whole import holder

CARO, DAN = 72, 73
PREFERENCES = {
    HOST: Preferences(zone="Europe/Berlin"),
    GUEST: Preferences(away=(NOON + 3 * DAY + 11 * HOUR).isoformat(), zone="Asia/Tokyo", zone_shown=True),
    CARO: Preferences(zone="Asia/Tokyo", zone_shown=True),
    DAN: Preferences(zone="Asia/Tokyo"),
}
"""Ana and Dan do not show their times, Ben is away, and Caro shows hers."""

RETURN = f"<t:{int((NOON + 3 * DAY + 23 * HOUR).timestamp())}:D>"


async def prefer(settings: Settings, preferences: dict[int, Preferences] = PREFERENCES) -> Settings:
    for user_id, preferred in preferences.items():
        await keep_preferences(settings, user_id, preferred)
    return settings


async def test_the_due_players_are_named_with_returns_and_local_times(home: House) -> None:
    settings = await prefer(home.store.settings)
    people = (GUEST, CARO, DAN)
    table = await home.lobby(CHANNEL, *map(holder, people), ready=people)
    assert "There’s nothing to decide right now." == str(await due_and_absent(settings, table, GUEST, NOON))
    await home.services.moves.start(table, 1)
    due = f"It’s 🔴 <@{GUEST}>, 🟦 <@{CARO}> and 🟨 <@{DAN}>’s turn."
    away, there = f"-# 🏖️ Away: <@{GUEST}> until {RETURN}", f"-# 🕐 Local time: <@{CARO}> 9 PM"
    for user_id, lines in ((HOST, [due, away]), (GUEST, [due]), (DAN, [due, away])):
        assert lines == str(await due_and_absent(settings, table, user_id, NOON)).splitlines(), user_id
    await prefer(settings, {DAN: Preferences(zone="Europe/Berlin")})
    assert [due, away, there] == str(await due_and_absent(settings, table, DAN, NOON)).splitlines()


async def test_an_absent_player_returns_on_a_day_of_their_own_zone(home: House) -> None:
    settings = await prefer(home.store.settings)
    assert {GUEST: date(2026, 6, 5)} == await absent_people(settings, [HOST, GUEST, CARO], NOON)
    assert {} == await absent_people(settings, [GUEST], NOON + 4 * DAY)


async def test_only_times_unlike_the_readers_are_shown(home: House) -> None:
    settings = await prefer(home.store.settings)
    everyone = [HOST, GUEST, CARO, DAN]
    at_nine = time(21)
    assert {GUEST: at_nine, CARO: at_nine} == await local_times(settings, everyone, HOST, NOON)
    assert {} == await local_times(settings, everyone, DAN, NOON)
    assert {GUEST: at_nine, CARO: at_nine} == await local_times(settings, everyone, 99, NOON), "whose zone is unknown"
    await prefer(settings, {CARO: Preferences(zone_shown=True)})
    assert {GUEST: at_nine} == await local_times(settings, everyone, HOST, NOON), "Caro's zone is unknown"
