"""A database in trouble: the person who tapped is told, nothing is half done, and all goes on once it is over."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot import clock
from bot.errors import StartError
from bot.store import sqlite
from bot.store.database import Database
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.matches import SeatHolder
from bot.store.opening import file_address, open_database
from bot.store.sqlite import SQLite
from bot.store.store import Store
from playground.player import Player
from tests.bot.app import DATABASE, App
from tests.bot.matches import open_match
from tests.bot.moderating import begin
from tests.bot.timed_app import TimedApp
from tests.rooms import Room, choose_first, play_move

WRITING = "INSERT UPDATE DELETE"
AT_WORK = "the database is unavailable"
OVER = "is over: the database accepts writes again"


# --- what SQLite says is told as a kind ---


@asynccontextmanager
async def full(database: SQLite, _place: Path) -> AsyncIterator[None]:
    await database.fetch("PRAGMA max_page_count = 1")
    yield
    await database.fetch("PRAGMA max_page_count = 1000000")


@asynccontextmanager
async def read_only(database: SQLite, _place: Path) -> AsyncIterator[None]:
    await database.fetch("PRAGMA query_only = ON")
    yield
    await database.fetch("PRAGMA query_only = OFF")


@asynccontextmanager
async def locked(_database: SQLite, place: Path) -> AsyncIterator[None]:
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@asynccontextmanager
async def gone(_database: SQLite, place: Path) -> AsyncIterator[None]:
    os.rename(place, away := place.with_suffix(".away"))
    yield
    os.rename(away, place)


@asynccontextmanager
async def failing(database: SQLite, _place: Path) -> AsyncIterator[None]:
    with failure(database, sqlite3.SQLITE_IOERR | (3 << 8), "disk I/O error"):
        yield


class _Failing:
    """A double of the driver that fails wherever a statement has some words."""

    def __init__(self, connection: Any, error: sqlite3.Error, where: str, verbs: str) -> None:
        self.connection, self._error, self._where, self._verbs = connection, error, where, verbs

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    async def execute_fetchall(self, sql: str, parameters: Any = ()) -> Any:
        self._perhaps_fail(sql)
        return await self.connection.execute_fetchall(sql, parameters)

    async def executemany(self, sql: str, rows: Any) -> Any:
        self._perhaps_fail(sql)
        return await self.connection.executemany(sql, rows)

    def _perhaps_fail(self, sql: str) -> None:
        if self._where in sql and sql.split()[0] in self._verbs:
            raise self._error


@contextmanager
def failure(database: Any, code: int, words: str, where: str = "", verbs: str = WRITING) -> Iterator[None]:
    """The driver fails with this code wherever a statement has these words."""
    error = sqlite3.OperationalError(words)
    error.sqlite_errorcode = code
    database._connection = double = _Failing(database._connection, error, where, verbs)
    try:
        yield
    finally:
        database._connection = double.connection


CAUSES = {
    FailureKind.FULL: full,
    FailureKind.READ_ONLY: read_only,
    FailureKind.LOCKED: locked,
    FailureKind.GONE: gone,
    FailureKind.IO: failing,
}


@pytest.fixture
def place(folder: Path) -> Path:
    return folder / DATABASE


async def new_match(store: Store, channel_id: int = 1, words: int = 1) -> int:
    from bot.clock import Clock

    options = {"words": "x" * words}
    ana = SeatHolder(7, name="Ana")
    return await open_match(store, ana, channel_id=channel_id, options=options, at=Clock().now())


@pytest.mark.parametrize("kind", CAUSES)
async def test_a_database_outage_writes_nothing_and_its_start_and_end_are_each_logged_once(
    place, monkeypatch, caplog, kind: FailureKind
) -> None:
    monkeypatch.setattr(sqlite, "PRAGMAS", ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=30"))
    async with open_database(file_address(place)) as database:
        store = Store(database)
        await new_match(store)
        async with CAUSES[kind](database, place):
            for _ in range(2):
                with pytest.raises(DatabaseUnavailable) as trouble:
                    await new_match(store, 2, words=100_000)
                assert kind is trouble.value.kind
            assert await store.matches.open_in(1), "it can still be read"
            assert await store.matches.open_in(2) is None
        assert 1 == sum(AT_WORK in record.getMessage() for record in caplog.records)
        await store.require_available()
        assert await new_match(store, 2)
    assert 1 == sum(OVER in record.getMessage() for record in caplog.records)
    assert any(record.getMessage().startswith(kind.value) for record in caplog.records)


@pytest.mark.parametrize("end", ["", "-wal"])
async def test_the_content_of_a_deleted_file_is_saved_beside_it(
    place: Path, end: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with open_database(file_address(place)) as database:
        store = Store(database)
        await new_match(store)
        os.unlink(f"{place}{end}")
        for _ in range(2):
            with pytest.raises(DatabaseUnavailable, match="DB-GONE"):
                await new_match(store, 2)
    saved = f"{place}.rescued, which takes the place of {place} when the bot is started again"
    assert [f"all games are saved in {saved}"] == [
        line for line in caplog.messages if "saved" in line or "copy" in line
    ]
    if end:
        os.unlink(place)
    assert place.name not in os.listdir(place.parent), "SQLite made no new one"
    assert 0o600 == os.stat(f"{place}.rescued").st_mode & 0o777
    async with open_database(file_address(place)) as database:
        assert await Store(database).matches.open_in(1)


async def test_a_damaged_page_stops_only_its_match_and_the_next_start(place: Path) -> None:
    async with open_database(file_address(place)) as database:
        store = Store(database)
        first = await new_match(store)
        second = await new_match(store, 2)
        await store.settings.put("match", second, "story", "x" * 10_000)
    page = _last_page_of(place, "settings")
    with place.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(os.urandom(4096))
    with pytest.raises(StartError, match=r"is damaged.*last backup"):
        async with open_database(file_address(place)):
            pass
    database = SQLite(await sqlite._connect(place), place)
    try:
        store = Store(database)
        with pytest.raises(DatabaseUnavailable, match="DB-DAMAGED"):
            await store.settings.get("match", second, "story")
        assert await store.matches.find(first)
        await store.require_available()
    finally:
        await database.close()


def _last_page_of(place: Path, table: str) -> int:
    with closing(sqlite3.connect(place)) as opened_once:
        return opened_once.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]


# --- people at a table ---


@pytest.fixture
async def databases(monkeypatch: pytest.MonkeyPatch) -> list[Database]:
    """The databases that were opened: the last one is the bot's."""
    made: list[Database] = []
    begin = Database.__init__

    def noted(self: Database, *share: Any) -> None:
        made.append(self)
        begin(self, *share)

    monkeypatch.setattr(Database, "__init__", noted)
    monkeypatch.setattr(clock, "MIN_PAUSE", 0.05)
    return made


