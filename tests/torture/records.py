"""What a dead bot has left: its database, read without it, in a file or on a server."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, Select, create_engine, exists, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from bot.store import schema
from bot.store.rows import TimerKind
from engine.games import discover
from engine.match import Entry, Match
from engine.texts import Seat

SOUND = {
    "sqlite": ("SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",),
    "postgresql": (
        "SELECT relname, msg FROM pg_class, verify_heapam(oid) "
        "WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
        "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid "
        "WHERE relnamespace = 'public'::regnamespace AND bt_index_check(indexrelid, true) IS NULL",
    ),
}
"""What each kind of database is asked about its own files: a row of an answer is a fault, and so is an error."""


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
    mark: str


@dataclass(frozen=True, slots=True)
class Record:
    """All that is kept of a match; `users` are by seat, `timers` say when a user will be reminded."""

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
    timers: dict[int, datetime]
    clocks: frozenset[int]

    def replayed(self, length: int | None = None) -> Match:
        """The match, or its beginning. Raises `BrokenLog`."""
        spec = discover()[self.game]
        entries = [Entry(Seat(row.seat), row.notation) for row in self.log[:length]]
        return Match.replay(spec, spec.setup(len(self.users), self.options), self.seed, entries)

    @property
    def showing(self) -> Board | None:
        """The newest board that was posted."""
        return next((board for board in reversed(self.boards) if board.message_id is not None), None)


def opened(address: str) -> Engine:
    """The database that a bot has under this address; its server may go away and come back."""
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        return create_engine(url.set(drivername="sqlite"), poolclass=NullPool)
    url = url.set(drivername="postgresql+psycopg")
    return create_engine(url, isolation_level="REPEATABLE READ", pool_size=1, pool_pre_ping=True)


def read(connection: Connection) -> list[Record]:
    """Every match that is kept; none before the tables are made."""
    if not _is_made(connection):
        return []
    of = partial(_by_match, connection)
    sat, was, clocks = schema.sittings.c, schema.entries.c, schema.clocks.c
    posts, drafts, timers = schema.posts.c, schema.drafts.c, schema.timers.c
    chairs = of(select(sat.match_id, sat.user_id).where(sat.until.is_(None)).order_by(sat.seat))
    logs = of(select(was.match_id, was.seat, was.notation, was.interaction_id).order_by(was.n))
    boards = of(
        select(posts.match_id, posts.id, posts.version, posts.status, posts.message_id, posts.body).order_by(posts.id)
    )
    drawn = of(select(drafts.match_id, drafts.seat, drafts.version))
    due = of(select(timers.match_id, timers.user_id, timers.at).where(timers.kind == TimerKind.REMINDER))
    timed = of(select(clocks.match_id, clocks.seat).where(clocks.version >= 0))
    return [
        Record(
            id=row.id,
            game=row.game,
            channel_id=row.channel_id,
            status=row.status,
            pace=row.pace,
            seed=row.seed,
            options=row.options,
            users=tuple(user for (user,) in chairs[row.id]),
            log=tuple(Written(*entry) for entry in logs[row.id]),
            boards=tuple(_board(*board) for board in boards[row.id]),
            drafts=dict(drawn[row.id]),
            timers={user: at.replace(tzinfo=at.tzinfo or UTC) for user, at in due[row.id]},
            clocks=frozenset(seat for (seat,) in timed[row.id]),
        )
        for row in connection.execute(select(schema.matches).order_by(schema.matches.c.id))
    ]


def _by_match(connection: Connection, rows: Select[Any]) -> defaultdict[int, list[Any]]:
    """What is selected beside the match that it is of."""
    found: defaultdict[int, list[Any]] = defaultdict(list)
    for match_id, *rest in connection.execute(rows):
        found[match_id].append(tuple(rest))
    return found


def _board(id: int, version: int, status: str, message_id: int | None, body: dict[str, Any] | None) -> Board:
    return Board(id, version, status, message_id, tuple(body["due"]) if body else (), body["mark"] if body else "")


def reminded(connection: Connection) -> dict[int, int]:
    """How many reminders everybody was sent, as it is noted."""
    known = schema.reminded.c
    rows = connection.execute(select(known.user_id, known.number)).all() if _is_made(connection) else ()
    return {row.user_id: row.number for row in rows}


def unsound(connection: Connection) -> list[str]:
    """What the database finds wrong with its files, and the rows that belong to none."""
    try:
        found = [
            str(row) for question in SOUND[connection.dialect.name] for row in connection.exec_driver_sql(question)
        ]
    except DBAPIError as error:
        return [str(error.orig)]
    return found + (_orphans(connection) if _is_made(connection) else [])


def _is_made(connection: Connection) -> bool:
    return inspect(connection).has_table(schema.matches.name)


def _orphans(connection: Connection) -> list[str]:
    """The tables with rows of matches that there are not."""
    tables = [table for table in schema.metadata.sorted_tables if table.foreign_keys]
    known = select(schema.matches.c.id)
    return [
        f"rows of no match in {table.name}"
        for table in tables
        if connection.scalar(select(exists().where(table.c.match_id.not_in(known))))
    ]
