"""The watchdog: ends endless loops in the code of games that packages bring.

A loop on the event loop's thread would hold up all tables, and one in a thread would occupy it for good. A thread of
the watchdog looks at both, and raises `GameStuck` in a thread whose present work is overdue, if that thread is in the
code of such a game. Code in C is not interrupted. Worker processes for thinking have limits of their own.
"""

from __future__ import annotations

import asyncio
import ctypes
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import thread as pool
from contextlib import suppress
from types import FrameType

from bot.errors import GameStuck, LoopStuck
from bot.tables.faults import game_of

CHECK_INTERVAL = 0.5
"""Seconds between two checks."""

LOOP_LIMIT = 5.0
"""Seconds for which one step of the event loop may run."""

THREAD_LIMIT = 15.0
"""Seconds for which a call in a thread may run, such as that for a picture."""

_POOL_CALL = pool._WorkItem.run.__code__
"""The code of the frame that lasts as long as one call in a thread of a pool."""


class Watchdog:
    """Watches the running event loop until it is closed, and the threads of all pools."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._pause = threading.Event()
        self._is_closed = False
        # counted in checks, not in seconds: a process that was suspended is not overdue
        self._overdue_checks = 0
        self._has_answered = True
        self._calls: dict[FrameType, int] = {}
        self._thread = threading.Thread(target=self._watch, name="watchdog", daemon=True)

    async def __aenter__(self) -> Watchdog:
        self._thread.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_closed = True

    def _watch(self) -> None:
        # at the end of the process Python waits for its threads, so they are watched until all calls have ended
        while self._calls or not self._is_closed:
            self._pause.wait(CHECK_INTERVAL)
            if not self._is_closed:
                self._check_loop()
            self._check_threads()

    def _check_loop(self) -> None:
        if self._has_answered:
            self._overdue_checks, self._has_answered = 0, False
            with suppress(RuntimeError):  # the event loop is closed
                self._loop.call_soon_threadsafe(self._answer)
            return
        self._overdue_checks += 1
        if self._overdue_checks * CHECK_INTERVAL >= LOOP_LIMIT:
            _interrupt(self._loop_thread, LoopStuck)

    def _answer(self) -> None:
        self._has_answered = True

    def _check_threads(self) -> None:
        """Count for how many checks the present call of each thread has run. The frame identifies the call."""
        calls = {}
        for ident, frame in sys._current_frames().items():
            call = next((frame_ for frame_ in _stack(frame) if frame_.f_code is _POOL_CALL), None)
            if call is None:
                continue
            calls[call] = checks = self._calls.get(call, -1) + 1
            if checks * CHECK_INTERVAL >= THREAD_LIMIT:
                _interrupt(ident, GameStuck)
        self._calls = calls


def _interrupt(ident: int, kind: type[GameStuck]) -> None:
    """Raise an error in a thread, if it is in the code of a package's game at this moment."""
    frame = sys._current_frames().get(ident)
    if any(game_of(frame_) for frame_ in _stack(frame)):
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(kind))


def _stack(frame: FrameType | None) -> Iterator[FrameType]:
    while frame is not None:
        yield frame
        frame = frame.f_back
