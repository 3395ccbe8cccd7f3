"""The log: nothing that opens an interaction, no page for an outage, no more than was asked for."""

from __future__ import annotations

import errno
import json
import logging
import re
import sys
from types import SimpleNamespace

import aiohttp
import discord
import pytest

from bot import logs
from bot.errors import ShuttingDown, UnreadableAnswer, place_of, reason
from bot.interactions.responses import WORKING_ON
from tests.bot.refusing import refusal

PASS = "aW50ZXJhY3Rpb246MTIz-_.x=="
SECRET = "s3cr3t"


def record_of(error, message="it failed"):
    """The record that `logging.exception` makes of an error."""
    try:
        raise error
    except type(error):
        return logging.LogRecord("discord.shard", logging.ERROR, "x.py", 1, message, None, sys.exc_info())


def format_record(record, form="text"):
    return logs.FORMATS[form].format(record)


@pytest.mark.parametrize("path", ["interactions/1/{}/callback", "webhooks/1/{}?wait=1", "webhooks/1/{}/messages/2"])
def test_the_token_in_an_address_is_masked(path):
    address = f"https://discord.com/api/v10/{path.format(PASS)}"
    record = record_of(ZeroDivisionError(f"failed for {address}"), address)
    text = format_record(record)
    assert "aW50" not in text
    assert "x==" not in text
    assert 2 == text.count(path.format("…"))
    assert "Traceback" in text


OUTAGES = {
    "ConnectionResetError": ConnectionResetError("cut"),
    "ConnectionResetError (Connection reset by peer)": ConnectionResetError(errno.ECONNRESET, "cut"),
    "ClientError": aiohttp.ClientError("cut"),
    "ServerDisconnectedError": aiohttp.ServerDisconnectedError("cut"),
    "no answer": TimeoutError("cut"),
    "503 Service Unavailable": refusal(503, text="cut"),
    "403 Forbidden (50013, Missing Permissions)": refusal(403, 50013, "cut"),
    "ShuttingDown": ShuttingDown(),
    "unreadable answer (200, KeyError)": UnreadableAnswer(200, "KeyError", {"content": "cut"}),
}


@pytest.mark.parametrize("line", OUTAGES)
def test_an_outage_is_one_line_without_the_text_of_the_response(line):
    record = record_of(OUTAGES[line], "100% gone")
    assert logs.brief(record)
    assert f"WARNING 100% gone ({line})" == logging.Formatter("%(levelname)s %(message)s").format(record)


def test_a_form_refused_by_discord_is_logged_by_its_fields():
    errors = {"components": {"0": {"label": {"_errors": [{"message": f"{SECRET} is too long"}]}}}}
    answer = {"code": 50035, "message": SECRET, "errors": errors}
    error = discord.HTTPException(SimpleNamespace(status=400, reason=SECRET), answer)
    assert "400 Bad Request (50035, Invalid Form Body, components.0.label)" == reason(error)


@pytest.mark.parametrize("text", [None, "5", ["no"], {"a": 1}])
def test_a_reason_is_found_in_any_response(text):
    error = refusal(403, 50035)
    error.text, error.code = text, 50035
    assert "403 Forbidden (50035, Invalid Form Body)" == reason(error)
    error.code = text
    assert "403 Forbidden" == reason(error)


def test_a_bug_keeps_its_traceback_without_the_response_that_caused_it():
    try:
        try:
            raise refusal(400, 50035, SECRET)
        except discord.HTTPException:
            raise KeyError("of ours")  # noqa: B904 (what a mistake does)
    except KeyError:
        record = logging.LogRecord("bot", logging.ERROR, "x.py", 1, "it failed", None, sys.exc_info())
    assert logs.brief(record)
    assert "test_logs.py" in format_record(record)
    assert SECRET not in format_record(record)


@pytest.mark.parametrize("line", ["Unknown OP code %s.", "Unknown channel type 99 for channel ID 5."])
def test_library_lines_that_quote_a_payload_are_dropped(line):
    record = logging.LogRecord("discord.gateway", logging.WARNING, "x.py", 1, line, ({"hand": "queen"},), None)
    assert not logs.quotes_nothing(record)
    assert logs.quotes_nothing(record_of(TimeoutError("cut")))


def test_an_error_of_the_program_keeps_its_traceback():
    record = record_of(KeyError("id"))
    assert logs.brief(record)
    assert "Traceback" in logging.Formatter("%(levelname)s %(message)s").format(record)
    assert "ERROR" == record.levelname


def test_an_error_of_the_program_that_discord_py_has_called_keeps_its_traceback():
    module = {"__name__": "bot.posting"}
    exec("def fail(_): raise KeyError", module)
    try:
        discord.utils.find(module["fail"], [1])
    except KeyError:
        record = logging.LogRecord("bot", logging.ERROR, "x.py", 1, "it failed", None, sys.exc_info())
    assert logs.brief(record)
    assert "Traceback" in format_record(record)


def parsed_by_discord():
    """A message without its author, as discord.py reads it."""
    return discord.Message(state=None, channel=None, data={"id": SECRET})


@pytest.mark.parametrize(("shown", "lines"), [(logs.brief, 1), (logs.with_traceback, 5)])
def test_a_discord_py_parse_error_is_one_line_and_a_traceback_without_data_only_in_debug(shown, lines):
    try:
        parsed_by_discord()
    except (KeyError, ValueError):
        record = logging.LogRecord("discord.client", logging.ERROR, "x.py", 1, "Ignoring it", None, sys.exc_info())
    assert shown(record)
    text = format_record(record)
    assert "Ignoring it (ValueError in Message.__init__" in text
    assert SECRET not in text
    assert lines <= text.count("\n") + 1


