"""A connection to the gateway, frame by frame: skipped events, and frames that end the connection."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import aiohttp
import orjson
import pytest
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

from bot.errors import UnreadableData
from bot.gateway import websocket
from bot.gateway.reports import forget_reports
from bot.gateway.websocket import ResilientWebSocket, _check_first_frame, _connect

DISPATCH, HEARTBEAT, RECONNECT, INVALIDATE, HELLO, ACK = 0, 1, 7, 9, 10, 11


class Socket:
    """A connection that has read READY, without a network. `read` are the frames that discord.py got."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        connection: Any = ResilientWebSocket.__new__(ResilientWebSocket)
        connection._keep_alive, connection.session_id, connection.sequence = object(), "session", 5
        connection._decompressor = SimpleNamespace(decompress=lambda data: data.decode() or None)
        connection._discord_parsers = {"GUILD_CREATE": None, "READY": None}
        connection.shard_id = connection.shard_count = None
        connection._connection = SimpleNamespace(
            user=SimpleNamespace(id=1, name="bot", discriminator="0"), shard_id=None, shard_count=None
        )
        connection.close = self._close
        self.connection = connection
        self.read: list[Any] = []
        self.errors: list[Exception] = []
        self.closed = 0
        self.then: dict[str, Any] = {}
        monkeypatch.setattr(DiscordWebSocket, "received_message", lambda _, text: self._receive(text))

    async def _receive(self, text: str) -> None:
        self.read.append(orjson.loads(text))
        vars(self.connection).update(self.then)
        if self.errors:
            raise self.errors.pop(0)

    async def _close(self, *_: object) -> None:
        self.closed += 1
        raise OSError("closed already")

    async def receive(self, frame: Any) -> None:
        await self.connection.received_message(
            frame if isinstance(frame, str | bytes) else orjson.dumps(frame).decode()
        )

    async def breaks(self, frame: Any) -> bool:
        """Whether a frame ends the connection like an outage."""
        before, error = self.closed, None
        try:
            await self.receive(frame)
        except UnreadableData as outage:
            error = outage
        assert (error is not None) == str(error).startswith("unreadable frame of the gateway: ")
        assert self.closed - before == (error is not None)
        return error is not None


@pytest.fixture
def socket(monkeypatch: pytest.MonkeyPatch) -> Socket:
    forget_reports()
    return Socket(monkeypatch)


async def test_readable_frames_go_to_discord_py_unchanged(socket: Socket) -> None:
    frame = {"op": DISPATCH, "t": "GUILD_CREATE", "s": 6, "d": {"id": "7"}}
    await socket.receive(frame)
    await socket.receive(orjson.dumps(frame))
    await socket.receive(b"")
    assert ([frame, frame], 0) == (socket.read, socket.closed), "the last one is a part of a compressed frame"


