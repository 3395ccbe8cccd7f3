"""Server-level changes: outages, removal and invitation of the bot, time-outs of members."""

from __future__ import annotations

from playground.gateway import Intent
from playground.local import LocalDiscord
from playground.wire import Json
from playground.world import User


class Guilds:
    """Changes the bot's servers and announces the changes as Discord does.

    Without an id, a method applies to the bot's first server.
    """

    def __init__(self, local: LocalDiscord) -> None:
        self._local = local
        self._world = local.world

    def fail(self, guild_id: int = 0) -> None:
        """Start an outage: the server is unavailable, and REST does not know it or its channels."""
        guild_id = guild_id or self._world.guild_id
        self._world.unavailable.add(guild_id)
        self._dispatch("GUILD_DELETE", {"id": str(guild_id), "unavailable": True})

    def recover(self, guild_id: int = 0) -> None:
        """End an outage."""
        self._world.unavailable.discard(guild_id or self._world.guild_id)
        self._announce(guild_id)

    def withhold(self, guild_id: int = 0) -> None:
        """Do not announce the server after the next READY, though it works."""
        self._world.withheld.add(guild_id or self._world.guild_id)

    def deliver(self, guild_id: int = 0) -> None:
        """Announce a withheld server."""
        self._world.withheld.discard(guild_id or self._world.guild_id)
        self._announce(guild_id)

    def remove_bot(self, guild_id: int = 0) -> None:
        """Remove the bot from the server, as a moderator does."""
        guild_id = guild_id or self._world.guild_id
        # Dispatched first, since the bot is notified of its own removal.
        self._dispatch("GUILD_DELETE", {"id": str(guild_id)})
        self._world.without_bot.add(guild_id)

    def invite_bot(self, guild_id: int = 0) -> None:
        """Invite the bot to the server, as if for the first time."""
        self._world.without_bot.discard(guild_id or self._world.guild_id)
        self._announce(guild_id, joined=True)

    def time_out(self, name: str, seconds: float) -> None:
        """Put a member or the bot in time-out for some seconds; 0 lifts it."""
        user = self._world.user_named(name)
        if user is None:
            raise ValueError(f"no user is called {name}")
        user.timed_out_until = self._world.clock.now() + seconds if seconds else 0.0
        self._announce_member(user)

    def _announce_member(self, user: User) -> None:
        data = {**self._local.payloads.member(user), "guild_id": str(self._world.guild_id)}
        # The bot is always notified about itself.
        self._dispatch("GUILD_MEMBER_UPDATE", data, Intent.NONE if user.bot else Intent.GUILD_MEMBERS)

    def _announce(self, guild_id: int, *, joined: bool = False) -> None:
        guild = self._local.payloads.guild(guild_id or self._world.guild_id, members=[self._world.bot])
        if joined:
            # discord.py recognizes a new server by the missing field.
            del guild["unavailable"]
        self._dispatch("GUILD_CREATE", guild)

    def _dispatch(self, event: str, data: Json, intent: Intent = Intent.GUILDS) -> None:
        self._local.gateway.dispatch(event, data, intent)
        self._local.changed()
