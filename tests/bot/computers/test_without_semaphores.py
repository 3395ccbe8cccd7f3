"""A machine without a usable `/dev/shm` has no semaphores: computers think there as well as anywhere else."""

from __future__ import annotations

import errno
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from functools import partial
from pathlib import Path

import pytest

from bot.computers.piped_processes import PipedProcesses, semaphore_problem
from bot.computers.thinkers import LEAST_EFFORT, Thinkers, Workers
from engine.core import State, View
from engine.games import discover
from engine.match import Match
from engine.notation import format_action
from engine.players.thinking import choose_action

SEED = "a seed"

PROGRAM = """
import asyncio, logging, secrets, sys
import _multiprocessing

if sys.argv[1]:
    class SemLock(_multiprocessing.SemLock):
        def __new__(cls, *_):
            raise OSError(int(sys.argv[1]), "as without /dev/shm")
    _multiprocessing.SemLock = SemLock

from bot.computers.thinkers import Thinkers, workers_of
from engine.games import discover
from engine.match import Match
from engine.notation import format_action

async def main():
    logging.basicConfig(level=logging.INFO)
    secrets.token_hex = lambda *_: "a seed"
    spec = discover()["jinns"]
    view = Match.begin(spec, spec.setup(2), "thinking").view(0)
    thinkers = Thinkers(workers_of("processes:2"))
    print(format_action(await thinkers.choose("easy", view)), flush=True)
    print(*getattr(thinkers._hired, "pids", ()), flush=True)
    if len(sys.argv) > 2:
        sys.stdin.read()
    thinkers.close()

if __name__ == "__main__":
    asyncio.run(main())
"""


@pytest.fixture
def view() -> View[State]:
    spec = discover()["jinns"]
    match = Match.begin(spec, spec.setup(2), "thinking")
    return match.view(match.state.decisions()[0].seat)


# not a file: those of tests are in /dev/shm, too
PROGRAM_COMMAND = [sys.executable, "-c", PROGRAM]
"""Lets a computer decide; with a number of an error, semaphores cannot be made."""


@pytest.fixture
def processes() -> Iterator[PipedProcesses]:
    # a process that called a function of this file first would import pytest and the bot
    processes = PipedProcesses(2, os.getpid)
    yield processes
    processes.shutdown()


ENVIRON = os.environ | {"PYTHONPATH": os.getcwd()}


def run(command: list[str]) -> tuple[str, str]:
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRON, timeout=60, check=True)
    return done.stdout, done.stderr


@pytest.mark.parametrize("error", [errno.ENOENT, errno.EROFS, errno.ENOSPC, errno.EACCES, errno.ENOSYS])
def test_any_semaphore_error_is_reported_as_a_problem(error: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(error, os.strerror(error))

    monkeypatch.setattr("multiprocessing.synchronize._multiprocessing.SemLock", refuse)
    assert os.strerror(error) in semaphore_problem()


def test_decisions_without_semaphores_equal_those_with_them(view: View[State]) -> None:
    decision, log = run([*PROGRAM_COMMAND, str(errno.EROFS)])
    assert format_action(choose_action("easy", view, SEED)) == decision.splitlines()[0]
    assert 1 == log.count("this machine has no semaphores")
    assert "ERROR" not in log


def test_computers_decide_the_same_without_a_writable_semaphore_folder(view: View[State]) -> None:
    mount = 'mount -t tmpfs -o size=0,nr_inodes=1 none /dev/shm && exec "$@"'
    command = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, "sh"]
    if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this user may not mount anything")
    decision, log = run([*command, *PROGRAM_COMMAND, ""])
    assert format_action(choose_action("easy", view, SEED)) == decision.splitlines()[0]
    assert "this machine has no semaphores" in log


def test_this_machine_supports_semaphores() -> None:
    assert "" == semaphore_problem()


def test_piped_processes_exit_when_the_bot_is_killed() -> None:
    command = [*PROGRAM_COMMAND, str(errno.EROFS), "and stay"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=ENVIRON) as bot:
        assert bot.stdout is not None
        _, pid = bot.stdout.readline(), bot.stdout.readline()
        bot.kill()
    assert_ends(int(pid))


def assert_ends(pid: int) -> None:
    """A process of another one's ends soon."""
    for _ in range(400):
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
        except FileNotFoundError:
            return
        if state == "Z":
            return
        signal.sigtimedwait([], 0.05)
    raise AssertionError(f"{pid} goes on")


async def test_decisions_continue_after_a_process_has_died(processes: PipedProcesses, view: View[State]) -> None:
    thinkers = Thinkers(Workers(1, lambda: processes))
    assert await thinkers.choose("easy", view) in view.decision_of(view.viewer).options
    (before,) = processes.pids
    os.kill(before, signal.SIGKILL)
    assert_ends(before)
    assert await thinkers.think(partial(max, 1), 2, priority=0) == 2  # type: ignore[arg-type]
    assert before not in processes.pids


def test_a_call_that_kills_its_process_breaks_no_other_call(processes: PipedProcesses) -> None:
    long, deadly = processes.submit(sum, range(10_000_000)), processes.submit(os._exit, 1)
    with pytest.raises(BrokenExecutor):
        deadly.result(30)
    assert sum(range(10_000_000)) == long.result(30)


def test_the_error_of_a_call_to_a_dead_process_can_be_garbage_collected(processes: PipedProcesses) -> None:
    """The buffer of a message that could not be sent must not be part of its traceback."""
    assert 3 == processes.submit(sum, [1, 2]).result(30)
    (pid,) = processes.pids
    os.kill(pid, signal.SIGKILL)
    assert_ends(pid)
    error = processes.submit(sum, [1] * 100_000).exception(30)
    assert isinstance(error, BrokenExecutor)
    error.cycle = error  # type: ignore[attr-defined]
    del error
    gc.collect()


def test_errors_are_returned_and_the_process_survives(processes: PipedProcesses) -> None:
    with pytest.raises(ZeroDivisionError):
        processes.submit(divmod, 1, 0).result(30)
    with pytest.raises(RuntimeError, match="cannot be sent"):
        processes.submit(threading.Lock).result(30)  # which cannot be pickled
    pids = processes.pids
    assert [3, 3] == [future.result(30) for future in [processes.submit(sum, [1, 2]) for _ in range(2)]]
    assert set(pids) <= set(processes.pids)
    assert len(processes.pids) <= 2


def test_shutdown_does_not_wait_for_a_decision(processes: PipedProcesses) -> None:
    endless = processes.submit(signal.pause)
    while not processes.pids:
        signal.sigtimedwait([], 0.01)
    processes.shutdown(wait=False)
    with pytest.raises(BrokenExecutor):
        endless.result(30)
    with pytest.raises(RuntimeError):
        processes.submit(sum, [1])


@pytest.mark.parametrize("error", [OSError("no more processes"), ImportError("no sem_open"), BrokenExecutor()])
async def test_without_workers_a_computer_thinks_briefly_and_never_plays_at_random(
    error: Exception, view: View[State], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("secrets.token_hex", lambda *_: SEED)

    def refuse() -> PipedProcesses:
        raise error

    decided = await Thinkers(Workers(1, refuse)).choose("easy", view)
    assert choose_action("easy", view, SEED, LEAST_EFFORT) == decided
    assert "easy decides in a thread" in caplog.text
