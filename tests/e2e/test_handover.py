"""Real processes over one server of PostgreSQL: one that comes before another has left, and some that do not fit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from playground.botprocess import BotProcess
from playground.harness import Playground
from tests.rooms import Room
from tests.server import Server

STEADY = "tests.e2e.steady_bot"
WAITS = "another Caravanserai"
"""Words in the log of a process that waits for the database."""


@pytest_asyncio.fixture
async def address(server: Server) -> str:
    return await server.database()


@pytest_asyncio.fixture(scope="module")
async def local() -> AsyncIterator[Playground]:
    async with Playground(strict=True) as local:
        yield local


class Processes:
    """Processes over one database, each with a folder of its own."""

    def __init__(self, local: Playground, folder: Path, address: str) -> None:
        self._local = local
        self._folder = folder
        self._address = address
        self._started: list[BotProcess] = []

    async def start(self, shards: str = "0/1", **env: str) -> BotProcess:
        folder = self._folder / str(len(self._started))
        folder.mkdir()
        env = {"DATA_DIR": str(folder), "DATABASE_URL": self._address, "SHARDS": shards, **env}
        local = self._local
        process = await BotProcess.start(
            local.base_url, STEADY, token=local.discord.token, env=env, on_line=local.journal.say
        )
        self._started.append(process)
        return process

    async def says(self, process: BotProcess, words: str) -> None:
        """Wait for a line in the log of a process."""
        await until(lambda: any(words in line for line in process.log))

    async def stop(self) -> None:
        for process in self._started:
            await process.stop()


async def until(happened: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not happened():  # noqa: ASYNC110 (the log has no notifier)
            await asyncio.sleep(0.05)


@pytest_asyncio.fixture
async def processes(local: Playground, tmp_path: Path, address: str) -> AsyncIterator[Processes]:
    processes = Processes(local, tmp_path, address)
    yield processes
    await processes.stop()


async def test_an_early_process_waits_only_for_the_database(local: Playground, processes: Processes) -> None:
    """Discord names its servers to it meanwhile. It must not look them up, or its take-over would have to wait."""
    room = Room(local, local.add_channel("room").name)
    old = await processes.start()
    await processes.says(old, "ready in")
    # it registers its commands beside that, and on a busy machine later
    await local.discord.notifier.until(lambda: bool(local.discord.all_commands()))
    await room.game("Ana", "Ben", "Caro")
    new = await processes.start(TURN_PATIENCE="0.5")
    await processes.says(new, WAITS)
    await processes.says(new, "ready in")
    await asyncio.sleep(2)
    assert (await room.person("Ana").slash("game board")).text, "the old one answers"
    await old.stop()
    await room.person("Ana").slash("table end")
    assert new.is_running
    await new.stop()
    assert (0, []) == (new.returncode, [line for line in new.log if "ERROR" in line])


async def test_a_waiting_process_stops_on_request(processes: Processes) -> None:
    old = await processes.start()
    await processes.says(old, "ready in")
    new = await processes.start()
    await processes.says(new, "ready in")
    await new.stop(patience=10)
    assert 0 == new.returncode, new.tail()
    assert old.is_running


@pytest.mark.parametrize(
    ("shards", "reason"), [("2-3/4", "counts other shards than 2-3/4"), ("1-3/6", "already has shard 1 of 6")]
)
async def test_a_process_with_incompatible_shards_ends_with_an_explanation(
    processes: Processes, shards: str, reason: str
) -> None:
    """Even in the midst of connecting to one shard after the other."""
    fitting = await processes.start("1/6")
    await processes.says(fitting, "ready in")
    other = await processes.start(shards, LOCK_PATIENCE="1")
    await until(lambda: not other.is_running)
    assert 1 == other.returncode
    assert reason in other.log[-1]
    assert "Caravanserai cannot start" in other.log[-1]
    assert "Traceback" not in other.tail()
    assert fitting.is_running
