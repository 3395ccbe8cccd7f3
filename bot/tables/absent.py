"""Absent players, away or on a day off, as the others at their tables see them: until which day, but not why."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time

from bot.store.settings import Settings
from bot.tables.hours import back_at, zone_of
from bot.tables.people import mention
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.texts import Text, joined

ANY_ZONE = time(11, tzinfo=UTC)
"""A time that lies on the same day in nearly all time zones."""


async def due_and_absent(settings: Settings, table: Table, user_id: int, now: datetime) -> Text:
    """The sentence that names the due players, with the absent ones among them, for a user."""
    due = {decision.seat for decision in table.match.state.decisions()} if table.match else set()
    others = [holder for seat, holder in table.users.items() if seat in due and holder != user_id]
    sentence, line = table.due_sentence(), absent_text(await absent_people(settings, others, now))
    return Text("{due}\n{absent}", due=sentence, absent=line) if line else sentence


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


def _moment(day: date) -> datetime:
    return datetime.combine(day, ANY_ZONE)
