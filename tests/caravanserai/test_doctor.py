"""The doctor on the command line names faults, changes nothing, and prints no secret."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.store.opening import open_database
from caravanserai import doctor
from caravanserai.doctor import Result, main
from tests.server import Server

TOKEN = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"


@pytest.fixture
def examine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """The doctor's output with some settings; Discord is out of reach."""
    monkeypatch.chdir(tmp_path)
    # a port that nothing listens on
    monkeypatch.setattr("discord.http.Route.BASE", "http://127.0.0.1:9")

    def examine(**settings: str) -> str:
        for name, value in {"DISCORD_TOKEN": TOKEN, "DATA_DIR": str(tmp_path), "DATABASE_URL": "", **settings}.items():
            monkeypatch.setenv(name, value)
        status = main([])
        output = capsys.readouterr().out
        assert (status == 1) == (Result.BAD in output)
        assert "Cl2FMQ" not in output
        assert "hush" not in output
        return output

    return examine


def test_a_report_without_faults_lists_what_was_checked_and_what_was_not(
    examine: Callable[..., str], tmp_path: Path
) -> None:
    output = examine()
    assert Result.BAD not in output
    for part in ("settings", "token", "DATA_DIR", "caravanserai.db", "fonts", "drawings", "Shared memory"):
        assert part in output
    assert "not checked  The clock" in output
    assert [] == os.listdir(tmp_path), "nothing is made"


FAULTS = {
    "no token": ({"DISCORD_TOKEN": ""}, "There is no DISCORD_TOKEN"),
    "a secret that is no token": ({"DISCORD_TOKEN": "hush"}, "does not have the form of a bot’s token"),
    "a part of a token": ({"DISCORD_TOKEN": TOKEN.partition(".")[0]}, "does not have the form of a bot’s token"),
    "a client secret": ({"DISCORD_TOKEN": "hush.hush.hush"}, "does not have the form of a bot’s token"),
    "a file in the place of the folder": ({"DATA_DIR": __file__}, "is a file, not a folder"),
    "an address with a bad escape": ({"DATABASE_URL": "postgresql://u:hush@yy/x@h/games"}, "is not an address"),
    "a server that is away": ({"DATABASE_URL": "postgresql://u:hush@127.0.0.1:1/games"}, "The database games on"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_reported(fault: str, examine: Callable[..., str]) -> None:
    settings, sentence = FAULTS[fault]
    assert any(line.strip().startswith(Result.BAD) and sentence in line for line in examine(**settings).splitlines())


def test_an_unwritable_folder_is_reported(examine: Callable[..., str]) -> None:
    assert "cannot be written" in examine(DATA_DIR="/proc/games")


async def test_a_database_is_described_and_left_unchanged(examine: Callable[..., str], tmp_path: Path) -> None:

    place = tmp_path / "caravanserai.db"
    async with open_database(f"sqlite:///{place}") as database:
        assert f"{place} has version" in await asyncio.to_thread(examine)
        await database.execute("UPDATE schema_version SET version = 1")
    before = place.read_bytes()
    assert "has version 1; the next start updates it to" in await asyncio.to_thread(examine)
    assert before == place.read_bytes()
    async with open_database(f"sqlite:///{tmp_path}/newer.db") as database:
        await database.execute("UPDATE schema_version SET version = 9999")
    newer = await asyncio.to_thread(examine, DATABASE_URL=f"sqlite:///{tmp_path}/newer.db")
    assert "was made by a newer Caravanserai" in newer
    place.write_text("dear diary, " * 100)
    assert "file is not a database" in await asyncio.to_thread(examine)


async def test_a_server_is_described_without_its_locks(examine: Callable[..., str], server: Server) -> None:

    address = await server.database()
    assert "is empty or not there" in await asyncio.to_thread(examine, DATABASE_URL=address)
    async with open_database(address):
        assert "has version" in await asyncio.to_thread(examine, DATABASE_URL=address)


def test_unusable_shared_memory_is_reported(examine: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("multiprocessing.synchronize.SemLock.__init__", fail)
    assert "Shared memory cannot be used (Permission denied)" in examine()


@pytest.mark.parametrize(
    ("skew", "said"), [(31.0, "31 s ahead of"), (-31.0, "31 s behind"), (29.0, "agrees"), (-29.0, "agrees")]
)
def test_a_wrong_clock_is_reported(
    skew: float, said: str, examine: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def measure() -> float:
        return skew

    monkeypatch.setattr(doctor, "_measure_skew", measure)
    assert said in examine()
