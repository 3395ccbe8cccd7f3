"""Whether a server is there, by the events that Discord has sent so far: the one place that answers it."""

from __future__ import annotations

from enum import Enum, auto

import discord

from bot.errors import UserError
from bot.store.shard_range import AGE_BITS, NO_SERVER, ShardRange
from engine.texts import Text

SERVER_AWAY = Text(
    "Discord isn’t showing me this server at the moment: there’s an outage, or I’ve only just started. Nothing in "
    "your games is lost. Please try again in a few minutes."
)
NOT_A_MEMBER = Text("I can’t see this server at the moment. Have I been invited to it?")


class Presence(Enum):
    """The last known state of a server: present, with its channels and roles; not received yet, or in an outage; or
    without the bot.
    """

    THERE = auto()
    AWAY = auto()
    ABSENT = auto()


class ServerAway(ConnectionError):
    """A request that makes sense only while its server is there."""


class KnownServers:
    """The servers of this process as the gateway has sent them. Those of other processes count as there."""

    def __init__(self, client: discord.Client, shard_range: ShardRange) -> None:
        self._client = client
        self._shard_range = shard_range
        self._listed_shards: set[int] = set()
        self._removed: set[int] = set()

    def presence(self, guild_id: int) -> Presence:
        """Whether a server is there; direct messages always are."""
        if guild_id == NO_SERVER or not self._shard_range.has(guild_id):
            return Presence.THERE
        guild = self._client.get_guild(guild_id)
        if guild is None:
            # READY names all servers of its shard: until then, nothing is known
            return Presence.ABSENT if self._shard_of(guild_id) in self._listed_shards else Presence.AWAY
        if guild_id in self._removed:
            return Presence.ABSENT
        return Presence.AWAY if guild.unavailable else Presence.THERE

    def is_there(self, guild_id: int) -> bool:
        """Whether a server, or direct messages, can be used now."""
        return self.presence(guild_id) is Presence.THERE

    def find(self, guild_id: int) -> discord.Guild | None:
        """A server with its channels and roles, if it is there."""
        return self._client.get_guild(guild_id) if self.is_there(guild_id) else None

    def require(self, guild_id: int) -> discord.Guild:
        """Like `find`, but raises `UserError` with the reason if the server is not there."""
        guild = self.find(guild_id)
        if guild is None:
            raise UserError(SERVER_AWAY if self.presence(guild_id) is Presence.AWAY else NOT_A_MEMBER)
        return guild

    def note_listed(self, shard_id: int) -> None:
        """READY has named the servers of a shard. Must be called before any of them arrives."""
        self._listed_shards.add(shard_id)
        for guild in self._client.guilds:
            if self._shard_of(guild.id) != shard_id:
                continue
            # discord.py makes each named server anew, as unavailable, and keeps the others after a lost session
            if guild.unavailable:
                self._removed.discard(guild.id)
            else:
                self._removed.add(guild.id)

    def note_arrived(self, guild_id: int) -> None:
        """A server was sent."""
        self._removed.discard(guild_id)

    def _shard_of(self, guild_id: int) -> int:
        return (guild_id >> AGE_BITS) % (self._client.shard_count or 1)
