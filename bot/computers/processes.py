"""Worker processes for computer players: they begin without the bot's connections, its token and its passwords."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess

from engine.players.thinking import initialize_worker

SECRET_NAME = re.compile(r"token|passw|secret|credential|dsn|database|key$|^pg|^discord", re.IGNORECASE)
"""Names of environment variables that may hold a token or a password, the bot's own among them."""


_bare = threading.RLock()
"""Two threads must not take away and put back the same variables at a time."""


def worker_processes(number: int) -> Executor:
    """A pool of worker processes, each started when it is needed first."""
    from concurrent.futures import ProcessPoolExecutor  # imported late for a faster start

    # the pool also starts a helper process of Python's, which would inherit the environment as well
    with without_secrets():
        # measured: with a player that thinks in a thread, the median of moves went from 25 ms to 2.6 s
        return ProcessPoolExecutor(number, mp_context=WorkerContext(), initializer=initialize_worker)


class _Process(SpawnProcess):
    def start(self) -> None:
        """Start the process, which gets a copy of the environment as it is at this moment."""
        with without_secrets():
            super().start()


class WorkerContext(SpawnContext):
    """Starts processes that do not inherit the secrets of the bot."""

    Process = _Process


@contextmanager
def without_secrets() -> Iterator[None]:
    """Take all secrets out of the environment of this process for a moment."""
    with _bare:
        secret = {name: value for name, value in os.environ.items() if SECRET_NAME.search(name)}
        for name in secret:
            del os.environ[name]
        try:
            yield
        finally:
            os.environ.update(secret)
