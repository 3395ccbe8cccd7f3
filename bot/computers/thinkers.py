"""The workers that run computer players: a few processes on this machine, or a Dask cluster. Never the event loop."""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import secrets
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from importlib import import_module
from random import Random
from typing import Any, TypeVar

from bot.computers.piped_processes import PipedProcesses, semaphore_problem
from bot.computers.queue import Priority, Queue
from bot.errors import StartError
from bot.metrics import BUSY, THOUGHTS
from bot.tables.faults import fault_of
from engine.core import Action, State, View
from engine.players import discover
from engine.players.thinking import TIMEOUT, choose_action, initialize_worker
from engine.values import Value

T = TypeVar("T")

_log = logging.getLogger(__name__)

PATIENCE = TIMEOUT + 10.0
"""Seconds for a decision, including the start of a worker and the trip to a cluster."""

LEAST_EFFORT = 1 / 8
"""The smallest share of its time that a decision gets, however long the queue is."""

FALLBACK = "uniform"
"""The computer player that decides when another one fails or times out. It plays at random, so the game goes on."""


class Workers(Value):
    """The number of decisions computed at the same time, and the factory of the executor that runs them."""

    number: int
    hire: Callable[[], Executor]


MAX_SUBMITTED = 64
"""Decisions that a cluster is given at once; it has a queue of its own."""


def workers_of(search: str) -> Workers:
    """The workers that a setting names: `processes:2`, or `dask://host:port`."""
    kind, _, where = search.partition(":")
    if kind == "processes":
        return Workers(int(where), partial(_hiring(), int(where)))
    # asked now, at the start: it is imported only when a computer has to think
    if importlib.util.find_spec("distributed") is None:
        raise StartError(
            "SEARCH names a Dask cluster, and there is no Dask. In the folder of the program: pip install -e '.[dask]'"
        )
    return Workers(MAX_SUBMITTED, partial(_Cluster, f"tcp:{where}"))


def _hiring() -> Callable[[int], Executor]:
    """The kind of worker processes that this machine can have."""
    if not (problem := semaphore_problem()):
        return _processes
    _log.warning(
        "this machine has no semaphores (%s), which need a usable /dev/shm; computers think in processes with pipes",
        problem,
    )
    return partial(PipedProcesses, initializer=initialize_worker)


def _processes(number: int) -> Executor:
    """Processes of this machine."""
    from bot.computers.processes import worker_processes  # imported late for a faster start

    return worker_processes(number)


class _Cluster(Executor):
    """A Dask cluster by the address of its scheduler; its workers need the package `engine`.

    It has to be trusted: objects of Python come back from it (docs/scaling.md).
    """

    def __init__(self, address: str) -> None:
        distributed: Any = import_module("distributed")
        self._client = distributed.Client(address, timeout=PATIENCE)
        # by default Dask takes equal calls for one and the same
        self._executor: Executor = self._client.get_executor(pure=False)

    def submit(self, *call: Any, **named: Any) -> Future[Any]:
        """Hand a call to the cluster."""
        return self._executor.submit(*call, **named)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the cluster, which goes on without this bot."""
        self._client.close()


class Place(Value):
    """A table's place in the queue, which it keeps until a person is due there: its number in the order of arrival, and
    the part of their time that its decisions get at most. Else the last of many tables would think longest.
    """

    number: int
    effort: float


class Thinkers:
    """The workers. Moves of computers come first, then hints, then stories (see `bot.computers.queue`). Among moves,
    the table that has waited longest comes first. Where many wait, each is thought about for a part of its time.
    """

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._queue = Queue(workers.number)
        self._hiring = asyncio.Lock()
        self._hired: Executor | None = None

    @property
    def number(self) -> int:
        """The number of decisions computed at the same time."""
        return self._workers.number

    def arrival(self) -> Place:
        """A place in the queue for a table where computers are due from now on."""
        return Place(self._queue.number(), self.effort)

    @property
    def effort(self) -> float:
        """The part of its time that a decision gets now: all of it, a half where more wait than there are workers, a
        quarter where it is more than twice as many, and so on.
        """
        more, part = len(self._queue) / self.number, 1.0
        while more > 1 and part > LEAST_EFFORT:
            more, part = more / 2, part / 2
        return part

    async def choose(self, player: str, view: View[State], *, place: Place | None = None) -> Action:
        """The decision of a computer player for the viewer. After any error, a simpler player decides."""
        place = place or self.arrival()
        seed = secrets.token_hex(16)  # of its own: what a computer plays must say nothing about the luck to come
        try:
            with THOUGHTS.labels(player).time():
                return await self._decide(player, view, seed, place)
        # an error of the player, or a timeout, must not stop the game; the log has it
        except Exception as error:
            if fault_of(error, view.game) is None:
                _log.exception("the player %s came to no decision in %s", player, view.game)
            return discover()[FALLBACK].choose(view, Random(seed))

    async def _decide(self, player: str, view: View[State], seed: str, place: Place) -> Action:
        try:
            return await self._patiently(
                lambda: partial(choose_action, player, view, seed, min(place.effort, self.effort)),
                Priority.MOVE,
                place.number,
            )
        except TimeoutError:
            raise
        # a thread holds up the bot itself, so it gets as little time as possible
        except (BrokenExecutor, ImportError, OSError) as error:
            _log.warning(
                "no worker is available (%s): %s decides in a thread, in less time", type(error).__name__, player
            )
            return await asyncio.to_thread(choose_action, player, view, seed, LEAST_EFFORT)

    async def think(self, call: Callable[..., T], *given: object, priority: Priority) -> T:
        """Call a function of the engine in a worker. Raises its errors, and `TimeoutError`."""
        return await self._patiently(lambda: partial(call, *given), priority)

    async def _patiently(self, work: Callable[[], partial[T]], priority: Priority, since: int | None = None) -> T:
        """Like `think`, for work that is determined only when its turn has come."""
        # a process that dies takes all calls of its pool with it; this one was probably innocent, so it gets another
        # try
        for _ in range(2):
            try:
                return await self._think(work, priority, since)
            except BrokenExecutor:
                _log.warning("a worker process has died; the bot starts new ones")
                self._hired = None
        raise BrokenExecutor

    async def _think(self, work: Callable[[], partial[T]], priority: Priority, since: int | None) -> T:
        await self._queue.acquire(priority, since)
        try:
            due = work()
            future = (await self._executor()).submit(due.func, *due.args)
        # a canceled caller, too, must give its slot back
        except BaseException:
            self._queue.release()
            raise
        BUSY.inc()
        loop = asyncio.get_running_loop()
        future.add_done_callback(lambda _: self._release(loop))  # a worker is busy even after its caller has given up
        async with asyncio.timeout(PATIENCE):
            return await asyncio.wrap_future(future)

    def _release(self, loop: asyncio.AbstractEventLoop) -> None:
        BUSY.dec()
        if not loop.is_closed():
            # executors call back from threads of their own
            loop.call_soon_threadsafe(self._queue.release)

    async def _executor(self) -> Executor:
        """The workers, hired when they are needed first; that may take a while, and more than one may ask."""
        async with self._hiring:
            if self._hired is None:
                self._hired = await asyncio.to_thread(self._workers.hire)
            return self._hired

    def close(self) -> None:
        """Send the workers home; what they think about is lost."""
        if self._hired is not None:
            # or the bot could not leave before the last of them has come to its decision
            self._hired.shutdown(wait=False)
