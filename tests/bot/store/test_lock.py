"""The lock of a database: what the disk refuses is said in a sentence."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from bot.errors import StartError
from bot.store.file_lock import exclusive_lock


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a disk that is always full")
def test_a_lock_that_cannot_be_written_because_the_disk_is_full_is_explained(tmp_path: Path) -> None:
    (tmp_path / "games.db.lock").symlink_to("/dev/full")
    refused = pytest.raises(StartError, match=r"games.db.lock cannot be written: No space left on device\.")
    with refused, exclusive_lock(tmp_path / "games.db"):
        raise AssertionError("nobody gets in")
    with exclusive_lock(tmp_path / "other.db"):
        pass


def test_a_lock_with_an_unreadable_holder_still_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    with exclusive_lock(tmp_path / "games.db"):
        monkeypatch.setattr(os, "read", fail)
        with (
            pytest.raises(StartError, match="Another Caravanserai, process unknown"),
            exclusive_lock(tmp_path / "games.db"),
        ):
            raise AssertionError("nobody gets in")
