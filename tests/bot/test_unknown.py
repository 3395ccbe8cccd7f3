"""Commands and controls of an older version, which Discord still shows, are answered."""

from __future__ import annotations

import asyncio

import pytest

from playground.player import ExpectationFailed
from tests.bot.app import App
from tests.bot.forging import forge_tap
from tests.bot.posting.test_aftermath import AGES, ANSWER, UNANSWERED

PAWNS = {"type": 2, "style": 1, "label": "x", "custom_id": "of:another:time"}


@pytest.fixture
def chess(app: App) -> App:
    """Discord has a command of a game that this version does not have any more."""
    commands = app.local.discord.world.commands
    rules = next(command for command in commands if command["name"] == "game")
    commands.append({**rules, "name": "chess", "id": str(app.local.discord.world.ids.next())})
    return app


async def test_an_unknown_command_is_answered(chess: App) -> None:
    assert "That command no longer exists" in await chess.room().person("Ana").slash("chess list")


async def test_an_unknown_command_has_no_suggestions(chess: App) -> None:
    assert [] == await chess.room().person("Ana").suggest("chess rules", "section", "1")


@pytest.mark.parametrize("what", ["command", "control"])
async def test_a_reply_to_an_unknown_command_or_control_may_come_too_late(chess: App, what: str) -> None:
    chess.local.allow(UNANSWERED)
    ana = chess.room().person("Ana")
    board = await ana.slash("game rules", game="muscat")
    late = chess.local.fault(ANSWER, 404, code=10062)
    trying = asyncio.create_task(ana.slash("chess list") if what == "command" else forge_tap(chess, ana, board, PAWNS))
    await chess.local.wait_for_fault(late)
    chess.local.clock.advance(AGES)
    if what == "command":
        with pytest.raises(ExpectationFailed):
            await trying
    else:
        trying.cancel()
    assert "Rules of" in await ana.slash("game rules", game="muscat")


OUTDATED = "still shows an older version of this command"


@pytest.mark.parametrize("language", ["en-US", "de"])
async def test_an_outdated_form_of_a_command_is_answered(app: App, language: str) -> None:
    """A client shows old commands until it is restarted: without a new option, or as a command without parts."""
    ana = app.room().person("Ana")
    app.local.discord.world.users[ana.id].locale = language
    words = OUTDATED if language == "en-US" else "zeigt noch eine ältere Form"
    app.local.vary("EVENT INTERACTION_CREATE", "d.data.options.0.options", "empty")
    assert words in await ana.slash("table new", game="muscat")
    app.local.vary("EVENT INTERACTION_CREATE", "d.data.options", "missing")
    assert words in await ana.slash("table new", game="muscat")
