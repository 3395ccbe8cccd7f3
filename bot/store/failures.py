"""Failures of the database while the bot runs: a text for the player, and a log line with a code for the operator."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from bot.metrics import DATABASE_FAILURES
from engine.texts import Text

_log = logging.getLogger(__name__)


class FailureKind(StrEnum):
    """A kind of database failure; its value is the code that players can report."""

    FULL = "DB-FULL"
    LOCKED = "DB-LOCKED"
    READ_ONLY = "DB-READONLY"
    GONE = "DB-GONE"
    DAMAGED = "DB-DAMAGED"
    IO = "DB-IO"
    AWAY = "DB-AWAY"
    CLOSED = "DB-CLOSED"


WHY = {
    FailureKind.FULL: Text("the disk of my database is full."),
    FailureKind.LOCKED: Text("another program has locked my database."),
    FailureKind.READ_ONLY: Text("my database can’t be written to at the moment."),
    FailureKind.GONE: Text("the file of my database is gone."),
    FailureKind.DAMAGED: Text("a part of my database that this needs is damaged. Everything else goes on."),
    FailureKind.IO: Text("the disk of my database is failing."),
    FailureKind.AWAY: Text("I can’t reach my database server."),
    FailureKind.CLOSED: Text("I’m about to restart."),
}
"""The text for players."""

REMEDY = {
    FailureKind.FULL: "Make room on its disk; everything then goes on by itself.",
    FailureKind.LOCKED: "Another program holds it; close that one, and everything goes on by itself.",
    FailureKind.READ_ONLY: "See to its owner, its mode and how its disk is mounted; everything then goes on by itself.",
    FailureKind.GONE: "Nothing is written until the very same file is back, or the bot is started again.",
    FailureKind.DAMAGED: "Stop the bot, keep the file as it is, and put your last backup in its place.",
    FailureKind.IO: "See to its disk; everything goes on by itself once the disk does.",
    FailureKind.AWAY: "See to the server and the way there; everything goes on by itself once it is back.",
    FailureKind.CLOSED: "It is about to be restarted.",
}
"""The advice for the operator."""


class DatabaseUnavailable(Exception):
    """The database is unavailable, so nothing of the transaction was written."""

    def __init__(self, kind: FailureKind, problem: str) -> None:
        super().__init__(f"{kind}: {problem}")
        self.kind = kind
        self.problem = problem


class Health:
    """The condition of the database. Logs every change of it, not every failure."""

    def __init__(self) -> None:
        self._current: set[FailureKind] = set()

    @property
    def is_well(self) -> bool:
        """Whether writes succeed. A damaged page does not count: other pages can still be written."""
        return self._current <= {FailureKind.DAMAGED}

    @contextmanager
    def observe(self) -> Iterator[None]:
        """Record and log failures of the database calls inside."""
        try:
            yield
        except DatabaseUnavailable as failure:
            kind = failure.kind
            # a shutdown of the bot is not a failure of the database
            if kind not in self._current and kind is not FailureKind.CLOSED:
                self._current.add(kind)
                DATABASE_FAILURES.labels(kind.value).set(1)
                _log.error("%s: the database is unavailable: %s. %s", kind, failure.problem, REMEDY[kind])
            raise

    def note_write(self) -> None:
        """Clear and log earlier failures after a successful write."""
        # a damaged page stays damaged, even if others can be written
        for kind in sorted(self._current - {FailureKind.DAMAGED}):
            self._current.remove(kind)
            DATABASE_FAILURES.labels(kind.value).set(0)
            _log.warning("%s is over: the database accepts writes again", kind)
