"""Responses: one for each interaction; public messages stay, and errors are private."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest

from bot import metrics
from bot.errors import (
    AlreadyHandled,
    GameFault,
    InteractionExpired,
    QuestionAsked,
    ShuttingDown,
    UnreadableAnswer,
    UserError,
)
from bot.interactions.controls import Control, ControlId
from bot.interactions.exchanges import CURRENT
from bot.interactions.forms import Form
from bot.interactions.parts import words_layout
from bot.interactions.requests import Requests
from bot.interactions.responses import ANSWER_TIMEOUT, BOARD_TIMEOUT, WORKING_ON, Response, reporting_errors, together
from bot.store.failures import DatabaseUnavailable, FailureKind
from engine.errors import IllegalAction
from engine.texts import Seat, Text
from tests.bot.refusing import refusal
from tests.bot.whole import ANA, BEN, CARO, table_of, whole

SAVED = Text("Your move is saved.")


class FirstAnswer:
    """The first answer, as discord.py keeps track of it."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []

    def is_done(self) -> bool:
        return bool(self.sent)

    async def send_modal(self, form: Any) -> None:
        self.sent.append(form)

    async def send_message(self, **what: Any) -> SimpleNamespace:
        self.sent.append(what)
        return SimpleNamespace(message_id=7)


class Interaction:
    """Records the messages after the first answer."""

    id = 1
    locale = "en-US"
    message: SimpleNamespace | None = None

    def __init__(self) -> None:
        self.client = SimpleNamespace(requests=Requests())
        self.response = FirstAnswer()
        self.followup = SimpleNamespace(send=self._follow_up)
        self.later: list[dict[str, Any]] = []
        self.edits: list[dict[str, Any]] = []

    async def _follow_up(self, **what: Any) -> None:
        self.later.append(what)

    async def edit_original_response(self, **what: Any) -> None:
        self.edits.append(what)


@pytest.fixture
def interaction() -> Interaction:
    return Interaction()


async def test_a_sentence_after_a_public_answer_leaves_it_unchanged(interaction):
    async with Response(interaction) as answer:
        assert 7 == await answer.publish(words_layout("a lobby"))
        await answer.say(Text("Something went wrong."))
    assert [] == interaction.edits
    assert [True] == [what["ephemeral"] for what in interaction.later]


async def test_a_sentence_after_a_private_answer_replaces_it(interaction):
    async with Response(interaction) as answer:
        await answer.show(words_layout("Thinking"))
        await answer.say(Text("Not possible."))
    assert 1 == len(interaction.edits)
    assert [] == interaction.later


async def test_a_form_is_the_first_answer_or_the_user_is_asked_to_repeat(interaction):
    form = Form(ControlId("found", 1), "Rules", "What?", most=10)
    async with Response(interaction, updates=True) as answer:
        await answer.ask(form)
        await answer.ask(form)
    assert [form] == interaction.response.sent
    assert ["that again" in str(what["view"].to_components()) for what in interaction.later] == [True]


def test_a_title_too_long_for_a_form_is_shortened():
    assert 45 == len(Form(ControlId("found", 1), "Rules of " + "a very long game " * 4, "What?", most=10).title)


async def test_a_refusal_has_a_button_only_if_a_rule_can_be_opened(interaction):
    refusal = IllegalAction("illegal", Text("No."), seat=Seat(0), ply=1, notation="go", rule="4.2")
    async with Response(interaction) as answer:
        await answer.refuse(refusal)
        answer.rule_control = lambda rule: Control(ControlId("rule", 1, text=rule), "Rule")
        await answer.refuse(refusal)
    assert "rule:1:0:4.2" not in str(interaction.response.sent[0]["view"].to_components())
    assert "rule:1:0:4.2" in str(interaction.edits[0]["view"].to_components())


@pytest.mark.parametrize("kept", [None, SAVED])
async def test_an_answer_after_shutdown_is_not_an_error(interaction, caplog, kept):
    async def left(**_: object) -> None:
        raise RuntimeError("Session is closed")

    interaction.response.send_message = left
    answer = Response(interaction)
    caplog.set_level("INFO")
    async with reporting_errors(answer):
        answer.already_done = kept
        await answer.say(Text("Done."))
    assert ["INFO"] == [record.levelname for record in caplog.records]


