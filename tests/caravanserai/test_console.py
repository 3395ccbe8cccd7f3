"""The console command: one for all that an operator does, with help everywhere and a sentence for every refusal."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bot.__main__
from bot.computers.thinkers import workers_of
from bot.errors import StartError
from bot.store.backup import back_up
from bot.store.opening import open_database, require_driver
from bot.store.store import Store
from caravanserai.__main__ import COMMANDS, main
from caravanserai.drawings import prepare
from tests.server import Server

ROOT = Path(__file__).parents[2]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[str | int, str]:
    """The exit status or the sentence in its place, and the output."""
    status: str | int = 0
    try:
        main(words)
    except SystemExit as end:
        status = end.code or 0
    output = capsys.readouterr()
    return status, output.out + output.err


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a `.env` that names a database in it."""
    monkeypatch.chdir(tmp_path)
    for name in ("DATA_DIR", "DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".env").write_text("DATA_DIR=.\nPOSTGRES_PASSWORD=hush\n")
    return tmp_path


@pytest.mark.parametrize("words", [[], *([name] for name in COMMANDS)], ids=str)
def test_every_command_has_help_with_its_full_name(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, output = run(capsys, *words, "--help")
    assert 0 == status
    assert output.startswith(f"usage: {' '.join(['caravanserai', *words])} [-h]")


def test_the_first_use_of_an_installation_creates_its_drawings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = []

    def draw(command: list[str], **_: object) -> None:
        calls.append(command[1:])
        (tmp_path / "ground.png").touch()

    monkeypatch.setattr("caravanserai.drawings.subprocess.run", draw)
    prepare(tmp_path)
    prepare(tmp_path)
    assert [["-m", "renders.prerendering"]] == calls
    assert 1 == capsys.readouterr().err.count("This happens once")
    assert {"run", "play"} == {name for name, command in COMMANDS.items() if command.draws}


def test_the_other_entry_points_have_help_too(settings: Path) -> None:
    for module in ("bot", "engine.verify", "playground", "renders.prerendering", "caravanserai"):
        command = [sys.executable, "-m", module, "--help"]
        done = subprocess.run(command, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True)
        assert done.stdout.startswith("usage: "), module


def test_an_unknown_command_is_answered_with_a_list_of_all(capsys: pytest.CaptureFixture[str]) -> None:
    status, output = run(capsys, "start")
    assert 2 == status
    assert all(name in output for name in COMMANDS)


def test_the_docs_name_all_commands_and_no_others() -> None:
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    names = {name for page in pages for name in re.findall(r"`caravanserai ([a-z][a-z-]*)", page.read_text("utf-8"))}
    assert {*COMMANDS} == names


def test_run_starts_the_bot_and_accepts_no_argument(
    settings: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("caravanserai.drawings.prepare", lambda: None)
    status, _ = run(capsys, "run")
    assert "Caravanserai cannot start. There is no DISCORD_TOKEN." in str(status)
    monkeypatch.setattr(bot.__main__.config, "load", lambda _: pytest.fail("it has started"))
    assert 2 == run(capsys, "run", "now")[0]


async def fill(address: str) -> None:
    async with open_database(address) as database:
        await Store(database).settings.put("user", 7, "mark", "here")


async def test_backup_and_restore_use_the_configured_database(
    settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await fill(f"sqlite:///{settings}/caravanserai.db")
    result = await asyncio.to_thread(run, capsys, "backup", "copy.db")
    assert (0, "copy.db is a sound copy of all games. It holds secrets: keep it to yourself.\n") == result
    status, output = await asyncio.to_thread(run, capsys, "restore", "copy.db")
    assert 0 == status
    assert "caravanserai.db is restored. At the next start" in output
    assert "The database that was there is now " in output
    async with open_database(f"sqlite:///{settings}/caravanserai.db") as database:
        assert "here" == await Store(database).settings.get("user", 7, "mark")
    for words in (["backup", "copy.db"], ["restore", "none.db"], ["backup", ""], ["backup", "x", "--from", "none"]):
        status, _ = await asyncio.to_thread(run, capsys, *words)
        assert isinstance(status, str), words
    await asyncio.to_thread(run, capsys, "backup", "other.db", "--from", "copy.db")
    assert (settings / "other.db").is_file()


async def test_a_backup_copied_to_a_server_can_be_restored_and_repost_marks_a_server(
    server: Server, settings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, address = f"sqlite:///{settings}/caravanserai.db", await server.database()
    await fill(file)
    back_up(settings / "caravanserai.db", settings / "copy.db")
    status, output = await asyncio.to_thread(run, capsys, "copy", f"sqlite:///{settings}/copy.db", address)
    assert (0, True) == (status, "rows copied. Set DATABASE_URL" in output)
    async with open_database(address) as database:
        assert await Store(database).settings.get("bot", 0, "restored") is None
        assert await Store(database).settings.get("bot", 0, "first match")
    status, output = await asyncio.to_thread(run, capsys, "repost", address)
    assert (0, "Boards that the bot posts again at its next start: 0.\n") == (status, output)


def test_invalid_settings_are_explained(settings: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (settings / ".env").write_text("DATA_DIRR=x\n")
    for words in (["backup", "x"], ["restore", ".env"], ["rate"], ["repost"]):
        status, _ = run(capsys, *words)
        assert str(status).startswith(".env, line 1 is not a setting of this program. Did you mean DATA_DIR?"), words


def test_an_installation_without_the_local_discord_is_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "playground", None)
    for module in ("playground.__main__", "caravanserai.playing", "caravanserai.workshop"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert "not part of this installation" in str(run(capsys, "play")[0])


FOREIGN = re.compile(r"caravanserai\[[a-z]|pip3? install (-\w+ )*['\"]?caravanserai(?!-)\b|==\s*caravanserai\b")


def test_no_hint_installs_the_unrelated_package_of_the_same_name() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.split(b"\0")
    paths = [ROOT / name.decode() for name in listed if name and Path(name.decode()).suffix not in (".png", ".gif")]
    texts = {path: path.read_bytes().decode("utf-8", "replace") for path in paths if path != Path(__file__)}
    assert [] == [str(path) for path, text in texts.items() if FOREIGN.search(text)]
    assert all(
        FOREIGN.search(hint)
        for hint in ("'caravanserai[dask]'", "pip install caravanserai", "pip install -U 'caravanserai'")
    )
    assert 'name = "caravanserai-bot"' in (ROOT / "pyproject.toml").read_text()


@pytest.mark.parametrize("extra", ["postgres", "dask"])
def test_a_missing_extra_is_explained_with_the_command_to_install_it(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(StartError) as refused:
        require_driver() if extra == "postgres" else workers_of("dask://host:1")
    assert f"pip install -e '.[{extra}]'" in str(refused.value)
