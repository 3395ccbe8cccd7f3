"""`python -m playground` and the launcher, started as a person starts them."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from bot.store.opening import open_database
from playground import launch
from playground.local import LocalDiscord
from playground.notifier import HANG
from playground.server import Server
from playground.supervisor import BotSupervisor
from tests.playground.conftest import TRIAL

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", autouse=True)
def warm() -> None:
    """No prepared process: these tests start everything as a person does."""


async def run(
    *arguments: str, env: dict[str, str] | None = None, cwd: Path | None = None
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        *arguments,
        cwd=cwd,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, **(env or {})},
    )


@pytest.mark.parametrize(
    "base", ["https://discord.com", "http://192.168.0.7:8765", "http://example.org", "https://127.0.0.1:1"]
)
def test_launcher_connects_only_to_loopback(base: str) -> None:
    with pytest.raises(SystemExit, match="loopback"):
        launch.main([base, "no_such_module"])


async def test_launcher_hides_a_real_token(tmp_path: Path) -> None:
    (tmp_path / "tell.py").write_text("import os, discord; print(os.environ['DISCORD_TOKEN'], discord.http.Route.BASE)")
    env = {"DISCORD_TOKEN": "real", "PYTHONPATH": os.pathsep.join([str(tmp_path), os.getcwd()])}
    process = await run("playground.launch", "http://127.0.0.1:9", "tell", env=env)
    stdout, _ = await process.communicate()
    assert stdout.split() == [b"playground-token", b"http://127.0.0.1:9/api/v10"]


async def test_bot_exits_with_the_playground(tmp_path: Path) -> None:
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
    assert await asyncio.wait_for(process.wait(), HANG) == -signal.SIGTERM


@pytest.fixture
async def trial(tmp_path: Path) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    """A playground with the trial bot on a free port: its process and address."""
    process = await run("playground", "--port", "0", "--no-browser", "--data", str(tmp_path), "--bot", TRIAL)
    assert process.stdout is not None
    line = (await asyncio.wait_for(process.stdout.readline(), HANG)).decode()
    yield process, line.rpartition(" ")[2].strip()
    if process.returncode is None:
        process.terminate()
    await process.communicate()


async def test_only_the_address_is_printed_and_ctrl_c_stops_server_and_bot(
    trial: tuple[asyncio.subprocess.Process, str], tmp_path: Path
) -> None:
    process, address = trial
    async with aiohttp.ClientSession() as session, session.ws_connect(address + "live?user=Ana") as news:
        state = await news.receive_json()
        assert [channel["name"] for channel in state["data"]["channels"]][:2] == ["caravanserai", "second-table"]
        while not (await news.receive_json())["data"].get("commands"):
            pass
        process.send_signal(signal.SIGINT)
        out, err = await asyncio.wait_for(process.communicate(), HANG)
    assert (process.returncode, out, err) == (0, b"", b"")
    assert (tmp_path / "world.json").exists()


PARTING = """
import signal, sys, threading
def part(*_):
    for number in range(3):
        print("goodbye", number, flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, part)
