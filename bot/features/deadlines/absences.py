"""Servers with an outage, or without the bot: their jobs rest and their clocks stop until the server is back.

The start of each absence is stored, so a restart changes nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from bot.features.deadlines.timeouts import Timeouts
from bot.features.services import Services
from bot.interactions.presence import Presence
from bot.store.codec import time_at, time_of
from bot.store.jobs import JobKind

_log = logging.getLogger(__name__)

SCOPE, NAME = "server", "away since"

MIN_ABSENCE = timedelta(minutes=1)
"""An absence shorter than this changes no clock."""


class Absences:
    """Absent servers, each with the start of its absence. Only `check` uses the database."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._known = services.servers.known
        self._timeouts = Timeouts(services)
        self._since: dict[int, datetime] = {}
        self._unsaved: set[int] = set()
        self._loaded = False
        self._complete = False

    def rests(self, guild_id: int) -> bool:
        """Whether the jobs of a server must wait: it is absent, or its clocks are not corrected yet."""
        return guild_id in self._since or not self._known.is_there(guild_id)

    def begin(self, guild_id: int) -> None:
        """Record that a server is absent from now on."""
        if guild_id not in self._since:
            self._since[guild_id] = self._services.clock.now()
            self._unsaved.add(guild_id)
            self._services.worker.wake()

    def note_complete(self) -> None:
        """Discord has sent all available servers: the next check finds the absent ones."""
        self._complete = True
        self._services.worker.wake()

    async def check(self, now: datetime) -> None:
        """Store new absences, and take the time of finished ones out of all clocks; called before any job runs."""
        if not self._loaded:
            stored = await self._services.store.settings.of_all(SCOPE, NAME)
            self._since = {guild_id: time_at(since) for guild_id, since in stored.items()} | self._since
            self._loaded = True
        if self._complete:
            self._complete = False
            await self._find_absent(now)
        if unsaved := [*self._unsaved]:
            # together: Discord's outages hit thousands of servers at once
            times = {guild_id: time_of(self._since[guild_id]) for guild_id in unsaved}
            await self._services.store.settings.put_all(SCOPE, NAME, times)
            self._unsaved.difference_update(unsaved)
        if back := [guild_id for guild_id in self._since if self._known.is_there(guild_id)]:
            running = {*await self._services.store.clocks.running()}
            for guild_id in back:
                await self._end(guild_id, running, now)

    async def set_aside(self, guild_ids: Collection[int], now: datetime) -> None:
        """Suspend the jobs of servers without the bot, so that later checks skip them; an outage is over soon."""
        absent = [guild_id for guild_id in guild_ids if self._known.presence(guild_id) is Presence.ABSENT]
        for guild_id in absent:
            self.begin(guild_id)
        await self._services.store.jobs.suspend(absent, now)

    async def _find_absent(self, now: datetime) -> None:
        for guild_id in await self._services.store.matches.servers_with_tables():
            if not self._known.is_there(guild_id) and guild_id not in self._since:
                self._since[guild_id] = now
                self._unsaved.add(guild_id)

    async def _end(self, guild_id: int, running: Collection[int], now: datetime) -> None:
        store, since = self._services.store, self._since[guild_id]
        if now - since >= MIN_ABSENCE:
            _log.info("server %d is available again after %s; its clocks go on", guild_id, now - since)
            for match_id in await store.matches.open_in_server(guild_id):
                if match_id in running:
                    await self._timeouts.skip_gap(match_id, since)
                await self._extend_lobby(match_id, now - since)
        await store.jobs.resume(guild_id, now)
        await store.settings.drop(SCOPE, guild_id, NAME)
        del self._since[guild_id]

    async def _extend_lobby(self, match_id: int, time: timedelta) -> None:
        """Extend a table that waits for players by a time in which they could not join it."""
        services, table = self._services, await self._services.tables.find(match_id)
        if table is None:
            return
        async with services.tables.changing(table) as change:
            if job := await services.store.jobs.find(JobKind.LOBBY_EXPIRY, match_id):
                change.facts = table.facts.extend(job, time, services.clock.now())
