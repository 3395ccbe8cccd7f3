"""The files of an open database: SQLite goes on writing into one that was deleted, and all of it would be lost."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import sqlalchemy
from sqlalchemy import event
from sqlalchemy.exc import DBAPIError

from bot.store.connections import Connection, Engine
from bot.store.lock import OWNER_ONLY
from bot.store.trips import in_one_trip
from bot.store.trouble import DatabaseTrouble, Kind

_log = logging.getLogger(__name__)

Identity: TypeAlias = tuple[int, int]
"""The device and the number of a file there: what stays the same when it is renamed."""

WAL = "wal"
"""Where a connection remembers its journal (https://www.sqlite.org/wal.html): that holds what was written last."""


class Files:
    """The database file and, by connection, its journal: looked at before every commit."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._journal = Path(f"{place}-wal")
        self._database = identity(place)

    def watch(self, engine: sqlalchemy.Engine) -> None:
        """Refuse, from now on, to write into files that are not there any more."""
        event.listen(engine, "connect", self._remember)
        event.listen(engine, "commit", self._look)

    def _remember(self, connection: Any, record: Any) -> None:
        cursor = connection.cursor()
        cursor.execute("SELECT count(*) FROM sqlite_master")  # the journal is made when something is read
        cursor.close()
        record.info[WAL] = identity(self._journal)

    def _look(self, connection: sqlalchemy.Connection) -> None:
        if identity(self._place) != self._database:
            raise DatabaseTrouble(Kind.GONE, f"{self._place} was deleted, moved or replaced")
        if (journal := connection.info.get(WAL)) and identity(self._journal) != journal:
            raise DatabaseTrouble(Kind.GONE, f"{self._journal} was deleted, moved or replaced")


def identity(place: Path) -> Identity | None:
    """What file this is, if it is there."""
    with suppress(OSError):
        found = place.stat()
        return found.st_dev, found.st_ino
    return None


def rescued(place: Path) -> Path:
    """Where a copy goes of a database whose file is gone."""
    return Path(f"{place}.rescued")


async def rescue(engine: Engine) -> None:
    """Copy all that is still in a deleted file to one beside it, once: when the bot ends, the deleted one is lost."""
    try:
        async with engine.connect() as connection:
            copy, place = await in_one_trip(connection, _copied)
        _log.error("all games are saved in %s, which takes the place of %s when the bot is started again", copy, place)
    except FileExistsError:
        pass
    except (DBAPIError, OSError) as error:
        _log.error("no copy of the lost database could be made: %s", error)


async def _copied(connection: Connection) -> tuple[Path, Path]:
    """The copy, and of what it is one."""
    place = Path((await connection.exec_driver_sql("PRAGMA database_list")).all()[0].file)
    make_private(copy := rescued(place))
    await connection.exec_driver_sql("VACUUM INTO ?", (str(copy),))
    return copy, place


def put_rescued_back(place: Path) -> None:
    """Let a copy that was saved take the place of its database, if nobody has put another one there."""
    if not (copy := rescued(place)).exists():
        return
    if place.exists():
        _log.warning("%s is a copy of a database that was lost; move it away if it is not needed", copy)
        return
    for end in ("-wal", "-shm"):  # those of the lost file; SQLite would put them upon the copy
        Path(f"{place}{end}").unlink(missing_ok=True)
    copy.rename(place)
    _log.warning("%s was gone, so the copy that was saved of it takes its place", place)


def make_private(place: Path) -> None:
    """A new, empty file for its owner only. Raises `OSError`, as when there is one."""
    os.close(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
