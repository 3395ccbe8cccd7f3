"""One connection to the gateway: it skips unreadable frames, or ends like in an outage."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, Self, TypeVar

import aiohttp
import discord
import orjson
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.errors import UnreadableData, place_of
from bot.gateway.reports import report
from bot.gateway.salvage import Json, readable_ready

T = TypeVar("T")

CONNECT_TIMEOUT = 60.0
"""Seconds for one attempt to connect, up to IDENTIFY or RESUME."""

MIN_HEARTBEAT, MAX_HEARTBEAT = 0.1, 600.0
"""Seconds between two heartbeats. Discord asks for 41; none at all would busy the process, or end the session."""

FIRST_OPCODES = (
    DiscordWebSocket.HELLO,
    DiscordWebSocket.DISPATCH,
    DiscordWebSocket.HEARTBEAT,
    DiscordWebSocket.HEARTBEAT_ACK,
    DiscordWebSocket.RECONNECT,
    DiscordWebSocket.INVALIDATE_SESSION,
)
"""The opcodes of frames before READY."""

HANDLED_ERRORS = (ReconnectWebSocket, discord.ConnectionClosed, discord.HTTPException, OSError, aiohttp.ClientError)
"""Errors of a connection after which discord.py connects again, with growing pauses where that is needed."""


class ResilientWebSocket(DiscordWebSocket):
    """A connection that raises only errors that discord.py handles. Readable frames go to discord.py unchanged."""

    @classmethod
    async def from_client(cls, client: Any, **options: Any) -> Self:
        """Connect. The first connection of a shard is retried with growing pauses until it succeeds."""

        connect = partial(_connect, partial(super().from_client, client, **options))
        # discord.py knows a shard from its first connection on
        if client.get_shard(options["shard_id"]) is not None:
            if not options.get("resume"):
                await client.pause_before_session(options["shard_id"])
            return await connect()
        connection: Self = await client.until_connected(connect)
        return connection

    async def identify(self) -> None:
        """Begin a session. The connection is closed if that fails, or takes too long."""
        try:
            await super().identify()
        # canceled or failed, discord.py leaves the connection open, and its thread would go on sending heartbeats
        except BaseException:
            # the first error matters more than one of closing
            with suppress(Exception):
                await self.close()
            raise

    async def received_message(self, msg: Any, /) -> None:
        """Handle a frame, which may be a part of a compressed one.

        Raises:
            UnreadableData: the connection is closed, and discord.py makes a new one after a pause.
        """
        try:
            text = self._decompressor.decompress(msg) if isinstance(msg, bytes) else msg
            if text is None:
                return
            # a skipped frame before READY would leave the bot waiting forever
            if self._keep_alive is None or self.session_id is None:
                _check_first_frame(orjson.loads(text), greeted=self._keep_alive is not None)
        # a frame may be torn, garbled, or of any shape; the log names the place with the reconnect
        except Exception as error:
            await self._break(error)
        else:
            await self._handle(text)

    async def _handle(self, text: str) -> None:
        before = self.sequence
        try:
            await super().received_message(text)
        # discord.py may fail in any way at reading, and one bad event must not end the connection; it is reported
        except Exception as error:
            await self._recover(text, error)
        # both are sent with RESUME, where a wrong type would make Discord close each connection at once
        if not isinstance(self.sequence, int | None):
            self.sequence = before
        if not isinstance(self.session_id, str | None):
            self.session_id = ""

    async def _recover(self, text: str, error: Exception) -> None:
        """Skip an event, or read READY as far as possible. Everything else breaks the connection."""
        frame = _load(text)
        if not isinstance(frame, dict) or frame.get("op") != self.DISPATCH:
            # discord.py's own errors for the end of a connection
            if isinstance(error, HANDLED_ERRORS):
                raise error
            await self._break(error)
        elif frame.get("t") == "READY":
            await self._salvage_ready(frame, error)
        else:
            report(self._event_name(frame), error, "it is skipped")

    def _event_name(self, frame: Json) -> str:
        name = frame.get("t")
        # an unknown name must not get into the log
        return name if isinstance(name, str) and name in self._discord_parsers else "an event without a name"

    async def _salvage_ready(self, frame: Json, error: Exception) -> None:
        try:
            ready = readable_ready(
                frame["d"],
                shard=(self.shard_id or 0, self.shard_count or 1),
                gateway=self.DEFAULT_GATEWAY,
                state=self._connection,
            )
            # READY is the first event of a session
            await super().received_message(orjson.dumps({**frame, "s": 1, "d": ready}).decode())
        # data of any shape: not even its readable part can be used, so the bot connects again
        except Exception as second:
            await self._break(second)
        report("READY", error, "its readable part is used")

    async def _break(self, error: Exception) -> None:
        """Close the connection and let discord.py make a new one, as after an outage."""
        # the first error matters more than one of closing
        with suppress(Exception):
            await self.close()
        raise UnreadableData(f"unreadable frame of the gateway: {place_of(error)}") from error


async def _connect(connect: Callable[[], Awaitable[T]]) -> T:
    """One attempt to connect."""
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            return await connect()
    except HANDLED_ERRORS:
        raise
    # any other error comes from a first frame that cannot be read; the log names the place with the next attempt
    except Exception as error:
        raise UnreadableData(f"unreadable frame of the gateway: {place_of(error)}") from error


def _load(text: str) -> Any:
    try:
        return orjson.loads(text)
    except ValueError:
        return None


def _check_first_frame(frame: Any, *, greeted: bool) -> None:
    """Raise an error for a frame that is invalid before READY, or a HELLO without a valid interval."""
    opcode = frame["op"]
    if opcode not in FIRST_OPCODES or greeted == (opcode == DiscordWebSocket.HELLO):
        raise ValueError("opcode")
    if opcode == DiscordWebSocket.DISPATCH and frame["t"] != "READY":
        raise ValueError("event")
    if opcode != DiscordWebSocket.HELLO:
        return
    if not MIN_HEARTBEAT <= frame["d"]["heartbeat_interval"] / 1000 <= MAX_HEARTBEAT:
        raise ValueError("heartbeat interval")
