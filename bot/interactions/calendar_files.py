"""Events as files for calendars (RFC 5545)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import discord
from discord.ui import File, LayoutView, TextDisplay

from bot.interactions.parts import Layout, layout
from engine.texts import Text
from engine.values import Value

FILE_NAME = "game.ics"

EVENT_LENGTH = timedelta(hours=1)
"""The length of an event: the bot does not know how long people play."""

MAX_OCTETS = 75
"""Octets of a line; longer ones are folded."""

MINUTE = timedelta(minutes=1).total_seconds()


class CalendarEvent(Value):
    """An event; a later file with the same `uid` replaces it."""

    uid: str
    title: str
    starts_at: datetime
    link: str


def calendar_answer(event: CalendarEvent, now: datetime) -> tuple[Layout, list[discord.File]]:
    """A message with the file of an event, in the language of the reader."""
    note = Text(
        "Open this file to add {title} to your calendar. If the time changes, get a new file; it replaces the event.",
        title=f"**{event.title}**",
    )
    words = TextDisplay[LayoutView](str(note))
    file = discord.File(io.BytesIO(calendar_file(event, now)), FILE_NAME)
    return layout(words, File[LayoutView](f"attachment://{FILE_NAME}")), [file]


def calendar_file(event: CalendarEvent, now: datetime) -> bytes:
    """The file of an event, written now."""
    lines = (
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Caravanserai//Board games//EN",
        "METHOD:PUBLISH",
        "BEGIN:VEVENT",
        f"UID:{_escape(event.uid)}",
        f"DTSTAMP:{_utc(now)}",
        # calendars keep the version with the largest number
        f"SEQUENCE:{int(now.timestamp() // MINUTE)}",
        f"DTSTART:{_utc(event.starts_at)}",
        f"DTEND:{_utc(event.starts_at + EVENT_LENGTH)}",
        f"SUMMARY:{_escape(event.title)}",
        f"URL:{event.link}",
        f"DESCRIPTION:{_escape(event.link)}",
        "END:VEVENT",
        "END:VCALENDAR",
    )
    return b"".join(part for line in lines for part in _fold(line))


def _utc(at: datetime) -> str:
    return f"{at.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _escape(text: str) -> str:
    for sign in "\\;,":
        text = text.replace(sign, f"\\{sign}")
    # a carriage return alone would end the line, too
    return "\\n".join(text.splitlines())


def _fold(line: str) -> Iterator[bytes]:
    """A line in parts that begin with a space, cut between characters."""
    part = b""
    for sign in line:
        octets = sign.encode()
        if len(part) + len(octets) > MAX_OCTETS:
            yield part + b"\r\n"
            part = b" "
        part += octets
    yield part + b"\r\n"
