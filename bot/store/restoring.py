"""Restoring a database from a backup. The restored file is marked, so that the next start posts all boards again."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

from bot.errors import StartError
from bot.store.backup import copy_pages, require_sound
from bot.store.file_lock import exclusive_lock
from bot.store.files import make_private, rename_rescue_copy, rescue_path
from bot.store.migrate import VERSION_TABLE, migrations

HELPERS = ("", "-wal", "-shm")
"""The suffixes of a database file and of its helper files."""


def restore(backup: Path, place: Path) -> Path | None:
    """Replace a database with a copy of a backup, while the bot is stopped.

    Returns the new path of the replaced database; `None` without one.

    Raises:
        StartError: the backup is unusable, the bot is running, or a file cannot be written. Nothing was replaced then.
    """
    if not backup.is_file():
        raise StartError(f"There is no file {backup}.")
    if backup.resolve() == place.resolve():
        raise StartError(f"{backup} is the database itself. Name a backup of it.")
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with exclusive_lock(place):
            return _replace(backup, place)
    except OSError as error:
        raise StartError(f"{place} cannot be written: {error.strerror}. Nothing was restored.") from None
    except sqlite3.Error as error:
        raise StartError(f"{backup} was not restored: {error}.") from None


def _replace(backup: Path, place: Path) -> Path | None:
    # if this process is killed in between, the next start renames the file (`restore_rescue_copy`)
    copy = rescue_path(place)
    if copy.exists():
        raise StartError(f"{copy} is a copy of a database that was lost. Move it away first.")
    make_private(copy)
    try:
        copy_pages(backup, copy)
        _require_ours(backup, copy)
        replaced = _move_away(place)
    # an interrupted command, too, must not leave a copy behind that the next start would take for the database
    except BaseException:
        if place.exists():
            copy.unlink(missing_ok=True)
        raise
    rename_rescue_copy(place)
    return replaced


def _require_ours(backup: Path, copy: Path) -> None:
    """Raise `StartError` unless the copy is an undamaged database of this program, not of a newer version."""
    require_sound(backup, copy)
    with closing(sqlite3.connect(copy)) as database:
        tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if not {VERSION_TABLE, "matches"} <= tables:
            raise StartError(f"{backup} is a database of another program.")
        (version,) = database.execute(f"SELECT version FROM {VERSION_TABLE}").fetchone()
    if version > max(migrations()):
        raise StartError(f"{backup} was made by a newer Caravanserai. Update the program first.")


def _move_away(place: Path) -> Path | None:
    if not place.exists():
        return None
    names = (Path(f"{place}.replaced-{number}") for number in count(1))
    replaced = next(name for name in names if not name.exists())
    # the helper files first: SQLite would apply them to the new database
    for end in reversed(HELPERS):
        if (file := Path(f"{place}{end}")).exists():
            file.rename(f"{replaced}{end}")
    return replaced