async def test_a_broken_connection_logs_a_warning_and_asks_the_user_to_try_again(interaction, caplog):
    async def broken(**_: object) -> None:
        interaction.response.sent.append({})
        raise aiohttp.ServerDisconnectedError

    interaction.response.send_message = broken
    answer = Response(interaction)
    async with reporting_errors(answer):
        await answer.say(Text("The game has moved on."))
    assert ["WARNING"] == [record.levelname for record in caplog.records]
    assert ["try again" in str(what["view"].to_components()) for what in interaction.edits] == [True]


def raising(error: Exception) -> Any:
    async def fail(*_: object, **__: object) -> None:
        raise error

    return fail


NOBODY_WAITS = [(404, 10008), (401, 50027), (404, 10015), (404, 10062), (400, 40060)]


@pytest.mark.parametrize("kept", [None, SAVED])
@pytest.mark.parametrize("refused", NOBODY_WAITS)
async def test_a_private_answer_that_was_dismissed_or_expired_is_not_a_failure(interaction, caplog, refused, kept):
    interaction.edit_original_response = raising(refusal(*refused))
    # it was tapped, and stays
    interaction.message = SimpleNamespace(flags=SimpleNamespace(ephemeral=False))
    answer, failures = Response(interaction), metrics.total(metrics.FAILURES)
    caplog.set_level("DEBUG", "bot")
    async with reporting_errors(answer):
        await answer.show(words_layout("Thinking"))
        answer.already_done = kept
        await answer.show(words_layout("Here it is."))
    assert [("DEBUG", None)] == [(record.levelname, record.exc_info) for record in caplog.records]
    assert [] == interaction.later, "who has dismissed a message wants no other one"
    assert failures == metrics.total(metrics.FAILURES)


@pytest.mark.parametrize("message", [SimpleNamespace(flags=SimpleNamespace(ephemeral=True)), None])
async def test_a_private_message_dismissed_after_a_tap_is_not_a_failure(interaction, caplog, message):
    interaction.message = message
    interaction.response.edit_message = raising(refusal(404, 10008))
    answer = Response(interaction, updates=True)
    async with reporting_errors(answer):
        await answer.show(words_layout("Here it is."))
    assert [] == caplog.records


@pytest.mark.parametrize("refused", [(404, 10008), (403, 50013), (400, 50035)])
async def test_a_public_message_that_cannot_be_edited_is_a_failure(interaction, caplog, refused):
    interaction.message = SimpleNamespace(flags=SimpleNamespace(ephemeral=False))
    interaction.response.edit_message = raising(refusal(*refused))
    answer = Response(interaction, updates=True)
    async with reporting_errors(answer):
        await answer.show(words_layout("The lobby."))
    assert ["ERROR"] == [record.levelname for record in caplog.records]


@pytest.mark.parametrize("refused", [(404, 10008), (401, 50027)])
async def test_the_same_error_code_outside_of_an_answer_is_a_failure(interaction, caplog, refused):
    async with reporting_errors(Response(interaction)):
        raise refusal(*refused)
    assert ["ERROR"] == [record.levelname for record in caplog.records]


@pytest.mark.parametrize("first", ["nothing", "shown", "public"])
async def test_answers_ping_no_user(interaction, first):
    async with Response(interaction) as answer:
        if first == "shown":
            await answer.show(words_layout("Thinking"))
        elif first == "public":
            await answer.publish(words_layout("a lobby"))
        await answer.say(Text("{who}, it is your turn.", who="<@1>"))
        await answer.show(words_layout("<@1>"))
    sent = [*interaction.response.sent, *interaction.later, *interaction.edits]
    assert len(sent) >= 2
    assert all(what["allowed_mentions"].to_dict() == {"parse": []} for what in sent)