@pytest.fixture
def room(databases: list[Database], app: App) -> Room:
    app.local.allow("DB-FULL")
    return app.room()


Act = Callable[[Room, Player], Awaitable[Any]]


async def move(room: Room, ana: Player) -> Any:
    return await ana.slash("muscat place", market="A")


async def draft(room: Room, ana: Player) -> Any:
    step = await ana.tap("Your move")
    return await choose_first(ana, step)


async def end(room: Room, ana: Player) -> Any:
    return await ana.tap("End it", on=await ana.slash("table end"))


async def resign(room: Room, ana: Player) -> Any:
    return await ana.tap("Resign", on=await ana.slash("game leave"))


KINDS_OF_WRITES: dict[str, tuple[Act, str]] = {
    "a move": (move, "INTO entries"),
    "its board": (move, "INTO jobs"),
    "a draft": (draft, "INTO drafts"),
    "an end": (end, "INTO table_events"),
    "a seat": (resign, "seat_history"),
}


def all_rows(app: App) -> list[Any]:
    tables = [
        name for (name,) in app.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'settings'")
    ]
    return [app.query(f"SELECT * FROM {table}") for table in tables]


@pytest.mark.parametrize("what", KINDS_OF_WRITES)
async def test_an_action_that_cannot_be_written_is_not_done_and_can_be_retried(
    databases, app, room, no_previews, caplog, what: str
) -> None:
    act, where = KINDS_OF_WRITES[what]
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.slash("game board")
    before = all_rows(app)
    with failure(databases[-1], sqlite3.SQLITE_FULL, "database or disk is full", where):
        answer = await act(room, ana)
    assert "Nothing has changed" in answer
    assert "the disk of my database is full" in answer
    number = answer.text.partition("DB-FULL · ")[2]
    assert any(f"DB-FULL: interaction {number} was not carried out" in line for line in caplog.messages)
    assert before == all_rows(app)
    assert "Nothing has changed" not in await act(room, ana)
    assert before != all_rows(app)