print("2026-01-01 00:00:00 ERROR ready to part", flush=True)
threading.Event().wait()
"""


def beside_the_tests(folder: Path) -> dict[str, str]:
    """An environment in which the modules of a folder can be run as the bot from anywhere."""
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}


async def test_ctrl_c_saves_the_chat_and_the_last_log_lines_of_the_bot(tmp_path: Path) -> None:
    (tmp_path / "parting.py").write_text(PARTING)
    data = tmp_path / "data"
    process = await run(
        *("playground", "--port", "0", "--no-browser", "--data", str(data), "--bot", "parting"),
        env=beside_the_tests(tmp_path),
    )
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().split()[-1]
    async with aiohttp.ClientSession() as session:
        message = {"user": "Ana", "channel": await channel_id(session, address), "text": "see you tomorrow"}
        async with session.post(address + "act/say", json=message) as response:
            assert await response.json() == {"outcome": "done"}
    assert process.stderr is not None
    assert b"ready to part" in await process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = await process.communicate()
    assert (process.returncode, out, err) == (0, b"", b"")
    assert "see you tomorrow" in (data / "world.json").read_text()
    assert (data / "bot.log").read_text().splitlines()[-3:] == ["goodbye 0", "goodbye 1", "goodbye 2"]


async def channel_id(session: aiohttp.ClientSession, address: str) -> str:
    async with session.ws_connect(address + "live?user=Ana") as news:
        state = await news.receive_json()
    return str(state["data"]["channels"][0]["id"])


async def test_the_database_of_the_real_bot_is_never_touched(tmp_path: Path) -> None:
    """Three databases stay as they are: the default one, and those that `.env` and the environment name."""
    home, elsewhere, cwd = (tmp_path / name for name in ("home", "elsewhere", "cwd"))
    real = [home / "caravanserai" / "caravanserai.db", cwd / "named.db", elsewhere / "caravanserai.db"]
    for database in real:
        database.parent.mkdir(parents=True, exist_ok=True)
        async with open_database(f"sqlite:///{database}"):
            pass
    (cwd / ".env").write_text(f"DISCORD_TOKEN=real\nDATABASE_URL=sqlite:///{real[1]}\nDATA_DIR={elsewhere}\n")
    before = contents_of(home / "caravanserai", elsewhere, cwd)
    process = await run(
        *("playground", "--port", "0", "--no-browser"),
        cwd=cwd,
        env={
            **beside_the_tests(tmp_path),
            "XDG_DATA_HOME": str(home),
            "DATABASE_URL": f"sqlite:///{real[1]}",
            "DATA_DIR": str(elsewhere),
        },
    )
    assert process.stdout is not None
    address = (await process.stdout.readline()).decode().split()[-1]
    await open_a_table(address)
    process.send_signal(signal.SIGINT)
    out, err = await process.communicate()
    assert (process.returncode, out, err) == (0, b"", b"")
    assert before == contents_of(home / "caravanserai", elsewhere, cwd)
    with closing(sqlite3.connect(home / "caravanserai-playground" / "caravanserai.db")) as games:
        assert games.execute("SELECT count(*) FROM matches").fetchone() == (1,)


async def open_a_table(address: str) -> None:
    """Use `/table new` as soon as the bot has registered it."""
    async with aiohttp.ClientSession() as session, session.ws_connect(address + "live?user=Ana") as news:
        state = await news.receive_json()
        commands = state["data"]["commands"]
        while not commands:
            commands = (await news.receive_json())["data"].get("commands")
        command = {
            "user": "Ana",
            "channel": state["data"]["channels"][0]["id"],
            "path": "table new",
            "options": {"game": "muscat"},
        }
        async with session.post(address + "act/slash", json=command) as response:
            assert await response.json() == {"outcome": "done"}


def contents_of(*folders: Path) -> dict[Path, bytes]:
    """All files with their contents."""
    return {file: file.read_bytes() for folder in folders for file in folder.rglob("*") if file.is_file()}


async def test_taken_port_is_reported_in_one_sentence(
    trial: tuple[asyncio.subprocess.Process, str], tmp_path: Path
) -> None:
    port = trial[1].rstrip("/").rpartition(":")[2]
    second = await run("playground", "--port", port, "--no-browser", "--no-bot", "--data", str(tmp_path / "other"))
    _, stderr = await second.communicate()
    assert second.returncode == 1
    assert stderr.decode().count("\n") == 1
    assert f"Port {port} is taken" in stderr.decode()
    assert "make play PORT=" in stderr.decode()


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 403),
        ({"Origin": "http://evil.example"}, 403),
    ],
)
async def test_requests_from_other_websites_are_refused(headers: dict[str, str], status: int) -> None:
    local = LocalDiscord()
    server = Server(local)
    address = await server.start(0)
    async with aiohttp.ClientSession() as session, session.get(address + "/", headers=headers) as response:
        assert response.status == status
    await server.stop()


class RecordingSupervisor:
    """A supervisor that records its messages."""

    def __init__(self, local: LocalDiscord, module: str, folder: Path) -> None:
        self.local = local
        self.messages: list[str] = []
        self.supervisor = BotSupervisor(
            local.base_url,
            module,
            token=local.token,
            env={"DATA_DIR": str(folder)},
            log=folder / "bot.log",
            on_error=self._hear,
            on_end=self._hear,
            pause=0.01,
        )

    def _hear(self, sentence: str) -> None:
        self.messages.append(sentence)
        self.local.notifier.notify()


@pytest.fixture
async def local() -> AsyncIterator[LocalDiscord]:
    local = LocalDiscord()
    server = Server(local)
    await server.start(0)
    yield local
    await server.stop()


async def test_killed_bot_is_restarted(local: LocalDiscord, tmp_path: Path) -> None:
    recorder = RecordingSupervisor(local, TRIAL, tmp_path)
    recorder.supervisor.start()
    await local.notifier.until(lambda: local.gateway.identified == 1)
    assert recorder.supervisor.pid is not None
    os.kill(recorder.supervisor.pid, signal.SIGKILL)
    await local.notifier.until(lambda: local.gateway.identified == 2)
    await recorder.supervisor.stop()
    assert [sentence.partition(";")[0] for sentence in recorder.messages] == ["The bot was ended by signal 9"]


async def test_bot_that_fails_to_start_is_reported_once(local: LocalDiscord, tmp_path: Path) -> None:
    recorder = RecordingSupervisor(local, "no_such_module", tmp_path)
    recorder.supervisor.start()
    await local.notifier.until(lambda: bool(recorder.messages))
    await recorder.supervisor.stop()
    (sentence,) = recorder.messages
    assert sentence.startswith("The bot has stopped with code 1 (")
    assert "No module named no_such_module" in sentence


async def test_the_first_user_to_open_the_page_becomes_a_moderator() -> None:
    local = LocalDiscord()
    server = Server(local)
    address = await server.start(0)
    try:
        async with aiohttp.ClientSession() as session:
            for name in ("Ana", "Ben"):
                async with session.ws_connect(f"{address}/live", params={"user": name}):
                    pass
        role = local.world.role_named("Moderators")
        assert role is not None
        ana, ben = local.world.user_named("Ana"), local.world.user_named("Ben")
        assert ana is not None
        assert ben is not None
        assert [True, False] == [role.id in user.roles for user in (ana, ben)]
    finally:
        await server.stop()
