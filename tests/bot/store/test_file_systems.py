"""Folders on a network file system: every error names it."""

from __future__ import annotations

import errno
import logging
from pathlib import Path

import pytest

from bot.errors import StartError
from bot.store import file_lock, file_systems, sqlite
from bot.store.database import Database
from bot.store.file_systems import network_file_system
from bot.store.opening import open_database

LINE = "36 35 98:0 / {point} rw,noatime shared:1 master:2 - {kind} server:/share rw\n"


@pytest.fixture
def mount(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on a disk of this machine, and one below it that is mounted from elsewhere, as the kernel lists them."""
    folder = tmp_path / "a b"
    folder.mkdir()
    points = [("/", "ext4"), (str(tmp_path), "xfs"), (str(folder).replace(" ", "\\040"), "nfs4")]
    (tmp_path / "mountinfo").write_text("".join(LINE.format(point=point, kind=kind) for point, kind in points))
    monkeypatch.setattr(file_systems, "MOUNTS", tmp_path / "mountinfo")
    return folder


def test_the_innermost_mount_counts(mount: Path) -> None:
    assert "nfs4" == network_file_system(mount / "games.db")
    assert network_file_system(Path(f"{mount}2/games.db")) is None
    assert network_file_system(mount.parent / "games.db") is None


@pytest.mark.parametrize(
    ("kind", "is_network"),
    [("cifs", True), ("smb3", True), ("fuse.sshfs", True), ("fuse", True), ("9p", True), ("ext4", False)]
    + [(kind, False) for kind in ("btrfs", "zfs", "overlay", "tmpfs", "fuseblk", "fuse.fuse-overlayfs")],
)
def test_network_file_systems_are_recognized_by_type(kind: str, is_network: bool, tmp_path: Path) -> None:
    (tmp_path / "mounts").write_text(LINE.format(point="/", kind=kind))
    assert (kind if is_network else None) == network_file_system(tmp_path, tmp_path / "mounts")


def test_an_undetectable_file_system_counts_as_local(tmp_path: Path) -> None:
    assert network_file_system(tmp_path, tmp_path / "none") is None
    (tmp_path / "odd").write_text("nonsense\n")
    assert network_file_system(tmp_path, tmp_path / "odd") is None


PROBLEMS = ("disk I/O error", "database is locked", "unable to open database file", "locking protocol")


@pytest.mark.parametrize("problem", PROBLEMS)
def test_every_error_on_a_shared_file_system_names_it(problem: str, mount: Path) -> None:
    sentence = sqlite._explain(problem, mount / "games.db")
    assert "is on a network file system (nfs4)" in sentence
    assert problem in sentence
    assert "Another program" not in sentence
    assert "full" not in sentence
    assert "network" not in sqlite._explain(problem, mount.parent / "games.db")
    refused = str(file_lock._unwritable(mount / "games.db", OSError(errno.EIO, problem)))
    assert f"is on a network file system (nfs4), which SQLite cannot use safely: {problem}." in refused


@pytest.mark.parametrize("code", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EIO])
async def test_failing_locks_name_the_network_file_system(
    code: int, mount: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> bool:
        raise OSError(code, "the server says no")

    monkeypatch.setattr(file_lock, "lock_descriptor", fail)
    for folder, expected in ((mount, "is on a network file system (nfs4)"), (mount.parent, "files cannot be locked")):
        with pytest.raises(StartError) as refused:
            async with open_database(f"sqlite:///{folder}/games.db"):
                pass
        assert expected in str(refused.value)
        assert "another program" not in str(refused.value).casefold()


async def test_a_lock_on_a_network_file_system_may_belong_to_another_machine(mount: Path) -> None:
    async with open_database(f"sqlite:///{mount}/games.db"):
        with pytest.raises(StartError, match=r"network file system \(nfs4\), so it may run on another machine"):
            async with open_database(f"sqlite:///{mount}/games.db"):
                pass


async def test_starting_on_a_network_file_system_logs_a_warning(mount: Path, caplog: pytest.LogCaptureFixture) -> None:
    for folder, is_warned in ((mount, True), (mount.parent, False)):
        caplog.clear()
        async with open_database(f"sqlite:///{folder}/games.db"):
            assert is_warned == ("is on a network file system (nfs4), where games may be lost" in caplog.text)
    assert all(record.levelno < logging.ERROR for record in caplog.records)


async def test_a_file_system_without_shared_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite then keeps the mode of the journal that it has, and says so."""
    real = Database.fetch_value

    async def refuse_wal(self: Database, sql: str, *parameters: object) -> object:
        return "delete" if "journal_mode" in sql else await real(self, sql, *parameters)

    monkeypatch.setattr(Database, "fetch_value", refuse_wal)
    with pytest.raises(StartError, match="there is no shared memory"):
        async with open_database(f"sqlite:///{tmp_path}/games.db"):
            pass
