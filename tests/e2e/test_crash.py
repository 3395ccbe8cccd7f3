"""`kill -9` at the worst moments: between the commit and the post, and with a receipt on its way."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from playground.harness import Playground
from playground.plan import ANSWER, POST
from tests.e2e.crash import BotSupervisor
from tests.rooms import FIRST_MOVE, SECOND_MOVE, Room

TAPPED, TYPED, UNSEEN = "by tap", "by command", "by tap where nobody may look back"

WORST = [*((TAPPED, route, after) for route in (ANSWER, POST) for after in (False, True))]
WORST += [(TYPED, ANSWER, True), (UNSEEN, POST, True)]
"""Kills over the answer and over the board; by tap before and after it counts, else after it."""

_numbers = itertools.count(1)


@pytest_asyncio.fixture(scope="module")
async def supervisor(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[BotSupervisor]:
    async with Playground(strict=True) as local:
        supervisor = BotSupervisor(local, {"DATA_DIR": str(tmp_path_factory.mktemp("data"))}, "tests.e2e.steady_bot")
        await supervisor.start()
        yield supervisor


@pytest.fixture
def room(supervisor: BotSupervisor) -> Iterator[Room]:
    """A new channel; broken rules since the test began fail it."""
    local = supervisor.local
    before = len(local.violations)
    channel = local.add_channel(f"room-{next(_numbers)}")
    yield Room(local, channel.name)
    assert [] == local.violations[before:], local.transcript(80)


@pytest.mark.parametrize(("how", "route", "after"), WORST)
async def test_a_move_is_posted_exactly_once(room: Room, supervisor: BotSupervisor, how, route, after):
    if how == UNSEEN:
        room.let_boards_be_posted()
    board = await room.game("Ana", "Ben", "Caro")
    ana, ben = room.people("Ana", "Ben")
    await ana.tap("Your move")
    preview = await ana.tap(FIRST_MOVE)
    crashes = supervisor.crashes
    supervisor.kill_at(route, after=after)
    if how == TYPED:
        await supervisor.through_crashes(lambda: ana.slash("muscat place", market="A"))
    else:
        await supervisor.through_crashes(lambda: ana.tap("Confirm", on=preview))
    board = await supervisor.through_crashes(lambda: room.onlooker.expect("starts on 1A", after=board))
    await supervisor.through_crashes(lambda: ben.slash("muscat place", market="B"))
    await room.board(after=board)
    assert ["muscat-4.png", "muscat-6.png", "muscat-9.png"] == room.boards
    assert crashes + 1 == supervisor.crashes
    await supervisor.alive()


async def test_old_buttons_still_work_in_the_middle_of_a_turn(room: Room, supervisor: BotSupervisor):
    board = await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    first = await ana.tap("Your move")
    supervisor.kill_now()
    preview = await supervisor.through_crashes(lambda: ana.choose(SECOND_MOVE, on=first))
    assert "Confirm" in preview.labels
    supervisor.kill_now()
    await supervisor.through_crashes(lambda: ana.tap("Confirm", on=preview))
    await room.board(after=board)


async def test_a_lobby_continues_after_a_restart(room: Room, supervisor: BotSupervisor):
    await room.lobby("Ana", "Ben")
    supervisor.kill_now()
    await supervisor.through_crashes(lambda: room.person("Caro").tap("Join"))
    await room.person("Ana").tap("Start")
    assert room.person("Ana").mention in await room.board()
