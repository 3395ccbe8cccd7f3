"""A client that survives invalid data from Discord."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

import discord
import discord.shard
import yarl

from bot.clock import Clock
from bot.connection import Pause, retry_outages
from bot.errors import UnreadableData, place_of
from bot.gateway.reports import report
from bot.gateway.salvage import INTERACTION_TYPES, Json, check_guild, readable_guild, readable_interaction
from bot.gateway.websocket import ResilientWebSocket

T = TypeVar("T")
Parse = Callable[[Any], object]

# seam: discord.py makes each connection by this name, and has no parameter for it
discord.shard.DiscordWebSocket = ResilientWebSocket  # type: ignore[misc]  # it is imported there as a type, too

MAX_SHARDS = 1000
"""Shards of one bot at most: a bot may identify this many times a day."""

SESSION_PAUSE, MAX_SESSION_PAUSE = 5.0, 35.0
"""Seconds added before another session: they grow up to the longest. discord.py waits a minute for a connection."""

INTERACTION = "INTERACTION_CREATE"
GUILD_EVENTS = ("GUILD_CREATE", "GUILD_UPDATE")


class Closed(BaseException):
    """The client was closed; not an `Exception`, since discord.py would connect again after one."""


class ResilientClient(discord.AutoShardedClient):
    """A client that skips events that cannot be read; a connection that cannot be read is an outage.

    Dispatches `unreadable_interaction` with an `Interaction` that can be answered, and has a type and a locale.
    """

    def __init__(self, *, pause: Pause | None = None, **options: Any) -> None:
        """`pause` waits before another attempt to connect; all other options are those of discord.py."""
        # not limited by discord.py: `until_connected` waits as long as an outage takes
        super().__init__(**options, shard_connect_timeout=None)
        self._pause = Clock().sleep if pause is None else pause
        self._sessions: Counter[int] = Counter()
        # seam: the parsers of events, by the name of the event; the connection skips events that these cannot read
        parsers = self._connection.parsers
        parsers[INTERACTION] = partial(self._read_interaction, parsers[INTERACTION])
        parsers["READY"] = partial(_read_ready, parsers["READY"])
        parsers.update({event: partial(self._read_guild, event, parsers[event]) for event in GUILD_EVENTS})
        # seam: the only way to the number of shards and the address of the gateway
        self.http.get_bot_gateway = partial(_checked_gateway, self.http.get_bot_gateway)  # type: ignore[method-assign]  # a seam

    # --- connecting ---

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect, and stay until the client is closed."""
        try:
            await super().connect(reconnect=reconnect)
        except Closed:
            return

    async def until_connected(self, connect: Callable[[], Awaitable[T]]) -> T:
        """The first connection of a shard, attempted with growing pauses.

        Raises:
            Closed: the client was closed before it succeeded.
        """
        connection = await retry_outages(self, partial(_first_connection, connect), self._pause)
        if connection is None:
            raise Closed
        return connection

    async def pause_before_session(self, shard_id: int) -> None:
        """Wait before another session of a shard, longer and longer while none of them leads to READY."""
        # not within `before_identify_hook`, which waits five seconds with an idle open connection
        pause = SESSION_PAUSE * (2.0 ** min(self._sessions[shard_id], 16) - 1)
        self._sessions[shard_id] += 1
        await self._pause(min(pause, MAX_SESSION_PAUSE))

    def dispatch(self, event: str, /, *args: Any, **options: Any) -> None:
        """Send an event of discord.py to its listeners."""
        if event == "shard_ready":
            del self._sessions[args[0]]
        super().dispatch(event, *args, **options)

    # --- events ---

    def _read_guild(self, event: str, parse: Parse, data: Json) -> None:
        """Let discord.py read a server, as far as possible. One that cannot be read at all counts as unavailable."""
        try:
            check_guild(data)
            parse(data)
        # the parsers of discord.py do not check the shape of the data, so any error may come up; it is reported below
        except Exception as error:
            # discord.py may have replaced some parts of the server already
            if (guild := self.get_guild(int(data["id"]))) is not None:
                guild.unavailable = True
            parse(readable_guild(data, self._connection))
            report(event, error, "its readable part is used")

    def _read_interaction(self, parse: Parse, data: Json) -> None:
        """Let discord.py read an interaction; one that cannot be read is handed on for an answer."""
        try:
            parse(readable_interaction(data))
        # any error, as in `_read_guild`; the connection reports it
        except Exception:
            self._dispatch_unreadable(data)
            raise

    def _dispatch_unreadable(self, data: Any) -> None:
        """Dispatch the part of an interaction that is needed for an answer, if there is such a part."""
        try:
            interaction = self._answerable_part(data)
        # data of any shape; `_read_interaction` raises the first error, which is reported
        except Exception:
            return
        self.dispatch("unreadable_interaction", interaction)

    def _answerable_part(self, data: Json) -> discord.Interaction[Any]:
        kind, locale = data.get("type"), data.get("locale")
        if not isinstance(data["token"], str) or not data["token"]:
            raise TypeError("token")
        part: Any = {
            "id": str(int(data["id"])),
            "token": data["token"],
            "type": kind if kind in INTERACTION_TYPES else 2,
            "locale": locale if isinstance(locale, str) else "en-US",
            "application_id": str(self.application_id),
            "version": 1,
            "attachment_size_limit": 0,
        }
        return discord.Interaction(data=part, state=self._connection)


def _read_ready(parse: Parse, data: Json) -> None:
    """Let discord.py read READY, after a check of the shard, which discord.py does not make."""
    if not all(isinstance(number, int) for number in data["shard"]):
        raise TypeError("shard")
    parse(data)


async def _first_connection(connect: Callable[[], Awaitable[T]]) -> T:
    try:
        return await connect()
    # Discord closed the connection instead of sending HELLO
    except (discord.gateway.ReconnectWebSocket, discord.ConnectionClosed) as error:
        raise ConnectionError("the gateway closed the connection") from error


async def _checked_gateway(fetch: Callable[[], Awaitable[Any]]) -> Any:
    """The number of shards, the address of the gateway and the limits of a start.

    Raises:
        UnreadableData: a value is missing or makes no sense.
    """
    try:
        shards, url, limits = await fetch()
        if type(shards) is not int or not 0 < shards <= MAX_SHARDS:
            raise ValueError("shards")
        if yarl.URL(url).scheme not in ("ws", "wss") or not yarl.URL(url).host:
            raise ValueError("url")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise UnreadableData(f"unreadable answer about the gateway: {place_of(error)}") from error
    return shards, url, limits
