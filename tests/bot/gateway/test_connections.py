"""Connections to the gateway that cannot be read: an outage, with growing pauses; and the seams of discord.py."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
from collections.abc import Iterator
from importlib.metadata import version

import discord
import discord.gateway
import discord.shard
import pytest

from bot.gateway.client import ResilientClient
from bot.gateway.websocket import ResilientWebSocket
from bot.logs import brief
from playground.gateway import Op
from tests.bot.app import App
from tests.rooms import play_move

FRAMES = [
    ("HELLO", ".", "torn"),
    ("HELLO", ".", "null"),
    ("HELLO", "op", "missing"),
    ("HELLO", "d", "null"),
    ("HELLO", "d.heartbeat_interval", "null"),
    ("HELLO", "d.heartbeat_interval", "empty"),
    ("READY", ".", "garbled"),
    ("READY", ".", "page"),
    ("READY", "op", "unknown"),
    ("READY", "t", "unknown"),
    ("READY", "t", "type"),
    ("READY", "d", "null"),
]


@pytest.fixture(autouse=True)
def brief_log() -> Iterator[None]:
    """A filter on the messages of discord.py about a reconnect: warnings, as for a bot in its own process."""
    logger = logging.getLogger("discord.shard")
    logger.addFilter(brief)
    yield
    logger.removeFilter(brief)


async def wait_for_connections(app: App, connections: int) -> None:
    """Wait until a bot without a connection has made a number of connections in all."""
    gateway = app.local.gateway
    while gateway.identified + gateway.resumed < connections or not gateway.is_connected:
        assert not app.ended
        await app.idle(5)


@pytest.mark.parametrize(("event", "path", "change"), FRAMES)
async def test_an_unreadable_first_frame_is_an_outage(app: App, event: str, path: str, change: str) -> None:
    room = app.room()
    await room.game("Ana", "Ben", "Caro")
    odd = app.local.vary(f"EVENT {event}", path, change, times=2)
    app.local.gateway.forget()
    app.local.gateway.hang_up()
    while odd.struck < 2 or not app.local.gateway.is_connected:
        assert not app.ended
        await app.idle(5)
    await app.idle(60)
    await wait_for_connections(app, 2)
    await play_move(room.person("Ana"), "muscat place", market="A")


async def test_a_broken_frame_during_a_session_is_an_outage(app: App) -> None:
    room = app.room()
    await room.game("Ana", "Ben", "Caro")
    app.local.vary("EVENT CHANNEL_CREATE", ".", "garbled")
    app.local.add_channel("another")
    await app.local.discord.notifier.until(lambda: not app.local.gateway.is_connected)
    await wait_for_connections(app, 2)
    await play_move(room.person("Ana"), "muscat place", market="A")


async def half_an_hour(app: App) -> None:
    # in steps that are shorter than the time limit of a connection
    for _ in range(180):
        await app.idle(10)


STORMS = [("READY", "d", "null"), ("READY", ".", "garbled"), ("HELLO", ".", "garbled"), ("GUILD_CREATE", ".", "torn")]


@pytest.mark.parametrize(("event", "path", "change"), STORMS)
async def test_half_an_hour_of_broken_frames_uses_few_sessions(app: App, event: str, path: str, change: str) -> None:
    odd = app.local.vary(f"EVENT {event}", path, change, times=None)
    app.local.gateway.forget()
    app.local.gateway.hang_up()
    await half_an_hour(app)
    assert 3 < odd.struck < 30
    assert app.local.gateway.identified < 30
    app.local.lift(f"EVENT {event}")


async def test_sessions_that_are_invalidated_at_once_use_few_identifies(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An odd op 9 counts as one that cannot be resumed."""
    gateway = app.local.gateway
    monkeypatch.setattr(gateway, "_greet", lambda _session: [])
    monkeypatch.setattr(gateway, "on_change", lambda: gateway._send_to_all(Op.INVALID_SESSION, {"odd": []}))
    gateway.forget()
    gateway.hang_up()
    await half_an_hour(app)
    assert 5 < gateway.identified < 50


async def test_a_connection_abandoned_before_identifying_is_closed(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    reached = asyncio.Event()

    async def wait_for_ever(*_: object, **__: object) -> None:
        reached.set()
        await asyncio.Event().wait()

    monkeypatch.setattr(ResilientClient, "before_identify_hook", wait_for_ever)
    app.local.gateway.forget()
    app.local.gateway.hang_up()
    await reached.wait()
    (heartbeats,) = [thread for thread in threading.enumerate() if thread.name.startswith("keep-alive")]
    await app.close()
    heartbeats.join(5)
    assert not heartbeats.is_alive()
    monkeypatch.undo()
    await app.open()


async def test_the_first_connection_is_retried_with_growing_pauses(app: App, caplog: pytest.LogCaptureFixture) -> None:
    await app.close()
    app.local.vary("EVENT HELLO", "d", "missing", times=4)
    opening = asyncio.create_task(app.open())
    while not opening.done():
        await app.idle(1)
    pauses = [record.args[1] for record in caplog.records if record.name == "bot.connection"]
    assert [1, 2, 4, 8] == pauses


# --- seams ---


def test_every_patched_seam_of_discord_py_still_exists() -> None:
    """The list is of discord.py 2.7: for another version, look at each seam and at this list."""
    assert version("discord.py").startswith("2.7.")
    assert discord.shard.DiscordWebSocket is ResilientWebSocket
    for connects in (discord.shard.Shard.reidentify, discord.shard.Shard.reconnect, ResilientClient.launch_shard):
        assert "DiscordWebSocket.from_client" in inspect.getsource(connects)
    assert "get_bot_gateway" in inspect.getsource(discord.AutoShardedClient.launch_shards)
    received = inspect.getsource(discord.gateway.DiscordWebSocket.received_message)
    assert "self._decompressor.decompress(" in received
    assert "self._discord_parsers[event]" in received
    assert "ws._discord_parsers = client._connection.parsers" in inspect.getsource(
        discord.gateway.DiscordWebSocket.from_client
    )
    client = ResilientClient(intents=discord.Intents(guilds=True))
    assert {"READY", "GUILD_CREATE", "INTERACTION_CREATE"} <= client._connection.parsers.keys()
    assert "await self._call(" in inspect.getsource(discord.app_commands.CommandTree._from_interaction)


def test_a_connection_raises_only_errors_that_discord_py_handles() -> None:
    source = inspect.getsource(discord.shard.Shard)
    for name in ("OSError", "HTTPException", "ConnectionClosed", "aiohttp.ClientError", "ReconnectWebSocket"):
        assert name in source


async def test_the_pauses_before_sessions_grow_up_to_a_limit_until_one_of_the_shard_is_ready() -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    client = ResilientClient(pause=pause, intents=discord.Intents.none())
    for _ in range(6):
        await client.pause_before_session(0)
    await client.pause_before_session(1)
    client.dispatch("shard_ready", 0)
    await client.pause_before_session(0)
    assert [0, 5, 15, 35, 35, 35, 0, 0] == pauses
