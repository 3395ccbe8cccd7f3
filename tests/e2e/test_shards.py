"""Two processes with a share of the servers each, over one database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from playground.botprocess import BotProcess
from playground.harness import Playground
from tests.e2e.crash import EXPECTED
from tests.rooms import GAME, Room
from tests.server import Server

STEADY = "tests.e2e.steady_bot"


class Houses:
    """A room in a server of each shard, and the process that has it."""

    def __init__(self, local: Playground, folder: Path, database: str) -> None:
        self.local = local
        self._env = {"DATABASE_URL": database}
        self._folder = folder
        self.bots: list[BotProcess] = []
        self.rooms = [self._room(shard, local.add_guild(shard, 2)) for shard in (0, 1)]

    def _room(self, shard: int, guild_id: int) -> Room:
        return Room(self.local, self.local.add_channel(f"room-{shard}", guild=guild_id).name)

    async def open(self) -> None:
        for shard in (0, 1):
            self.bots.append(await self.local.start_bot(STEADY, env=self.env(shard)))

    def env(self, shard: int) -> dict[str, str]:
        return {"DATA_DIR": str(self._folder / str(shard)), "SHARDS": f"{shard}/2", **self._env}


@pytest_asyncio.fixture(scope="module")
async def houses(tmp_path_factory: pytest.TempPathFactory, server: Server) -> AsyncIterator[Houses]:
    async with Playground(strict=True) as local:
        houses = Houses(local, tmp_path_factory.mktemp("houses"), await server.database())
        await houses.open()
        yield houses


async def test_each_process_plays_in_its_servers_and_lists_games_of_all(houses: Houses):
    here, there = houses.rooms
    boards = [await room.game("Ana", "Ben", "Caro") for room in houses.rooms]
    mine = await here.person("Ana").slash("me games")
    assert 2 == mine.text.count("https://discord.com/channels/")
    await there.person("Ana").slash(f"{GAME} place", market="A")
    await there.board(after=boards[1])
    again = await here.person("Ana").slash("me games")
    assert mine.text != again.text, "what was done elsewhere is seen here"


async def test_one_process_plays_on_while_the_other_is_down(houses: Houses):
    here, there = houses.rooms
    houses.local.allow(EXPECTED)
    await houses.bots[1].kill()
    board = here.onlooker.last
    await here.person("Ana").slash(f"{GAME} place", market="A")
    await here.board(after=board)
    houses.bots[1] = await houses.local.start_bot(STEADY, env=houses.env(1))
    board = there.onlooker.last
    await there.person("Ben").slash(f"{GAME} place", market="B")
    await there.board(after=board)


async def test_in_a_rolling_restart_no_tap_is_lost(houses: Houses):
    """The new process is there before the old one leaves; one of them handles each request in between, once."""
    local, room = houses.local, houses.rooms[1]
    came = local.gateway.identified
    env, token, timed_app = houses.env(1), local.discord.token, houses.bots[1]
    successor = await BotProcess.start(local.base_url, STEADY, token=token, env=env, on_line=local.journal.say)
    try:
        await local.discord.notifier.until(lambda: local.gateway.identified > came)
        leaving: asyncio.Task[None] | None = None
        for n in range(12):
            leaving = leaving or (asyncio.create_task(timed_app.stop()) if n == 4 else None)
            await asyncio.gather(*(room.person(name).slash("game board") for name in ("Ana", "Ben", "Caro")))
        assert leaving is not None, "it was told to"
        await leaving
        await room.person("Ana").slash("table end")
        assert successor.is_running
    finally:
        await successor.stop()
    assert not any("ERROR" in line for line in successor.log), successor.tail()
    acts = [local.discord.interactions.by_id(timing.interaction_id) for timing in local.timings]
    assert not [act.label for act in acts if act and any(status >= 400 for status in act.callbacks_tried)]
