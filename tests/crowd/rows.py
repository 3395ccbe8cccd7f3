"""The database of a dead bot, read without the bot's code, in a file or on a server."""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import astuple, fields
from datetime import datetime
from itertools import groupby
from typing import Any

import psycopg

from bot.store.codec import time_at
from bot.store.jobs import NO_MATCH, JobKind
from bot.store.migrate import table_keys
from bot.store.opening import place_of
from bot.store.reminded import LONG_AGO
from bot.store.tally import Credit, Forfeit, RatedMatch, RatedSeat, Standing, Tally, forfeit_results
from engine.games import discover
from engine.match import Entry, Match
from engine.texts import Seat
from engine.values import Value

OF_NO_MATCH = {
    "reminded",
    "blocks",
    "bars",
    "settings",
    "rating_state",
    "ratings",
    "meetings",
    "leagues",
    "league_players",
    "league_seats",
    "league_traces",
}
OF_MATCHES = table_keys().keys() - OF_NO_MATCH - {"matches"}
"""Tables in which every row belongs to a match, except that a job may have none."""

SOUND = {
    "sqlite": ("SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",),
    "postgresql": (
        "SELECT relname, msg FROM pg_class, verify_heapam(oid) "
        "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
        "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE relnamespace = 'public'::regnamespace AND bt_index_check(indexrelid, true) IS NULL",
    ),
}
"""Queries that check the files of each kind of database: every row of an answer is a fault, and so is an error."""


class Written(Value):
    """An entry of a log with the interaction that caused it."""

    seat: int
    notation: str
    interaction_id: int | None


class Board(Value):
    """The newest posted board."""

    version: int
    message_id: int
    due: tuple[int, ...]
    mark: str


class Due(Value):
    """A job with its kind, its time, and its failed attempts in a row."""

    kind: JobKind
    match_id: int
    user_id: int
    seat: int
    at: datetime
    failed: int


class Record(Value):
    """All stored data of a match; `users` are in order of seats."""

    id: int
    game: str
    channel_id: int
    status: str
    pace: str
    seed: str
    options: dict[str, Any]
    users: tuple[int | None, ...]
    log: tuple[Written, ...]
    showing: Board | None
    jobs: tuple[Due, ...]
    drafts: dict[int, int]
    clocks: frozenset[int]

    def replayed(self, length: int | None = None) -> Match:
        """Replay the log, or its first `length` entries. Raises `BrokenLog`."""
        spec = discover()[self.game]
        entries = [Entry(Seat(row.seat), row.notation) for row in self.log[:length]]
        return Match.replay(spec, spec.setup(len(self.users), self.options), self.seed, entries)

    def when(self, kind: JobKind, user_id: int) -> datetime | None:
        """The time of the job of a kind for a user, if there is one."""
        return next((job.at for job in self.jobs if (job.kind, job.user_id) == (kind, user_id)), None)


