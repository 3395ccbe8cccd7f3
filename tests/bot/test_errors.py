"""Errors of requests: whether the request had an effect, and what the log may say of it."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.errors import (
    ShuttingDown,
    UnreadableAnswer,
    UnreadableData,
    UserError,
    is_refused,
    outline,
    place_of,
    reason,
)
from engine.texts import Text

CONNECTION: Any = SimpleNamespace(host="discord.com", port=443)


def refusal(status: int, code: int = 0, **errors: Any) -> discord.HTTPException:
    answer: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(answer, {"code": code, "message": "a secret", "errors": errors})


@pytest.mark.parametrize(
    ("status", "refused"),
    [(400, True), (403, True), (404, True), (408, False), (429, True), (500, False), (502, False)],
)
def test_only_a_clear_refusal_has_certainly_had_no_effect(status: int, refused: bool) -> None:
    assert refused == is_refused(refusal(status))
    assert not is_refused(TimeoutError())


def test_a_line_of_the_log_names_three_fields_and_no_values() -> None:
    fields = {name: {"_errors": [{"code": "X", "message": "a secret"}]} for name in ("one", "two", "three", "four")}
    assert "400 Bad Request (50035, Invalid Form Body, one, two, three)" == reason(refusal(400, 50035, **fields))
    assert "400 Bad Request (50006, Empty message)" == reason(refusal(400, 50006, **fields))
    assert "404 Not Found (10008, Unknown Message)" == reason(refusal(404, 10008))
    assert "503 Service Unavailable" == reason(refusal(503))
    assert "599 (7)" == reason(refusal(599, 7))


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UserError(Text("a secret")), "UserError"),
        (ValueError("a secret"), "ValueError"),
        (None, "no answer"),
        (TimeoutError("a secret"), "no answer"),
        (ConnectionResetError(errno.ECONNRESET, "a secret"), "ConnectionResetError (Connection reset by peer)"),
        (OSError(-2, "a secret"), "OSError"),
        (
            aiohttp.ClientConnectorError(CONNECTION, OSError(errno.EHOSTUNREACH, "a secret")),
            "Cannot connect to host discord.com:443 (No route to host)",
        ),
        (UnreadableData("a place"), "a place"),
        (ShuttingDown(), "ShuttingDown"),
    ],
)
def test_a_reason_has_the_words_of_the_system_or_our_own(error: BaseException | None, words: str) -> None:
    assert words == reason(error)


def test_the_place_of_an_error_has_a_field_that_the_code_names_and_no_value() -> None:
    def failing(read: Callable[[], object]) -> BaseException:
        with pytest.raises(Exception) as failure:  # noqa: PT011 - of any type
            read()
        return failure.value

    def fail() -> None:
        raise ValueError("id", {"id": "a secret"}["id"])

    data: dict[str, Any] = {}
    name = "a secret"
    named, unnamed, other = (
        failing(lambda: data["id"]),
        failing(lambda: data[name]),
        failing(lambda: int("a secret")),
    )
    start = r"at test_errors\.py:\d+"
    assert re.fullmatch(rf"KeyError 'id' {start}", place_of(named))
    assert re.fullmatch(rf"KeyError {start}", place_of(unnamed))
    assert re.fullmatch(rf"ValueError {start}", place_of(other))
    assert re.fullmatch(rf"ValueError {start}", place_of(failing(fail)))
    assert "KeyError" == place_of(KeyError("id"))
    other.__cause__ = named
    assert re.fullmatch(r"(?s).*KeyError\n.*ValueError", outline(other))
    assert "a secret'" not in outline(other)


@pytest.mark.parametrize(
    ("status", "message_id"), [(200, 5), (299, 5), (300, None), (0, None), (199, None), (502, None)]
)
def test_only_an_answer_of_success_has_the_id_of_what_was_made(status: int, message_id: int | None) -> None:
    error = UnreadableAnswer(status, "odd", {"id": "5", "a": {"b": {"id": "6"}}})
    assert (message_id, message_id and 6) == (error.object_id(), error.object_id("a", "b"))
    assert f"unreadable answer ({status or 'no status'}, odd)" == str(error)
    assert str(error) == reason(error)


@pytest.mark.parametrize("answer", [None, [], {"id": 5}, {"id": "05"}, {"id": "x"}, {"id": "9" * 20}])
def test_an_id_of_another_kind_is_not_read(answer: object) -> None:
    assert UnreadableAnswer(200, "", answer).object_id() is None
