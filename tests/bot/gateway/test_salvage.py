"""Data that discord.py cannot read, one value at a time: its readable part is used, and each problem is logged."""

from __future__ import annotations

import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import yarl

from bot.errors import UnreadableData
from bot.gateway import reports
from bot.gateway.client import MAX_SHARDS, Closed, ResilientClient, _checked_gateway, _first_connection, _read_ready
from bot.gateway.reports import forget_reports, report
from bot.gateway.salvage import check_guild, readable_guild, readable_interaction, readable_ready

GUILD = "7"
EVERYONE = {"id": GUILD, "name": "@everyone", "permissions": "8", "position": 0}
SERVER = {"id": GUILD, "name": "Home", "roles": [EVERYONE]}


@pytest.fixture(autouse=True)
def fresh_reports() -> None:
    forget_reports()


@pytest.fixture
async def client() -> ResilientClient:
    return ResilientClient(intents=discord.Intents(guilds=True))


def recording(calls: list[Any], *errors: Exception) -> Callable[[Any], None]:
    """A parser of discord.py that records its data, and fails with one of the errors each time."""
    remaining = [*errors]

    def parse(data: Any) -> None:
        calls.append(data)
        if remaining:
            raise remaining.pop(0)

    return parse


# --- reports ---


def test_each_kind_of_unreadable_data_is_logged_once_and_in_full_only_for_debugging(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "MAX_KINDS", 2)
    caplog.set_level(logging.DEBUG)
    for event in ("READY", "READY", "GUILD_CREATE", "GUILD_UPDATE"):
        report(event, ValueError("a hand"), "it is skipped")
    line = "Discord sent {}, which cannot be read (ValueError): it is skipped. This is logged once."
    lines = [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]
    assert [line.format("READY"), line.format("GUILD_CREATE")] == lines
    debugging = [record.getMessage() for record in caplog.records if record.levelno == logging.DEBUG]
    assert "READY cannot be read:\nValueError" == debugging[0]
    assert 4 == len(debugging)


# --- servers ---


@pytest.mark.parametrize(
    ("data", "is_sound"),
    [
        (SERVER, True),
        ({"id": GUILD, "unavailable": True}, True),
        ({**SERVER, "roles": [{"id": "8"}]}, False),
        ({**SERVER, "roles": []}, False),
        ({**SERVER, "roles": [{"id": "8"}], "unavailable": 1}, False),
    ],
)
def test_a_server_needs_the_role_of_everyone_unless_it_has_an_outage(data: dict[str, Any], is_sound: bool) -> None:
    try:
        check_guild(data)
    except ValueError:
        assert not is_sound
    else:
        assert is_sound


async def test_of_a_server_all_that_discord_py_can_read_remains(client: ResilientClient) -> None:
    state = client._connection
    channel = {"id": "2", "type": 0, "name": "games", "position": 1, "permission_overwrites": []}
    torn = {"id": "3", "type": 0, "name": "torn", "permission_overwrites": None}
    nameless = {"id": "two", "type": 0, "name": "games"}
    unclear, short = {"id": "9", "name": "keepers", "permissions": None}, {"id": "10", "name": "short"}
    channels = [channel, torn, nameless, "a channel"]
    data = {**SERVER, "id": 7, "channels": channels, "threads": 5, "roles": [unclear, short]}
    completed = {"id": "3", "type": 0, "name": "torn", "position": 0}
    roles = [
        {"id": "9", "name": "keepers", "permissions": "0", "position": 0},
        short,
        {"id": GUILD, "name": "", "permissions": "0", "position": 0},
    ]
    assert {"id": 7, "name": "Home", "channels": [channel, completed], "roles": roles} == readable_guild(data, state)
    assert [EVERYONE] == readable_guild({**SERVER, "id": 7, "roles": [EVERYONE]}, state)["roles"]
    with pytest.raises(ValueError, match="invalid literal"):
        readable_guild({"id": "home"}, state)


async def test_a_server_that_cannot_be_read_counts_as_unavailable_and_its_readable_part_is_read(
    client: ResilientClient, caplog: pytest.LogCaptureFixture
) -> None:
    state, read = client._connection, list[Any]()
    guild = discord.Guild(data=SERVER, state=state)  # type: ignore[arg-type]  # as much as is needed
    state._add_guild(guild)
    client._read_guild("GUILD_UPDATE", recording(read), SERVER)
    assert ([SERVER], False) == (read, guild.unavailable)
    read.clear()
    client._read_guild("GUILD_UPDATE", recording(read, KeyError("name")), SERVER)
    assert ([SERVER, SERVER], True) == (read, guild.unavailable)
    read.clear()
    rest = {"id": "8", "roles": [{"id": "8", "name": "", "permissions": "0", "position": 0}]}
    client._read_guild("GUILD_CREATE", recording(read), {"id": "8", "roles": []})
    assert [rest] == read, "one that the bot does not know yet"
    events = [record.args[0] for record in caplog.records if isinstance(record.args, tuple)]
    assert ["GUILD_UPDATE", "GUILD_CREATE"] == events
    assert all("its readable part is used" in line for line in caplog.messages)


