"""The watchdog interrupts a step of the event loop, or a call in a thread, only after its limit."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

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


async def test_a_thread_is_interrupted_when_one_call_lasts_too_long(interrupts: Interrupted) -> None:
    dog = Watchdog()
    with ThreadPoolExecutor(1) as pool:
        thread = pool.submit(threading.get_ident).result()
        for lasts in (checks(THREAD_LIMIT), checks(THREAD_LIMIT), 1 + checks(THREAD_LIMIT)):
            assert [] == interrupts, "each call has the whole time"
            begun, done = threading.Event(), threading.Event()
            call = pool.submit(lambda begun, done: (begun.set(), done.wait()), begun, done)
            begun.wait()
            for _ in range(lasts):
                dog._check_threads()
            done.set()
            call.result()
    assert [(thread, GameStuck)] == interrupts
