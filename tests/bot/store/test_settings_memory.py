"""Values of users in memory: never older than the database, and of a bounded number."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bot.store import settings as settings_module
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.settings import USER, Settings
from bot.store.shard_range import ShardRange
from tests.crowd.database import InMemory, in_memory

ANA, BEN, CARO = 1, 2, 3


class Watched(InMemory):
    """A database that counts reads, and waits with the answer while `gate` is closed."""

    def __init__(self, database: InMemory) -> None:
        super().__init__(database.connection)
        self.reads = 0
        self.gate, self.begun = asyncio.Event(), asyncio.Event()
        self.gate.set()

    async def fetch_value(self, sql: str, *parameters: Any) -> Any:
        self.reads += 1
        value = await super().fetch_value(sql, *parameters)
        self.begun.set()
        await self.gate.wait()
        return value


@pytest.fixture
async def database() -> AsyncIterator[Watched]:
    async with in_memory() as database:
        yield Watched(database)


async def test_a_value_is_read_once_until_it_changes(database: Watched) -> None:
    settings = Settings(database)
    await settings.put(USER, ANA, "a", 1)
    assert [1, 1] == [await settings.get(USER, ANA, "a") for _ in range(2)]
    assert 1 == database.reads
    await settings.put(USER, ANA, "a", 2)
    assert 2 == await settings.get(USER, ANA, "a")
    for value in (3, 4):
        await settings.put("server", ANA, "a", value)
        assert (value, 2) == (await settings.get("server", ANA, "a"), await settings.get(USER, ANA, "a"))
    assert {ANA: 4} == await settings.of_all("server", "a")


async def test_a_value_that_changes_during_a_read_is_not_cached(database: Watched) -> None:
    settings = Settings(database)
    await settings.put(USER, ANA, "a", 1)
    database.gate.clear()
    reading = asyncio.ensure_future(settings.get(USER, ANA, "a"))
    await database.begun.wait()
    await settings.put(USER, ANA, "a", 2)
    database.gate.set()
    await reading
    assert 2 == await settings.get(USER, ANA, "a")


async def test_a_value_that_another_process_may_change_is_read_each_time(database: Watched) -> None:
    settings = Settings(database)
    database.shard_range = ShardRange(0, 0, 2)
    await settings.get(USER, ANA, "a")
    await settings.get(USER, ANA, "a")
    assert 2 == database.reads


async def test_a_full_cache_evicts_the_values_read_first(database: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "MAX_CACHED", 2)
    settings = Settings(database)
    for user_id in (ANA, BEN, CARO, CARO, BEN):
        await settings.get(USER, user_id, "a")
    assert 3 == database.reads
    await settings.get(USER, ANA, "a")
    assert 4 == database.reads


async def test_a_change_of_one_user_leaves_the_values_of_others_in_memory(database: Watched) -> None:
    settings = Settings(database)
    await settings.get(USER, BEN, "a")
    await settings.put(USER, ANA, "a", 1)
    await settings.get(USER, BEN, "a")
    assert 1 == database.reads


async def test_a_value_whose_storing_failed_in_the_end_is_read_anew(
    database: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value may have been stored all the same."""
    settings, execute = Settings(database), database.execute
    assert await settings.get(USER, ANA, "a") is None

    async def fail(*stored: Any) -> Any:
        await execute(*stored)
        raise DatabaseUnavailable(FailureKind.GONE, "no answer")

    monkeypatch.setattr(database, "execute", fail)
    with pytest.raises(DatabaseUnavailable):
        await settings.put(USER, ANA, "a", 1)
    assert 1 == await settings.get(USER, ANA, "a")
