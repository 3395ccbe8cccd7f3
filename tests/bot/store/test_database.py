"""The promises of both kinds of database: all of a transaction or nothing, one at a time, under any failure."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.store import database as database_module
from bot.store.database import Conflict, Database, StatementFailed, placeholders
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.opening import file_address, open_database
from bot.store.postgres import _translate_errors, number_parameters
from bot.store.store import Store
from tests.bot.app import DATABASE

PUT = "INSERT INTO settings (scope, scope_id, name, value) VALUES ('user', ?, 'preferences', '1')"


@pytest.fixture(params=["sqlite", "postgresql"])
async def database(request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Database]:
    sqlite = request.param == "sqlite"
    address = file_address(folder / DATABASE) if sqlite else await request.getfixturevalue("server").database()
    async with open_database(address) as database:
        yield database


async def users(database: Database) -> list[int]:
    return await database.fetch_column("SELECT scope_id FROM settings WHERE scope = 'user' ORDER BY scope_id")


async def test_a_transaction_is_written_atomically(database: Database) -> None:
    async with database.transaction():
        await database.execute(PUT, 1)
        await database.execute_many(PUT, [(2,), (3,)])
        assert [1, 2, 3] == await users(database)
    assert [1, 2, 3] == await users(database)


async def test_a_failed_transaction_writes_nothing(database: Database) -> None:
    async def fail() -> None:
        async with database.transaction():
            await database.execute(PUT, 1)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert [] == await users(database)


async def test_a_nested_transaction_belongs_to_the_outer_one(database: Database) -> None:
    store = Store(database)

    async def fail() -> None:
        async with store.transaction():
            await store.settings.put("user", 1, "preferences", 1)
            async with store.transaction():
                await store.settings.put("user", 2, "preferences", 2)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await fail()
    assert [] == await users(database)


async def test_inserting_an_existing_row_conflicts_and_rolls_back_the_transaction(database: Database) -> None:
    async def put(*users: int) -> None:
        async with database.transaction():
            for user in users:
                await database.execute(PUT, user)

    await put(1)
    with pytest.raises(Conflict):
        await put(2, 1)
    assert [1] == await users(database)


async def test_an_invalid_statement_is_quoted_without_its_values(database: Database) -> None:
    with pytest.raises(StatementFailed, match="INTO nowhere") as caught:
        await database.execute("INSERT INTO nowhere VALUES (?)", 4711)
    assert "4711" not in str(caught.value)
    with pytest.raises(StatementFailed) as caught:
        await database.execute("INSERT INTO settings (scope, scope_id, name) VALUES ('hush', ?, 'x')", 4711)
    assert "4711" not in str(caught.value)


async def test_row_values_are_accessed_by_column_name(database: Database) -> None:
    row = await database.fetch_one("SELECT 1 AS one, 'b' AS two")
    assert row is not None
    assert (1, "b", {"one": 1, "two": "b"}) == (row["one"], row[1], dict(row))
    assert await database.fetch_one("SELECT value FROM settings WHERE name = 'none'") is None
    assert await database.fetch_value("SELECT value FROM settings WHERE name = 'none'") is None


async def test_other_tasks_wait_for_the_end_of_a_transaction_and_see_nothing_of_it_before(database: Database) -> None:
    async with database.transaction():
        await database.execute(PUT, 1)
        looking = asyncio.create_task(users(database))
        writing = asyncio.create_task(database.execute(PUT, 2))
        await asyncio.sleep(0.01)
        assert not looking.done()
        assert not writing.done()
    await asyncio.gather(looking, writing)
    assert [1] == looking.result()
    assert [1, 2] == await users(database)


async def test_waiting_too_long_for_another_transaction_raises_an_error(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "TURN_TIMEOUT", 0.02)
    async with database.transaction():
        with pytest.raises(DatabaseUnavailable, match=FailureKind.LOCKED):
            await asyncio.create_task(users(database))
    assert [] == await users(database)


async def test_a_task_canceled_while_waiting_writes_nothing_and_blocks_no_other_task(database: Database) -> None:
    async with database.transaction():
        writing = asyncio.create_task(database.execute(PUT, 1))
        await asyncio.sleep(0.01)
        writing.cancel()
    await asyncio.wait({writing})
    assert [] == await users(database)


async def test_canceling_a_task_in_a_transaction_rolls_it_back(database: Database) -> None:
    written = asyncio.Event()

    async def write() -> None:
        async with database.transaction():
            await database.execute(PUT, 1)
            written.set()
            await asyncio.Event().wait()

    writing = asyncio.create_task(write())
    await written.wait()
    writing.cancel()
    await asyncio.wait({writing})
    assert writing.cancelled()
    assert [] == await users(database)


async def test_cancellation_does_not_interrupt_a_commit_in_progress(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    committing, go_on, commit = asyncio.Event(), asyncio.Event(), database._commit

    async def slow() -> None:
        committing.set()
        await go_on.wait()
        await commit()

    monkeypatch.setattr(database, "_commit", slow)
    writing = asyncio.create_task(database.execute(PUT, 1))
    await committing.wait()
    writing.cancel()
    await asyncio.sleep(0.01)
    assert not writing.done()
    go_on.set()
    await asyncio.wait({writing})
    assert writing.cancelled()
    assert [1] == await users(database)


async def test_a_commit_that_fails_leaves_nothing_for_the_next_one(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full() -> None:
        raise DatabaseUnavailable(FailureKind.FULL, "the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(database, "_commit", full)
        with pytest.raises(DatabaseUnavailable, match=FailureKind.FULL):
            await database.execute(PUT, 1)
    assert not database.health.is_well
    await database.execute(PUT, 2)
    assert database.health.is_well
    assert [2] == await users(database)


async def test_using_a_closed_database_raises_an_error_and_logs_nothing(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    """An answer may still be under way when the bot leaves, and note that it did not arrive."""
    await database.close()
    with pytest.raises(DatabaseUnavailable, match=FailureKind.CLOSED):
        await database.execute(PUT, 1)
    assert [] == caplog.messages


async def test_pending_writes_complete_while_the_database_closes(folder: Path) -> None:
    with closing(sqlite3.connect(folder / DATABASE, isolation_level=None)) as other:
        async with open_database(file_address(folder / DATABASE)) as database:
            other.execute("BEGIN IMMEDIATE")
            writing = [asyncio.create_task(database.execute(PUT, user)) for user in range(2)]
            await asyncio.sleep(0.05)  # the first statement waits for the other program
            closing_it = asyncio.create_task(database.close())
            await asyncio.sleep(0.05)
            other.execute("ROLLBACK")
            await asyncio.gather(closing_it, *writing)
    async with open_database(file_address(folder / DATABASE)) as database:
        assert [0, 1] == await users(database)


async def test_the_values_of_a_user_are_looked_up_once_until_they_change(folder: Path) -> None:
    async with open_database(file_address(folder / DATABASE)) as database:
        store = Store(database)
        assert await store.settings.get("user", 7, "preferences") is None
        await database.execute(PUT, 7)  # behind the back of the settings
        assert await store.settings.get("user", 7, "preferences") is None
        store.settings.invalidate(7)
        assert 1 == await store.settings.get("user", 7, "preferences")
        await store.settings.put("user", 7, "preferences", {"direct": True})
        assert {"direct": True} == await store.settings.get("user", 7, "preferences")


async def test_a_change_during_a_lookup_is_not_lost(folder: Path) -> None:
    async with open_database(file_address(folder / DATABASE)) as database:
        store = Store(database)
        looking = asyncio.create_task(store.settings.get("user", 7, "preferences"))
        await asyncio.gather(looking, store.settings.put("user", 7, "preferences", 1))
        assert 1 == await store.settings.get("user", 7, "preferences")


@pytest.mark.parametrize(
    ("error", "reason"), [(OSError("no route"), "no route"), (TimeoutError(), "no answer in time")]
)
def test_a_server_that_cannot_be_reached_is_unavailable_with_the_reason(error: Exception, reason: str) -> None:
    with pytest.raises(DatabaseUnavailable, match=reason) as unavailable, _translate_errors("SELECT 1"):
        raise error
    assert FailureKind.AWAY is unavailable.value.kind


def test_parameters_are_numbered_for_postgresql() -> None:
    assert "SELECT $1, x FROM t WHERE a = $2 AND b IN ($3, $4)" == number_parameters(
        f"SELECT ?, x FROM t WHERE a = ? AND b IN ({placeholders('ab')})"
    )
    assert "SELECT 1 WHERE 1 IN (NULL)" == number_parameters(f"SELECT 1 WHERE 1 IN ({placeholders([])})")
