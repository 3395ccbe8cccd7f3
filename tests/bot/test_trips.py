"""The driver of the database: one trip to its thread a transaction; nothing is left behind by whoever is broken off."""

from __future__ import annotations

import asyncio
import gc
import os
import sqlite3
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

import aiosqlite
import pytest

from bot.store.connections import Connection
from bot.store.database import file_address, opened
from bot.store.store import Store
from bot.store.trips import Thread
from bot.store.trouble import DatabaseTrouble, Kind

DATABASE = "games.db"


@pytest.fixture
async def store(folder: Path) -> AsyncIterator[Store]:
    async with opened(file_address(folder / DATABASE)) as engine:
        yield Store(engine)


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What the thread of the database is asked to do, from outside."""
    made: list[object] = []

    def note(where: type[aiosqlite.Connection], name: str) -> None:
        really = getattr(where, name)

        async def noted(self: aiosqlite.Connection, do: object, *args: Any, **kwargs: Any) -> Any:
            made.append(do)
            return await really(self, do, *args, **kwargs)

        monkeypatch.setattr(where, name, noted)

    note(aiosqlite.Connection, "_execute")
    note(Thread, "carry_out")
    return made


async def test_what_is_looked_up_takes_one_trip(store: Store, trips: list[object]) -> None:
    assert await store.settings.get("user", 7, "habits") is None
    assert 1 == len(trips)


async def test_what_is_looked_up_together_takes_one_trip(store: Store, trips: list[object]) -> None:
    async def look() -> list[object]:
        return [await store.settings.get("user", n, "habits") for n in range(3)]

    assert [None] * 3 == await store.together(look)
    assert 1 == len(trips)


async def test_nothing_is_written_by_what_only_looks(store: Store, folder: Path) -> None:
    with pytest.raises(RuntimeError):
        await store.together(lambda: store.settings.put("user", 7, "habits", 1))
    assert await store.settings.get("user", 7, "habits") is None
    _is_free(folder)


async def test_what_a_user_has_chosen_is_looked_up_once_until_it_changes(store: Store, trips: list[object]) -> None:
    async def known() -> tuple[object, int]:
        return await store.settings.get("user", 7, "habits"), len(trips)

    assert [(None, 1), (None, 1)] == [await known(), await known()]
    await store.settings.put("user", 7, "habits", {"direct": True})
    assert [({"direct": True}, 3), ({"direct": True}, 3)] == [await known(), await known()]
    store.settings.changed(7)
    assert ({"direct": True}, 4) == await known()


async def test_a_change_while_it_is_looked_up_is_not_forgotten(store: Store) -> None:
    looking = asyncio.create_task(store.settings.get("user", 7, "habits"))
    await asyncio.gather(looking, store.settings.put("user", 7, "habits", 1))
    assert 1 == await store.settings.get("user", 7, "habits")


async def test_a_transaction_of_several_statements_takes_one_trip(store: Store, trips: list[object]) -> None:
    await store.settings.put("user", 7, "habits", {})
    await store.posts.posted(1, 2, 3, 4, {})
    assert 2 == len(trips)


async def test_who_fails_in_the_midst_leaves_nothing_behind(store: Store, folder: Path) -> None:
    async def failing(connection: Connection) -> None:
        await connection.exec_driver_sql("INSERT INTO settings VALUES ('user', 7, 'habits', '1')")
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await store._transactions.write(failing)
    assert await store.settings.get("user", 7, "habits") is None
    _is_free(folder)


async def test_who_waits_for_anything_but_the_database_is_found_out(store: Store, folder: Path) -> None:
    async def sleeping(connection: Connection) -> None:
        await connection.exec_driver_sql("INSERT INTO settings VALUES ('user', 7, 'habits', '1')")
        await asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="waits for something"):
        await store._transactions.write(sleeping)
    assert await store.settings.get("user", 7, "habits") is None
    _is_free(folder)


async def test_who_only_looks_writes_nothing(store: Store, folder: Path) -> None:
    async def writing(connection: Connection) -> None:
        await connection.exec_driver_sql("INSERT INTO settings VALUES ('user', 7, 'habits', '1')")

    await store._transactions.read(writing)
    assert await store.settings.get("user", 7, "habits") is None
    _is_free(folder)


@pytest.mark.parametrize("times", [1, 3])
async def test_who_is_broken_off_has_written_all_and_keeps_nobody_waiting(
    store: Store, folder: Path, times: int
) -> None:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.settings.put("user", 7, "habits", "first"))
        for _ in range(times):
            await asyncio.sleep(0.05)  # its statement waits for the other program
            waiting.cancel()
        other.execute("ROLLBACK")
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await store.settings.put("user", 8, "habits", "second")
    assert ["first", "second"] == [await store.settings.get("user", user, "habits") for user in (7, 8)]
    _is_free(folder)


async def test_whoever_is_at_it_when_the_database_is_closed_comes_to_an_end(folder: Path) -> None:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        async with opened(file_address(folder / DATABASE)) as engine:
            store = Store(engine)
            other.execute("BEGIN IMMEDIATE")
            writing = [asyncio.create_task(store.settings.put("user", user, "habits", user)) for user in range(2)]
            await asyncio.sleep(0.05)  # the first statement waits for the other program
            closing_it = asyncio.create_task(engine.dispose())
            await asyncio.sleep(0.05)
            other.execute("ROLLBACK")
            await asyncio.gather(closing_it, *writing)
    async with opened(file_address(folder / DATABASE)) as engine:
        assert [0, 1] == [await Store(engine).settings.get("user", user, "habits") for user in range(2)]


async def test_whoever_comes_after_the_database_was_closed_is_served(folder: Path) -> None:
    """When the bot leaves, an answer may still be under way, and note that it did not arrive."""
    async with opened(file_address(folder / DATABASE)) as engine:
        store = Store(engine)
    await store.settings.put("user", 7, "habits", "late")
    assert [7] == await store.settings.having("user", "habits")
    await engine.dispose()
    _is_free(folder)


async def test_whoever_comes_late_puts_no_empty_file_in_the_place_of_one_that_is_gone(folder: Path) -> None:
    async with opened(file_address(folder / DATABASE)) as engine:
        store = Store(engine)
    (folder / DATABASE).rename(folder / "moved.db")
    with pytest.raises(DatabaseTrouble, match=Kind.GONE):
        await store.settings.put("user", 7, "habits", "late")
    assert DATABASE not in os.listdir(folder)


async def test_nobody_hears_of_what_failed_for_somebody_who_was_broken_off(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    async def failing(_: Connection) -> None:
        begun.set()
        go_on.wait()
        raise ZeroDivisionError

    looking = asyncio.create_task(store._transactions.read(failing))
    await asyncio.to_thread(begun.wait)
    looking.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await looking
    del looking
    gc.collect()
    assert [] == caplog.messages


def _is_free(folder: Path) -> None:
    """Nobody holds the database."""
    with closing(sqlite3.connect(folder / DATABASE, timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
