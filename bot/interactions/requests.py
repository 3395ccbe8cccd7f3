"""Every request to Discord: in a task of its own, with a time limit for its caller, and one kind of error.

discord.py waits for rate limits within a request, and some of its waits must come to their end: canceled in a global
limit, for example, it would never let another request through. So a time limit here ends the wait of the caller only.
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

from bot.errors import TROUBLE, ShuttingDown, UnreadableAnswer, place_of, reason
from bot.interactions.exchanges import CURRENT, LONGEST_LIMIT, Exchanges, trace
from bot.metrics import STUCK, UNREADABLE

T = TypeVar("T")
Work = Callable[[], Awaitable[T]]
"""A request to Discord."""

_log = logging.getLogger(__name__)

PATIENCE = 60.0
"""Seconds of an exchange that goes on without its caller, and of silence after which the watchdog acts."""

MAX_RESULTS, RESULT_LIFETIME = 256, 900.0
"""Results of requests that have outlived their callers, and the seconds of their life: jobs are repeated sooner."""

REMINDER_INTERVAL = 3600.0
"""Seconds between two lines of the log about a second process."""


@dataclass(eq=False, slots=True)
class Attempt(Generic[T]):
    """A request under way. One with a `key` goes on when its callers have stopped waiting for it."""

    key: str
    task: asyncio.Task[T] = field(init=False)
    began: float = field(default_factory=lambda: asyncio.get_running_loop().time())
    exchanges: Exchanges = field(default_factory=Exchanges)
    ended: float | None = None
    callers: int = 0
    is_stopped: bool = False

    @property
    def is_current(self) -> bool:
        """Whether it is under way, or has ended so recently that its result is for a repetition."""
        return self.ended is None or asyncio.get_running_loop().time() - self.ended < RESULT_LIFETIME

    def stop(self) -> None:
        """End it by `TimeoutError`. Only while discord.py does not wait for a limit, or where that is repaired."""
        self.is_stopped = True
        self.task.cancel()

    def abandon(self) -> None:
        """Let nothing more be sent. A pause of discord.py goes on to its end."""
        self.exchanges.may_begin = False
        if self.exchanges.began is not None:
            self.stop()


class Requests:
    """The requests to Discord of one client.

    `repair` lets requests through again after discord.py has got stuck.
    """

    def __init__(self, repair: Callable[[], None] = lambda: None) -> None:
        self.trace = trace(self._answered)
        self._repair = repair
        self._attempts: set[Attempt[Any]] = set()
        self._by_key: dict[str, Attempt[Any]] = {}
        self._last_answer = self._limited_until = self._reported = float("-inf")
        self._created = datetime.now(UTC)
        self._watching: asyncio.TimerHandle | None = None
        self._is_closed = self._is_stuck = False
        STUCK.set(0)

    async def run(self, work: Work[T], *, limit: float, key: str = "") -> T:
        """Carry a request out, and wait for it up to `limit` seconds. Returns its result.

        While a request with the same `key` is under way, that one is waited for instead. It goes on after the time
        limit; so does its result, for the next call with this key. Without a key, nothing is sent after the time limit.

        Raises:
            TROUBLE: Discord refuses it or does not answer in time, or the answer cannot be read (`UnreadableAnswer`).
        """
        return await self.result(self.begin(work, key), limit)

    async def change(self, work: Work[object], *, limit: float) -> None:
        """Like `run`, for requests whose answer does not matter: one that cannot be read is a success."""
        try:
            await self.run(work, limit=limit)
        except UnreadableAnswer as error:
            if not error.is_success:
                raise

    def begin(self, work: Work[T], key: str = "") -> Attempt[T]:
        """The request under way with this key, or a new one."""
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
        """Wait for a request that has begun. Raises `TROUBLE` as `run` does."""
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
        # Discord has answered, and discord.py waits for a limit before it returns that
        if attempt.exchanges.has_success:
            raise attempt.exchanges.unreadable("not returned in time")
        raise TimeoutError

    def is_under_way(self, key: str) -> bool:
        """Whether there is such a request, or its result."""
        return key in self._by_key

    async def withdraw(self, key: str, *, limit: float) -> Any:
        """Send nothing more for a request, if it is under way. Returns its result, None if there was none to come.

        Raises:
            TimeoutError: it is still not known whether it has taken effect.
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
        except TROUBLE as error:
            _log.info("a message that is out of date was not sent: %s", reason(error))
        return None

    def report_second_process(self, interaction_id: int) -> None:
        """Log, at most once an hour, that another process has answered an interaction of ours.

        Not of one from before this process: its predecessor has answered that.
        """
        now = asyncio.get_running_loop().time()
        is_ours = discord.utils.snowflake_time(interaction_id) > self._created
        if is_ours and now - self._reported >= REMINDER_INTERVAL:
            self._reported = now
            _log.error(
                "a second process uses the token of this bot: it answered interaction %d first. Commands get answers "
                "of either process, and each knows its own games only. Stop the other process. If you do not find it, "
                "get a new token on the Bot page of your application, and put it into .env of this one",
                interaction_id,
            )

    async def close(self) -> None:
        """Cancel all requests: the bot shuts down."""
        self._is_closed = True
        if self._watching is not None:
            self._watching.cancel()
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
        except Exception as error:
            if (problem := _problem(attempt, error)) is None:
                raise
            UNREADABLE.inc()
            raise problem from error

    def _end(self, attempt: Attempt[Any]) -> None:
        self._attempts.discard(attempt)
        attempt.ended = asyncio.get_running_loop().time()
        has_failed = attempt.task.cancelled() or attempt.task.exception() is not None
        # callers learn of a failure if they wait for it, and of a success later, too
        if has_failed or attempt.callers:
            self._forget(attempt)
        elif attempt.key and len(self._by_key) > MAX_RESULTS:
            self._forget(next(one for one in self._by_key.values() if one.task.done()))

    def _forget(self, attempt: Attempt[Any]) -> None:
        if self._by_key.get(attempt.key) is attempt:
            del self._by_key[attempt.key]

    # --- the watchdog ---

    def _answered(self, status: int, limit: float) -> None:
        """Discord has answered a request, and wants no further one for `limit` seconds."""
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
        if self._watching is None and not self._is_closed:
            self._watching = asyncio.get_running_loop().call_later(PATIENCE, self._look)

    def _look(self) -> None:
        """Stop exchanges that take too long, and requests that discord.py holds back for no reason."""
        self._watching, now = None, asyncio.get_running_loop().time()
        for attempt in self._attempts:
            if attempt.exchanges.began is not None and now - attempt.exchanges.began >= PATIENCE:
                attempt.stop()
        waiting = [attempt for attempt in self._attempts if attempt.exchanges.began is None]
        old = [attempt for attempt in waiting if now - attempt.began >= PATIENCE]
        is_silent = now >= max(self._last_answer + PATIENCE, self._limited_until)
        # every limit of a single route ends in `LONGEST_LIMIT`, though other requests get through meanwhile
        if not is_silent:
            old = [attempt for attempt in old if now - attempt.began >= LONGEST_LIMIT + PATIENCE]
        if old:
            self._free(old)
        if self._attempts:
            self._watch()

    def _free(self, attempts: list[Attempt[Any]]) -> None:
        """End requests that discord.py would hold back for good, and let new ones through."""
        if not self._is_stuck:
            self._is_stuck = True
            STUCK.set(1)
            _log.error("no request gets through to Discord; %d are given up, new ones begin afresh", len(attempts))
        for attempt in attempts:
            attempt.stop()
        self._repair()


