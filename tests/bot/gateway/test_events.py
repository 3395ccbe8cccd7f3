"""Events that discord.py cannot read: the bot lives, people get a sentence, and readable parts count."""

from __future__ import annotations

import logging
import re
from typing import Any

import pytest

from bot.gateway import salvage
from bot.gateway.reports import forget_reports
from playground.oddities import UNKNOWN_WORD
from tests.bot.app import App
from tests.rooms import play_move

INTERACTION = "EVENT INTERACTION_CREATE"
UNREADABLE = "I couldn’t read the data that Discord sent me"
MARKER = "Zebulon"


@pytest.fixture(autouse=True)
def fresh_reports() -> None:
    forget_reports()


def reports(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "bot.gateway.reports"]


UNREADABLE_COMMANDS = [
    ("d.attachment_size_limit", "missing"),
    ("d.version", "missing"),
    ("d.channel", "null"),
    ("d.member", "missing"),
    ("d.member.user", "null"),
    ("d.member.nick", "type"),
    ("d.data", "missing"),
    ("d.data", "null"),
    ("d.data.name", "missing"),
    ("d.data.options", "type"),
    ("d.data.options.0", "null"),
    ("d.data.options.0.options.0.value", "missing"),
]


async def test_an_unreadable_command_is_answered(app: App) -> None:
    ana = app.room().person("Ana")
    for path, change in UNREADABLE_COMMANDS:
        app.local.vary(INTERACTION, path, change)
        assert UNREADABLE in (await ana.slash("game rules", game="muscat")).text, (path, change)
        assert "Rules of" in (await ana.slash("game rules", game="muscat")).text, (path, change)


async def test_the_error_message_is_in_the_language_of_the_user(app: App) -> None:
    ana = app.room().person("Ana")
    app.local.discord.world.users[ana.id].locale = "de"
    app.local.vary(INTERACTION, "d.member", "missing")
    assert "konnte nicht lesen" in (await ana.slash("game list")).text


async def test_an_unreadable_tap_is_answered(app: App) -> None:
    room = app.room()
    board, ana = await room.game("Ana", "Ben", "Caro"), room.person("Ana")
    for path, change in (("d.message.author", "null"), ("d.message.attachments", "null"), ("d.data.custom_id", "type")):
        app.local.vary(INTERACTION, path, change)
        assert UNREADABLE in (await ana.tap("Your move", on=board)).text, (path, change)
        assert UNREADABLE not in (await ana.tap("Your move", on=board)).text, (path, change)


async def test_a_tap_needs_only_the_id_of_its_control(app: App) -> None:
    room = app.room()
    board, ana = await room.game("Ana", "Ben", "Caro"), room.person("Ana")
    for path, change in (
        ("d.message.components", "empty"),
        ("d.message.components.0.type", "unknown"),
        ("d.data.component_type", "unknown"),
    ):
        app.local.vary(INTERACTION, path, change)
        assert UNREADABLE not in (await ana.tap("Your move", on=board)).text, (path, change)


