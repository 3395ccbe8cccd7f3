"""Events that discord.py cannot read: the bot lives, people get a sentence, and readable parts count."""

from __future__ import annotations

import logging
import re
from pathlib import Path

import pytest

from bot.gateway.reports import forget_reports
from playground.oddities import Oddity
from playground.player import Player
from tests.bot.app import App
from tests.e2e.rooms import play_move

INTERACTION = "EVENT INTERACTION_CREATE"
UNREADABLE = "I could not read what Discord sent me"
MARKER = "Zebulon"


@pytest.fixture(autouse=True)
def fresh_reports() -> None:
    forget_reports()


def reports(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.name == "bot.gateway.reports"]


@pytest.mark.parametrize(
    ("path", "change"),
    [
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
    ],
)
async def test_a_command_that_cannot_be_read_is_answered(app: App, path: str, change: str) -> None:
    ana = app.room().person("Ana")
    app.local.odd(INTERACTION, path, change)
    assert UNREADABLE in (await ana.slash("game rules", game="muscat")).text
    assert "Rules of" in (await ana.slash("game rules", game="muscat")).text


async def test_the_answer_is_in_the_language_of_the_user(app: App) -> None:
    ana = app.room().person("Ana")
    app.local.discord.world.users[ana.id].locale = "de"
    app.local.odd(INTERACTION, "d.member", "missing")
    assert "konnte nicht lesen" in (await ana.slash("game list")).text


@pytest.mark.parametrize(
    ("path", "change"), [("d.message.author", "missing"), ("d.message.attachments", "null"), ("d.data.custom_id", "type")]
)
async def test_a_tap_that_cannot_be_read_is_answered(app: App, path: str, change: str) -> None:
    room = app.room()
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    app.local.odd(INTERACTION, path, change)
    assert UNREADABLE in (await ana.tap("Your move", on=board)).text
    assert "Confirm" not in (await ana.tap("Your move", on=board)).text


@pytest.mark.parametrize(
    ("path", "change"),
    [("d.message.components", "empty"), ("d.message.components.0.type", "unknown"), ("d.data.component_type", "unknown")],
)
async def test_a_tap_needs_nothing_but_the_id_of_its_control(app: App, path: str, change: str) -> None:
    room = app.room()
    board = await room.game("Ana", "Ben", "Caro")
    app.local.odd(INTERACTION, path, change)
    assert UNREADABLE not in (await room.person("Ana").tap("Your move", on=board)).text