def test_a_failed_log_line_does_not_reveal_its_arguments(capsys):
    logs._Handler(sys.stderr).handleError(logging.makeLogRecord({"name": "discord.http", "args": (SECRET,)}))
    assert "ERROR bot.logs a line of discord.http could not be formatted" in (text := capsys.readouterr().err)
    assert SECRET not in text


@pytest.fixture
def level_of():
    """A function that returns the level of a logger once the log is set up; everything is put back at the end."""
    before = {name: logging.getLogger(name).level for name in (*logs.REVEALING, *logs.CHATTY)}
    yield lambda name: logging.getLevelName(logging.getLogger(name).level)
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)
    logging.getLogger("discord.app_commands.tree").removeFilter(logs.matters)
    for name in ("discord.gateway", None):
        logging.getLogger(name).removeFilter(logs.quotes_nothing)


@pytest.mark.parametrize(
    ("level", "telltales", "chatty"),
    [
        ("DEBUG", "INFO", "NOTSET"),
        ("INFO", "WARNING", "WARNING"),
        ("WARNING", "WARNING", "WARNING"),
        ("ERROR", "ERROR", "ERROR"),
    ],
)
def test_library_log_levels_depend_on_the_configured_level(level, telltales, chatty, level_of):
    logs.set_up(level)
    assert {telltales} == {level_of(name) for name in logs.REVEALING}
    assert {chatty} == {level_of(name) for name in logs.CHATTY}
    assert [logs.matters] == logging.getLogger("discord.app_commands.tree").filters


IN_AUTOCOMPLETE = "Ignoring exception in autocomplete for 'jinns move'"


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (refusal(404, 10062), False),
        (refusal(404, 10008), False),
        (refusal(404, 10015), False),
        (refusal(401, 50027), False),
        (refusal(400, 40060), False),
        (refusal(503), False),
        (aiohttp.ServerDisconnectedError(), False),
        (TimeoutError(), False),
        (RuntimeError("Session is closed"), False),
        (refusal(400, 50035), True),
        (RuntimeError("dictionary changed size"), True),
        (KeyError("id"), True),
    ],
)
def test_undelivered_suggestions_are_not_logged(error, told):
    assert told == logs.matters(record_of(error, IN_AUTOCOMPLETE))
    assert logs.matters(record_of(error, "Ignoring exception in command 'jinns move'"))


def test_the_place_of_an_error_names_a_missing_field_only_if_the_code_does() -> None:
    """A key that comes from outside may be a name, a hand or a token."""
    hand = "snake charmer"
    with pytest.raises(KeyError) as named:
        {}["id"]
    with pytest.raises(KeyError) as unnamed:
        {}[hand]
    assert re.fullmatch(r"KeyError 'id' at test_logs\.py:\d+", place_of(named.value))
    with pytest.raises(KeyError) as without_key:
        raise KeyError
    for error in (unnamed, without_key):
        assert re.fullmatch(r"KeyError at test_logs\.py:\d+", place_of(error.value))


def test_only_library_errors_above_a_warning_become_warnings() -> None:
    levels = {}
    for name in ("discord.shard", "bot.store"):
        for level in (logging.ERROR, logging.INFO):
            record = record_of(TimeoutError("cut"), "it failed\nwith a second line")
            record.name, record.levelno, record.levelname = name, level, logging.getLevelName(level)
            logs.brief(record)
            levels[name, logging.getLevelName(level)] = record.levelname, record.levelno
            assert "it failed (no answer)" == record.getMessage()
    assert {
        ("discord.shard", "ERROR"): ("WARNING", logging.WARNING),
        ("discord.shard", "INFO"): ("INFO", logging.INFO),
        ("bot.store", "ERROR"): ("ERROR", logging.ERROR),
        ("bot.store", "INFO"): ("INFO", logging.INFO),
    } == levels


def test_a_line_has_the_number_of_its_interaction_in_both_formats() -> None:
    record = logging.makeLogRecord({"name": "bot.x", "levelname": "INFO", "msg": "für %s", "args": ("Ana",)})
    record.created = 0
    assert format_record(record).endswith(" INFO bot.x für Ana")
    token = WORKING_ON.set(12)
    try:
        assert format_record(record).endswith(" INFO bot.x #12 für Ana")
        line = format_record(record, "json")
        fields = {"time": "1970-01-01T00:00:00.000+00:00", "level": "INFO", "logger": "bot.x", "interaction": 12}
        assert fields | {"message": "für Ana"} == json.loads(line)
        assert "ü" in line
    finally:
        WORKING_ON.reset(token)


@pytest.mark.parametrize(
    ("level", "form", "line_filter"), [("INFO", "json", logs.brief), ("DEBUG", "text", logs.with_traceback)]
)
def test_the_log_is_written_in_its_format_from_its_level_on(monkeypatch, level_of, level, form, line_filter):
    configurations = []
    monkeypatch.setattr(logging, "basicConfig", lambda **options: configurations.append(options))
    logs.set_up(level, form)
    (options,) = configurations
    (handler,) = options["handlers"]
    assert (level, sys.stderr, logs.FORMATS[form], [line_filter]) == (
        options["level"],
        handler.stream,
        handler.formatter,
        handler.filters,
    )
    assert all(logs.quotes_nothing in logging.getLogger(name).filters for name in ("discord.gateway", None))