async def test_an_event_that_discord_py_cannot_read_is_skipped_and_reported_by_its_known_name(
    socket: Socket, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("GUILD_CREATE", "A HAND", 5, ["READY"]):
        socket.errors = [KeyError("id")]
        assert not await socket.breaks({"op": DISPATCH, "t": name, "s": 6, "d": {}})
    assert ["GUILD_CREATE", "an event without a name"] == [record.args[0] for record in caplog.records]  # type: ignore[index]
    assert all("it is skipped" in line for line in caplog.messages)


async def test_other_frames_end_the_connection_with_an_error_that_discord_py_handles(socket: Socket) -> None:
    for frame in ({"op": HELLO}, {"op": HEARTBEAT, "t": "READY"}, ["op"]):
        socket.errors = [KeyError("d")]
        assert await socket.breaks(frame)
    for error in (ReconnectWebSocket(0), aiohttp.ClientError(), OSError()):
        socket.errors = [error]
        with pytest.raises(type(error)):
            await socket.receive({"op": RECONNECT})
    assert 3 == socket.closed
    assert await socket.breaks(b"\xff"), "a torn frame"


async def test_the_numbers_that_resume_a_session_keep_their_types(socket: Socket) -> None:
    frame = {"op": DISPATCH, "t": "GUILD_CREATE", "d": {}}
    for wrong, right in (
        ({"sequence": "6", "session_id": 7}, (5, "")),
        ({"sequence": 6, "session_id": "next"}, (6, "next")),
        ({"sequence": [7]}, (6, "next")),
        ({"sequence": None, "session_id": None}, (None, None)),
    ):
        # READY is read already, or the first frames would be checked
        socket.connection.session_id = socket.connection.session_id or "session"
        socket.then = wrong
        await socket.receive(frame)
        assert right == (socket.connection.sequence, socket.connection.session_id)


async def test_ready_is_read_as_far_as_possible_or_ends_the_connection(
    socket: Socket, caplog: pytest.LogCaptureFixture
) -> None:
    frame = {"op": DISPATCH, "t": "READY", "s": 9, "d": {"session_id": "s", "guilds": None}}
    bot_user = {"id": "1", "username": "bot", "discriminator": "0", "avatar": None, "bot": True}
    ready = {
        "user": bot_user,
        "shard": [0, 1],
        "session_id": "s",
        "resume_gateway_url": str(DiscordWebSocket.DEFAULT_GATEWAY),
        "guilds": [],
    }
    socket.errors = [KeyError("guilds")]
    await socket.receive(frame)
    assert [frame, {**frame, "s": 1, "d": ready}] == socket.read
    socket.connection.shard_id, socket.connection.shard_count = 2, 4
    socket.errors = [KeyError("guilds")]
    await socket.receive(frame)
    assert [2, 4] == socket.read[-1]["d"]["shard"]
    assert ["READY"] == [record.args[0] for record in caplog.records]  # type: ignore[index]
    socket.errors = [KeyError("guilds"), KeyError("user")]
    assert await socket.breaks(frame)
    socket.errors = [KeyError("guilds")]
    assert await socket.breaks({"op": DISPATCH, "t": "READY"})


HELLO_FRAME = {"op": HELLO, "d": {"heartbeat_interval": 41_250}}


@pytest.mark.parametrize(
    ("frame", "before_hello", "after_hello"),
    [
        (HELLO_FRAME, True, False),
        *(({"op": HELLO, "d": {"heartbeat_interval": n}}, True, False) for n in (100, 600_000)),
        *(({"op": HELLO, "d": {"heartbeat_interval": n}}, False, False) for n in (99, 600_001, "1", None)),
        ({"op": HELLO}, False, False),
        ({"op": DISPATCH, "t": "READY"}, False, True),
        ({"op": DISPATCH, "t": "GUILD_CREATE"}, False, False),
        ({"op": DISPATCH}, False, False),
        *(({"op": op}, False, True) for op in (HEARTBEAT, ACK, RECONNECT, INVALIDATE)),
        ({"op": 2}, False, False),
        ({}, False, False),
        (None, False, False),
    ],
)
async def test_before_ready_only_the_frames_of_a_start_are_accepted(
    socket: Socket, frame: Any, before_hello: bool, after_hello: bool
) -> None:
    for greeted, is_sound in ((False, before_hello), (True, after_hello)):
        try:
            _check_first_frame(frame, greeted=greeted)
        except (KeyError, TypeError, ValueError):
            assert not is_sound
        else:
            assert is_sound
    socket.connection._keep_alive, socket.connection.session_id = None, "session"
    assert before_hello == (not await socket.breaks(frame))
    socket.connection._keep_alive, socket.connection.session_id = object(), None
    assert after_hello == (not await socket.breaks(frame))


# --- the attempts ---


async def test_an_attempt_to_connect_fails_with_an_outage_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(websocket, "CONNECT_TIMEOUT", 0)
    results: list[Any] = []

    async def connect() -> object:
        if (result := results.pop(0)) is None:
            await asyncio.sleep(60)
        if isinstance(result, Exception):
            raise result
        return result

    results.append(None)
    with pytest.raises(TimeoutError):
        await _connect(connect)
    monkeypatch.undo()
    results.append("a connection")
    assert "a connection" == await _connect(connect)
    for error in (OSError(), aiohttp.ClientError(), ReconnectWebSocket(0)):
        results.append(error)
        with pytest.raises(type(error)):
            await _connect(connect)
    results.append(KeyError("heartbeat_interval"))
    with pytest.raises(UnreadableData, match=r"^unreadable frame of the gateway: KeyError at test_websocket"):
        await _connect(connect)


@pytest.mark.parametrize(
    ("is_known", "options", "steps"),
    [
        (False, {}, ["until connected", "connected"]),
        (True, {}, ["paused 3", "connected"]),
        (True, {"resume": True}, ["connected"]),
        (False, {"resume": True}, ["until connected", "connected"]),
    ],
)
async def test_only_another_session_of_a_shard_begins_with_a_pause(
    monkeypatch: pytest.MonkeyPatch, is_known: bool, options: dict[str, Any], steps: list[str]
) -> None:
    done: list[str] = []

    async def pause(shard_id: int) -> None:
        done.append(f"paused {shard_id}")

    async def until_connected(connect: Any) -> object:
        done.append("until connected")
        return await connect()

    async def connect(_: object, client: Any, **given: Any) -> str:
        assert {"shard_id": 3, **options} == given
        done.append("connected")
        return "a connection"

    monkeypatch.setattr(DiscordWebSocket, "from_client", classmethod(connect))
    client = SimpleNamespace(
        get_shard=lambda shard_id: {3: "a shard"}.get(shard_id) if is_known else None,
        pause_before_session=pause,
        until_connected=until_connected,
    )
    assert "a connection" == await ResilientWebSocket.from_client(client, shard_id=3, **options)  # type: ignore[comparison-overlap]
    assert steps == done


async def test_a_session_that_does_not_begin_closes_its_connection(
    socket: Socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    errors: list[BaseException] = [TimeoutError()]

    async def identify(_: object) -> None:
        if errors:
            raise errors.pop()

    monkeypatch.setattr(DiscordWebSocket, "identify", identify)
    with pytest.raises(TimeoutError):
        await socket.connection.identify()
    assert 1 == socket.closed
    await socket.connection.identify()
    assert 1 == socket.closed
