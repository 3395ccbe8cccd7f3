"""What a dead bot has left: its database, read without it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games import discover
from engine.match import Entry, Match
from engine.texts import Seat

NAME = "caravanserai.db"


@dataclass(frozen=True, slots=True)
class Written:
    """An entry of a log, and the interaction that brought it."""

    seat: int
    notation: str
    interaction_id: int | None


@dataclass(frozen=True, slots=True)
class Board:
    """A row of the outbox."""

    id: int
    version: int
    status: str
    message_id: int | None
    due: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """All that is kept of a match; `users` are by seat, `timers` those who will be reminded."""

    id: int
    game: str
    channel_id: int
    status: str
    pace: str
    seed: str
    options: dict[str, Any]
    users: tuple[int | None, ...]
    log: tuple[Written, ...]
    boards: tuple[Board, ...]
    drafts: dict[int, int]
    timers: frozenset[int]
    clocks: frozenset[int]

    def replayed(self, length: int | None = None) -> Match:
        """The match, or its beginning. Raises `BrokenLog`."""
        spec = discover()[self.game]
        entries = [Entry(Seat(row.seat), row.notation) for row in self.log[:length]]
        return Match.replay(spec, spec.setup(len(self.users), self.options), self.seed, entries)

    @property
    def showing(self) -> list[Board]:
        """The boards that were posted, oldest first."""
        return [board for board in self.boards if board.message_id is not None]


def read(folder: Path) -> list[Record]:
    """Every match that is kept; none before the tables are made."""
    with closing(_opened(folder)) as connection:
        if not _tables(connection):
            return []
        return [_record(connection, row) for row in connection.execute("SELECT * FROM matches ORDER BY id")]


def unsound(folder: Path) -> list[str]:
    """What SQLite finds wrong with the file."""
    with closing(_opened(folder)) as connection:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        return found + [f"foreign key: {tuple(row)}" for row in connection.execute("PRAGMA foreign_key_check")]


def _opened(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / NAME, timeout=10)
    connection.row_factory = sqlite3.Row
    return connection


def _tables(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def _record(connection: sqlite3.Connection, row: sqlite3.Row) -> Record:
    def rows(query: str) -> list[sqlite3.Row]:
        return connection.execute(query, (row["id"],)).fetchall()

    chairs = rows("SELECT user_id FROM sittings WHERE match_id = ? AND until IS NULL ORDER BY seat")
    log = rows("SELECT seat, notation, interaction_id FROM entries WHERE match_id = ? ORDER BY n")
    drafts = rows("SELECT seat, version FROM drafts WHERE match_id = ?")
    timers = rows("SELECT user_id FROM timers WHERE match_id = ? AND kind = 'reminder'")
    clocks = rows("SELECT seat FROM clocks WHERE match_id = ? AND version >= 0")
    return Record(
        id=row["id"],
        game=row["game"],
        channel_id=row["channel_id"],
        status=row["status"],
        pace=row["pace"],
        seed=row["seed"],
        options=json.loads(row["options"]),
        users=tuple(chair["user_id"] for chair in chairs),
        log=tuple(Written(*written) for written in log),
        boards=tuple(map(_board, rows("SELECT * FROM posts WHERE match_id = ? ORDER BY id"))),
        drafts={draft["seat"]: draft["version"] for draft in drafts},
        timers=frozenset(timer["user_id"] for timer in timers),
        clocks=frozenset(clock["seat"] for clock in clocks),
    )


def _board(row: sqlite3.Row) -> Board:
    body = json.loads(row["body"]) if row["body"] else None
    due = tuple(body["due"]) if body else ()
    return Board(row["id"], row["version"], row["status"], row["message_id"], due)
