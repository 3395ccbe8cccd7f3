"""Discord's scheduled events of a server as the bot has made them, and the job that keeps them."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime

from bot.store.codec import time_at, time_of
from bot.store.jobs import Job, JobKind
from bot.store.settings import Settings
from engine.values import Value

SCOPE, NAME = "server", "events"


class TimedEvent(Value):
    """An event of a server: a table or a league that begins at a time. `location` is the link to its channel."""

    name: str
    starts_at: datetime
    location: str


class StoredEvent(Value):
    """An event that the bot has begun to make. Without an id it is uncertain whether Discord has it; `is_removed`:
    moderators have deleted it.
    """

    event: TimedEvent
    event_id: int | None = None
    is_removed: bool = False


class ServerEvents(Value):
    """The events of a server by the key of their table or league, and the refusal that moderators know of, or ""."""

    by_key: Mapping[str, StoredEvent] = dataclasses.field(default_factory=dict)
    refusal: str = ""

    def with_event(self, key: str, stored: StoredEvent | None) -> ServerEvents:
        """A copy with another event for a key; `None` removes it."""
        others = {other: event for other, event in self.by_key.items() if other != key}
        return dataclasses.replace(self, by_key=others | ({key: stored} if stored else {}))


async def events_of(settings: Settings, guild_id: int) -> ServerEvents:
    """The stored events of a server."""
    stored = await settings.get(SCOPE, guild_id, NAME) or {"events": {}, "refusal": ""}
    events = {
        key: StoredEvent(TimedEvent(name, time_at(starts_at), location), event_id, is_removed)
        for key, (name, starts_at, location, event_id, is_removed) in stored["events"].items()
    }
    return ServerEvents(events, stored["refusal"])


async def keep_events(settings: Settings, guild_id: int, events: ServerEvents) -> None:
    """Store the events of a server."""
    rows = {
        key: [
            stored.event.name,
            time_of(stored.event.starts_at),
            stored.event.location,
            stored.event_id,
            stored.is_removed,
        ]
        for key, stored in events.by_key.items()
    }
    await settings.put(SCOPE, guild_id, NAME, {"events": rows, "refusal": events.refusal})


def events_job(guild_id: int, at: datetime) -> Job:
    """The job that keeps the events of a server."""
    # a job about a server has the id of the server in place of the match
    return Job(JobKind.EVENTS, at, guild_id, guild_id=guild_id)
