"""Group commit: who waits shares a transaction with the others, and fails by himself."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool

from bot.store import schema, trips
from bot.store.connections import Connection, Engine
from bot.store.database import file_address, opened
from bot.store.rows import Taken
from bot.store.store import Store
from bot.store.trips import FileEngine, Thread, in_one_trip
from bot.store.trouble import DatabaseTrouble, Kind

DATABASE = "games.db"


@pytest.fixture
async def engine(folder: Path) -> AsyncIterator[FileEngine]:
    async with opened(file_address(folder / DATABASE)) as engine:
        async with engine.connect() as connection:  # there is but one
            await connection.exec_driver_sql("PRAGMA busy_timeout=500")
        assert isinstance(engine, FileEngine)
        yield engine


@pytest.fixture
def store(engine: FileEngine) -> Store:
    return Store(engine)


@pytest.fixture
def commits(engine: FileEngine, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was committed: one element a flush of the disk."""
    made: list[object] = []
    really = engine.dialect.do_commit

    def noted(connection: object) -> None:
        made.append(connection)
        really(connection)  # type: ignore[arg-type]

    monkeypatch.setattr(engine.dialect, "do_commit", noted)
    return made


@asynccontextmanager
async def waiting(engine: Engine, *works: Coroutine[Any, Any, Any]) -> AsyncIterator[list[asyncio.Task[Any]]]:
    """Tasks that wait for the connection, which is in other hands."""
    async with engine.connect():
        tasks = [asyncio.create_task(work) for work in works]
        await asyncio.sleep(0.01)
        yield tasks


def put(store: Store, user_id: int) -> Coroutine[Any, Any, None]:
    return store.settings.put("user", user_id, "habits", user_id)


async def get(store: Store, *user_ids: int) -> list[object]:
    return [await store.settings.get("user", user_id, "habits") for user_id in user_ids]


def full(_: object) -> None:
    """A commit that fails."""
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise error


async def nothing(_: Connection) -> None:
    """Writes and reads nothing."""


def broken(store: Store) -> Coroutine[Any, Any, None]:
    return failing(store, ZeroDivisionError())


async def failing(store: Store, error: Exception) -> None:
    async def work(connection: Connection) -> None:
        await connection.exec_driver_sql("INSERT INTO settings VALUES ('user', 9, 'habits', '9')")
        raise error

    await store._transactions.write(work)


async def twice(store: Store) -> None:
    async def work(connection: Connection) -> None:
        for _ in range(2):
            await connection.exec_driver_sql("INSERT INTO settings VALUES ('user', 9, 'habits', '9')")

    await store._transactions.write(work)


async def test_who_waits_for_the_connection_shares_a_trip_and_a_commit(
    engine: FileEngine, store: Store, commits: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    trips, really = list[object](), Thread.carry_out

    async def noted(self: Thread, do: Callable[[], Any]) -> Any:
        trips.append(do)
        return await really(self, do)

    monkeypatch.setattr(Thread, "carry_out", noted)
    async with waiting(engine, *(put(store, n) for n in range(5))) as tasks:
        pass
    await asyncio.gather(*tasks)
    assert [1, 1] == [len(commits), len(trips)]
    assert [*range(5)] == await get(store, *range(5))


async def test_who_comes_meanwhile_shares_the_next_one(store: Store, commits: list[object]) -> None:
    await asyncio.gather(*(put(store, n) for n in range(5)))
    assert len(commits) in (1, 2)
    assert [*range(5)] == await get(store, *range(5))


async def test_each_is_given_what_it_has_written(engine: FileEngine, store: Store) -> None:
    async def number(n: int) -> int:
        async def work(_: Connection) -> int:
            return n

        return await store._transactions.write(work)

    async with waiting(engine, number(1), number(2), number(3)) as tasks:
        pass
    assert [1, 2, 3] == await asyncio.gather(*tasks)


async def test_one_that_fails_fails_alone_and_leaves_nothing(
    engine: FileEngine, store: Store, commits: list[object]
) -> None:
    async with waiting(
        engine, put(store, 1), twice(store), put(store, 3), failing(store, ZeroDivisionError())
    ) as tasks:
        pass
    came = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(None), Taken, type(None), ZeroDivisionError] == [*map(type, came)]
    assert [1, None, 3] == await get(store, 1, 9, 3)
    assert 1 == len(commits)


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.LOCKED])
async def test_trouble_of_one_is_none_of_others(engine: FileEngine, store: Store, kind: Kind) -> None:
    """A page may be damaged that they do not need; and a full disk they will find full themselves."""
    trouble = DatabaseTrouble(kind, "")
    async with waiting(engine, put(store, 1), failing(store, trouble), put(store, 3)) as tasks:
        pass
    assert [None, trouble, None] == await asyncio.gather(*tasks, return_exceptions=True)
    assert [1, None, 3] == await get(store, 1, 9, 3)