async def test_an_unreadable_event_type_is_logged_once_without_values(
    app: App, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    ana = app.room().person(MARKER)
    for _ in range(3):
        app.local.vary(INTERACTION, "d.attachment_size_limit", "missing")
        await ana.slash("game list")
    (line,) = reports(caplog)
    assert "INTERACTION_CREATE" in line
    assert "'attachment_size_limit'" in line
    app.local.vary(INTERACTION, "d.member.user.id", "unknown")
    await ana.slash("game list")
    assert 2 == len(reports(caplog))
    assert UNKNOWN_WORD not in caplog.text
    assert not re.search(MARKER, caplog.text, re.IGNORECASE)


async def test_an_interaction_without_a_token_is_skipped(app: App) -> None:
    ana = app.room().person("Ana")
    app.local.allow("no answer within|left unanswered")
    await ana.slash("game list")
    event = dict(app.local.last_interaction.event, id="5")
    del event["token"]
    app.local.gateway.dispatch(*INTERACTION.split()[1:], event)
    assert UNREADABLE not in (await ana.slash("game list")).text


EVENTS = [
    ("CHANNEL_UPDATE", "d.position", "missing"),
    ("CHANNEL_UPDATE", "d.permission_overwrites", "null"),
    ("CHANNEL_UPDATE", "d", "null"),
    ("GUILD_ROLE_CREATE", "d.role", "missing"),
    ("THREAD_CREATE", "d.thread_metadata", "null"),
    ("THREAD_UPDATE", "d.guild_id", "missing"),
    ("THREAD_UPDATE", "d.thread_metadata", "missing"),
    ("CHANNEL_DELETE", "d.id", "type"),
    ("CHANNEL_UPDATE", "t", "type"),
]


async def test_an_unreadable_event_is_skipped(app: App, caplog: pytest.LogCaptureFixture) -> None:
    world, ana = app.local.discord.world, app.room().person("Ana")
    for event, path, change in EVENTS:
        forget_reports()
        caplog.clear()
        app.local.vary("EVENT *", path, change)
        data = {"guild_id": str(world.guild_id), "id": str(world.ids.next()), "type": 11, "role": {}, "name": "x"}
        if event == "CHANNEL_UPDATE":
            data = app.local.discord.payloads.channel(app.local.channel("caravanserai"))
        app.local.gateway.dispatch(event, data)
        assert UNREADABLE not in (await ana.slash("game list")).text, (event, path)
        assert len(reports(caplog)) == 1, (event, path)


GREETINGS = [
    ("READY", "d.shard", "missing"),
    ("READY", "d.shard", "empty"),
    ("READY", "d.session_id", "missing"),
    ("READY", "d.session_id", "type"),
    ("READY", "d.resume_gateway_url", "null"),
    ("READY", "d.user", "missing"),
    ("READY", "d.guilds", "null"),
    ("READY", "d.guilds.0", "type"),
    ("READY", "s", "missing"),
    ("GUILD_CREATE", "d.channels", "null"),
    ("GUILD_CREATE", "d.channels.0.position", "missing"),
    ("GUILD_CREATE", "d.channels.0", "null"),
    ("GUILD_CREATE", "d.roles", "type"),
    ("GUILD_CREATE", "d.roles.0.name", "missing"),
    ("GUILD_CREATE", "d.members.0.user", "missing"),
    ("GUILD_CREATE", "d.id", "missing"),
    ("GUILD_CREATE", "d", "null"),
]


@pytest.mark.parametrize(("event", "path", "change"), GREETINGS)
async def test_games_continue_on_a_partly_readable_server(app: App, event: str, path: str, change: str) -> None:
    room = app.room()
    board = await room.game("Ana", "Ben", "Caro")
    app.local.vary(f"EVENT {event}", path, change)
    await app.close()
    await app.open()
    await play_move(room.person("Ana"), "muscat place", market="A")
    board = await room.board(after=board)
    app.local.gateway.hang_up()
    while app.local.gateway.resumed + app.local.gateway.identified < 3 or not app.local.gateway.is_connected:
        await app.idle(1)
    await play_move(room.person("Ben"), "muscat place", market="B")
    await room.board(after=board)


async def test_a_partly_readable_server_keeps_its_channels(app: App) -> None:
    """The channel that lacks something is known as well: a channel that is not listed would count as deleted."""
    room, channels = app.room(), "GET /channels/{channel_id}"
    await room.game("Ana", "Ben", "Caro")
    app.local.add_role("keepers", "MANAGE_GUILD")
    app.local.give_role("Ana", "keepers")
    for path, change in (("d.channels.0.position", "missing"), ("d.roles.0.permissions", "type"), ("d.roles", "empty")):
        app.local.vary("EVENT GUILD_CREATE", path, change)
        await app.close()
        await app.open()
        await app.let_pass(30)
        assert [] == app.query("SELECT * FROM jobs WHERE kind = 'channel check'"), path
        assert 0 == app.local.requests[channels], path
        assert "Discord isn’t showing me this server" not in await room.person("Ana").slash("server doctor"), path


@pytest.mark.parametrize(
    ("key", "element", "kept"),
    [
        ("roles", {"id": "5", "name": 7, "color": 3}, {**salvage.SKELETONS["roles"], "id": "5", "color": 3}),
        ("roles", "a role", None),
        ("threads", {"id": "5", "name": 7}, None),
    ],
)
def test_of_an_unreadable_role_its_readable_fields_are_kept(key: str, element: Any, kept: object) -> None:
    def is_readable(data: dict[str, Any]) -> bool:
        return all(isinstance(item, dict) and isinstance(item["name"], str) for item in data[key])

    assert kept == salvage._element({}, key, element, is_readable)
