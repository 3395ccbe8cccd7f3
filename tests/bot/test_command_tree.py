"""Commands before they reach the dispatcher: during the start, unknown, outdated, or unreadable."""

from __future__ import annotations

import asyncio
import logging
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands

from bot import command_tree, metrics
from bot.command_tree import CommandTree, apologize_unreadable, refuse_unreadable
from bot.gateway.reports import forget_reports
from tests.bot.desk import AUTOCOMPLETE, COMMAND, Desk
from tests.bot.refusing import HOST, refusal

SUGGESTIONS = ["suggestions", []]
PRIVATE_WAIT = ["defer", {"ephemeral": True, "thinking": True}]
UNREADABLE = "I couldn’t read the data that Discord sent me, so nothing has changed. Please try again."


def typed(desk: Desk, kind: discord.InteractionType, error: Exception | None = None) -> Any:
    """A command or a request for suggestions; `error` is that of its acknowledgment or its suggestions."""
    interaction = desk._interaction(HOST, kind, message=None)
    interaction.client.dispatcher = desk.dispatcher
    answers = interaction.response

    async def defer(**options: Any) -> None:
        if error:
            raise error
        answers.lines.append(["defer", options])

    async def suggest(choices: list[Any]) -> None:
        if error:
            raise error
        answers.lines.append(["suggestions", choices])

    answers.defer, answers.autocomplete = defer, suggest
    return interaction


def tree_of(interaction: Any) -> Any:
    tree: Any = CommandTree.__new__(CommandTree)
    tree.client = interaction.client
    return tree


async def test_a_command_during_the_start_waits_behind_a_private_acknowledgment(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    command = typed(desk, COMMAND)
    assert await tree_of(command).interaction_check(command)
    assert [] == command.response.lines, "the bot has started"
    steps = command.response.lines

    class Ready(asyncio.Event):
        async def wait(self) -> Any:
            steps.append(["waits"])
            return await super().wait()

    desk.dispatcher.ready = Ready()
    waiting = asyncio.create_task(tree_of(command).interaction_check(command))
    while len(steps) < 2 and not waiting.done():  # noqa: ASYNC110
        await asyncio.sleep(0)
    assert [PRIVATE_WAIT, ["waits"]] == steps
    unacknowledged = typed(desk, COMMAND, refusal(404, 10062))
    assert not await asyncio.wait_for(tree_of(unacknowledged).interaction_check(unacknowledged), 5)
    dropped = f"interaction {unacknowledged.id} came during the start and is dropped, since it could not be "
    assert [f"{dropped}acknowledged: 404 Not Found (10062, Unknown interaction)"] == caplog.messages
    desk.dispatcher.ready.set()
    assert await waiting
    desk.dispatcher.stopping = True
    assert not await tree_of(command).interaction_check(command)
    assert 2 == len(steps)


async def test_suggestions_during_the_start_come_late_or_empty(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    request = typed(desk, AUTOCOMPLETE)
    desk.dispatcher.ready.clear()
    waiting = asyncio.create_task(tree_of(request).interaction_check(request))
    await asyncio.sleep(0)
    desk.dispatcher.ready.set()
    assert (True, []) == (await waiting, request.response.lines)
    desk.dispatcher.ready.clear()
    monkeypatch.setattr(command_tree, "SUGGESTION_TIMEOUT", 0)
    assert (False, [SUGGESTIONS]) == (await tree_of(request).interaction_check(request), request.response.lines)
    for error in (refusal(404, 10062), TimeoutError(), discord.InteractionResponded(request)):
        late = typed(desk, AUTOCOMPLETE, error)
        assert (False, []) == (await tree_of(late).interaction_check(late), late.response.lines)


def mismatch() -> app_commands.AppCommandError:
    return app_commands.CommandSignatureMismatch.__new__(app_commands.CommandSignatureMismatch)


def unfit() -> app_commands.AppCommandError:
    return app_commands.TransformerError.__new__(app_commands.TransformerError)


OUTDATED = "Your Discord app still shows an older version of this command. Please restart the app, then type it again."


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (app_commands.CommandNotFound("chess", []), "That command no longer exists. Try `/game`."),
        (mismatch(), OUTDATED),
        (unfit(), OUTDATED),
    ],
)
async def test_a_command_of_another_version_gets_a_sentence(
    desk: Desk, error: app_commands.AppCommandError, text: str
) -> None:
    command, suggestions = typed(desk, COMMAND), typed(desk, AUTOCOMPLETE)
    await tree_of(command).on_error(command, error)
    assert [["new private", text]] == command.response.lines
    await tree_of(suggestions).on_error(suggestions, error)
    assert [SUGGESTIONS] == suggestions.response.lines


async def test_a_failed_command_gets_one_answer_and_a_line_in_the_log(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    error = app_commands.AppCommandError("a bug")
    command, failures = typed(desk, COMMAND), metrics.total(metrics.FAILURES)
    await tree_of(command).on_error(command, error)
    ((how, text),) = ((how, lines[0]) for how, *lines in command.response.lines)
    assert ("new private", "Something went wrong on my end. The game is safe; please try again.") == (how, text)
    assert failures + 1 == metrics.total(metrics.FAILURES)
    await tree_of(command).on_error(command, error)
    assert 1 == len(command.response.lines)
    assert [f"interaction {command.id} failed"] * 2 == caplog.messages
    assert [error, error] == [record.exc_info[1] for record in caplog.records if record.exc_info]


async def test_unreadable_data_gets_an_apology_unless_it_has_an_answer(
    desk: Desk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    forget_reports()
    command, suggestions = typed(desk, COMMAND), typed(desk, AUTOCOMPLETE)
    for _ in range(2):
        await apologize_unreadable(command)
    await apologize_unreadable(suggestions)
    assert ([["new private", UNREADABLE]], [SUGGESTIONS]) == (command.response.lines, suggestions.response.lines)
    error: list[Exception] = [KeyError("options"), app_commands.AppCommandError("unknown")]

    async def fail(*_: object) -> None:
        raise error.pop(0)

    monkeypatch.setattr(app_commands.CommandTree, "_call", fail)
    unreadable = typed(desk, COMMAND)
    await tree_of(unreadable)._call(unreadable)
    assert [["new private", UNREADABLE]] == unreadable.response.lines
    with pytest.raises(app_commands.AppCommandError):
        await tree_of(unreadable)._call(unreadable)
    await refuse_unreadable(SimpleNamespace(type=COMMAND, response=command.response), TypeError())  # type: ignore[arg-type]
    assert [("INTERACTION_CREATE", "it is answered with an apology")] * 2 == [
        (record.args[0], record.args[2])  # type: ignore[index]
        for record in caplog.records
    ]
