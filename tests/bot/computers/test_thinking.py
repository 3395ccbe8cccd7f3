"""Computers think beside the game: people go on meanwhile, and nothing that goes wrong with a thinker stops a match."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar

import pytest

from bot import pauses
from bot.clock import Clock
from bot.computers import thinkers as thinkers_module
from bot.computers.computers import Computers
from bot.computers.queue import Priority, Queue
from bot.computers.thinkers import Place, Thinkers, Workers, workers_of
from bot.interactions.refusals import Verdict
from bot.jobs import computer
from bot.pauses import Backoff
from bot.store.facts import Facts
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import Job, JobKind
from bot.store.log import NewEntries
from bot.store.matches import SeatHolder
from bot.store.opening import open_database
from bot.store.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.seats import Seats
from bot.tables.tables import Tables
from bot.tables.undoing import Undoing
from bot.worker import Work, Worker
from engine.games import discover
from engine.match import Match
from engine.players import Player
from engine.players import discover as discover_players
from engine.players.search.thinker import with_effort
from engine.players.thinking import choose_action
from engine.texts import Seat

HOST, GUEST = 70, 71
T = TypeVar("T")


# --- the workers ---


@pytest.fixture
def view() -> Any:
    spec = discover()["jinns"]
    match = Match.begin(spec, spec.setup(2), "thinking")
    return match.view(match.state.decisions()[0].seat)


SECRETS = {"DISCORD_TOKEN": "MTA1.hush", "DATABASE_URL": "postgresql://a:hush@b/c", "PGPASSWORD": "hush"}


@pytest.mark.parametrize("pool", ["worker_processes(2)", "PipedProcesses(2, initializer=initialize_worker)"])
def test_no_process_that_the_bot_starts_inherits_its_secrets(tmp_path: Path, pool: str) -> None:
    program = tmp_path / "started.py"
    program.write_text(STARTS_WORKERS.replace("POOL", pool))
    # the code of this checkout, also where another one is installed
    environment = {**os.environ, **SECRETS, "PYTHONPATH": str(Path(__file__).parents[3])}
    run = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, env=environment, timeout=60, check=True
    )
    inherited, still_there = run.stdout.split()
    assert ("0", "3") == (inherited, still_there), "others know the secrets, or the bot itself does not any more"


STARTS_WORKERS = """
import os
from pathlib import Path
from time import sleep
from bot.computers.piped_processes import PipedProcesses
from bot.computers.processes import worker_processes
from engine.players.thinking import initialize_worker

if __name__ == "__main__":
    with POOL as pool:
        list(pool.map(sleep, [0.2] * 4))
        tasks = Path(f"/proc/{os.getpid()}/task").iterdir()
        started = [child for task in tasks for child in (task / "children").read_text().split()]
        assert len(started) >= 2
        print(sum(Path(f"/proc/{one}/environ").read_bytes().count(b"hush") for one in started))
    print(sum("hush" in value for value in os.environ.values()))
"""


def in_threads(number: int = 1) -> Workers:
    return Workers(number, lambda: ThreadPoolExecutor(number))


async def test_a_dead_worker_process_is_replaced(view, caplog):
    thinkers = Thinkers(workers_of("processes:1"))
    try:
        assert await thinkers.choose("easy", view) in view.decision_of(view.viewer).options
        (worker,) = thinkers._hired._processes
        os.kill(worker, signal.SIGKILL)
        assert await thinkers.choose("easy", view) in view.decision_of(view.viewer).options
        (other,) = thinkers._hired._processes
        assert other != worker
    finally:
        thinkers.close()


WITH_A_WORKER = """
import asyncio
from bot.computers.thinkers import Thinkers, workers_of
from engine.games import discover
from engine.match import Match