async def test_a_timer_fires_once_the_database_recovers(databases, timed_app: TimedApp, caplog) -> None:
    timed_app.app.local.allow("DB-FULL")
    _, (ana, *_) = await timed_app.begin("Ana", "Ben", "Caro")
    with failure(databases[-1], sqlite3.SQLITE_FULL, "database or disk is full"):
        timed_app.fake_clock.ahead += timedelta(hours=30)
        await timed_app.app.let_pass(60)
        waited = len(ana.pings)
        await timed_app.app.let_pass(60)
        assert waited == len(ana.pings), "what cannot be noted is not said again and again"
    assert 1 == sum(AT_WORK in line for line in caplog.messages)
    await timed_app.app.let_pass(120)  # the pauses double: at most as long as it was in trouble
    assert "Still your turn" in ana.pings[-1] or "is waiting for you" in ana.pings[-1]
    assert not timed_app.app.query("SELECT 1 FROM jobs WHERE kind = 'reminder' AND state LIKE '%null%'")


async def wait_until_posted(app: App) -> None:
    """Wait until it is noted of every board that it was posted."""
    while app.query("SELECT 1 FROM jobs WHERE kind = 'board'"):
        await app.let_pass(4)


async def test_a_posted_board_that_was_not_recorded_is_not_posted_twice(
    databases, app: App, room: Room, no_previews: None
) -> None:
    board = await room.game("Ana", "Ben", "Caro")
    await wait_until_posted(app)
    with failure(databases[-1], sqlite3.SQLITE_FULL, "database or disk is full", "INTO boards"):
        board = await room.person("Ana").slash("muscat place", market="A")
        assert "starts on 1A" in board
        await app.let_pass(20)
        boards = room.boards
    await wait_until_posted(app)
    assert boards == room.boards
    await room.person("Ben").slash("muscat place", market="B")
    await room.board(after=board)


async def test_a_table_can_be_set_up_once_the_database_recovers(databases, app: App, room: Room) -> None:
    ana = room.person("Ana")
    with failure(databases[-1], sqlite3.SQLITE_FULL, "database or disk is full", "INTO seat_history"):
        assert "Nothing has changed" in await ana.slash("table new", game="muscat")
    assert [] == app.query("SELECT * FROM matches")
    await room.lobby("Ana", "Ben")


async def test_a_failed_write_of_an_undo_keeps_the_move(databases, app: App, room: Room) -> None:
    await begin(room, "Ana", "Ben")
    ana = room.person("Ana")
    await play_move(ana, "sealed bid", coins="3")
    before = app.query("SELECT * FROM entries")
    with failure(databases[-1], sqlite3.SQLITE_FULL, "database or disk is full"):
        assert "Nothing has changed" in await ana.slash("game undo")
    assert before == app.query("SELECT * FROM entries")
    assert "took this back" in await ana.slash("game undo")


@pytest.mark.parametrize("part", ["INTO seat_history", "INTO jobs", "UPDATE jobs"])
async def test_after_a_partly_failed_change_all_players_see_the_unchanged_table(
    databases, app: App, room: Room, part: str
) -> None:
    app.local.allow("DB-IO")
    await begin(room, "Ana", "Ben")
    ana = room.person("Ana")
    question = await ana.slash("game leave")
    before = app.query("SELECT * FROM seat_history")
    with failure(databases[-1], sqlite3.SQLITE_IOERR, "disk I/O error", part):
        assert "the disk of my database is failing" in await ana.tap("Resign", on=question)
    assert before == app.query("SELECT * FROM seat_history")
    assert "You’re not playing in this game" not in await ana.slash("sealed bid", coins="1")


async def test_nothing_is_suggested_while_the_database_is_unavailable(databases, app: App, room: Room, caplog) -> None:
    app.local.allow("DB-IO")
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    with failure(databases[-1], sqlite3.SQLITE_IOERR, "disk I/O error", verbs="SELECT"):
        assert [] == await ana.suggest("muscat place", "market")
    assert "Ignoring exception" not in caplog.text
    assert await ana.suggest("muscat place", "market")
