"""The driver of the database: one trip to its thread a statement, and nothing left behind by whoever is broken off."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing, suppress

import pytest
from sqlalchemy import text

from bot.store.database import opened
from bot.store.hops import AHEAD, Connection
from bot.store.store import Store


@pytest.fixture
async def store(folder):
    async with opened(f"sqlite+aiosqlite:///{folder}/games.db") as engine:
        yield Store(engine)


@pytest.fixture
def trips(monkeypatch) -> list[object]:
    """What the thread of the database is asked to do."""
    made: list[object] = []
    really = Connection._execute

    async def noted(self, do, *args, **kwargs):
        made.append(do)
        return await really(self, do, *args, **kwargs)

    monkeypatch.setattr(Connection, "_execute", noted)
    return made


async def test_what_is_looked_up_takes_one_trip(store, trips):
    assert await store.settings.get("user", 7, "habits") is None
    assert 1 == len(trips)


async def test_a_transaction_takes_one_trip_a_statement_and_one_to_commit(store, trips):
    await store.settings.put("user", 7, "habits", {})
    assert 2 == len(trips)


@pytest.mark.parametrize("number", [0, 1, AHEAD - 1, AHEAD, AHEAD + 1, 3 * AHEAD])
async def test_all_rows_come_in_order_at_once_or_bit_by_bit(folder, number):
    numbers = text(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT i FROM n LIMIT :n"
    )
    async with opened(f"sqlite+aiosqlite:///{folder}/games.db") as engine, engine.connect() as connection:
        at_once = (await connection.scalars(numbers, {"n": number})).all()
        bit_by_bit = [i async for i in await connection.stream_scalars(numbers, {"n": number})]
    assert at_once == bit_by_bit == list(range(1, number + 1))


async def test_whoever_is_broken_off_while_he_writes_leaves_nothing_behind(store, folder):
    with closing(sqlite3.connect(folder / "games.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = asyncio.create_task(store.settings.put("user", 7, "habits", "half"))
        await asyncio.sleep(0.05)  # until its statement waits for the other program
        waiting.cancel()
        other.execute("ROLLBACK")
    with suppress(asyncio.CancelledError):
        await waiting
    await store.settings.put("user", 8, "habits", "whole")
    assert [None, "whole"] == [await store.settings.get("user", user, "habits") for user in (7, 8)]
    with closing(sqlite3.connect(folder / "games.db", timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")  # nobody holds it