async def main():
    spec = discover()["jinns"]
    thinkers = Thinkers(workers_of("processes:1"))
    await thinkers.choose("easy", Match.begin(spec, spec.setup(2), "s").view(0))
    print(*thinkers._hired._processes, flush=True)
    await asyncio.sleep(60)

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_workers_exit_when_the_bot_is_killed(tmp_path):
    (tmp_path / "main.py").write_text(WITH_A_WORKER)
    environ = os.environ | {"PYTHONPATH": os.getcwd()}
    with subprocess.Popen([sys.executable, tmp_path / "main.py"], stdout=subprocess.PIPE, env=environ) as bot:
        worker = int(bot.stdout.readline())
        bot.kill()
    last = time.monotonic() + 20
    while _lives(worker) and time.monotonic() < last:
        time.sleep(0.05)
    assert not _lives(worker)


def _lives(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_the_alarm_of_a_decision_is_cleared(view):
    assert choose_action("uniform", view, "seed") in view.decision_of(view.viewer).options
    assert 0 == signal.alarm(0), "seconds that are left"


async def test_a_failing_player_falls_back_to_a_legal_move(view, monkeypatch, caplog):
    def stumbling(_view, _rng):
        raise ValueError("no idea")

    monkeypatch.setitem(discover_players(), "stumbling", Player("Stumbling", stumbling))
    thinkers = Thinkers(in_threads())
    assert await thinkers.choose("stumbling", view) in view.decision_of(view.viewer).options
    assert "came to no decision" in caplog.text
    thinkers.close()


async def test_an_unresponsive_worker_blocks_no_decision(view, monkeypatch, caplog):
    monkeypatch.setattr(thinkers_module, "PATIENCE", 0.01)
    thinkers = Thinkers(Workers(2, _Silent))
    assert await thinkers.choose("easy", view) in view.decision_of(view.viewer).options


class _Silent(Executor):
    """A worker that accepts everything and never answers."""

    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        return Future()


class _Breaking(Executor):
    def submit(self, *_: Any, **__: Any) -> Future[Any]:
        raise BrokenExecutor


async def test_workers_that_keep_dying_are_given_up(view, caplog):
    hired: list[Executor] = []

    def hire() -> Executor:
        hired.append(_Breaking())
        return hired[-1]

    thinkers = Thinkers(Workers(1, hire))
    for _ in range(2):
        assert await thinkers.choose("easy", view) in view.decision_of(view.viewer).options
    assert len(hired) == 4


def test_a_player_that_thinks_forever_is_interrupted(view, monkeypatch):
    def endless(_view, _rng):
        while True:
            signal.pause()

    monkeypatch.setitem(discover_players(), "endless", Player("Endless", endless))
    with pytest.raises(TimeoutError):
        choose_action("endless", view, "seed", timeout=1)


async def test_a_dask_cluster_handles_the_same_calls(view):
    from distributed import LocalCluster

    options = {"processes": False, "n_workers": 1, "threads_per_worker": 1, "dashboard_address": None}
    async with LocalCluster(asynchronous=True, host="127.0.0.1", protocol="tcp", **options) as cluster:
        thinkers = Thinkers(workers_of(cluster.scheduler_address.replace("tcp://", "dask://")))
        expected = choose_action("easy", view, "a seed")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("secrets.token_hex", lambda *_: "a seed")
            assert expected == await thinkers.choose("easy", view)
        await asyncio.to_thread(thinkers.close)


# --- the order of requests ---


class _OneAfterTheOther(Executor):
    """A worker that begins what it is given, and finishes it when a test says so."""

    def __init__(self) -> None:
        self.begun: asyncio.Queue[Any] = asyncio.Queue()
        self._work: list[Callable[[], None]] = []

    def submit(self, call: Any, /, *given: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self._work.append(lambda: future.set_result(call(*given)))
        self.begun.put_nowait(given[0])
        return future

    def finish(self) -> None:
        """Finish the newest request."""
        self._work.pop(0)()

    async def next(self) -> Any:
        """Finish a request. Returns the next one."""
        self._work.pop(0)()
        async with asyncio.timeout(10):
            return await self.begun.get()


async def busy_worker() -> tuple[_OneAfterTheOther, Thinkers]:
    """A worker that is busy with a story."""
    worker = _OneAfterTheOther()
    thinkers = Thinkers(Workers(1, lambda: worker))
    await start(thinkers.think(str, "story", priority=Priority.STORY))
    assert "story" == await worker.begun.get()
    return worker, thinkers


async def start(work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Start some work, and let it run until it waits."""
    task = asyncio.create_task(work)
    await asyncio.sleep(0)
    return task


async def test_moves_run_before_hints_and_stories_run_last(view):
    worker, thinkers = await busy_worker()
    for name, priority in (("s", Priority.STORY), ("h", Priority.HINT), ("i", Priority.HINT)):
        await start(thinkers.think(str, name, priority=priority))
    for player in ("easy", "fair"):
        await start(thinkers.choose(player, view))
    assert ["easy", "fair", "h", "i", "s"] == [await worker.next() for _ in range(5)]


async def test_a_table_keeps_its_place_in_the_queue_until_a_person_is_due(view):
    worker, thinkers = await busy_worker()
    first, second = thinkers.arrival(), thinkers.arrival()
    for player, place in (("fair", second), ("easy", first)):
        await start(thinkers.choose(player, view, place=place))
    assert "easy" == await worker.next()
    await start(thinkers.choose("uniform", view, place=first))
    assert ["uniform", "fair"] == [await worker.next() for _ in range(2)]


@pytest.mark.parametrize("efforts", [[1 / 4, 1 / 2, 1 / 2, 1 / 4], [1 / 8] * 18], ids=["a few", "many"])
async def test_decisions_get_less_time_the_more_are_waiting(view, monkeypatch, efforts):
    """The first ones come when hardly anybody waits, and their turn comes when many do; the last ones come late."""
    worker, thinkers = await busy_worker()
    results = list[float]()
    monkeypatch.setattr(
        thinkers_module, "choose_action", lambda *call: results.append(call[-1]) or choose_action("uniform", view, "")
    )
    for _ in efforts:
        await start(thinkers.choose("strong", view))
    for _ in efforts:
        await worker.next()
    worker.finish()
    assert efforts == results, "there is one worker"


def test_a_fraction_of_the_effort_is_the_same_fraction_of_the_steps(view):
    strong = discover_players()["strong"].choose
    half = with_effort(strong, 0.5)
    assert strong.effort(view).steps // 2 == half.effort(view).steps
    assert discover_players()["uniform"].choose is with_effort(discover_players()["uniform"].choose, 0.5)


async def test_an_abandoned_request_is_not_started():
    worker, thinkers = await busy_worker()
    first, _ = [await start(thinkers.think(str, name, priority=Priority.HINT)) for name in "ab"]
    first.cancel()
    assert "b" == await worker.next()


async def test_a_waiter_canceled_on_its_turn_passes_the_turn_on():
    queue = Queue(1)
    await queue.acquire(Priority.HINT)
    first_place, other = [await start(queue.acquire(Priority.HINT)) for _ in range(2)]
    queue.release()
    first_place.cancel()
    async with asyncio.timeout(10):
        await other
    queue.release()
    async with asyncio.timeout(10):
        await queue.acquire(Priority.STORY)


async def test_waiters_who_share_a_place_come_in_the_order_of_their_calls():
    queue, turns = Queue(1), []

    async def wait(name):
        await queue.acquire(Priority.MOVE, 7)
        turns.append(name)
        queue.release()

    await queue.acquire(Priority.HINT)
    waiters = [await start(wait(name)) for name in "abc"]
    queue.release()
    await asyncio.gather(*waiters)
    assert ["a", "b", "c"] == turns


# --- at a table ---


class App:
    """A store with one match on it, whose computers think until they are told to play, as jobs of a worker."""

    def __init__(self, store: Store) -> None:
        self.store = store

    async def begin(self) -> None:
        """Load everything from the database, like a new process."""
        self.tables = Tables(self.store)
        self.moves = Moves(self.store, self.tables, Clock())
        self.seats = Seats(self.store, self.tables, Clock(), "uniform")
        self.shown: list[int] = []
        self.asked: list[int] = []
        self.views: list[Any] = []
        self.places: list[int] = []
        self.numbers = itertools.count()
        self.ready = asyncio.Event()
        self.computers = Computers(self.moves, self, self._publish)
        self.tables.watch(self.computers.cancel_outdated)
        self.worker = Worker(self.store, Clock())
        await self.worker.start({kind: Work(self._run, lambda job: job.key) for kind in JobKind}, self._before)

    async def _run(self, job: Job) -> Job | None:
        if job.kind is not JobKind.COMPUTER:
            return job.at(job.due_at + timedelta(days=1))
        services: Any = SimpleNamespace(tables=self.tables, computers=self.computers, moves=self.moves)
        return await computer.run(services, job)

    async def _before(self, now: datetime) -> None:
        """No work before the jobs."""

    async def leave(self) -> None:
        """Stop, like a process that ends."""
        self.computers.close()
        await self.worker.close()

    async def thinks(self, table: Any) -> bool:
        return await self.store.jobs.find(JobKind.COMPUTER, table.id) is not None

    def arrival(self) -> Place:
        return Place(next(self.numbers), 1.0)

    async def choose(self, _player: str, view: Any, *, place: Place) -> Any:
        """Stand-in for `Thinkers.choose`: the first option, once `ready` is set."""
        self.asked.append(view.ply)
        self.places.append(place.number)
        self.views.append(view)
        await self.ready.wait()
        return view.decision_of(view.viewer).options[0]

    def close(self) -> None:
        """Stand-in for `Thinkers.close`."""

    async def _publish(self, table: Any) -> None:
        self.shown.append(table.match.version)

    async def game(self, game: str, *others: SeatHolder) -> Any:
        lobbies = Lobbies(self.store, self.tables, Clock())
        table = await lobbies.open(game, guild_id=1, channel_id=5, host=SeatHolder(HOST))
        await lobbies.change_holders(table, lambda holders: [*holders, *others])
        for user in table.people:
            await lobbies.note_ready(table, user, asked=False)
        await self.moves.start(table, 1)
        return table

    async def play(self, table: Any, user: int = HOST) -> Any:
        seat = table.seat_of(user)
        (option, *_) = next(d.options for d in table.match.state.decisions() if d.seat == seat)
        number = table.match.version + 1
        return await self.moves.play(table, user, option, interaction_id=number, version=None)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not done():  # noqa: ASYNC110 (nothing notifies about this)
                await asyncio.sleep(0.001)


@pytest.fixture
async def app(tmp_path, monkeypatch):
    monkeypatch.setitem(discover_players(), "slow", Player("Slow", lambda view, rng: view.decisions[0].options[0]))
    async with open_database(f"sqlite:///{tmp_path}/caravanserai.db") as database:
        app = App(Store(database))
        await app.begin()
        yield app
        await app.leave()


async def until_a_computer_is_due(app: App, table: Any) -> None:
    while not app.moves.thinker_due(table):
        await app.play(table)


async def test_a_thinking_computer_does_not_block_people(app):
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    version = table.match.version
    await app.until(lambda: bool(app.asked))
    assert not table.lock.locked()
    assert (version, []) == (table.match.version, app.shown)
    app.ready.set()
    await app.until(lambda: bool(app.shown))
    assert [table.match.version] == app.shown
    assert table.match.version > version
    assert [Seat(0)] == [decision.seat for decision in table.match.state.decisions()]
    assert table.match.entries == await app.store.log.entries(table.id)


async def test_computers_in_a_row_share_a_place_in_the_queue_until_a_person_has_moved(app):
    table = await app.game("jinns", *(SeatHolder(computer="slow") for _ in range(2)))
    app.ready.set()
    places = []
    for moves in (1, 2):
        await until_a_computer_is_due(app, table)
        await app.until(lambda moves=moves: len(app.shown) == moves)
        places.append((*app.places,))
        app.places.clear()
    (first, *others), (later, *_) = places
    assert ({first}, True) == ({*others}, later > first)


async def test_a_decision_for_an_older_position_is_discarded(app):
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    await app.until(lambda: bool(app.asked))
    version = table.match.version
    await Undoing(app.tables, app.moves, Clock()).undo(table, HOST, interaction_id=900)
    app.ready.set()
    await asyncio.sleep(0.05)
    assert (version + 1, []) == (table.match.version, app.shown)
    assert [Seat(0)] == [decision.seat for decision in table.match.state.decisions()]


async def test_a_computer_stops_playing_a_seat_that_a_person_takes_over(app):
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    version = table.match.version
    await app.seats.offer(table, [Seat(1)])
    await app.seats.take_over(table, Seat(1), SeatHolder(GUEST))
    app.ready.set()
    await asyncio.sleep(0.05)
    assert version == table.match.version
    await app.play(table, GUEST)


async def test_calling_off_a_game_stops_its_thinking_computer(app):
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    await app.seats.end(table, at=Clock().now())
    version = table.match.version
    app.ready.set()
    await asyncio.sleep(0.05)
    assert (version, {}) == (table.match.version, app.computers._thinking)


async def test_a_computer_resumes_thinking_after_a_restart(app):
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    await app.until(lambda: bool(app.asked))
    await app.leave()
    await app.begin()
    app.ready.set()
    await app.until(lambda: bool(app.shown))
    reloaded = await app.tables.find(table.id)
    assert reloaded.match.version > table.match.version


async def test_a_thinking_computer_sees_only_what_its_seat_sees(app, toys):
    table = await app.game("sealed", SeatHolder(GUEST), SeatHolder(computer="slow"))
    await app.until(lambda: len(app.views) == 1)
    await app.play(table)
    await app.until(lambda: len(app.views) == 2)
    view = app.views[-1]
    assert table.match.state != view.state == table.match.state.observe(Seat(2)), "the bid of the host is hidden"


async def test_a_computer_deciding_alongside_people_reveals_nothing_hidden(app, toys):
    table = await app.game("sealed", SeatHolder(GUEST), SeatHolder(computer="slow"))
    board = table.waiting
    app.ready.set()
    await app.until(lambda: bool(app.shown))
    assert board == table.waiting, "a sealed bid is no news"
    assert {Seat(0), Seat(1)} == {decision.seat for decision in table.match.state.decisions()}


@pytest.mark.parametrize(
    "error", [OSError("no disk"), DatabaseUnavailable(FailureKind.LOCKED, "the database is locked")]
)
async def test_a_computer_thinks_again_after_a_failed_write(app, monkeypatch, caplog, error):
    monkeypatch.setattr(pauses, "BACKOFFS", dict.fromkeys(Verdict, Backoff(0.01, 1, 1)))
    write = app.store.write
    refused: list[int] = []

    async def locked(before: Facts, after: Facts, version: int, new: NewEntries | None, checks: Any) -> Facts:
        if new is not None and new.first and new.interaction_id is None and not refused:
            refused.append(1)
            raise error
        return await write(before, after, version, new, checks)

    monkeypatch.setattr(app.store, "write", locked)
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    app.ready.set()
    await app.until(lambda: bool(app.shown))
    assert [1] == refused
    assert table.match.entries == await app.store.log.entries(table.id)


async def test_a_job_is_stored_while_a_computer_is_thinking(app):
    table = await app.game("jinns", SeatHolder(computer="slow"))
    await until_a_computer_is_due(app, table)
    assert await app.thinks(table)
    app.ready.set()
    await app.until(lambda: bool(app.shown))
    assert not await app.thinks(table), "a person is due"
