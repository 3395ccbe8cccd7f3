"""The exchanges between discord.py and Discord, as aiohttp traces them.

For one request, discord.py may need several exchanges, with pauses between them. The trace records whether an exchange
or a pause is in progress, keeps the last answer, and stops discord.py before it waits for a rate limit without an end.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import aiohttp
import discord

from bot.errors import UnreadableAnswer

MAX_RATE_LIMIT = 900.0
"""Seconds of the longest rate limit that a request waits for; with a longer one it fails, and may be retried."""

_WEBHOOKS = ("/interactions/", "/webhooks/")
"""Routes of discord.py's client for answers to interactions, which reads rate limits differently."""


@dataclass(eq=False, slots=True)
class Exchanges:
    """The exchanges of one request. Without `may_begin`, no further exchange begins.

    `began` is the start of the current exchange, None in a pause. `response` and `answer` are those of the last
    exchange, as far as it got. `is_unclear`: an exchange without a clear answer was followed by another one.
    """

    number: int = 0
    may_begin: bool = True
    began: float | None = None
    response: aiohttp.ClientResponse | None = None
    answer: bytes | None = None
    is_unclear: bool = False

    @property
    def status(self) -> int:
        """The HTTP status of the last exchange, 0 without a response."""
        return self.response.status if self.response is not None else 0

    @property
    def has_success(self) -> bool:
        """Whether the last exchange is complete, with a status of success."""
        return self.answer is not None and 200 <= self.status < 300

    def unreadable(self, problem: str) -> UnreadableAnswer:
        """The error for an answer that discord.py could not read."""
        return UnreadableAnswer(self.status, problem, _parse(self.answer))

    def begin(self) -> None:
        """Begin the next exchange. Raises `TimeoutError` if it must not begin."""
        if not self.may_begin:
            raise TimeoutError
        self.is_unclear = self.is_unclear or (self.number > 0 and not 400 <= self.status < 500)
        self.number, self.began = self.number + 1, asyncio.get_running_loop().time()
        self.response = self.answer = None


CURRENT: ContextVar[Exchanges | None] = ContextVar("CURRENT", default=None)
"""The exchanges of the current task's request; None for requests that discord.py makes by itself."""


def trace(on_answer: Callable[[int, float], None]) -> aiohttp.TraceConfig:
    """A trace for the `http_trace` of a client of discord.py.

    `on_answer` is called with the status of each answer, and the seconds of its rate limit.
    """

    async def begin(*_: object) -> None:
        if exchanges := CURRENT.get():
            exchanges.begin()

    async def note_response(_session: object, context: Any, params: aiohttp.TraceRequestEndParams) -> None:
        context.response = params.response
        if exchanges := CURRENT.get():
            exchanges.response = params.response

    async def note_answer(_session: object, context: Any, params: aiohttp.TraceResponseChunkReceivedParams) -> None:
        response: aiohttp.ClientResponse = context.response
        if exchanges := CURRENT.get():
            exchanges.began, exchanges.answer = None, params.chunk
        on_answer(response.status, _limit(response, params.chunk))
        _check_limits(response, params.chunk)

    async def note_failure(*_: object) -> None:
        if exchanges := CURRENT.get():
            exchanges.began = None

    config = aiohttp.TraceConfig()
    config.on_request_start.append(begin)
    config.on_request_end.append(note_response)
    config.on_response_chunk_received.append(note_answer)
    config.on_request_exception.append(note_failure)
    return config


def _limit(response: aiohttp.ClientResponse, body: bytes) -> float:
    """The seconds for which discord.py sends no further request of this kind, 0 without a rate limit."""
    headers = response.headers
    if response.status == 429:
        limit = _retry_after(body)
    elif headers.get("X-Ratelimit-Remaining") == "0":
        limit = _reset_after(headers)
    else:
        return 0.0
    return max(limit, 0.0) if limit <= MAX_RATE_LIMIT else 0.0


def _check_limits(response: aiohttp.ClientResponse, body: bytes) -> None:
    """Stop discord.py before it waits for a rate limit without an end, with a lock that all other requests need.

    Raises:
        HTTPException: a 429 with a missing or too long pause.
        UnreadableAnswer: the headers of an answer set such a limit.
    """
    if response.status == 429:
        if not _retry_after(body) <= MAX_RATE_LIMIT:
            code = answer.get("code") if isinstance(answer := _parse(body), dict) else 0
            raise discord.HTTPException(response, {"code": code if isinstance(code, int) else 0})
    elif not _has_sound_headers(response):
        raise UnreadableAnswer(response.status, "odd rate limit", _parse(body))


def _has_sound_headers(response: aiohttp.ClientResponse) -> bool:
    """Whether discord.py can wait for the rate limit of an answer."""
    headers = response.headers
    if "X-Ratelimit-Remaining" not in headers:
        return True
    if any(route in response.url.path for route in _WEBHOOKS):
        return headers["X-Ratelimit-Remaining"] != "0" or _reset_after(headers) <= MAX_RATE_LIMIT
    try:
        # a bucket of 0 requests never lets one through
        sound = int(headers.get("X-Ratelimit-Limit", 1)) > 0 and int(headers["X-Ratelimit-Remaining"]) >= 0
    except ValueError:
        return False
    return sound and _reset_after(headers) <= MAX_RATE_LIMIT


def _reset_after(headers: Mapping[str, str]) -> float:
    """The seconds until a bucket is reset, NaN without a valid header."""
    with suppress(ValueError, OverflowError, OSError):
        if after := headers.get("X-Ratelimit-Reset-After"):
            return float(after)
        at = datetime.fromtimestamp(float(headers.get("X-Ratelimit-Reset", "nan")), UTC)
        return (at - datetime.now(UTC)).total_seconds()
    return math.nan


def _retry_after(body: bytes) -> float:
    """The seconds of the pause that a 429 demands, NaN without a valid number."""
    answer = _parse(body)
    after = answer.get("retry_after") if isinstance(answer, dict) else None
    return after if isinstance(after, int | float) and not isinstance(after, bool) and after >= 0 else math.nan


def _parse(body: bytes | None) -> Any:
    """Parse a body as JSON; None if it is invalid."""
    # `RecursionError`: thousands of nested brackets
    with suppress(ValueError, RecursionError):
        return json.loads(body or b"null")
    return None