def _problem(attempt: Attempt[Any], error: Exception) -> Exception | None:
    """The error to raise in place of one of discord.py's or aiohttp's; None if that is fine."""
    exchanges = attempt.exchanges
    # aiohttp raises a plain `RuntimeError` with this text
    if isinstance(error, RuntimeError) and "ession is closed" in str(error):
        return ShuttingDown()
    if isinstance(error, UnreadableAnswer):
        return None
    if isinstance(error, discord.HTTPException):
        # the refusal is of a repetition; the first try may have taken effect
        doubtful = attempt.key and exchanges.is_unclear and error.status < 500
        return exchanges.unreadable(f"after an unclear answer: {reason(error)}") if doubtful else None
    if isinstance(error, OSError) and not isinstance(error, aiohttp.ClientError):
        return None
    if isinstance(error, aiohttp.ClientError):
        # aiohttp reads ahead: the error may be about the end of an answer of which it shows nothing
        came = exchanges.status or isinstance(error, aiohttp.ClientResponseError)
        return exchanges.unreadable(type(error).__name__) if came else None
    # before anything was sent, it is a fault of ours
    return exchanges.unreadable(place_of(error)) if exchanges.number else None


def forget_limits(http: discord.http.HTTPClient) -> None:
    """Make discord.py forget all rate limits, so that new requests begin."""
    # discord.py has no way to ask for that
    limits = cast(Any, http)
    limits._buckets.clear()
    if limits._global_over:
        limits._global_over.set()
