"""The way to Discord: an outage is waited out, a refusal ends in a sentence."""

from __future__ import annotations

import asyncio
import gc
import logging
from unittest.mock import AsyncMock

import discord
import pytest

from bot.connection import stay_connected
from bot.errors import StartError, StopError
from bot.gateway.client import ResilientClient
from playground.harness import Playground
from playground.launch import point_at
from playground.wire import TOKEN


class Client(ResilientClient):
    """A client without any commands. Leaves as soon as it is in, unless it is to linger."""

    def __init__(self, *, lingers=False, pause=None):
        super().__init__(pause=pause, intents=discord.Intents(guilds=True), guild_ready_timeout=0.0)
        self.arrived = asyncio.Event()
        self._lingers = lingers

    async def on_ready(self):
        self.arrived.set()
        if not self._lingers:
            await self.close()


class Enough(BaseException):
    """An error that ends a wait without end: raised through discord.py instead of a pause."""


class Pauses(list):
    """Notes how long would have been waited."""

    def __init__(self, most=99):
        super().__init__()
        self._most = most

    async def __call__(self, seconds):
        self.append(seconds)
        if len(self) == self._most:
            raise Enough


@pytest.fixture
def at(monkeypatch):
    """Points discord.py at an address on this machine for the length of a test."""
    monkeypatch.setattr(discord.http.Route, "BASE", "")
    monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", None)
    monkeypatch.setattr(discord.asset.Asset, "BASE", "")
    return point_at


@pytest.fixture
async def local(at):
    async with Playground(strict=False) as local:
        at(local.base_url)
        yield local


@pytest.mark.parametrize("route", ["GET /users/@me", "GET /oauth2/applications/@me", "GET /gateway/bot"])
async def test_an_outage_is_retried_with_one_log_line_per_attempt(route, local, caplog):
    local.fault(route, 503, times=3)
    pauses = Pauses()
    async with Client() as client:
        await stay_connected(client, TOKEN, pause=pauses)
    gc.collect()  # a session that was left open would complain now
    assert client.arrived.is_set()
    assert [1, 2, 4] == pauses
    lines = [record.getMessage() for record in caplog.records if record.name == "bot.connection"]
    assert [f"Discord is out of reach (503 Service Unavailable); trying again in {n} s" for n in pauses] == lines


async def test_retry_pauses_double_up_to_five_minutes(at, caplog):
    at("http://127.0.0.1:1")
    pauses = Pauses(12)
    async with Client() as client:
        with pytest.raises(Enough):
            await stay_connected(client, TOKEN, pause=pauses)
    assert [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300] == pauses
    assert all("Cannot connect to host 127.0.0.1:1" in record.getMessage() for record in caplog.records)
    assert not any(record.exc_info for record in caplog.records)


async def test_a_gateway_outage_of_hours_is_retried(local, monkeypatch):
    """discord.py would try its first connection every five seconds, until Python no longer lets it call itself."""
    pauses = Pauses(12)
    async with Client(pause=pauses) as client:
        monkeypatch.setattr(client.http, "ws_connect", AsyncMock(side_effect=OSError("no way")))
        with pytest.raises(Enough):
            await stay_connected(client, TOKEN, pause=asyncio.sleep)
    assert [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300] == pauses


ME, APPLICATION, GATEWAY = "GET /users/@me", "GET /oauth2/applications/@me", "GET /gateway/bot"
WHOLE = [(".", change) for change in ("missing", "null", "torn", "type", "empty", "page", "garbled")]
UNREADABLE = {
    ME: [*WHOLE, ("id", "null"), ("id", "unknown"), ("username", "missing")],
    APPLICATION: [*WHOLE, ("id", "missing"), ("owner", "null")],
    GATEWAY: [
        *WHOLE,
        *(("shards", change) for change in ("missing", "null", "empty", "type", "unknown")),
        ("url", "null"),
        ("url", "unknown"),
        ("session_start_limit", "missing"),
    ],
}


