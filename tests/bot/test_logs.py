"""The log: nothing that opens an interaction, no page for an outage, no more than was asked for."""

from __future__ import annotations

import logging
import sys

import aiohttp
import pytest

from bot import logs
from tests.bot.posting.test_poster import refusal

PASS = "aW50ZXJhY3Rpb246MTIz-_.x=="


def record_of(error, message="it failed"):
    """What `logging.exception` makes of an error."""
    try:
        raise error
    except type(error):
        return logging.LogRecord("discord.shard", logging.ERROR, "x.py", 1, message, None, sys.exc_info())


@pytest.mark.parametrize("path", ["interactions/1/{}/callback", "webhooks/1/{}?wait=1", "webhooks/1/{}/messages/2"])
def test_an_error_that_quotes_an_address_does_not_give_its_token_away(path):
    address = f"https://discord.com/api/v10/{path.format(PASS)}"
    said = logs.FORMATS["text"].format(record_of(TimeoutError(f"Connection timeout to host {address}"), address))
    assert "aW50" not in said
    assert "x==" not in said
    assert 2 == said.count(path.format("…"))
    assert "Traceback" in said


@pytest.mark.parametrize("error", [ConnectionResetError("cut"), aiohttp.ClientError("cut"), TimeoutError("cut")])
def test_an_outage_is_a_line(error):
    record = record_of(error, "100% gone")
    assert logs.brief(record)
    assert "WARNING 100% gone (cut)" == logging.Formatter("%(levelname)s %(message)s").format(record)


@pytest.mark.parametrize("line", ["Unknown OP code %s.", "Unknown channel type 99 for channel ID 5."])
def test_lines_of_the_library_that_quote_a_payload_are_left_out(line):
    record = logging.LogRecord("discord.gateway", logging.WARNING, "x.py", 1, line, ({"hand": "queen"},), None)
    assert not logs.quotes_nothing(record)
    assert logs.quotes_nothing(record_of(TimeoutError("cut")))


def test_an_error_of_the_program_keeps_its_traceback():
    record = record_of(KeyError("id"))
    assert logs.brief(record)
    assert "Traceback" in logging.Formatter("%(levelname)s %(message)s").format(record)
    assert "ERROR" == record.levelname


@pytest.fixture
def level_of():
    """How much a logger tells once the log is set up; everything is put back at the end."""
    before = {name: logging.getLogger(name).level for name in (*logs.REVEALING, *logs.CHATTY)}
    yield lambda name: logging.getLevelName(logging.getLogger(name).level)
    for name, level in before.items():
        logging.getLogger(name).setLevel(level)
    logging.getLogger("discord.shard").removeFilter(logs.brief)
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
def test_others_tell_as_much_as_a_host_can_use(level, telltales, chatty, level_of):
    logs.set_up(level)
    assert {telltales} == {level_of(name) for name in logs.REVEALING}
    assert {chatty} == {level_of(name) for name in logs.CHATTY}
    assert [logs.brief] == logging.getLogger("discord.shard").filters
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
def test_suggestions_that_did_not_arrive_are_not_told(error, told):
    assert told == logs.matters(record_of(error, IN_AUTOCOMPLETE))
    assert logs.matters(record_of(error, "Ignoring exception in command 'jinns move'"))