LOST = "Your move is saved. Only my answer got lost."
NUMBER = "-# Report this number if it happens again: 1"
DATABASE = "the disk of my database is full."
REPORTS: dict[str, tuple[BaseException, list[str], list[str], int]] = {
    "a refusal": (UserError(Text("No.")), ["No."], ["Your move is saved. No."], 0),
    "an illegal move": (
        IllegalAction("illegal", Text("No."), seat=Seat(0), ply=1, notation="go", rule=""),
        ["No."],
        ["No."],
        0,
    ),
    "a fault of a game": (GameFault(Text("It broke.")), ["It broke."], ["What you did is saved. It broke."], 0),
    "no answer": (TimeoutError(), ["My answer got lost. Please try again."], [LOST], 0),
    "refused by Discord": (
        refusal(403, 50013),
        ["Something went wrong on my end. The game is safe; please try again.", NUMBER],
        [LOST],
        1,
    ),
    "no database": (
        DatabaseUnavailable(FailureKind.FULL, "full"),
        [
            f"Nothing has changed, and the game is safe: {DATABASE} Please try again later.",
            "-# In my log: DB-FULL · 1",
        ],
        [f"Your move is saved. What comes next has to wait: {DATABASE}", "-# In my log: DB-FULL · 1"],
        2,
    ),
    "a bug": (
        ZeroDivisionError(),
        ["Something went wrong on my end. The game is safe; please try again.", NUMBER],
        ["Something went wrong on my end. Your move is saved.", NUMBER],
        2,
    ),
    "a second delivery": (AlreadyHandled(), [], [], 0),
    "a question": (QuestionAsked(), [], [], 0),
    "a shutdown": (ShuttingDown(), [], [], 0),
    "too late": (InteractionExpired(), [], [], 0),
}
"""Errors with what their user reads, without and with a lasting result, and how many of the two count as failures."""


ANSWER_LOST = "interaction 1 took effect, but was not answered: "
REFUSED = "403 Forbidden (50013, Missing Permissions)"
LOG_LINES = {
    "no answer": [
        ("WARNING", "interaction 1 was not answered: no answer", False),
        ("WARNING", f"{ANSWER_LOST}no answer", False),
    ],
    "refused by Discord": [
        ("ERROR", f"interaction 1 failed: {REFUSED}", False),
        ("WARNING", f"{ANSWER_LOST}{REFUSED}", False),
    ],
    "no database": [("ERROR", "DB-FULL: interaction 1 was not carried out: full", False)] * 2,
    "a bug": [("ERROR", "interaction 1 failed", True)] * 2,
}
"""Level, text, and whether there is a traceback, of each line of the log: without a lasting result, and with one."""


@pytest.mark.parametrize("name", REPORTS)
async def test_after_an_error_its_user_alone_reads_what_is_true_of_the_game(interaction, name, caplog):
    error, nothing_done, something_done, number = REPORTS[name]
    failures, messages = metrics.total(metrics.FAILURES), []
    for done in (None, SAVED):
        response = Response(interaction)
        async with reporting_errors(response):
            response.already_done = done
            raise error
        messages.append([line for what in interaction.response.sent for line in whole(what["view"])])
        assert all(what["ephemeral"] for what in interaction.response.sent)
        interaction.response.sent.clear()
    assert [nothing_done, something_done] == messages
    assert failures + number == metrics.total(metrics.FAILURES)
    lines = [(record.levelname, record.getMessage(), bool(record.exc_info)) for record in caplog.records]
    assert LOG_LINES.get(name, []) == lines


class Recorder:
    """The ways to answer; each use is recorded with its options, without the message."""

    def __init__(self, *, acknowledged: bool) -> None:
        self.acknowledged = acknowledged
        self.uses: list[Any] = []
        self.views: list[Any] = []

    def is_done(self) -> bool:
        return self.acknowledged

    def __getattr__(self, name: str) -> Any:
        async def use(*_: Any, allowed_mentions: Any = None, view: Any = None, **options: Any) -> Any:
            self.uses.append((name, options))
            self.views.append(view)
            self.acknowledged = True
            return SimpleNamespace(message_id=7, id=7)

        return use


FILE: Any = "a file"
NEW_MESSAGE = ("send_message", {"files": [FILE], "ephemeral": True})
CHANGES = {"attachments": [FILE]}
WAYS = {
    # updates, acknowledged -> the answers by show, say, ask, defer and publish
    (False, False): [
        NEW_MESSAGE,
        ("send_message", {"ephemeral": True}),
        ("send_modal", {}),
        ("defer", {"ephemeral": True, "thinking": True}),
        ("send_message", {"files": [FILE]}),
    ],
    (True, False): [
        ("edit_message", CHANGES),
        ("send_message", {"ephemeral": True}),
        ("send_modal", {}),
        ("defer", {}),
        ("send_message", {"files": [FILE]}),
    ],
    (False, True): [("edit_original_response", CHANGES), *[("edit_original_response", {})] * 2, None, None],
    (True, True): [("edit_original_response", CHANGES), *[("send", {"ephemeral": True})] * 2, None, None],
}