@pytest.mark.parametrize("route", UNREADABLE)
async def test_unreadable_responses_at_startup_count_as_outages(route, local, caplog):
    for path, change in UNREADABLE[route]:
        local.vary(route, path, change)
    pauses = Pauses()
    async with Client() as client:
        await stay_connected(client, TOKEN, pause=pauses)
    gc.collect()
    assert client.arrived.is_set()
    assert [1, 2, 4, 8] == pauses[:4]
    # discord.py itself warns once in a process that it has no voice
    records = [record for record in caplog.records if record.name != "discord.client"]
    lines = [record.getMessage() for record in records if record.levelno >= logging.WARNING]
    assert len(UNREADABLE[route]) == len(lines) == sum("trying again in" in line for line in lines)
    assert not any(record.exc_info for record in caplog.records)


@pytest.mark.parametrize("shards", [-1, 1001, 10**30, True, "4"])
async def test_an_invalid_number_of_shards_counts_as_an_outage(shards, local, caplog, monkeypatch):
    answer = {"url": local.discord.gateway_url, "shards": shards, "session_start_limit": {}}
    pauses = Pauses(2)
    async with Client() as client:
        request = client.http.request

        async def asked(route, **options):
            return answer if route.path == "/gateway/bot" else await request(route, **options)

        monkeypatch.setattr(client.http, "request", asked)
        with pytest.raises(Enough):
            async with asyncio.timeout(10):
                await stay_connected(client, TOKEN, pause=pauses)
    assert "unreadable answer about the gateway" in caplog.text


async def test_a_server_that_never_answers_counts_as_an_outage(at, caplog):
    async def silent(reader, writer):
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server, Client() as client:
        at(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        pauses = Pauses(2)
        with pytest.raises(Enough):
            async with asyncio.timeout(10):
                await stay_connected(client, TOKEN, pause=pauses, patience=0.05)
    assert "(no answer)" in caplog.text


@pytest.mark.parametrize("route", ["GET /users/@me", "GET /gateway/bot"])
async def test_a_stop_while_waiting_ends_the_retries(route, local):
    local.fault(route, 503, times=1)

    async def leave(_seconds):
        await client.close()

    async with Client() as client:
        await stay_connected(client, TOKEN, pause=leave)
    assert 1 == local.requests[route]


@pytest.mark.parametrize("route", ["GET /users/@me", "GET /oauth2/applications/@me", "GET /gateway/bot"])
async def test_a_refused_token_is_not_retried(route, local):
    local.fault(route, 401, times=99)
    async with Client() as client:
        with pytest.raises(StartError, match="Discord does not accept the token"):
            await stay_connected(client, TOKEN, pause=Pauses(1))


CLOSED = {
    4004: "Discord no longer accepts the token",
    4012: "Discord no longer accepts connections of this version (4012)",
    4013: "Discord refuses the intents of the bot (4013)",
    4014: "Discord refuses the intents of the bot (4014)",
}


@pytest.mark.parametrize("code", CLOSED)
async def test_a_permanently_closed_connection_ends_with_an_explanation(code, local, caplog):
    async with Client(lingers=True) as client:
        staying = asyncio.create_task(stay_connected(client, TOKEN, pause=asyncio.sleep))
        await client.arrived.wait()
        await local.gateway.close(code)
        with pytest.raises(StopError) as caught:
            await staying
    assert str(caught.value).startswith(CLOSED[code])
    assert [] == [record for record in caplog.records if record.levelno > logging.INFO]


async def test_a_broken_connection_is_resumed(local):
    async with Client(lingers=True) as client:
        staying = asyncio.create_task(stay_connected(client, TOKEN, pause=asyncio.sleep))
        await client.arrived.wait()
        await local.gateway.close(4000)
        await local.discord.notifier.until(lambda: local.gateway.resumed == 1, 10)
        await client.close()
        await staying
