"""The exchanges of a request: when a repetition makes its effect unclear, and which rate limits are waited for."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.interactions.exchanges import (
    MAX_RATE_LIMIT,
    Exchanges,
    _check_limits,
    _has_sound_headers,
    _limit,
    _retry_after,
)

MAX_RESET, TOO_LONG_RESET = f"{MAX_RATE_LIMIT}", f"{MAX_RATE_LIMIT + 1}"
INTERACTION = "/api/v10/interactions/1/token/callback"
WEBHOOK, CHANNEL = "/api/v10/webhooks/1/token", "/api/v10/channels/2/messages"


def response(status: int = 200, path: str = CHANNEL, **headers: str) -> Any:
    names = {"left": "X-Ratelimit-Remaining", "after": "X-Ratelimit-Reset-After", "most": "X-Ratelimit-Limit"}
    return SimpleNamespace(
        status=status,
        reason="",
        url=SimpleNamespace(path=path),
        headers={names[name]: value for name, value in headers.items()},
    )


@pytest.mark.parametrize(
    ("status", "is_unclear"),
    [(None, True), (200, True), (399, True), (400, False), (429, False), (499, False), (500, True)],
)
async def test_a_repetition_is_unclear_unless_discord_refused_the_exchange_before(
    status: int | None, is_unclear: bool
) -> None:
    exchanges = Exchanges()
    exchanges.begin()
    assert not exchanges.is_unclear, "the first one"
    exchanges.response = None if status is None else response(status)
    exchanges.begin()
    assert (2, is_unclear, None) == (exchanges.number, exchanges.is_unclear, exchanges.response)
    exchanges.response = response(429)
    exchanges.begin()
    assert is_unclear == exchanges.is_unclear, "it stays so"
    exchanges.may_begin = False
    with pytest.raises(TimeoutError):
        exchanges.begin()


@pytest.mark.parametrize(
    ("answer", "body", "seconds"),
    [
        (response(429), b'{"retry_after": 2.5}', 2.5),
        (response(429, left="0", after="9"), b'{"retry_after": 2.5}', 2.5),
        (response(left="0", after="9"), b"", 9),
        (response(left="1", after="9"), b"", 0),
        (response(left="0", after="-9"), b"", 0),
        (response(left="0", after=TOO_LONG_RESET), b"", 0),
        (response(left="0", after=MAX_RESET), b"", MAX_RATE_LIMIT),
        (response(), b"", 0),
    ],
)
def test_a_rate_limit_is_that_of_the_answer_if_it_ends(answer: Any, body: bytes, seconds: float) -> None:
    assert seconds == _limit(answer, body)


@pytest.mark.parametrize(
    ("answer", "is_sound"),
    [
        (response(), True),
        (response(left="0", after="9"), True),
        (response(left="0", after=TOO_LONG_RESET), False),
        (response(left="0", after=MAX_RESET), True),
        (response(left="1", after=TOO_LONG_RESET), False),
        (response(left="1", after="9", most="1"), True),
        (response(left="1", after="9", most="0"), False),
        (response(left="-1", after="9"), False),
        (response(left="x", after="9"), False),
        (response(left="1"), False),
        (response(path=WEBHOOK, left="1"), True),
        (response(path=WEBHOOK, left="0"), False),
        (response(path=WEBHOOK, left="0", after="9"), True),
        (response(path=WEBHOOK, left="0", after=MAX_RESET), True),
        (response(path=WEBHOOK, left="0", after=TOO_LONG_RESET), False),
        (response(path=INTERACTION, left="1"), True),
    ],
)
def test_headers_are_sound_if_discord_py_can_wait_for_them(answer: Any, is_sound: bool) -> None:
    assert is_sound == _has_sound_headers(answer)


@pytest.mark.parametrize(
    "body", [b'{"retry_after": true}', b'{"retry_after": -1}', b'{"retry_after": "1"}', b"[]", b"["]
)
def test_a_pause_that_is_no_number_of_seconds_is_none(body: bytes) -> None:
    assert math.isnan(_retry_after(body))
    assert math.isnan(_retry_after(b"[" * 100_000)), "a body of brackets alone"


@pytest.mark.parametrize(("status", "is_success"), [(199, False), (200, True), (299, True), (300, False)])
def test_an_exchange_succeeded_if_its_answer_is_whole_and_its_status_says_so(status: int, is_success: bool) -> None:
    exchanges = Exchanges(response=response(status))
    assert not exchanges.has_success, "the answer is not whole yet"
    exchanges.answer = b"{}"
    assert is_success == exchanges.has_success


@pytest.mark.parametrize(("body", "code"), [(b'{"code": 40062}', 40062), (b'{"code": "odd"}', 0), (b"[]", 0)])
def test_a_rate_limit_without_an_end_is_a_refusal_with_the_code_of_discord(body: bytes, code: int) -> None:
    with pytest.raises(discord.HTTPException) as refused:
        _check_limits(response(429), body)
    assert (429, code) == (refused.value.status, refused.value.code)