@pytest.mark.parametrize(("updates", "acknowledged"), WAYS)
async def test_each_answer_goes_where_its_user_waits_for_it(interaction, updates, acknowledged):
    """A private text never replaces the tapped message, and a late answer never becomes public."""
    uses, layout = [], words_layout("Here.")
    for way in ("show", "say", "ask", "defer", "publish"):
        recorder = Recorder(acknowledged=acknowledged)
        interaction.response = interaction.followup = recorder
        interaction.edit_original_response = recorder.edit_original_response
        async with Response(interaction, updates=updates) as response:
            match way:
                case "show":
                    await response.show(layout, [FILE])
                case "say":
                    await response.say(Text("No."))
                case "ask":
                    await response.ask(Form(ControlId("a", 1), "Rules", "What?", most=10))
                case "defer":
                    await response.defer()
                case "publish":
                    message_id = await response.publish(layout, files=[FILE])
                    assert (None if acknowledged else 7, not acknowledged) == (message_id, response.is_public)
        uses.append(recorder.uses)
    assert WAYS[updates, acknowledged] == [use[0] if use else None for use in uses]
    assert all(len(use) <= 1 for use in uses)


@pytest.mark.parametrize(
    ("acknowledged", "ways"), [(False, ["send_message"]), (True, ["edit_original_response", "send"])]
)
async def test_a_late_answer_below_other_messages_is_a_new_one(interaction, acknowledged, ways):
    interaction.response = interaction.followup = recorder = Recorder(acknowledged=acknowledged)
    interaction.edit_original_response = recorder.edit_original_response
    async with Response(interaction) as response:
        await response.show_below(words_layout("Here."), Text("Done."))
    assert ways == [name for name, _ in recorder.uses]
    assert ["Here."] == whole(recorder.views[-1])


@pytest.mark.parametrize(("read", "attach"), [(True, True), (True, False), (False, True)])
async def test_a_board_is_the_answer_only_where_the_bot_may_write_and_search(interaction, read, attach):
    interaction.app_permissions = SimpleNamespace(read_message_history=read, attach_files=attach)
    async with Response(interaction) as response:
        message_id = await response.show_board(words_layout("A board."), None, [FILE])
    assert (7 if read and attach else None) == message_id
    assert (read and attach) == response.is_public


@pytest.mark.parametrize(
    ("answer", "original", "message_id"),
    [
        (None, SimpleNamespace(id=78), 78),
        ({"id": "1", "resource": {"message": {"id": "77"}}}, None, 77),
        ({"id": "1"}, SimpleNamespace(id=78), 78),
        ({"id": "1"}, UnreadableAnswer(200, "KeyError", {"id": "79"}), 79),
        ({"id": "1"}, UnreadableAnswer(200, "KeyError", None), None),
        ({"id": "1"}, refusal(404, 10015), None),
    ],
)
async def test_a_public_answer_whose_receipt_cannot_be_read_is_looked_for(interaction, answer, original, message_id):
    """The message may exist, so it must not be sent again."""

    async def original_response() -> Any:
        if isinstance(original, Exception):
            raise original
        return original

    unreadable = UnreadableAnswer(200 if answer else 502, "KeyError", answer)
    interaction.response.send_message = raising(unreadable)
    interaction.original_response = original_response
    async with Response(interaction) as response:
        if message_id is None:
            with pytest.raises(UnreadableAnswer) as raised:
                await response.publish(words_layout("a lobby"))
            assert unreadable is raised.value
            return
        assert message_id == await response.publish(words_layout("a lobby"))
        await response.say(Text("Something went wrong."))
    assert ([], 1) == (interaction.edits, len(interaction.later)), "the public answer stays"
    assert response.is_public


