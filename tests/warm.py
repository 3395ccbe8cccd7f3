"""Bots that start sooner: processes of their own as ever, but forked where all they import has been imported.

Most of what a start costs is imports and the art of a first picture. A server that has loaded both, and done nothing
else, forks a process for each bot, which goes on as a program of its own would: `playground.launch` with the same
arguments, environment and pipes. Where the start itself is the point, bots are started cold.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pkgutil import iter_modules
from typing import Any

import pytest

import engine.games
import engine.players
import renders.games
from playground import launch

HOMES = (engine.games, engine.players, renders.games)
DISCOVERED_MODULES = [f"{home.__name__}.{module.name}" for home in HOMES for module in iter_modules(home.__path__)]
"""Modules that a bot finds by itself once it runs."""

_start_program = asyncio.create_subprocess_exec
_in_turn = ThreadPoolExecutor(1, "warm")
"""The parent of a process also checks whether others have ended, and only one may hear of an end."""

_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload(
    [__name__, "bot.client", "bot.connection", "bot.store.postgres", *DISCOVERED_MODULES, "tests.painted"]
)


@contextmanager
def warm_bots() -> Iterator[None]:
    """Fork every bot that is started within the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "create_subprocess_exec", _start)
        yield


@contextmanager
def cold_bots() -> Iterator[None]:
    """Start every bot within the block as a program, from nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "create_subprocess_exec", _start_program)
        yield


class _Process:
    """The parts of `asyncio.subprocess.Process` that tests use of a bot's."""

    def __init__(self, forked: ForkServerProcess, stdin: Connection, stdout: asyncio.StreamReader) -> None:
        self._forked = forked
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None
        self.pid = forked.pid
        self.terminate = forked.terminate
        self.kill = forked.kill

    async def wait(self) -> int | None:
        await asyncio.get_running_loop().run_in_executor(_in_turn, self._forked.join)
        self.returncode = self._forked.exitcode
        return self.returncode


async def _start(*command: str, **asked: Any) -> Any:
    """Replacement for `asyncio.create_subprocess_exec`."""
    _python, *rest = command
    if rest[:2] != ["-m", launch.__name__]:
        return await _start_program(*command, **asked)
    return await _fork(rest[2:], asked["env"], asked["limit"])


async def _fork(arguments: Sequence[str], env: Mapping[str, str], limit: int) -> _Process:
    orders, stdin = _server.Pipe(duplex=False)
    log, results = _server.Pipe(duplex=False)
    forked = _server.Process(target=_run, args=(arguments, dict(env), orders, results))
    loop = asyncio.get_running_loop()
    await loop.run_in_executor(_in_turn, forked.start)
    for end in (orders, results):
        end.close()
    stdout = asyncio.StreamReader(limit=limit)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), log)
    return _Process(forked, stdin, stdout)


def _run(arguments: Sequence[str], env: Mapping[str, str], orders: Connection, said: Connection) -> None:
    os.setsid()
    os.environ.clear()
    os.environ.update(env)
    for end, place in ((orders, 0), (said, 1), (said, 2)):
        os.dup2(end.fileno(), place)
    for end in (orders, said):
        end.close()
    sys.stdout.reconfigure(line_buffering=True)
    launch.main([*arguments])
