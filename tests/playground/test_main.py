"""`python -m playground` and the launcher, as a person starts them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest

from playground.keeper import BotKeeper
from playground.local import LocalDiscord
from playground.server import Server
from tests.playground.conftest import TRIAL


async def run(*arguments: str, env: dict[str, str] | None = None) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(env or {})},
    )


@pytest.mark.parametrize(
    "base", ["https://discord.com", "http://192.168.0.7:8765", "http://example.org", "https://127.0.0.1:1"]
)
async def test_launcher_goes_nowhere_but_loopback(base: str) -> None:
    process = await run("playground.launch", base, TRIAL)
    _, said = await process.communicate()
    assert process.returncode == 1
    assert b"loopback" in said


async def test_launcher_hides_a_real_token(tmp_path: Path) -> None:
    (tmp_path / "tell.py").write_text("import os, discord; print(os.environ['DISCORD_TOKEN'], discord.http.Route.BASE)")
    env = {"DISCORD_TOKEN": "real", "PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()])}
    process = await run("playground.launch", "http://127.0.0.1:9", "tell", env=env)
    said, _ = await process.communicate()
    assert said.split() == [b"playground-token", b"http://127.0.0.1:9/api/v10"]


async def test_bot_ends_with_the_playground(tmp_path: Path) -> None:
    (tmp_path / "patient.py").write_text("import threading; print('here', flush=True); threading.Event().wait()")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "playground.launch", "http://127.0.0.1:9", "patient", "--with-parent"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()])},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert await process.stdout.readline() == b"here\n"
    process.stdin.close()
    assert await asyncio.wait_for(process.wait(), 5) == -signal.SIGTERM


@pytest.fixture
async def playing(tmp_path: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """The whole thing, with the trial bot, on a free port; its process and address."""
    process = await run("playground", "--port", "0", "--no-browser", "--data", str(tmp_path), "--bot", TRIAL)
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), 10)).decode()
    yield process, line.rpartition(" ")[2].strip()
    if process.returncode is None:
        process.terminate()
    await process.communicate()


async def test_one_address_is_printed_and_ctrl_c_ends_both(
    playing: tuple[asyncio.subprocess.Process, str], tmp_path: Path
) -> None:
    process, address = playing
    async with aiohttp.ClientSession() as session, session.ws_connect(address + "live?user=Ana") as news:
        state = await news.receive_json()
        assert [channel["name"] for channel in state["data"]["channels"]][:2] == ["caravanserai", "second-table"]
        while not (await news.receive_json())["data"].get("commands"):
            pass
        process.send_signal(signal.SIGINT)
        out, err = await asyncio.wait_for(process.communicate(), 10)
    assert (process.returncode, out, err) == (0, b"", b"")
    assert (tmp_path / "playground" / "world.json").exists()


async def test_taken_port_is_one_sentence(playing: tuple[asyncio.subprocess.Process, str], tmp_path: Path) -> None:
    port = playing[1].rstrip("/").rpartition(":")[2]
    second = await run("playground", "--port", port, "--no-browser", "--no-bot", "--data", str(tmp_path / "other"))
    _, said = await second.communicate()
    assert second.returncode == 1
    assert said.decode().count("\n") == 1
    assert f"Port {port} is taken" in said.decode()
    assert "make play PORT=" in said.decode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
    ],
)
async def test_other_web_sites_are_kept_out(headers: dict[str, str], status: int) -> None:
    local = LocalDiscord()
    server = Server(local)
    address = await server.start(0)
    async with aiohttp.ClientSession() as session, session.get(address + "/", headers=headers) as response:
        assert response.status == status
    await server.stop()


class Kept:
    """A keeper with what it told."""

    def __init__(self, local: LocalDiscord, module: str, folder: Path) -> None:
        self.local = local
        self.told: list[str] = []
        self.keeper = BotKeeper(
            local.base_url,
            module,
            token=local.token,
            env={},
            log=folder / "bot.log",
            on_error=self._hear,
            on_end=self._hear,
        )

    def _hear(self, sentence: str) -> None:
        self.told.append(sentence)
        self.local.bell.ring()


@pytest.fixture
async def served() -> AsyncIterator[LocalDiscord]:
    local = LocalDiscord()
    server = Server(local)
    await server.start(0)
    yield local
    await server.stop()


async def test_killed_bot_comes_back(served: LocalDiscord, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("playground.keeper.FIRST_PAUSE", 0.01)
    kept = Kept(served, TRIAL, tmp_path)
    kept.keeper.start()
    await served.bell.until(lambda: served.gateway.identified == 1, patience=10)
    assert kept.keeper.pid is not None
    os.kill(kept.keeper.pid, signal.SIGKILL)
    await served.bell.until(lambda: served.gateway.identified == 2, patience=10)
    await kept.keeper.stop()
    assert [sentence.partition(";")[0] for sentence in kept.told] == ["The bot was ended by signal 9"]


async def test_bot_with_an_error_is_told_of_once(served: LocalDiscord, tmp_path: Path) -> None:
    kept = Kept(served, "no_such_module", tmp_path)
    kept.keeper.start()
    await served.bell.until(lambda: bool(kept.told), patience=10)
    await kept.keeper.stop()
    (sentence,) = kept.told
    assert sentence.startswith("The bot has stopped with code 1 (")
    assert "No module named no_such_module" in sentence
