"""The files of an open database: SQLite goes on writing into one that was deleted, and all of it would be lost."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

from bot.store.file_lock import OWNER_ONLY
from bot.store.trouble import DatabaseTrouble, TroubleKind

_log = logging.getLogger(__name__)

Identity: TypeAlias = tuple[int, int]
"""The device and the number of a file there: what stays the same when it is renamed."""


class Files:
    """The database file and its journal (https://www.sqlite.org/wal.html), which holds what was written last."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._journal = Path(f"{place}-wal")
        self._known = identity(place)
        self._known_journal: Identity | None = None

    def require(self) -> None:
        """Called before every commit. Raises `DatabaseTrouble` if one of them is not the file it was."""
        if identity(self._place) != self._known:
            raise DatabaseTrouble(TroubleKind.GONE, f"{self._place} was deleted, moved or replaced")
        journal = identity(self._journal)
        # it is there by the first commit
        self._known_journal = self._known_journal or journal
        if journal != self._known_journal:
            raise DatabaseTrouble(TroubleKind.GONE, f"{self._journal} was deleted, moved or replaced")


def identity(place: Path) -> Identity | None:
    """What file this is, if it is there."""
    with suppress(OSError):
        found = place.stat()
        return found.st_dev, found.st_ino
    return None


def rescued(place: Path) -> Path:
    """Where a copy goes of a database whose file is gone."""
    return Path(f"{place}.rescued")


def put_rescued_back(place: Path) -> None:
    """Let a copy that was saved take the place of its database, unless there is another one by now."""
    if not (copy := rescued(place)).exists():
        return
    if place.exists():
        _log.warning("%s is a copy of a database that was lost; move it away if it is not needed", copy)
        return
    replace_by_rescued(place)
    _log.warning("%s was gone, so the copy that was saved of it takes its place", place)


def replace_by_rescued(place: Path) -> None:
    """Give the saved copy the name of its database."""
    # those of the lost file; SQLite would apply them to the copy
    for end in ("-wal", "-shm"):
        Path(f"{place}{end}").unlink(missing_ok=True)
    rescued(place).rename(place)


def make_private(place: Path) -> None:
    """A new, empty file for its owner only. Raises `OSError`, as when there is one."""
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