async def test_only_one_waits_in_vain_for_another_program(engine: FileEngine, store: Store, folder: Path) -> None:
    tried: list[int] = []

    async def counted(n: int) -> None:
        async def work(connection: Connection) -> None:
            tried.append(n)
            await connection.exec_driver_sql("DELETE FROM settings")

        await store._transactions.write(work)

    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        async with waiting(engine, *map(counted, range(4))) as tasks:
            other.execute("BEGIN IMMEDIATE")
        came = await asyncio.gather(*tasks, return_exceptions=True)
    assert 4 * [Kind.LOCKED] == [trouble.kind for trouble in came if isinstance(trouble, DatabaseTrouble)]
    assert [0] == tried


async def test_a_commit_that_fails_has_written_nothing_for_anybody(
    engine: FileEngine, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with waiting(engine, *(put(store, n) for n in range(3))) as tasks:
        monkeypatch.setattr(engine.dialect, "do_commit", full)
    came = await asyncio.gather(*tasks, return_exceptions=True)
    monkeypatch.undo()
    assert 3 * [Kind.FULL] == [trouble.kind for trouble in came if isinstance(trouble, DatabaseTrouble)]
    assert 3 * [None] == await get(store, *range(3))


async def test_who_begins_anew_finds_nothing_left_of_a_commit_that_failed(
    engine: FileEngine, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    really, times = engine.dialect.do_commit, iter([full])

    async def once(user_id: int) -> None:
        async def work(connection: Connection) -> None:
            await connection.exec_driver_sql(f"INSERT INTO settings VALUES ('user', {user_id}, 'habits', '1')")

        await store._transactions.write(work)

    async with waiting(engine, once(0), once(1), once(2)) as tasks:
        monkeypatch.setattr(engine.dialect, "do_commit", lambda connection: next(times, really)(connection))
    came = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(None), type(None), DatabaseTrouble] == [*map(type, came)]
    assert [1, 1, None] == await get(store, *range(3))


async def test_who_is_broken_off_while_waiting_writes_nothing(engine: FileEngine, store: Store) -> None:
    async with waiting(engine, put(store, 1), put(store, 2), put(store, 3)) as tasks:
        tasks[0].cancel()
        tasks[1].cancel()
    await asyncio.wait(tasks)
    assert [True, True, False] == [task.cancelled() for task in tasks]
    assert [None, None, 3] == await get(store, 1, 2, 3)


@pytest.mark.parametrize("leaving", [0, 1])
async def test_who_is_broken_off_in_the_midst_stays_until_all_is_written(
    engine: FileEngine, store: Store, folder: Path, leaving: int
) -> None:
    """Be it the one who writes for all, or one for whom another writes."""
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        async with waiting(engine, put(store, 0), put(store, 1)) as tasks:
            pass
        for _ in range(3):
            await asyncio.sleep(0.05)  # the first statement waits for the other program
            tasks[leaving].cancel()
        assert not any(task.done() for task in tasks)
        other.execute("ROLLBACK")
    await asyncio.wait(tasks)
    assert [n == leaving for n in range(2)] == [task.cancelled() for task in tasks]
    assert [0, 1] == await get(store, 0, 1)


async def test_nobody_takes_for_written_what_the_thread_has_refused(
    engine: FileEngine, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_: object) -> None:
        raise ValueError("the connection is closed")

    async with waiting(engine, put(store, 1), put(store, 2)) as tasks:
        monkeypatch.setattr(Thread, "carry_out", refused)
    came = await asyncio.gather(*tasks, return_exceptions=True)
    assert 2 * [ValueError] == [*map(type, came)]


async def test_with_a_server_nobody_is_broken_off_with_others() -> None:
    server = create_async_engine("sqlite+aiosqlite://", poolclass=AsyncAdaptedQueuePool, pool_size=1, max_overflow=0)
    async with server.begin() as connection:
        await connection.run_sync(schema.metadata.create_all)
    store, begun = Store(server), asyncio.Event()

    async def long(_: Connection) -> None:
        begun.set()
        await asyncio.Event().wait()

    async with waiting(server, store._transactions.write(long), put(store, 1)) as tasks:
        pass
    await begun.wait()
    tasks[0].cancel()
    await asyncio.wait(tasks)
    assert [True, False] == [task.cancelled() for task in tasks]
    assert [1] == await get(store, 1)
    await server.dispose()


async def test_who_waits_too_long_for_those_before_is_told(
    engine: FileEngine, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trips, "PATIENCE", 0.02)
    async with engine.connect():
        for work in (put(store, 1), store.settings.having("user", "habits")):
            with pytest.raises(DatabaseTrouble, match=Kind.LOCKED):
                await work
    assert [None] == await get(store, 1)


async def test_a_connection_that_is_closed_refuses(engine: FileEngine) -> None:
    async with engine.connect() as connection:
        await connection.thread.close()
        with pytest.raises(ValueError, match="closed"):
            await in_one_trip(connection, nothing)
