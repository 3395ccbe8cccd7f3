"""Backups: copies of a database, made while the bot runs in another process."""

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
"""Marks a copy, so that the bot knows it was restored. `Store.resume_restored` removes the mark."""


def back_up(source: Path, target: Path) -> None:
    """Copy a database, as of one moment, to a new file that only its owner can read.

    The copy gets its name once it is complete and checked. It is a single file, without a journal.

    Raises:
        StartError: there is nothing to copy, the target cannot be written, or the copy is damaged.
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
    """A new file, renamed to the target on success and deleted after an error."""
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
            part.unlink()


def copy_pages(source: Path, target: Path) -> None:
    """Copy all pages in one step of SQLite (https://www.sqlite.org/backup.html), so that no write comes in between.

    Marks the copy: a bot that starts on it posts the boards of all running games again.
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
