"""What the moderators of a server have laid down: where games may run, who may start them, and how many at once."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord

from bot.store.jobs import Job
from bot.store.settings import Settings
from bot.store.shard_range import NO_SERVER
from bot.store.store import Store
from bot.store.trouble import DatabaseTrouble
from bot.tables.preferences import language_of_reader, preferences_of
from bot.tables.presence import KnownServers
from bot.tables.table import Table
from engine.core import OptionValue
from engine.languages import Language, language
from locales import language_of

SCOPE, NAME = "server", "settings"

DAY, AT_ONCE, NEVER = "day", "at once", "never"
"""When the bot archives the thread of a game: a day after its end, as soon as all is posted there, or not at all."""

REMEMBERED = 1024
"""Servers whose settings stay in memory."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """The settings of a server, the usual ones unless somebody has changed them.

    `channels`: where games may be started, by ids; a channel includes its threads, a category its channels, none
    at all for everywhere. `roles`: who may start them; none for everybody. `most`: how many tables may be open at once,
    `hosted`: how many of them one person may host; 0 for any number. `calls`: whether people are called by mentions.
    `contrast`: where boards have stronger colors. `pace`: that of new tables, one of `bot.tables.paces.all_paces`.
    `archive`: when the thread of a game is archived after its end, `DAY`, `AT_ONCE` or `NEVER`.
    `log`: the channel of the moderators' log, or 0. `rated`: whether new tables are rated.
    `league_roles`: who may set leagues beside moderators. `language`: that of everything that all see, by its code; ""
    for that of the server at Discord.
    `options`: those that new tables begin with, by the slug of the game; a game without any begins as usual.
    """

    channels: tuple[int, ...] = ()
    roles: tuple[int, ...] = ()
    # without these two, one user could set up a table in every channel and thread
    most: int = 25
    hosted: int = 5
    calls: bool = True
    contrast: tuple[int, ...] = ()
    pace: str = "daily"
    archive: str = DAY
    log: int = 0
    rated: bool = True
    league_roles: tuple[int, ...] = ()
    language: str = ""
    options: Mapping[str, Mapping[str, OptionValue]] = field(default_factory=dict)


USUAL = GuildSettings()

DIRECT = GuildSettings(most=0, hosted=0, pace="none")
"""Those of direct messages, which are no server whose games could be counted, and where nobody waits for others."""


async def log_channel(settings: Settings, guild_id: int) -> int:
    """The channel of the moderators' log of a server; 0 without one."""
    return 0 if guild_id == NO_SERVER else _read(await settings.get(SCOPE, guild_id, NAME)).log


class Servers:
    """The settings of all servers; only this process changes them, so that those in memory are those that count."""

    def __init__(self, client: discord.Client, store: Store) -> None:
        self._client = client
        self._store = store
        self._known: OrderedDict[int, GuildSettings] = OrderedDict()
        self.known = KnownServers(client, store.shard_range)

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """Those of a server, or of direct messages."""
        if guild_id == NO_SERVER:
            return DIRECT
        if guild_id not in self._known:
            self._remember(guild_id, _read(await self._store.settings.get(SCOPE, guild_id, NAME)))
        self._known.move_to_end(guild_id)
        return self._known[guild_id]

    async def keep(self, guild_id: int, guild_settings: GuildSettings, *log_lines: Job) -> None:
        """Store them; they count at once. `log_lines` are lines of the moderators' log about it."""
        async with self._store.transaction():
            await self._store.settings.put(SCOPE, guild_id, NAME, dataclasses.asdict(guild_settings))
            await self._store.jobs.extend(*log_lines)
        # only now: what could not be stored must not count until the next start
        self._remember(guild_id, guild_settings)

    async def may_call(self, channel_id: int) -> bool:
        """Whether people may be called by mentions in a channel."""
        return (await self.guild_settings(await self._server_of(channel_id))).calls

    async def language_in(self, guild_id: int) -> Language:
        """The language of what everybody in a server sees: as moderators say, else the server's own at Discord."""
        chosen, guild = (await self.guild_settings(guild_id)).language, self._client.get_guild(guild_id)
        return language_of(chosen or (str(guild.preferred_locale) if guild else ""))

    async def language_at(self, channel_id: int) -> Language:
        """The same for a channel; in direct messages, the language that is being written in now."""
        try:
            guild_id = await self._server_of(channel_id)
            return language() if guild_id == NO_SERVER else await self.language_in(guild_id)
        except DatabaseTrouble:  # what is to be said is worth more than the language
            return language()

    async def language_of(self, table: Table) -> Language:
        """The language of what everybody at a table sees: that of the server; in direct messages, that of the host."""
        if table.row.guild_id != NO_SERVER:
            return await self.language_in(table.row.guild_id)
        return await self.language_of_user(table.row.host_id)

    async def language_of_user(self, user_id: int) -> Language:
        """The language in which somebody gets direct messages; without one, the one that is being written in now."""
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
        chosen = (await self.guild_settings(guild_id)).contrast
        return bool(chosen) and not {channel_id, *around(self._client.get_channel(channel_id))}.isdisjoint(chosen)

    async def _server_of(self, channel_id: int) -> int:
        """The server of a channel; that of an archived thread is only known by the games there."""
        channel = self._client.get_channel(channel_id)
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            return channel.guild.id
        return await self._store.matches.server_of(channel_id)

    def _remember(self, guild_id: int, guild_settings: GuildSettings) -> None:
        self._known[guild_id] = guild_settings
        if len(self._known) > REMEMBERED:
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


def _read(stored: Any) -> GuildSettings:
    known = {one.name for one in dataclasses.fields(GuildSettings)}
    # names of an older or newer version are passed over
    values: dict[str, Any] = {name: value for name, value in (stored or {}).items() if name in known}
    # JSON knows no tuples
    lists = {name: tuple(values.get(name, ())) for name in ("channels", "roles", "contrast", "league_roles")}
    return dataclasses.replace(USUAL, **values | lists)
