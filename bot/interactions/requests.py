"""Requests to Discord: each in a task of its own, with a timeout for its caller, and with uniform errors.

discord.py waits for rate limits within a request, and some of these waits must not be canceled: after a cancellation in
a global limit, for example, it would block all further requests. So a timeout ends the wait of the caller only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Generic, TypeVar, cast

import aiohttp
import discord

from bot.errors import DISCORD_ERRORS, ShuttingDown, UnreadableAnswer, place_of, reason
from bot.interactions.exchanges import CURRENT, MAX_RATE_LIMIT, Exchanges, trace
from bot.metrics import STUCK, UNREADABLE

T = TypeVar("T")
Work = Callable[[], Awaitable[T]]
"""A request to Discord."""

_log = logging.getLogger(__name__)

WATCHDOG_TIMEOUT = 60.0
"""Seconds of an exchange without a caller, or of silence, after which the watchdog acts."""

MAX_RESULTS, RESULT_LIFETIME = 256, 900.0
"""Stored results of requests after the timeout of their callers, and their lifetime in seconds: jobs retry sooner."""

REMINDER_INTERVAL = 3600.0
"""Seconds between two lines of the log about a second process."""


@dataclass(eq=False, slots=True)
class Attempt(Generic[T]):
    """A pending request. One with a `key` goes on after the timeout of its callers."""

    key: str
    task: asyncio.Task[T] = field(init=False)
    began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    exchanges: Exchanges = field(default_factory=Exchanges)
    ended: float | None = None
    callers: int = 0
    is_stopped: bool = False

    @property
    def is_current(self) -> bool:
        """Whether it is pending, or has a recent result for a repetition."""
        return self.ended is None or asyncio.get_running_loop().time() - self.ended < RESULT_LIFETIME

    def stop(self) -> None:
        """Cancel it with a `TimeoutError`. Only outside a rate limit of discord.py, or before a repair."""
        self.is_stopped = True
        self.task.cancel()

    def abandon(self) -> None:
        """Send nothing more. A pause of discord.py runs to its end."""
        self.exchanges.may_begin = False
        if self.exchanges.began is not None:
            self.stop()


class Requests:
    """The requests to Discord of one client.

    `repair` unblocks discord.py after it got stuck.
    """

    def __init__(self, repair: Callable[[], None] = lambda: None) -> None:
        self.trace = trace(self._record_answer)
        self._repair = repair
        self._attempts: set[Attempt[Any]] = set()
        self._by_key: dict[str, Attempt[Any]] = {}
        self._last_answer = self._limited_until = self._reported = float("-inf")
        self._created = datetime.now(UTC)
        self._watchdog: asyncio.TimerHandle | None = None
        self._is_closed = self._is_stuck = False
        STUCK.set(0)

    async def run(self, work: Work[T], *, limit: float, key: str = "") -> T:
        """Make a request, and wait for it up to `limit` seconds. Returns its result.

        If a request with the same `key` is pending, this waits for that one instead. Such a request goes on after the
        timeout, and its result is kept for the next call with its key. Without a key, nothing is sent after the
        timeout.

        Raises:
            DISCORD_ERRORS: Discord refuses it, does not answer in time, or sends an `UnreadableAnswer`.
        """
        return await self.result(self.begin(work, key), limit)

    async def change(self, work: Work[object], *, limit: float) -> None:
        """Like `run`, for requests whose result is not needed: an unreadable answer counts by its status."""
        try:
            await self.run(work, limit=limit)
        except UnreadableAnswer as error:
            if not error.is_success:
                raise

    def begin(self, work: Work[T], key: str = "") -> Attempt[T]:
        """The pending request with this key, or a new one."""
        if self._is_closed:
            raise ShuttingDown
        if (attempt := self._by_key.get(key)) and attempt.is_current:
            return attempt
        attempt = Attempt[T](key)
        attempt.task = asyncio.create_task(self._carry_out(attempt, work))
        self._attempts.add(attempt)
        if key:
            self._by_key[key] = attempt
        attempt.task.add_done_callback(lambda _: self._end(attempt))
        self._watch()
        return attempt

    async def result(self, attempt: Attempt[T], limit: float) -> T:
        """Wait for a pending request. Raises `DISCORD_ERRORS` like `run`."""
        attempt.callers += 1
        try:
            await asyncio.wait({attempt.task}, timeout=limit)
        finally:
            attempt.callers -= 1
            if not attempt.task.done() and not attempt.key and not attempt.callers:
                attempt.abandon()
        if attempt.task.done():
            self._forget(attempt)
            return attempt.task.result()
        # Discord has answered, but discord.py waits for a rate limit before it returns
        if attempt.exchanges.has_success:
            raise attempt.exchanges.unreadable("not returned in time")
        raise TimeoutError

    def is_under_way(self, key: str) -> bool:
        """Whether a request with this key is pending, or has a stored result."""
        return key in self._by_key

    async def withdraw(self, key: str, *, limit: float) -> Any:
        """Send nothing more for a pending request. Returns its result, None if it certainly has no effect.

        Raises:
            TimeoutError: it is unknown whether it has taken effect.
            UnreadableAnswer: it has taken effect, or may have.
        """
        if (attempt := self._by_key.get(key)) is None:
            return None
        attempt.exchanges.may_begin = False
        try:
            return await self.result(attempt, limit)
        except TimeoutError:
            if not attempt.task.done():
                raise
        except UnreadableAnswer:
            raise
        except DISCORD_ERRORS as error:
            _log.info("an outdated message was not sent, and is dropped: %s", reason(error))
        return None

    def report_second_process(self, interaction_id: int) -> None:
        """Log, at most once an hour, that another process has answered an interaction.

        Ignores interactions from before this process, which its predecessor may have answered.
        """
        now = asyncio.get_running_loop().time()
        is_new = discord.utils.snowflake_time(interaction_id) > self._created
        if is_new and now - self._reported >= REMINDER_INTERVAL:
            self._reported = now
            _log.error(
                "a second process uses the token of this bot: it answered interaction %d first. Commands get answers "
                "of either process, and each knows its own games only. Stop the other process. If you do not find it, "
                "get a new token on the Bot page of your application, and put it into .env of this one",
                interaction_id,
            )

    async def close(self) -> None:
        """Cancel all requests, for a shutdown."""
        self._is_closed = True
        if self._watchdog is not None:
            self._watchdog.cancel()
        for attempt in self._attempts:
            attempt.task.cancel()
        await asyncio.gather(*(attempt.task for attempt in self._attempts), return_exceptions=True)

    # --- one request ---

    async def _carry_out(self, attempt: Attempt[T], work: Work[T]) -> T:
        exchanges = attempt.exchanges
        CURRENT.set(exchanges)
        try:
            return await work()
        except asyncio.CancelledError:
            if self._is_closed:
                raise ShuttingDown from None
            if attempt.is_stopped:
                raise TimeoutError from None
            raise
        # discord.py fails in many ways at an unreadable answer; the error of anything else is raised again
        except Exception as error:
            if (problem := _problem(attempt, error)) is None:
                raise
            UNREADABLE.inc()
            raise problem from error

    def _end(self, attempt: Attempt[Any]) -> None:
        self._attempts.discard(attempt)
        attempt.ended = asyncio.get_running_loop().time()
        has_failed = attempt.task.cancelled() or attempt.task.exception() is not None
        # a failure is reported to waiting callers only; a success is stored for later calls
        if has_failed or attempt.callers:
            self._forget(attempt)
        elif attempt.key and len(self._by_key) > MAX_RESULTS:
            self._forget(next(other for other in self._by_key.values() if other.task.done()))

    def _forget(self, attempt: Attempt[Any]) -> None:
        if self._by_key.get(attempt.key) is attempt:
            del self._by_key[attempt.key]

    # --- the watchdog ---

    def _record_answer(self, status: int, limit: float) -> None:
        """Record an answer from Discord, with the seconds of its rate limit."""
        now = asyncio.get_running_loop().time()
        self._limited_until = max(self._limited_until, now + limit)
        if status >= 500:
            return
        self._last_answer = now
        if self._is_stuck:
            self._is_stuck = False
            STUCK.set(0)
            _log.warning("Discord answers requests again")

    def _watch(self) -> None:
        if self._watchdog is None and not self._is_closed:
            self._watchdog = asyncio.get_running_loop().call_later(WATCHDOG_TIMEOUT, self._stop_stuck)

    def _stop_stuck(self) -> None:
        """Stop exchanges that take too long, and requests that discord.py blocks without a rate limit."""
        self._watchdog, now = None, asyncio.get_running_loop().time()
        for attempt in self._attempts:
            if attempt.exchanges.began is not None and now - attempt.exchanges.began >= WATCHDOG_TIMEOUT:
                attempt.stop()
        waiting = [attempt for attempt in self._attempts if attempt.exchanges.began is None]
        old = [attempt for attempt in waiting if now - attempt.began >= WATCHDOG_TIMEOUT]
        is_silent = now >= max(self._last_answer + WATCHDOG_TIMEOUT, self._limited_until)
        # each rate limit of a single route ends within `MAX_RATE_LIMIT`; other requests get through meanwhile
        if not is_silent:
            old = [attempt for attempt in old if now - attempt.began >= MAX_RATE_LIMIT + WATCHDOG_TIMEOUT]
        if old:
            self._unblock(old)
        if self._attempts:
            self._watch()

    def _unblock(self, attempts: list[Attempt[Any]]) -> None:
        """Stop requests that discord.py would block forever, and repair discord.py for new ones."""
        if not self._is_stuck:
            self._is_stuck = True
            STUCK.set(1)
            _log.error("no request gets through to Discord; %d are canceled, and the bot makes new ones", len(attempts))
        for attempt in attempts:
            attempt.stop()
        self._repair()


def _problem(attempt: Attempt[Any], error: Exception) -> Exception | None:
    """The error to raise instead of an error of discord.py or aiohttp; None to keep that one."""
    exchanges = attempt.exchanges
    # aiohttp raises a plain `RuntimeError` with this text
    if isinstance(error, RuntimeError) and "ession is closed" in str(error):
        return ShuttingDown()
    if isinstance(error, discord.HTTPException):
        # Discord refused the repetition, but the first attempt may have taken effect
        is_unclear = attempt.key and exchanges.is_unclear and error.status < 500
        return exchanges.unreadable(f"after an unclear answer: {reason(error)}") if is_unclear else None
    if isinstance(error, OSError) and not isinstance(error, aiohttp.ClientError):
        return None
    if isinstance(error, aiohttp.ClientError):
        # aiohttp reads ahead: the error may concern the end of an answer that it does not return
        has_answer = exchanges.status or isinstance(error, aiohttp.ClientResponseError)
        return exchanges.unreadable(type(error).__name__) if has_answer else None
    # before an exchange, it is a bug of ours
    return exchanges.unreadable(place_of(error)) if exchanges.number else None


def forget_limits(http: discord.http.HTTPClient) -> None:
    """Make discord.py forget all rate limits, so that new requests can begin."""
    # discord.py has no public function for it
    limits = cast(Any, http)
    limits._buckets.clear()
    limits._global_over.set()
