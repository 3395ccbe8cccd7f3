"""The times of players that the others may see: the last day of an absence, without its reason, and the local time.

Users choose whether the other players of a game see their local time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time

from bot.store.settings import Settings
from bot.tables.hours import back_at, zone_of
from bot.tables.people import mention
from bot.tables.preferences import UNKNOWN_ZONE, Preferences, preferences_of
from bot.tables.table import Table
from engine.texts import Text, joined

ANY_ZONE = time(11, tzinfo=UTC)
"""A time that lies on the same day in nearly all time zones."""


async def due_and_absent(settings: Settings, table: Table, user_id: int, now: datetime) -> Text:
    """The sentence that names the due players, with the absent ones and the local times of the others, for a user."""
    due = {decision.seat for decision in table.match.state.decisions()} if table.match else set()
    others = [holder for seat, holder in table.users.items() if seat in due and holder != user_id]
    absent = await absent_people(settings, others, now)
    present = [holder for holder in others if holder not in absent and user_id in table.people]
    times = local_times_text(await local_times(settings, present, user_id, now))
    lines = [line for line in (absent_text(absent), times) if line]
    return joined([table.due_sentence(), *lines], "\n")


async def absent_people(settings: Settings, user_ids: Collection[int], now: datetime) -> dict[int, date]:
    """The absent users, each with the day of their return."""
    absent = {}
    for user_id in user_ids:
        preferences = await preferences_of(settings, user_id)
        if (back := back_at(preferences, now)) > now:
            absent[user_id] = back.astimezone(zone_of(preferences)).date()
    return absent


def absent_text(absent: Mapping[int, date]) -> Text | None:
    """A line about absent users; `None` without any."""
    if not absent:
        return None
    # the day without its hour, which would show the time zone of the user
    each = [
        Text("{user} until {day}", user=mention(user_id), day=f"<t:{int(_moment(back).timestamp())}:D>")
        for user_id, back in absent.items()
    ]
    return Text("-# 🏖️ Away: {people}", people=joined(each, ", "))


async def local_times(settings: Settings, user_ids: Collection[int], reader_id: int, now: datetime) -> dict[int, time]:
    """The local times of the users who show theirs, without those whose clock shows the same time as the reader's."""
    read = _known_time(await preferences_of(settings, reader_id), now)
    times = {}
    for user_id in user_ids:
        preferences = await preferences_of(settings, user_id)
        local = _known_time(preferences, now) if preferences.zone_shown else None
        if local is not None and (read is None or local.utcoffset() != read.utcoffset()):
            times[user_id] = local.time()
    return times


def local_times_text(times: Mapping[int, time]) -> Text | None:
    """A line about local times; `None` without any."""
    if not times:
        return None
    each = [Text("{user} {time}", user=mention(user_id), time=local) for user_id, local in times.items()]
    return Text("-# 🕐 Local time: {people}", people=joined(each, ", "))


def _known_time(preferences: Preferences, now: datetime) -> datetime | None:
    """The local time of a user; `None` in UTC, which may only mean that their time zone is not known."""
    return None if preferences.zone == UNKNOWN_ZONE else now.astimezone(zone_of(preferences))


def _moment(day: date) -> datetime:
    return datetime.combine(day, ANY_ZONE)
