"""Messages to the operator about the files of the bot, and who else can read them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.features.admin import installation
from bot.features.admin.installation import check
from engine.discovery import Discovered
from playground.harness import Playground
from renders import grounds


@pytest.fixture
def own_folder(tmp_path: Path) -> Path:
    """A data folder with settings in it, for its owner only."""
    tmp_path.chmod(0o700)
    (tmp_path / ".env").write_text("DISCORD_TOKEN=x\n")
    (tmp_path / ".env").chmod(0o600)
    return tmp_path


Warnings = Callable[[Path, Path], list[str]]


@pytest.fixture
def prerendered(tmp_path: Path) -> Path:
    """A folder of drawings that were made when the program was installed."""
    (folder := tmp_path / "prerendered").mkdir()
    (folder / "0123.png").write_bytes(b"a drawing")
    return folder


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture, prerendered: Path) -> Warnings:
    def warnings_about(*places: Path) -> list[str]:
        check(*places, prerendered=prerendered)
        return caplog.messages

    return warnings_about


def test_owner_only_files_are_not_reported(own_folder: Path, warnings: Warnings) -> None:
    assert [] == warnings(own_folder, own_folder / ".env")
    assert [] == warnings(own_folder / "nowhere", own_folder / "nothing")


@pytest.mark.parametrize("mode", [0o644, 0o604])
def test_a_readable_settings_file_is_reported_with_the_chmod_command(
    own_folder: Path, warnings: Warnings, mode: int
) -> None:
    (own_folder / ".env").chmod(mode)
    (line,) = warnings(own_folder, own_folder / ".env")
    assert line.endswith(f": chmod 600 {own_folder / '.env'}")
    assert "TOKEN" not in line


def test_the_settings_file_may_be_group_readable(own_folder: Path, warnings: Warnings) -> None:
    (own_folder / ".env").chmod(0o640)
    assert [] == warnings(own_folder, own_folder / ".env")


def test_a_world_readable_data_folder_is_reported(own_folder: Path, warnings: Warnings) -> None:
    own_folder.chmod(0o755)
    (line,) = warnings(own_folder, own_folder / ".env")
    assert line.endswith(f": chmod 700 {own_folder}")


@pytest.mark.parametrize("there", [True, False])
def test_missing_prerendered_images_are_reported_with_the_command_that_makes_them(
    own_folder: Path, warnings: Warnings, prerendered: Path, there: bool
) -> None:
    (prerendered / "0123.png").unlink()
    if not there:
        prerendered.rmdir()
    (line,) = warnings(own_folder, own_folder / ".env")
    assert line.endswith(f": {sys.executable} -m renders.prerendering")


def test_prerendered_images_are_read_from_the_folder_they_are_written_to() -> None:
    assert grounds.FOLDER == installation.PRERENDERED


def test_prerendering_fails_if_images_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    folder = tmp_path / "file" / "prerendered"
    done = subprocess.run([sys.executable, "-c", PRERENDERING, folder], capture_output=True, text=True)
    assert 1 == done.returncode
    assert done.stderr.startswith("The grounds could not be written: ")


PRERENDERING = """
import sys, pathlib
from renders import grounds, prerendering
grounds.FOLDER = pathlib.Path(sys.argv[1])
prerendering.main()
"""


def mode_of(place: Path) -> int:
    return place.stat().st_mode & 0o777


async def test_new_folders_are_accessible_to_their_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        async with Playground(strict=True) as local:
            bot = await local.start_bot(env={"DATA_DIR": str(tmp_path / "data")})
            assert 0o700 == mode_of(tmp_path / "data")
            assert "chmod" not in bot.tail()
    finally:
        os.umask(before)


async def test_an_existing_data_folder_keeps_its_mode_and_is_reported(tmp_path: Path) -> None:
    os.chmod(tmp_path, 0o755)
    async with Playground(strict=True) as local:
        bot = await local.start_bot(env={"DATA_DIR": str(tmp_path)})
        await local.player("Ana").slash("game rules", game="muscat")
        assert f"chmod 700 {tmp_path}" in bot.tail()
        assert 0o755 == mode_of(tmp_path)


def test_unusable_game_packages_are_named(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "The game race of desert-race 2.1 is left out: it was written for version 2 of the interface."
    monkeypatch.setattr("bot.features.admin.installation.discover_all", lambda: Discovered({}, {}, (sentence,)))
    installation.load_games()
    assert [sentence] == caplog.messages