# --- READY and the address of the gateway ---


async def test_ready_has_all_fields_with_the_known_values_for_unreadable_ones(client: ResilientClient) -> None:
    user: Any = SimpleNamespace(id=1, name="bot", discriminator="0")
    state: Any = client._connection
    state.user = user
    bot_user = {"id": "1", "username": "bot", "discriminator": "0", "avatar": None, "bot": True}

    def ready(data: dict[str, Any]) -> Any:
        return readable_ready(data, shard=(1, 4), gateway=yarl.URL("wss://gateway"), state=state)

    empty = {"user": bot_user, "shard": [1, 4], "session_id": "", "resume_gateway_url": "wss://gateway", "guilds": []}
    assert empty == ready({})
    assert empty == ready({"session_id": 5, "resume_gateway_url": None, "guilds": {"id": "7"}, "shard": ["x"]})
    whole = {"session_id": "s", "resume_gateway_url": "wss://resume", "guilds": [{"id": "7"}, "8", {"id": "9"}]}
    assert {**empty, **whole, "guilds": [{"id": "7"}, {"id": "9"}]} == ready(whole)


@pytest.mark.parametrize(("shard", "is_sound"), [([0, 1], True), (["0", 1], False), ([0, None], False)])
def test_the_numbers_of_a_shard_are_checked_before_ready_is_read(shard: list[Any], is_sound: bool) -> None:
    read = list[Any]()
    if is_sound:
        _read_ready(recording(read), {"shard": shard})
    else:
        with pytest.raises(TypeError, match="shard"):
            _read_ready(recording(read), {"shard": shard})
    assert [{"shard": shard}] * is_sound == read


@pytest.mark.parametrize(
    ("answer", "is_sound"),
    [
        ((1, "wss://gateway", {}), True),
        ((MAX_SHARDS, "ws://127.0.0.1:80/", {}), True),
        ((MAX_SHARDS + 1, "wss://gateway", {}), False),
        ((0, "wss://gateway", {}), False),
        ((True, "wss://gateway", {}), False),
        (("1", "wss://gateway", {}), False),
        ((1, "https://gateway", {}), False),
        ((1, "wss:///path", {}), False),
        ((1, None, {}), False),
        ((1, "wss://gateway"), False),
    ],
)
async def test_the_gateway_needs_a_number_of_shards_and_an_address(answer: Any, is_sound: bool) -> None:
    async def fetch() -> Any:
        return answer

    if is_sound:
        assert answer == await _checked_gateway(fetch)
    else:
        with pytest.raises(UnreadableData, match=r"^unreadable answer about the gateway: \w+Error at \w+\.py:\d+$"):
            await _checked_gateway(fetch)


async def test_the_first_connection_is_tried_until_it_succeeds_or_the_client_is_closed() -> None:
    pauses, results = list[float](), list[Any]()

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    async def connect() -> str:
        result = results.pop(0)
        if isinstance(result, Exception):
            raise result
        return str(result)

    client = ResilientClient(pause=pause, intents=discord.Intents.none())
    closed: Any = discord.ConnectionClosed(SimpleNamespace(close_code=4000), shard_id=0)  # type: ignore[arg-type]  # a socket
    results += [closed, discord.gateway.ReconnectWebSocket(0), "a connection"]
    assert "a connection" == await client.until_connected(connect)
    assert [1, 2] == pauses
    results.append(closed)
    with pytest.raises(ConnectionError, match="the gateway closed the connection"):
        await _first_connection(connect)
    client._closing_task = SimpleNamespace()  # type: ignore[assignment]  # how discord.py knows that it is closed
    with pytest.raises(Closed):
        await client.until_connected(connect)


@pytest.mark.parametrize("error", [None, Closed()])
async def test_a_closed_client_ends_its_connection_without_an_error(
    monkeypatch: pytest.MonkeyPatch, client: ResilientClient, error: BaseException | None
) -> None:
    connections = list[bool]()

    async def connect(_: object, *, reconnect: bool) -> None:
        connections.append(reconnect)
        if error:
            raise error

    monkeypatch.setattr(discord.AutoShardedClient, "connect", connect)
    await client.connect()
    await client.connect(reconnect=False)
    assert [True, False] == connections


