"""A computer player at work in a process of its own."""

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

LIMIT = 20
"""Seconds of waiting after which a worker gives a decision up."""

NICE = 10
"""So much less than the bot itself do workers press for the processor."""


def begin_work() -> None:
    """Prepare a worker process: it leaves the processor to the bot, learns the games, and goes when the bot goes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the bot, which tells its workers
    with suppress(AttributeError, OSError):  # Windows knows no such thing
        os.nice(NICE)
    # A daemon, which cannot keep the worker alive.
    threading.Thread(target=_leave_with_the_bot, daemon=True).start()
    discover_games()
    discover()


def _leave_with_the_bot() -> None:
    """A killed bot can tell nobody; without this its workers would wait for ever."""
    from multiprocessing import parent_process  # the bot itself has no use for it before it has workers

    if (bot := parent_process()) is not None:
        bot.join()
        # Not `sys.exit`, which would end this thread only.
        os._exit(0)


def chosen(player: str, view: View[State], seed: str, effort: float = 1.0, *, limit: int = LIMIT) -> Action:
    """What a computer player decides for the viewer, who is due, in this part of its time.

    Raises:
        TimeoutError: it thinks far too long, `limit` seconds.
    """
    with _alarm_after(limit):
        return with_effort(discover()[player].choose, effort)(view, Random(seed))


@contextmanager
def _alarm_after(limit: int) -> Iterator[None]:
    """Ends what takes too long with `TimeoutError`."""
    # Windows has no alarms, and Python lets only the main thread set one.
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGALRM, _too_long)
    signal.alarm(limit)
    try:
        yield
    finally:
        signal.alarm(0)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError
