"""Conversion of values for the database: times and JSON to text, durations to seconds, in SQLite and PostgreSQL."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any


def time_of(at: datetime) -> str:
    """A time as text in UTC that sorts as the times do; `time_at` reads it."""
    # without `timespec`, a time with 0 microseconds would be shorter, and texts would not sort as times do
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def time_at(stored: str) -> datetime:
    """A stored time, in UTC. Raises `ValueError` for a damaged one."""
    at = datetime.fromisoformat(stored)
    # without this check, a comparison elsewhere would raise a `TypeError` that does not show its origin
    if at.tzinfo is None:
        raise ValueError(f"“{stored}” has no time zone")
    return at


def time_at_or_none(stored: str | None) -> datetime | None:
    """A stored time, in UTC, or `None`. Raises `ValueError` as `time_at` does."""
    return None if stored is None else time_at(stored)


def json_of(value: Any) -> str:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def json_at(stored: str) -> Any:
    """The value of stored JSON. Raises `ValueError` for damaged text."""
    return json.loads(stored)
