"""Errors of requests: whether the request had an effect, and what the log may say of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UnreadableAnswer, UserError, is_refused, reason
from engine.texts import Text


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
    assert "404 Not Found (10008, Unknown Message)" == reason(refusal(404, 10008))
    assert "UserError" == reason(UserError(Text("a secret")))


@pytest.mark.parametrize(("status", "message_id"), [(200, 5), (204, 5), (0, None), (400, None), (502, None)])
def test_only_an_answer_of_success_has_the_id_of_what_was_made(status: int, message_id: int | None) -> None:
    assert message_id == UnreadableAnswer(status, "", {"id": "5"}).object_id()


@pytest.mark.parametrize("answer", [None, [], {"id": 5}, {"id": "05"}, {"id": "x"}, {"id": "9" * 20}])
def test_an_id_of_another_kind_is_not_read(answer: object) -> None:
    assert UnreadableAnswer(200, "", answer).object_id() is None
