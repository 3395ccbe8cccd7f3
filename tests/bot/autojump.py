"""Idle time is skipped, as by Trio's autojump clock: a test never waits for a timer of the bot or the local Discord."""

from __future__ import annotations

import asyncio
import time
from asyncio import AbstractEventLoop, Future
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import aiosqlite
import pytest

GRACE = 0.003
"""Seconds in which threads that are not counted, and the kernel, may wake the event loop."""


SLOWNESS = 3
"""Factor on the time that work outside of the event loop takes on a quiet machine, before a timer goes off."""


class Selector:
    """The selector of an event loop. Instead of waiting for a timer, it calls `skip` with the seconds until then.

    It waits while work is under way outside of the event loop: in threads, in processes, in the database.
    """

    def __init__(self, selector: Any, skip: Callable[[float], None]) -> None:
        self._selector = selector
        self._skip = skip
        self._calls = 0
        self._futures: set[Any] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._selector, name)

    def select(self, timeout: float | None = None) -> Any:
        """The events, as of any selector."""
        if not timeout:
            return self._selector.select(timeout)
        began = time.monotonic()
        events = self._selector.select(timeout * SLOWNESS if self._is_work_under_way() else min(timeout, GRACE))
        self._skip((time.monotonic() - began) / SLOWNESS if events else timeout)
        return events

    def counting_calls(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        """A coroutine function that waits for a thread."""

        async def counted(*args: Any, **options: Any) -> Any:
            self._calls += 1
            try:
                return await call(*args, **options)
            finally:
                self._calls -= 1

        return counted

    def counting_threads(self, run: Callable[..., Future[Any]]) -> Callable[..., Future[Any]]:
        """A function that begins work and returns its future."""

        def counted(*args: Any, **options: Any) -> Future[Any]:
            future = run(*args, **options)
            self._futures.add(future)
            return future

        return counted

    def counting_wrapped(self, wrap: Callable[..., Future[Any]]) -> Callable[..., Future[Any]]:
        """A function that is called with the future of a process, whose work goes on without its caller."""

        def counted(future: Any, **options: Any) -> Future[Any]:
            self._futures.add(future)
            return wrap(future, **options)

        return counted

    def _is_work_under_way(self) -> bool:
        self._futures = {future for future in self._futures if not future.done()}
        return bool(self._calls or self._futures)


@contextmanager
def autojump(loop: AbstractEventLoop, skip: Callable[[float], None]) -> Iterator[None]:
    """Let `loop` skip its idle time. `skip` moves its clock, and all others, ahead by some seconds."""
    selector = Selector(loop._selector, skip)  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loop, "_selector", selector)
        patch.setattr(loop, "run_in_executor", selector.counting_threads(loop.run_in_executor))
        patch.setattr(asyncio, "wrap_future", selector.counting_wrapped(asyncio.wrap_future))
        for name in ("_execute", "_connect"):
            patch.setattr(aiosqlite.Connection, name, selector.counting_calls(getattr(aiosqlite.Connection, name)))
        yield


@contextmanager
def queries_on_event_loop() -> Iterator[None]:
    """Let SQLite work on the event loop: to hand a query to a thread and back takes longer than the query."""

    async def execute(connection: aiosqlite.Connection, call: Callable[..., Any], *args: Any, **options: Any) -> Any:
        await asyncio.sleep(0)  # other tasks go on meanwhile, as while a thread works
        if not connection._running:
            raise ValueError("Connection closed")
        return call(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(aiosqlite, "connect", partial(aiosqlite.connect, check_same_thread=False))
        patch.setattr(aiosqlite.Connection, "_execute", execute)
        yield
