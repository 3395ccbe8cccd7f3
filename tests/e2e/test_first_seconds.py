"""The first seconds after a start: every command and tap is answered, even during the start of the bot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from playground.harness import Playground
from playground.plan import ANSWER
from tests.e2e.crash import BotSupervisor
from tests.e2e.holding import READING, Hold
from tests.rooms import GAME, Room

BOT = "tests.e2e.steady_bot"
COMMANDS = "PUT /applications/*/commands"


@pytest.fixture
async def local() -> AsyncIterator[Playground]:
    async with Playground(strict=True) as local:
        yield local


async def wait_for_connections(local: Playground, times: int) -> None:
    """Wait until the bot is connected, whether it has started up or not."""
    await local.player("Finn").until(lambda: local.gateway.identified >= times, what="the bot")


async def test_while_the_commands_are_being_registered_everything_works(local: Playground, tmp_path):
    room = Room(local, "caravanserai")
    bot = await local.start_bot(BOT, env={"DATA_DIR": str(tmp_path)})
    board = await room.game("Ana", "Ben", "Caro")
    await bot.stop()
    silence = local.fault(COMMANDS, hang=True)
    await local.start_bot(BOT, env={"DATA_DIR": str(tmp_path), "NEW_COMMANDS": "1"})
    await local.wait_for_fault(silence)
    ana = room.person("Ana")
    assert [("A (empty)", "A")] == (await ana.suggest(f"{GAME} place", "market", "A"))
    assert "starts on 1A" in await ana.slash(f"{GAME} place", market="A")
    await room.board(after=board)
    local.release()


async def test_commands_during_startup_are_acknowledged_at_once(local: Playground, tmp_path):
    room, door = Room(local, "caravanserai"), Hold(tmp_path, READING)
    bot = await local.start_bot(BOT, env={"DATA_DIR": str(tmp_path)})
    board = await room.game("Ana", "Ben", "Caro")
    await bot.stop()
    with door.held():
        starting = asyncio.create_task(local.start_bot(BOT, env={"DATA_DIR": str(tmp_path), **door.env}))
        await wait_for_connections(local, 2)
        ana, ben = room.people("Ana", "Ben")
        typing = asyncio.create_task(ana.slash(f"{GAME} place", market="A"))
        tapping = asyncio.create_task(ben.tap("More", on=board))
        assert [] == await room.person("Caro").suggest(f"{GAME} place", "market", "")
        await ana.until(lambda: not local.discord.interactions.waiting, what="both to be acknowledged")
    screen = await typing
    assert "✓" in screen
    assert screen.ephemeral
    assert (await tapping).ephemeral
    await room.board(after=board)
    await starting


async def test_a_command_that_could_not_be_acknowledged_is_not_carried_out(local: Playground, tmp_path):
    """Its user read that the application did not respond, and will type it again."""
    local.allow("no answer within|left unanswered")
    room, door = Room(local, "caravanserai"), Hold(tmp_path, READING)
    bot = await local.start_bot(BOT, env={"DATA_DIR": str(tmp_path)})
    await room.game("Ana", "Ben", "Caro")
    await bot.stop()
    ana = room.person("Ana")
    with door.held():
        starting = asyncio.create_task(local.start_bot(BOT, env={"DATA_DIR": str(tmp_path), **door.env}))
        await wait_for_connections(local, 2)
        late = local.fault("POST /interactions/*/callback", 404, code=10062)
        typing = asyncio.create_task(ana.slash(f"{GAME} place", market="A"))
        await local.wait_for_fault(late)
        local.clock.advance(1000)
        await asyncio.wait({typing})
        assert typing.exception() is not None
    await starting
    await ana.slash("game board", **{"as": "text"})
    assert ["muscat-4.png"] == room.boards


async def test_a_table_whose_board_hangs_delays_no_other(local: Playground, tmp_path):
    supervisor = BotSupervisor(local, {"DATA_DIR": str(tmp_path)}, BOT)
    await supervisor.start()
    local.add_channel("slow")
    slow, quick = Room(local, "slow"), Room(local, "caravanserai")
    await slow.game("Ana", "Ben", "Caro")
    board = await quick.game("Ana", "Ben", "Caro")
    post = f"POST /channels/{local.channel('slow').id}/messages"
    supervisor.kill_at(ANSWER)
    await asyncio.wait({asyncio.create_task(slow.person("Ana").slash(f"{GAME} place", market="A"))})
    silence = local.fault(post, hang=True)
    await supervisor.alive()
    await local.wait_for_fault(silence)
    assert "starts on 1A" in await quick.person("Ana").slash(f"{GAME} place", market="A")
    await quick.board(after=board)
    local.release()
    await slow.onlooker.expect("starts on 1A", timeout=60)
