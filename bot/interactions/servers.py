"""The settings and the languages of servers, as far as Discord and the moderators have set them."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any

import discord

from bot.interactions.presence import KnownServers
from bot.store.failures import DatabaseUnavailable
from bot.store.jobs import Job
from bot.store.shard_range import NO_SERVER
from bot.store.store import Store
from bot.tables.guild_settings import DIRECT, NAME, SCOPE, GuildSettings, settings_from
from bot.tables.preferences import language_of_reader, preferences_of
from bot.tables.table import Table
from engine.languages import Language, language
from locales import language_of

MAX_CACHED = 1024
"""Servers whose settings are cached."""


class Servers:
    """The settings of all servers; only this process changes them, so that those in memory are those that count."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store
        self._known: OrderedDict[int, GuildSettings] = OrderedDict()
        self.known = KnownServers(client, store.shard_range)

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """The settings of a server, or of direct messages."""
        if guild_id == NO_SERVER:
            return DIRECT
        if guild_id not in self._known:
            self._remember(guild_id, settings_from(await self._store.settings.get(SCOPE, guild_id, NAME)))
        self._known.move_to_end(guild_id)
        return self._known[guild_id]

    async def keep(
        self, guild_id: int, guild_settings: GuildSettings, *log_lines: Job, jobs: Iterable[Job] = ()
    ) -> None:
        """Store the settings of a server; they apply at once. `log_lines` are lines of the moderators' log about it."""
        async with self._store.transaction():
            await self._store.settings.put(SCOPE, guild_id, NAME, dataclasses.asdict(guild_settings))
            await self._store.jobs.extend(*log_lines)
            await self._store.jobs.put(*jobs)
        # only now: what could not be stored must not count until the next start
        self._remember(guild_id, guild_settings)

    async def may_call(self, channel_id: int) -> bool:
        """Whether people may be called by mentions in a channel."""
        return (await self.guild_settings(await self._server_of(channel_id))).calls

    async def language_in(self, guild_id: int) -> Language:
        """The language of public messages in a server: the moderators' setting, else the server's preferred locale."""
        chosen, guild = (await self.guild_settings(guild_id)).language, self._client.get_guild(guild_id)
        return language_of(chosen or (str(guild.preferred_locale) if guild else ""))

    async def language_at(self, channel_id: int) -> Language:
        """The language of public messages in a channel; in direct messages, the current language."""
        try:
            guild_id = await self._server_of(channel_id)
            return language() if guild_id == NO_SERVER else await self.language_in(guild_id)
        except DatabaseUnavailable:  # the message matters more than its language
            return language()

    async def language_of(self, table: Table) -> Language:
        """The language of what everybody at a table sees: that of the server; in direct messages, that of the host."""
        if table.row.guild_id != NO_SERVER:
            return await self.language_in(table.row.guild_id)
        return await self.language_of_user(table.row.host_id)

    async def language_of_user(self, user_id: int) -> Language:
        """The language of a user's direct messages; the current language if it is unknown."""
        return await language_of_reader(self._store.settings, user_id) or language()

    async def in_contrast(self, table: Table) -> bool:
        """Whether a table's boards have high contrast: as moderators say; in direct messages, who plays there."""
        if table.row.guild_id == NO_SERVER:
            settings = self._store.settings
            # a list: with `await` in it, a generator is asynchronous, which `any` does not take
            return any([(await preferences_of(settings, user_id)).contrast for user_id in table.people])
        return await self.contrast_at(table.row.guild_id, table.row.channel_id)

    async def contrast_at(self, guild_id: int, channel_id: int) -> bool:
        """Whether moderators want pictures of high contrast in a channel."""
        channel_ids = (await self.guild_settings(guild_id)).contrast
        return not {channel_id, *around(self._client.get_channel(channel_id))}.isdisjoint(channel_ids)

    async def _server_of(self, channel_id: int) -> int:
        """The server of a channel; that of an archived thread is only known by the games there."""
        channel = self._client.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return channel.guild.id
        return await self._store.matches.server_of(channel_id)

    def _remember(self, guild_id: int, guild_settings: GuildSettings) -> None:
        self._known[guild_id] = guild_settings
        if len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)


def around(channel: Any) -> Iterator[int]:
    """A channel, the one that it is a thread of, and the category of that."""
    parent = channel.parent if isinstance(channel, discord.Thread) else channel
    # not from the parent, which is unknown while the server is away
    parent_id = channel.parent_id if isinstance(channel, discord.Thread) else None
    # what the client does not know, such as an archived thread, comes here as `None`
    for place_id in (getattr(channel, "id", None), parent_id, getattr(parent, "category_id", None)):
        if place_id is not None:
            yield place_id
