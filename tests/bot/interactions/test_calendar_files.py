"""Files for calendars follow RFC 5545, with any name of a game."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.interactions.calendar_files import CalendarEvent, _fold, calendar_file

AT = datetime(2026, 11, 28, 20, 30, tzinfo=timezone(timedelta(hours=1)))
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)


def properties(file: bytes) -> dict[str, str]:
    """The values of all properties, read as a calendar reads them."""
    assert file.endswith(b"\r\n")
    lines = file.replace(b"\r\n ", b"").decode().removesuffix("\r\n").split("\r\n")
    return dict(line.split(":", 1) for line in lines)


def unescape(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], value)


@pytest.mark.parametrize("title", ["Muscat", "A; b, c\\n: d", "Ünïcödé 🎲 " * 30, "line\nline\r\nEND:VEVENT\rX:1"])
def test_an_event_is_read_back_as_it_was(title: str) -> None:
    file = calendar_file(CalendarEvent("3.7@tables", title, AT, "https://discord.com/channels/1/2/3"), NOW)
    assert all(len(line) <= 75 for line in file.split(b"\r\n"))
    assert b"\n" not in file.replace(b"\r\n", b"")
    assert b"\r" not in file.replace(b"\r\n", b"")
    read = properties(file)
    assert "\n".join(title.splitlines()) == unescape(read["SUMMARY"])
    assert ("20261128T193000Z", "20261127T120000Z", "3.7@tables") == (read["DTSTART"], read["DTSTAMP"], read["UID"])
    assert "https://discord.com/channels/1/2/3" == read["URL"]


def test_an_event_lasts_an_hour_in_a_calendar_of_one_event() -> None:
    event = CalendarEvent("3.7@tables", "Muscat", AT, "https://example.org/3")
    lines = calendar_file(event, NOW).decode().split("\r\n")
    assert ["BEGIN:VCALENDAR", "VERSION:2.0"] == lines[:2]
    assert ["METHOD:PUBLISH", "BEGIN:VEVENT", "END:VEVENT", "END:VCALENDAR", ""] == [lines[3], lines[4], *lines[-3:]]
    read = dict(line.split(":", 1) for line in lines[:-1])
    assert ("20261128T203000Z", "https://example.org/3") == (read["DTEND"], read["DESCRIPTION"])


def test_a_later_file_replaces_an_earlier_one() -> None:
    event = CalendarEvent("3.7@tables", "Muscat", AT, "")
    first, second = (properties(calendar_file(event, at)) for at in (NOW, NOW + timedelta(minutes=1)))
    assert first["UID"] == second["UID"]
    assert int(first["SEQUENCE"]) < int(second["SEQUENCE"]) < 2**31


@pytest.mark.parametrize(("octets", "parts"), [(74, 1), (75, 1), (76, 2), (149, 2), (150, 3)])
def test_a_line_of_75_octets_is_whole(octets: int, parts: int) -> None:
    lines = [*_fold("x" * octets)]
    assert parts == len(lines)
    assert max(map(len, lines)) <= 75 + len("\r\n")
