"""The files of an open database. SQLite would go on writing to a deleted file, and all of that would be lost."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.file_lock import OWNER_ONLY

_log = logging.getLogger(__name__)

Identity: TypeAlias = tuple[int, int]
"""The device and the inode number of a file, which stay the same when it is renamed."""


class Files:
    """The database file and its journal (https://www.sqlite.org/wal.html), which contains the latest writes."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._journal = Path(f"{place}-wal")
        self._identity = identity(place)
        self._journal_identity: Identity | None = None

    def require(self) -> None:
        """Called before every commit. Raises `DatabaseUnavailable` if one of the files was deleted or replaced."""
        if identity(self._place) != self._identity:
            raise DatabaseUnavailable(FailureKind.GONE, f"{self._place} was deleted, moved or replaced")
        journal = identity(self._journal)
        # the journal exists by the first commit
        self._journal_identity = self._journal_identity or journal
        if journal != self._journal_identity:
            raise DatabaseUnavailable(FailureKind.GONE, f"{self._journal} was deleted, moved or replaced")


def identity(place: Path) -> Identity | None:
    """The identity of a file; `None` without one."""
    with suppress(OSError):
        status = place.stat()
        return status.st_dev, status.st_ino
    return None


def rescue_path(place: Path) -> Path:
    """The path of the copy that is saved when the file of a database is gone."""
    return Path(f"{place}.rescued")


def restore_rescue_copy(place: Path) -> None:
    """Move a saved copy to the place of its lost database, unless there is a new database by now."""
    if not (copy := rescue_path(place)).exists():
        return
    if place.exists():
        _log.warning("%s is a copy of a database that was lost; move it away if it is not needed", copy)
        return
    rename_rescue_copy(place)
    _log.warning("%s was gone, so the copy that was saved of it takes its place", place)


def rename_rescue_copy(place: Path) -> None:
    """Give the saved copy the name of its database."""
    # the helper files of the lost database: SQLite would apply them to the copy
    for end in ("-wal", "-shm"):
        Path(f"{place}{end}").unlink(missing_ok=True)
    rescue_path(place).rename(place)


def make_private(place: Path) -> None:
    """Create an empty file that only its owner can read. Raises `OSError`, also if the file exists."""
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