@pytest.mark.parametrize(("before", "exchanges", "reported"), [(False, 1, 1), (False, 2, 0), (True, 1, 0)])
async def test_a_second_process_is_reported_only_if_this_one_cannot_have_answered(
    interaction, monkeypatch, before, exchanges, reported
):
    reports: list[int] = []
    requests, refused = interaction.client.requests, refusal(400, 40060)
    monkeypatch.setattr(requests, "report_second_process", reports.append)

    async def answered(**_: object) -> None:
        current: Any = CURRENT.get()
        current.number = exchanges
        raise refused

    async with Response(interaction) as response:
        if before:
            interaction.response.send_message = raising(TimeoutError())
            with pytest.raises(TimeoutError):
                await response.say(Text("Hello."))
        interaction.response.send_message = answered
        with pytest.raises(InteractionExpired):
            await response.say(Text("Hello."))
    assert [interaction.id] * reported == reports


@pytest.mark.parametrize("statuses", [(200,), (502,), (200, 502)])
async def test_an_answer_is_the_first_one_until_discord_has_certainly_taken_it(interaction, statuses):
    edit = interaction.edit_original_response
    async with Response(interaction) as response:
        for status in statuses:
            interaction.response.send_message = raising(UnreadableAnswer(status, "KeyError"))
            interaction.edit_original_response = interaction.response.send_message
            with suppress(UnreadableAnswer):
                await response.show(words_layout("Thinking"))
        interaction.response, interaction.edit_original_response = FirstAnswer(), edit
        await response.say(Text("Not possible."))
    assert (200 not in statuses, 200 in statuses) == (bool(interaction.response.sent), bool(interaction.edits))


async def test_an_answer_at_another_table_speaks_to_its_user_in_their_seat_there(interaction):
    interaction.user = SimpleNamespace(id=BEN)
    text = Text("{seat} {seat:waits|wait}.", seat=Seat(1))
    async with Response(interaction) as response:
        assert "Blue waits." == response.localize(text)
        assert "You wait." == response.at(table_of(ANA, BEN)).localize(text)
        assert "🟦 Caro waits." == response.at(table_of(ANA, CARO)).localize(text)
        assert "Blue waits." == response.localize(text), "only that view of it"


async def test_a_board_is_not_waited_for_longer_than_an_interaction_lasts(interaction, monkeypatch):
    limits, requests = list[float](), interaction.client.requests
    real = requests.result

    async def result(attempt: Any, limit: float) -> Any:
        limits.append(limit)
        return await real(attempt, limit)

    monkeypatch.setattr(requests, "result", result)
    interaction.app_permissions = SimpleNamespace(read_message_history=True, attach_files=True)
    async with Response(interaction) as response:
        await response.show_board(words_layout("A board."), None, [FILE])
        await response.say(Text("Done."))
    assert [BOARD_TIMEOUT, ANSWER_TIMEOUT] == limits


async def test_the_time_to_the_first_answer_is_measured_once(interaction):
    before = metrics.count(metrics.ANSWERS)
    async with Response(interaction) as response:
        await response.show(words_layout("Thinking"))
        assert before + 1 == metrics.count(metrics.ANSWERS)
        await response.show(words_layout("Here it is."))
    assert before + 1 == metrics.count(metrics.ANSWERS)


async def test_no_answer_is_deferred_after_the_work(interaction: Any) -> None:
    async with Response(interaction) as unanswered:
        assert not unanswered._clock.cancelled()
        assert unanswered._clock.when() <= asyncio.get_running_loop().time() + 1, "Discord waits for three seconds"
        unanswered._start_deferring()
    deferring = unanswered._late
    assert unanswered._clock.cancelled()
    assert deferring is not None
    await asyncio.wait([deferring])
    assert (True, []) == (deferring.cancelled(), interaction.response.sent)


async def test_the_log_knows_the_interaction_at_work(interaction: Any) -> None:
    interaction.id, interaction_ids = 4711, list[int | None]()
    async with reporting_errors(Response(interaction)):
        interaction_ids.append(WORKING_ON.get())
    assert [4711] == interaction_ids


async def test_the_first_error_of_several_works_is_raised_once_all_have_ended() -> None:
    ended = []

    async def end(name: str, passes: int, error: Exception | None = None) -> None:
        for _ in range(passes):
            await asyncio.sleep(0)
        ended.append(name)
        if error:
            raise error

    with pytest.raises(KeyError):
        await together(end("first", 1, KeyError()), end("second", 9, OSError()), end("third", 20))
    assert ["first", "second", "third"] == ended
