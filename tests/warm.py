"""Bots that start sooner: processes of their own as ever, but forked where all they import has been imported.

Most of what a start costs is imports. A server that has done these, and nothing else, forks a process for each bot,
which goes on as a program of its own would: `playground.launch` with the same arguments, environment and pipes. Where
the start is the point, programs are started (`tests/e2e/test_start.py`).
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
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
FOUND = [f"{home.__name__}.{module.name}" for home in HOMES for module in iter_modules(home.__path__)]
"""What a bot finds by itself once it runs."""

_start_program = asyncio.create_subprocess_exec
_server = multiprocessing.get_context("forkserver")
_server.set_forkserver_preload([__name__, "bot.client", "bot.connection", "alembic.command", *FOUND])


@contextmanager
def warm_bots() -> Iterator[None]:
    """Fork every bot that is started within the block."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asyncio, "create_subprocess_exec", _start)
        yield


class _Process:
    """As much of `asyncio.subprocess.Process` as is asked of a bot's."""

    def __init__(self, forked: ForkServerProcess, stdin: Connection, stdout: asyncio.StreamReader) -> None:
        self._forked = forked
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None
        self.pid = forked.pid
        self.terminate = forked.terminate
        self.kill = forked.kill

    async def wait(self) -> int | None:
        await asyncio.to_thread(self._forked.join)
        self.returncode = self._forked.exitcode
        return self.returncode


async def _start(*command: str, **asked: Any) -> Any:
    """What `asyncio.create_subprocess_exec` would return."""
    _python, *rest = command
    if rest[:2] != ["-m", launch.__name__]:
        return await _start_program(*command, **asked)
    return await _fork(rest[2:], asked["env"], asked["limit"])


async def _fork(arguments: Sequence[str], env: Mapping[str, str], limit: int) -> _Process:
    orders, stdin = _server.Pipe(duplex=False)
    log, said = _server.Pipe(duplex=False)
    forked = _server.Process(target=_run, args=(arguments, dict(env), orders, said))
    await asyncio.to_thread(forked.start)
    for end in (orders, said):
        end.close()
    stdout = asyncio.StreamReader(limit=limit)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), log)
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
