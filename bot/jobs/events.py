"""Job: keep Discord's scheduled events of a server like its tables and leagues that begin at a time."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Mapping
from datetime import timedelta

import discord

from bot.errors import DISCORD_ERRORS, reason
from bot.features.services import Services
from bot.features.view.timed_events import timed_events
from bot.interactions.refusals import Code, code_of, is_final
from bot.interactions.scheduled_events import (
    create_event,
    delete_event,
    edit_event,
    find_event,
    is_event_gone,
    may_make_events,
)
from bot.store.jobs import Job
from bot.tables.moderation_log import line_job
from bot.tables.scheduled_events import ServerEvents, StoredEvent, TimedEvent, events_of, keep_events
from engine.texts import Text

_log = logging.getLogger(__name__)

CHECK_INTERVAL = timedelta(minutes=3)
"""Between two comparisons of the events with the tables and leagues."""

REFUSED_INTERVAL = timedelta(hours=1)
"""After a refusal that only moderators can change."""

MISSING_TEXT = Text("I can’t create events: that needs the **Create Events** permission.")
TOO_MANY_TEXT = Text("I can’t make more events: this server has as many as Discord allows.")


async def run(services: Services, job: Job) -> Job | None:
    """Delete, edit and make events. Raises `DISCORD_ERRORS` if it may succeed later."""
    now, guild = services.clock.now(), services.channels.server(job.guild_id)
    is_on = (await services.servers.guild_settings(job.guild_id)).events
    if guild is None:
        return job.at(now + CHECK_INTERVAL)
    keeper = _Keeper(services, guild, await events_of(services.store.settings, guild.id))
    try:
        await keeper.update(await timed_events(services, guild, now) if is_on else {})
    except DISCORD_ERRORS as error:
        if not is_final(error, job.attempts):
            raise
        _log.info("the events of server %d are not updated: %s", guild.id, reason(error))
        await keeper.tell(TOO_MANY_TEXT if code_of(error) == Code.EVENT_LIMIT else MISSING_TEXT)
        return job.at(now + REFUSED_INTERVAL) if is_on else None
    return job.at(now + CHECK_INTERVAL) if is_on else None


class _Keeper:
    """Makes the events of a server as they should be; each change is stored before the next request."""

    def __init__(self, services: Services, guild: discord.Guild, events: ServerEvents) -> None:
        self._services = services
        self._guild = guild
        self._events = events
        self._requests = services.channels.requests

    async def update(self, wanted: Mapping[str, TimedEvent]) -> None:
        """Delete events that are no longer wanted, then edit and make the others. Raises `DISCORD_ERRORS`."""
        for key, stored in [*self._events.by_key.items()]:
            if key not in wanted:
                await self._delete(key, stored)
        if not wanted:
            return
        if not may_make_events(self._guild):
            await self.tell(MISSING_TEXT)
            return
        for key, event in wanted.items():
            await self._make(key, event)
        if self._events.refusal:
            await self._keep(dataclasses.replace(self._events, refusal=""))

    async def tell(self, text: Text) -> None:
        """Tell the moderators in their log, once until it succeeds, why events are missing."""
        if self._events.refusal == text.template:
            return
        guild_settings, now = await self._services.servers.guild_settings(self._guild.id), self._services.clock.now()
        if guild_settings.log:
            await self._services.store.jobs.extend(line_job(text, now, by=None, channel_id=guild_settings.log))
        await self._keep(dataclasses.replace(self._events, refusal=text.template))

    async def _delete(self, key: str, stored: StoredEvent) -> None:
        # an event whose time has come ends by itself
        if stored.event.starts_at > self._services.clock.now() and not stored.is_removed:
            event_id = stored.event_id or await find_event(self._requests, self._guild, stored.event)
            if event_id is not None:
                await delete_event(self._requests, self._guild, event_id)
        await self._keep(self._events.with_event(key, None))

    async def _make(self, key: str, event: TimedEvent) -> None:
        stored = self._events.by_key.get(key)
        if stored is None or stored.event_id is None:
            await self._create(key, event, stored)
        elif stored.event != event and not stored.is_removed:
            try:
                await edit_event(self._requests, self._guild, stored.event_id, event)
            except DISCORD_ERRORS as error:
                if not is_event_gone(error):
                    raise
                # moderators have deleted it, and do not want another one
                stored = dataclasses.replace(stored, is_removed=True)
            await self._keep(self._events.with_event(key, dataclasses.replace(stored, event=event)))

    async def _create(self, key: str, event: TimedEvent, uncertain: StoredEvent | None) -> None:
        event_id = await find_event(self._requests, self._guild, uncertain.event) if uncertain else None
        if uncertain and event_id:
            await self._keep(self._events.with_event(key, dataclasses.replace(uncertain, event_id=event_id)))
            await self._make(key, event)
            return
        # stored before the request, so that a repetition searches for the event first
        await self._keep(self._events.with_event(key, StoredEvent(event)))
        event_id = await create_event(self._requests, self._guild, event)
        await self._keep(self._events.with_event(key, StoredEvent(event, event_id)))

    async def _keep(self, events: ServerEvents) -> None:
        self._events = events
        await keep_events(self._services.store.settings, self._guild.id, events)
