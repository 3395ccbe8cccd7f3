"""A copy of a database, made while a bot in another process goes on with it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from bot.errors import StartError
from bot.store.files import make_private

MARK = """
INSERT INTO settings (scope, scope_id, name, value) VALUES ('bot', 0, 'restored', 'true')
ON CONFLICT (scope, scope_id, name) DO UPDATE SET value = excluded.value
"""
"""Marks a copy. `Store.resume_restored` removes the mark."""


def back_up(source: Path, target: Path) -> None:
    """Copy a database as it is at one moment into a file that does not exist yet, for its owner only.

    The copy gets its name once it is whole and was checked. It needs none of the files beside it.

    Raises:
        StartError: there is nothing to copy, no place for it, or the copy is not sound; the sentence says which.
    """
    if not source.is_file():
        raise StartError(f"There is no database {source}.")
    if target.is_dir():
        raise StartError(f"{target} is a folder. Name a file in it.")
    if target.exists():
        raise StartError(f"{target} exists already. A backup overwrites nothing: name another file.")
    with _in_the_making(target) as part:
        copy_pages(source, part)
        require_sound(source, part)


def require_sound(source: Path, copy: Path) -> None:
    """Raise `StartError` if the copy of a database is damaged."""
    with closing(sqlite3.connect(copy)) as database:
        (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if verdict != "ok":
        raise StartError(f"{source} is damaged ({' '.join(verdict.split())}), so its copy was not kept.")


@contextmanager
def _in_the_making(target: Path) -> Iterator[Path]:
    """A new file that becomes the target at the end, or is gone."""
    part = Path(f"{target}.part")
    try:
        part.unlink(missing_ok=True)
        make_private(part)
        yield part
        part.rename(target)
    except OSError as error:
        raise StartError(f"{target} cannot be written: {error.strerror}.") from None
    except sqlite3.Error as error:
        raise StartError(f"The backup was not made: {error}.") from None
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def copy_pages(source: Path, target: Path) -> None:
    """Copy all pages in one step of SQLite (https://www.sqlite.org/backup.html), so no other process writes in between.

    The copy is marked: a bot that starts on it posts the boards of all running games again.
    """
    with (
        closing(sqlite3.connect(f"file:{quote(str(source))}?mode=ro", uri=True)) as database,
        closing(sqlite3.connect(target)) as copy,
    ):
        database.backup(copy)
        # the copy inherits WAL mode from its source, and would need a second file beside it
        copy.execute("PRAGMA journal_mode=DELETE")
        with copy:
            copy.execute(MARK)