class Look(ABC):
    """A read-only snapshot of a database."""

    kind: str

    @abstractmethod
    def ask(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        """Run a query with `?` for parameters, and return its rows."""


class LookAtFile(Look):
    """A snapshot of an SQLite file."""

    kind = "sqlite"

    def __init__(self, connection: sqlite3.Connection | sqlite3.Cursor) -> None:
        self._connection = connection

    def ask(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, parameters).fetchall()


class LookAtServer(Look):
    """A snapshot of a PostgreSQL database."""

    kind = "postgresql"

    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def ask(self, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
        cursor = self._connection.execute(sql.replace("?", "%s"), parameters)
        return cursor.fetchall() if cursor.description else []


@contextmanager
def look(address: str) -> Iterator[Look]:
    """A snapshot that is rolled back at the end."""
    if address.startswith("sqlite:"):
        with closing(sqlite3.connect(place_of(address), isolation_level=None)) as file:
            file.execute("BEGIN")
            yield LookAtFile(file)
    else:
        with closing(psycopg.connect(address)) as server:
            server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            yield LookAtServer(server)


def read(look: Look) -> list[Record]:
    """All stored matches; none before the schema exists."""
    if not _is_made(look):
        return []
    holders = _by_match(look, "SELECT match_id, user_id FROM seat_history WHERE until IS NULL ORDER BY seat")
    logs = _by_match(look, "SELECT match_id, seat, notation, interaction_id FROM entries ORDER BY n")
    boards = _by_match(look, "SELECT match_id, version, message_id, body FROM boards")
    due = jobs(look)
    by_seat = _by_match(look, "SELECT match_id, seat, version FROM drafts")
    timed = _by_match(look, "SELECT match_id, seat FROM clocks WHERE version >= 0")
    matches = look.ask("SELECT id, game, channel_id, status, pace, seed, options FROM matches ORDER BY id")
    return [
        Record(
            *about,
            options=json.loads(options),
            users=tuple(user for (user,) in holders[about[0]]),
            log=tuple(Written(*entry) for entry in logs[about[0]]),
            showing=next((_board(*board) for board in boards[about[0]]), None),
            jobs=tuple(job for job in due if job.match_id == about[0]),
            drafts=dict(by_seat[about[0]]),
            clocks=frozenset(seat for (seat,) in timed[about[0]]),
        )
        for *about, options in matches
    ]


def jobs(look: Look) -> list[Due]:
    """All jobs."""
    if not _is_made(look):
        return []
    rows = look.ask("SELECT kind, match_id, user_id, seat, due_at, attempts FROM jobs")
    return [Due(JobKind(kind), *about, datetime.fromisoformat(at), failed) for kind, *about, at, failed in rows]


def _by_match(look: Look, sql: str) -> defaultdict[int, list[Any]]:
    """Group rows by their first column, the match."""
    by_match: defaultdict[int, list[Any]] = defaultdict(list)
    for match_id, *rest in look.ask(sql):
        by_match[match_id].append(tuple(rest))
    return by_match


def _board(version: int, message_id: int, stored: str) -> Board:
    body = json.loads(stored)
    return Board(version, message_id, tuple(body["due"]), body["mark"])


def last_reminders(look: Look) -> dict[int, datetime]:
    """The stored time of each user's last reminder; `LONG_AGO` means never."""
    rows = look.ask("SELECT user_id, at FROM reminded") if _is_made(look) else []
    return {user_id: time_at(at) if at else LONG_AGO for user_id, at in rows}


def unsound(look: Look) -> list[str]:
    """The faults that the database finds in its files, and rows without a match."""
    try:
        complaints = [str(row) for question in SOUND[look.kind] for row in look.ask(question)]
    except (sqlite3.Error, psycopg.Error) as error:
        return [str(error)]
    return complaints + (_orphans(look) if _is_made(look) else [])


def wrong_ratings(look: Look) -> list[object]:
    """The stored ratings that differ in any bit from those computed from the results, and the computed ones."""
    if not _is_made(look):
        return []
    rows = look.ask("""
        SELECT id, guild_id, game, ended, moves, user_id, computer, company, place, coalesce(whole, 1), score, share,
            status
        FROM matches JOIN results ON results.match_id = matches.id WHERE ended IS NOT NULL ORDER BY ended, seat
    """)
    lost: dict[int, list[Forfeit]] = defaultdict(list)
    for match_id, *forfeit in look.ask("SELECT match_id, seat, user_id, place FROM forfeits ORDER BY match_id, number"):
        lost[match_id].append(Forfeit(*forfeit))
    tally = Tally()
    for match, of_match in groupby(rows, lambda row: row[:5]):
        seats = list(of_match)
        results = tuple(RatedSeat(Credit(*seat[5:9], bool(seat[9])), *seat[10:12]) for seat in seats)
        tally.count(RatedMatch(*match, results, forfeit_results(lost[match[0]]), seats[0][12] != "ended"))
    columns = ", ".join(column.name for column in fields(Standing))
    stored = set(look.ask(f"SELECT {columns} FROM ratings"))
    # no data of a forgotten user is stored
    return [*(stored ^ {astuple(standing) for standing in tally.standings.values() if standing.user_id > 0})]


def the_database_is_sound(look: Look) -> Iterator[str]:
    yield from unsound(look)


def ratings_follow_from_the_results(look: Look) -> Iterator[str]:
    if wrong := wrong_ratings(look):
        yield f"{wrong[:3]}"


def no_board_waits_longer_than_the_plan_allows(look: Look) -> Iterator[str]:
    yield from (str(job) for job in jobs(look) if job.kind is JobKind.BOARD)


def nothing_fails_without_a_fault(look: Look) -> Iterator[str]:
    yield from (str(job) for job in jobs(look) if job.failed)


def nothing_is_to_be_done_where_all_is_over(look: Look) -> Iterator[str]:
    over = {record.id for record in read(look) if record.status not in ("lobby", "running")}
    later = (JobKind.THREAD_ARCHIVE,)  # a day later
    yield from (str(job) for job in jobs(look) if job.match_id in over and job.kind not in later)


def nothing_that_is_due_is_left_undone(look: Look, now: datetime) -> Iterator[str]:
    yield from (str(job) for job in jobs(look) if job.at <= now)


OF_DATABASE = (the_database_is_sound, ratings_follow_from_the_results)
"""Promises that hold at any time."""

WITHOUT_FAULTS = (
    no_board_waits_longer_than_the_plan_allows,
    nothing_fails_without_a_fault,
    nothing_is_to_be_done_where_all_is_over,
)
"""Promises that hold soon after the last fault."""


def _is_made(look: Look) -> bool:
    tables = {"sqlite": "SELECT name FROM sqlite_master", "postgresql": "SELECT tablename FROM pg_tables"}
    return ("matches",) in look.ask(tables[look.kind])


def _orphans(look: Look) -> list[str]:
    """The tables with rows of missing matches."""
    orphan = "SELECT 1 FROM {} WHERE match_id IS NOT NULL AND match_id NOT IN (SELECT id FROM matches {}) LIMIT 1"
    none = {"jobs": f"UNION SELECT {NO_MATCH}"}
    return [
        f"rows of no match in {table}"
        for table in sorted(OF_MATCHES)
        if look.ask(orphan.format(table, none.get(table, "")))
    ]
