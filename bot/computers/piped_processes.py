"""Worker processes without semaphores, for machines that make none, as where `/dev/shm` is missing.

`ProcessPoolExecutor` needs semaphores for its queues. Here each process has a pipe and a thread that waits for it.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, ParamSpec, TypeVar

from bot.computers.processes import WorkerContext

P = ParamSpec("P")
T = TypeVar("T")


def semaphore_problem() -> str:
    """Why no semaphores can be made on this machine; "" if they can."""
    if sys.platform == "win32":
        return ""
    try:
        # of this context: its semaphores need no process that cleans up after them
        get_context("fork").Lock()
    # an `ImportError` where Python was built without them
    except (ImportError, OSError) as error:
        return str(error)
    return ""


class PipedProcesses(Executor):
    """At most `number` processes, each started when it is first needed; `initializer` runs first in each."""

    def __init__(self, number: int, initializer: Callable[[], None]) -> None:
        self._initializer = initializer
        self._threads = ThreadPoolExecutor(number, "piped process")
        # a thread keeps its process between two calls
        self._of_thread = threading.local()
        self._processes: set[_Process] = set()
        self._is_shut_down = False

    @property
    def pids(self) -> list[int]:
        """The ids of the processes that run."""
        # one that was killed stays in the set until its thread has another call
        return [pid for process in [*self._processes] if (pid := process.pid) and process.is_alive()]

    def submit(self, call: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> Future[T]:
        """Call a function in a process. Its future raises what it does, and `BrokenExecutor` if the process dies."""
        return self._threads.submit(self._call, call, args, named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes; calls under way fail."""
        self._is_shut_down = True
        # a copy: the threads change it
        for process in [*self._processes]:
            process.end()
        self._threads.shutdown(wait, cancel_futures=cancel_futures)

    def _call(self, call: Callable[..., T], args: tuple[Any, ...], named: dict[str, Any]) -> T:
        process = self._process()
        try:
            has_returned, result = process.ask((call, args, named))
        except (EOFError, OSError):
            self._of_thread.process = None
            self._processes.discard(process)
            process.end()
            raise BrokenExecutor("a worker process has died") from None
        if has_returned:
            return result  # type: ignore[no-any-return]  # the call's own result, unpickled
        raise result

    def _process(self) -> _Process:
        if self._is_shut_down:
            raise BrokenExecutor("the workers were sent home")
        process: _Process | None = getattr(self._of_thread, "process", None)
        if process is None:
            process = self._of_thread.process = _Process(self._initializer)
            self._processes.add(process)
        return process


class _Process:
    """A process that calls functions, one at a time."""

    def __init__(self, initializer: Callable[[], None]) -> None:
        # as those of the pool: without the connections and the secrets of the bot
        context = WorkerContext()
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, initializer), daemon=True)
        self._process.start()
        # else the end of the process would not end the pipe
        theirs.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def ask(self, work: tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]) -> tuple[bool, Any]:
        """Whether a call has returned, and its result, or else its exception. Raises `EOFError` or `OSError`."""
        _put(self._pipe, work)
        answer: tuple[bool, Any] = _take(self._pipe)
        return answer

    def end(self) -> None:
        self._process.terminate()


def _serve(pipe: Connection, initializer: Callable[[], None]) -> None:
    """Carry out the calls that arrive through a pipe until it is closed."""
    initializer()
    with suppress(EOFError):
        while True:
            call, args, named = _take(pipe)
            try:
                answer = True, call(*args, **named)
            # a failed call must not end the process; the caller raises the error
            except Exception as error:
                answer = False, error
            _send(pipe, answer)


def _send(pipe: Connection, answer: tuple[bool, Any]) -> None:
    try:
        _put(pipe, answer)
    # pickling runs code of the answer, so any error may come up; nothing was sent, and the caller gets an error
    except Exception as error:
        _put(pipe, (False, RuntimeError(f"the answer of a worker cannot be sent: {type(error).__name__}")))


def _put(pipe: Connection, value: object) -> None:
    # not `Connection.send`: if the other end has died, the traceback keeps a view of its buffer, and if that is part
    # of a cycle, its collection prints an error, or crashes Python 3.12
    pipe.send_bytes(pickle.dumps(value))


def _take(pipe: Connection) -> Any:
    return pickle.loads(pipe.recv_bytes())
