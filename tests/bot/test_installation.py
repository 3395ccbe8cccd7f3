"""What whoever runs the bot is told about its files, and who else can read them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.operating.installation import check
from playground.harness import Playground
from tests.bot.inn import Inn


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """A data folder with settings in it, for its owner only."""
    tmp_path.chmod(0o700)
    (tmp_path / ".env").write_text("DISCORD_TOKEN=x\n")
    (tmp_path / ".env").chmod(0o600)
    return tmp_path


Told = Callable[[Path, Path], list[str]]


@pytest.fixture
def told(caplog: pytest.LogCaptureFixture) -> Told:
    def told(*places: Path) -> list[str]:
        check(*places)
        return caplog.messages

    return told


def test_of_files_for_their_owner_nothing_is_told(closed: Path, told: Told) -> None:
    assert [] == told(closed, closed / ".env")
    assert [] == told(closed / "nowhere", closed / "nothing")


@pytest.mark.parametrize("mode", [0o644, 0o604])
def test_settings_that_all_can_read_are_told_with_the_command_that_closes_them(
    closed: Path, told: Told, mode: int
) -> None:
    (closed / ".env").chmod(mode)
    (line,) = told(closed, closed / ".env")
    assert line.endswith(f": chmod 600 {closed / '.env'}")
    assert "TOKEN" not in line


def test_a_group_of_the_host_may_read_them(closed: Path, told: Told) -> None:
    (closed / ".env").chmod(0o640)
    assert [] == told(closed, closed / ".env")


def test_a_data_folder_that_all_can_look_into_is_told(closed: Path, told: Told) -> None:
    closed.chmod(0o755)
    (line,) = told(closed, closed / ".env")
    assert line.endswith(f": chmod 700 {closed}")


def mode_of(place: Path) -> int:
    return place.stat().st_mode & 0o777


async def test_the_folders_that_the_bot_makes_are_for_their_owner_only(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        async with Playground(strict=True) as local:
            bot = await local.start_bot(env={"DATA_DIR": str(tmp_path / "data")})
            ana = local.player("Ana")
            await ana.slash("game new", game="muscat")
            await ana.tap("Add computer")
            await ana.tap("Add computer")
            await ana.tap("Start")
            await ana.expect("### ")
            assert 0o700 == mode_of(tmp_path / "data")
            assert 0o700 == mode_of(tmp_path / "data" / "pictures")
            assert "chmod" not in bot.tail()
    finally:
        os.umask(before)


async def test_a_folder_of_pictures_that_was_open_is_closed(inn: Inn) -> None:
    await inn.close()
    (pictures := inn.folder / "pictures").mkdir(exist_ok=True)
    pictures.chmod(0o755)
    await inn.open()
    await inn.room().game("Ana", "Ben", "Caro")
    assert 0o700 == mode_of(pictures)
