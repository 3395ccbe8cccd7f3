"""Computer players in worker processes."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from types import FrameType

from engine.core import Action, State, View
from engine.games import discover as discover_games
from engine.players import discover
from engine.players.search.thinker import with_effort

TIMEOUT = 20
"""Timeout of a decision, in seconds."""

NICENESS = 10
"""Niceness of workers, so that the bot itself has priority."""


def initialize_worker() -> None:
    """Initialize a worker process: lower its priority, load all games and players, and exit when the bot exits."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the bot handles it and stops its workers
    with suppress(AttributeError, OSError):  # not available on Windows
        os.nice(NICENESS)
    # A daemon thread does not keep the process alive.
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    discover_games()
    discover()


def _exit_with_parent() -> None:
    """Exit when the parent process ends. A killed bot cannot stop its workers, which would wait forever."""
    from multiprocessing import parent_process  # imported here, since the bot itself does not need it

    if (bot := parent_process()) is not None:
        bot.join()
        # Not `sys.exit`, which would only end this thread.
        os._exit(0)


def choose_action(player: str, view: View[State], seed: str, effort: float = 1.0, *, timeout: int = TIMEOUT) -> Action:
    """The choice of a computer player for the viewer, who must be due. `effort` is the part of its time that it uses.

    Raises:
        TimeoutError: after `timeout` seconds.
    """
    with _alarm_after(timeout):
        return with_effort(discover()[player].choose, effort)(view, Random(seed))


@contextmanager
def _alarm_after(timeout: int) -> Iterator[None]:
    """Raise `TimeoutError` in the block after `timeout` seconds."""
    # Windows has no alarms, and Python only allows the main thread to set one.
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGALRM, _raise_timeout)
    signal.alarm(timeout)
    try:
        yield
    finally:
        signal.alarm(0)


def _raise_timeout(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError
