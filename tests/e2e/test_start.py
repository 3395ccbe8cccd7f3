"""Starting and stopping a process: its last words, its exit code, and no secrets."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot import logs
from playground.gateway import Connection
from playground.harness import Playground
from playground.wire import TOKEN
from tests.e2e.holding import DRAWING, Hold
from tests.rooms import GAME, Room
from tests.warm import cold_bots


@pytest.fixture
def cold() -> Iterator[None]:
    """Bots start as programs, from nothing."""
    with cold_bots():
        yield


async def run_alone(folder: Path, **env: str) -> tuple[int, str]:
    """`python -m bot` without any Discord. Returns its exit code and all it said."""
    clean = {name: value for name, value in os.environ.items() if name not in ("DISCORD_TOKEN", "DATABASE_URL")}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot"),
        cwd=folder,
        env={**clean, "PYTHONPATH": str(Path(__file__).parents[2]), "DATA_DIR": str(folder), **env},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


def check_farewell(code: int, said: str, reason: str, beginning: str = "Caravanserai cannot start. ") -> None:
    """Check for one clear sentence to a human, exit code 1, and no traceback."""
    assert 1 == code, said
    assert reason in said
    assert "Traceback" not in said
    assert said.splitlines()[-1].startswith(beginning)


async def test_a_missing_token_is_named_in_the_error(tmp_path):
    check_farewell(*await run_alone(tmp_path, DISCORD_TOKEN=""), reason="DISCORD_TOKEN")


async def test_the_bot_ends_with_an_explanation_when_its_token_is_reset(tmp_path):
    async with Playground(strict=True) as local:
        bot = await local.start_bot(env={"DATA_DIR": str(tmp_path)})
        await has_started(local)
        local.discord.token = "another-token"
        await local.gateway.close(4004)
        check_farewell(await bot.ended, bot.tail(), "no longer accepts the token", "Caravanserai has to stop. ")
        local.allow("the bot ended by itself with code 1")


async def test_the_bot_stops_even_while_it_is_reconnecting(tmp_path, monkeypatch):
    async with Playground(strict=True) as local:
        bot = await local.start_bot(env={"DATA_DIR": str(tmp_path)})
        await has_started(local)
        knocking = asyncio.Event()
        monkeypatch.setattr(Connection, "send", lambda *_: knocking.set())  # not even a HELLO
        local.gateway.hang_up()
        await knocking.wait()
        await asyncio.sleep(0.1)  # by now it waits to be greeted
        await bot.stop(5.0)
        assert 0 == bot.returncode, bot.tail()


async def has_started(local: Playground) -> None:
    """Wait until the bot answers commands, which it does once it has started up."""
    await local.player("Ana").slash("game rules", game="muscat")


async def test_token_seed_and_hands_are_never_revealed(tmp_path):
    """Even at the most talkative log level, after errors of the database, and in all that people see."""
    async with Playground(strict=True) as local:
        bot = await local.start_bot(env={"DATA_DIR": str(tmp_path), "LOG_LEVEL": "DEBUG"})
        room = Room(local, "caravanserai")
        ana, ben = room.people("Ana", "Ben")
        await ana.slash("table new", game="alibaba")
        await ben.tap("Join")
        await ana.tap("Start")
        await ben.tap("Ready")
        board = await room.board()
        for command in ("game board", "game hand", "game log"):
            await ana.slash(command)
        await ana.tap("Your move", on=board)
        await bot.stop()
        with closing(sqlite3.connect(tmp_path / "caravanserai.db")) as database:
            (seed,) = database.execute("SELECT seed FROM matches").fetchone()
        logged = "\n".join(bot.log)
        words = local.transcript() + logged + "".join(str(vars_of(seen)) for seen in ana.messages)
        assert "DEBUG" in logged
        assert [] == [name for name in logs.REVEALING if f"DEBUG {name}" in logged]
        assert seed not in words
        assert TOKEN not in words
        assert [] == [line for seen in ana.messages if seen.ephemeral for line in lines_of(seen) if line in logged]
        passes = [local.discord.interactions.by_id(timing.interaction_id).token for timing in local.timings]
        assert 7 <= len(passes)
        assert [] == [token for token in passes if token in logged]


def lines_of(seen) -> list:
    """Every line of a message, as in JSON; short ones may stand anywhere."""
    sentence = "\n".join([seen.text, *(image.alt or "" for image in seen.images)])
    lines = [json.dumps(line, ensure_ascii=False)[1:-1] for line in sentence.splitlines() if len(line) > 10]
    assert lines
    return lines


def vars_of(seen) -> list:
    return [seen.text, seen.components, seen.embeds, [(image.filename, image.alt, image.data) for image in seen.images]]


@pytest.mark.usefixtures("cold")
async def test_a_stopping_bot_finishes_work_in_progress(tmp_path):
    async with Playground(strict=True) as local:
        easel = Hold(tmp_path, DRAWING)
        bot = await local.start_bot("tests.e2e.steady_bot", env={"DATA_DIR": str(tmp_path), **easel.env})
        room = Room(local, "caravanserai")
        await room.game("Ana", "Ben", "Caro")
        with easel.held():
            await room.person("Ana").slash(f"{GAME} place", market="A", silent=True)
            stopping = asyncio.create_task(bot.stop())
            await asyncio.sleep(0)  # the signal is sent
        await stopping
        assert ["muscat-4.png", "muscat-6.png"] == room.boards
        assert 0 == bot.returncode
