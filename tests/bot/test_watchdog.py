"""The watchdog interrupts a step of the event loop, or a call in a thread, only after its limit."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import Queue

import pytest

from bot import watchdog
from bot.errors import GameStuck, LoopStuck
from bot.watchdog import CHECK_INTERVAL, LOOP_LIMIT, THREAD_LIMIT, Watchdog

Interrupted = list[tuple[int, type[GameStuck]]]


@pytest.fixture
def interrupts(monkeypatch: pytest.MonkeyPatch) -> Interrupted:
    calls: Interrupted = []
    monkeypatch.setattr(watchdog, "_interrupt", lambda ident, kind: calls.append((ident, kind)))
    return calls


def checks(limit: float) -> int:
    return round(limit / CHECK_INTERVAL)


async def test_an_event_loop_is_interrupted_when_one_step_lasts_too_long(interrupts: Interrupted) -> None:
    dog = Watchdog()
    for _ in range(3):
        for _ in range(checks(LOOP_LIMIT)):
            dog._check_loop()
        await asyncio.sleep(0)
    assert [] == interrupts, "it answers each time before the limit"
    for _ in range(1 + checks(LOOP_LIMIT)):
        assert [] == interrupts
        dog._check_loop()
    assert [(threading.get_ident(), LoopStuck)] == interrupts


class Call:
    """A call in a thread, which waits in another frame after each check."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._checks, self._waits = Queue[bool](), Queue[int]()
        self._result = pool.submit(self._run)
        self.thread = self._waits.get()

    def _run(self) -> None:
        self._waits.put(threading.get_ident())
        while self._checks.get():
            self._waits.put(0)

    def go_on(self) -> None:
        self._checks.put(True)
        self._waits.get()

    def end(self) -> None:
        self._checks.put(False)
        self._result.result()


async def test_a_thread_is_interrupted_when_one_call_lasts_too_long(interrupts: Interrupted) -> None:
    dog = Watchdog()
    with ThreadPoolExecutor(2) as pool:
        long, counts = Call(pool), []
        for lasts in (checks(THREAD_LIMIT) // 2, checks(THREAD_LIMIT) - checks(THREAD_LIMIT) // 2, 1):
            short = Call(pool)
            for _ in range(lasts):
                dog._check_threads()
                short.go_on()
                long.go_on()
            short.end()
            counts.append(len(interrupts))
        long.end()
    assert [0, 0, 1] == counts, "each call has the whole time"
    assert [(long.thread, GameStuck)] == interrupts


async def test_the_watchdog_ends_with_the_bot() -> None:
    async with Watchdog() as dog:
        assert dog._thread.is_alive()
    dog._pause.set()  # instead of waiting for its next check
    dog._thread.join(10)
    assert not dog._thread.is_alive()