# --- interactions ---

TAP: dict[str, Any] = {
    "id": "5",
    "type": 3,
    "token": "a token",
    "locale": "de",
    "guild_id": GUILD,
    "guild_locale": "fr",
    "member": {"user": {"id": "70", "username": "ana"}},
    "message": {"id": "6"},
    "data": {"custom_id": "cv:board:1:0:"},
}
IN_DIRECT_MESSAGES = {name: value for name, value in TAP.items() if name not in ("guild_id", "member", "message")} | {
    "user": {"id": "70", "username": "ana", "global_name": "Ana"}
}


def named(**names: Any) -> dict[str, Any]:
    member = {"user": {"id": "70", "username": "ana"} | names, "nick": names.pop("nick", None)}
    return {**TAP, "member": member}


def typed(*options: Any) -> dict[str, Any]:
    return {**TAP, "type": 2, "data": {"name": "game", "options": [*options]}}


WORD, NUMBER, YES = ({"type": 3, "value": "x"}, {"type": 4, "value": 5}, {"type": 5, "value": True})
USER, SHARE = {"type": 6, "value": "70"}, {"type": 10, "value": 0.5}


@pytest.mark.parametrize(
    "data",
    [
        TAP,
        IN_DIRECT_MESSAGES,
        {**TAP, "message": {"id": "6", "flags": 64}},
        named(global_name=None, nick=None),
        named(global_name="Ana", nick="Ana the First"),
        typed(WORD, NUMBER, YES, USER, SHARE),
        typed({"type": 2, "options": [{"type": 1, "options": [WORD]}]}, {"type": 1}),
        *({**TAP, "type": kind} for kind in (2, 4, 5)),
    ],
)
def test_a_sound_interaction_is_read_as_it_is(data: dict[str, Any]) -> None:
    assert data == readable_interaction(data)


@pytest.mark.parametrize(
    "data",
    [
        {**TAP, "type": 1},
        {**TAP, "type": 6},
        {**TAP, "token": ""},
        {**TAP, "token": 5},
        {**TAP, "message": {"flags": "64"}},
        {**TAP, "member": {}},
        {**TAP, "guild_id": None},
        {**IN_DIRECT_MESSAGES, "guild_id": GUILD},
        named(username=5),
        named(global_name=5),
        named(nick=5),
        typed({"type": 3, "value": 5}),
        typed({"type": 3}),
        typed({"type": 4, "value": None}),
        typed({"type": 6, "value": ["70"]}),
        typed({"type": 2, "options": [{"type": 1, "options": [{"type": 3, "value": 5}]}]}),
        typed({"value": "x"}),
    ],
)
def test_an_interaction_without_a_needed_part_is_not_read(data: dict[str, Any]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        readable_interaction(data)


def test_invalid_languages_are_left_out_of_an_interaction() -> None:
    without = {name: value for name, value in TAP.items() if name not in ("locale", "guild_locale")}
    assert without == readable_interaction({**TAP, "locale": 5, "guild_locale": None})


async def test_an_interaction_that_cannot_be_read_can_be_answered_as_far_as_it_has_a_token(
    client: ResilientClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = list[tuple[str, Any]]()
    monkeypatch.setattr(client, "dispatch", lambda event, interaction: events.append((event, interaction)))
    client._connection.application_id = 3

    def answerable(data: Any) -> list[tuple[Any, ...]]:
        events.clear()
        with pytest.raises(Exception):  # noqa: B017, PT011 - of any type, for the report of the connection
            client._read_interaction(recording([], KeyError("id")), data)
        return [
            (event, part.id, part.token, part.type.value, str(part.locale), part.application_id, part.version)
            for event, part in events
        ]

    event = "unreadable_interaction"
    assert [(event, 5, "a token", 3, "de", 3, 1)] == answerable(TAP)
    assert [(event, 5, "a token", 2, "en-US", 3, 1)] == answerable({"id": 5, "token": "a token", "type": 9})
    assert [(event, 5, "a token", 4, "en-US", 3, 1)] == answerable({**TAP, "type": 4, "locale": 5})
    for data in ({**TAP, "token": ""}, {**TAP, "token": 5}, {**TAP, "id": "five"}, {"id": "5"}, None, "a tap"):
        assert [] == answerable(data)
    read = list[Any]()
    client._read_interaction(recording(read), {**TAP, "locale": None})
    assert [{name: value for name, value in TAP.items() if name != "locale"}] == read
