"""The bot with its games on a server of PostgreSQL: killed, and with the server gone for a while."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from playground.harness import Playground
from playground.plan import POST
from tests.e2e.crash import BotSupervisor
from tests.e2e.rooms import FIRST_MOVE, Room
from tests.server import Server


@pytest_asyncio.fixture(scope="module")
async def supervisor(tmp_path_factory: pytest.TempPathFactory, server: Server) -> AsyncIterator[BotSupervisor]:
    async with Playground(strict=True) as local:
        env = {"DATA_DIR": str(tmp_path_factory.mktemp("data")), "DATABASE_URL": await server.database()}
        supervisor = BotSupervisor(local, env, "tests.e2e.steady_bot")
        await supervisor.start()
        yield supervisor


@pytest.fixture
def app(supervisor: BotSupervisor) -> Playground:
    return supervisor.local


async def test_a_confirmed_move_is_posted_exactly_once(room: Room, supervisor: BotSupervisor):
    board = await room.game("Ana", "Ben", "Caro")
    ana, ben = room.people("Ana", "Ben")
    await ana.tap("Your move")
    preview = await ana.tap(FIRST_MOVE)
    supervisor.kill_at(POST, after=True)
    await supervisor.through_crashes(lambda: ana.tap("Confirm", on=preview))
    board = await supervisor.through_crashes(lambda: room.onlooker.expect("starts on 1A", after=board))
    await supervisor.through_crashes(lambda: ben.slash("muscat place", market="B"))
    await room.board(after=board)
    assert ["muscat-4.png", "muscat-6.png", "muscat-9.png"] == room.boards
    assert 1 == supervisor.crashes
