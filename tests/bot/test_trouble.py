"""A database in trouble: whoever tapped is told, nothing is half done, and all goes on once it is over."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.exc import OperationalError

from bot import clock
from bot.errors import StartError
from bot.store import database
from bot.store.connections import Engine
from bot.store.database import file_address, opened
from bot.store.rows import Chair
from bot.store.share import Share
from bot.store.store import Store
from bot.store.transactions import Transactions
from bot.store.trouble import DatabaseTrouble, Kind
from playground.player import Player
from tests.bot.inn import DATABASE, Inn
from tests.bot.keeping import begin
from tests.bot.wall import House
from tests.e2e.rooms import Room, play_move

WRITING = "INSERT UPDATE DELETE"
AT_WORK = "the database is in trouble"
OVER = "is over: the database is written to again"


# --- what SQLite says is told as a kind ---


@contextmanager
def full(engine: Engine, _place: Path) -> Iterator[None]:
    yield from _told(engine, "PRAGMA max_page_count = 1", "PRAGMA max_page_count = 1000000")


@contextmanager
def read_only(engine: Engine, _place: Path) -> Iterator[None]:
    yield from _told(engine, "PRAGMA query_only = ON", "PRAGMA query_only = OFF")


def _told(engine: Engine, before: str, after: str) -> Iterator[None]:
    """Begin every transaction with a pragma."""
    said = [before]

    def tell(connection: Any) -> None:
        connection.exec_driver_sql(said[0])

    event.listen(engine.sync_engine, "begin", tell)
    yield
    said[0] = after


@contextmanager
def locked(_engine: Engine, place: Path) -> Iterator[None]:
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield


@contextmanager
def gone(_engine: Engine, place: Path) -> Iterator[None]:
    place.rename(away := place.with_suffix(".away"))
    yield
    away.rename(place)


@contextmanager
def failing(engine: Engine, _place: Path) -> Iterator[None]:
    with failure(engine, sqlite3.SQLITE_IOERR | (3 << 8), "disk I/O error"):
        yield


@contextmanager
def failure(engine: Engine, code: int, words: str, where: str = "", verbs: str = WRITING) -> Iterator[None]:
    """A double of a driver that fails with this code wherever a statement has these words."""

    def fail(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if where in statement and statement.split()[0] in verbs:
            error = sqlite3.OperationalError(words)
            error.sqlite_errorcode = code
            raise OperationalError(statement, None, error)

    event.listen(engine.sync_engine, "before_cursor_execute", fail)
    try:
        yield
    finally:
        event.remove(engine.sync_engine, "before_cursor_execute", fail)


CAUSES = {
    Kind.FULL: full,
    Kind.READ_ONLY: read_only,
    Kind.LOCKED: locked,
    Kind.GONE: gone,
    Kind.IO: failing,
}


@pytest.fixture
def place(folder: Path) -> Path:
    return folder / DATABASE


async def new_match(store: Store, channel_id: int = 1, words: int = 1) -> int:
    from bot.clock import Clock

    options = {"words": "x" * words}
    chairs = [Chair(7, name="Ana")]
    about = {"game": "muscat", "rules_version": 1, "seed": "s", "at": Clock().now()}
    return await store.matches.create(
        guild_id=1, channel_id=channel_id, host_id=7, chairs=chairs, options=options, **about
    )


@pytest.mark.parametrize("kind", CAUSES)
async def test_trouble_is_told_once_writes_nothing_and_ends(place, monkeypatch, caplog, kind: Kind) -> None:
    monkeypatch.setattr(database, "PRAGMAS", ("synchronous=FULL", "foreign_keys=ON", "busy_timeout=30"))
    async with opened(file_address(place)) as engine:
        store = Store(engine)
        await new_match(store)
        with CAUSES[kind](engine, place):
            for _ in range(2):
                with pytest.raises(DatabaseTrouble) as trouble:
                    await new_match(store, 2, words=100_000)
                assert kind is trouble.value.kind
            assert await store.matches.open_in(1), "it can still be read"
            assert await store.matches.open_in(2) is None
        assert 1 == sum(AT_WORK in record.getMessage() for record in caplog.records)
        await store.require_well()
        assert await new_match(store, 2)
    assert 1 == sum(OVER in record.getMessage() for record in caplog.records)
    assert any(record.getMessage().startswith(kind.value) for record in caplog.records)


@pytest.mark.parametrize("end", ["", "-wal"])
async def test_what_was_in_a_deleted_file_is_saved_beside_it(place: Path, end: str) -> None:
    async with opened(file_address(place)) as engine:
        store = Store(engine)
        await new_match(store)
        os.unlink(f"{place}{end}")
        for _ in range(2):
            with pytest.raises(DatabaseTrouble, match="DB-GONE"):
                await new_match(store, 2)
    if end:
        os.unlink(place)
    assert place.name not in os.listdir(place.parent), "SQLite made no new one"
    assert 0o600 == os.stat(f"{place}.rescued").st_mode & 0o777
    async with opened(file_address(place)) as engine:
        assert await Store(engine).matches.open_in(1)


async def test_a_damaged_page_stops_its_match_only_and_the_next_start(place: Path) -> None:
    async with opened(file_address(place)) as engine:
        store = Store(engine)
        first = await new_match(store)
        second = await new_match(store, 2)
        await store.settings.put("match", second, "story", "x" * 10_000)
    page = _last_page_of(place, "settings")
    with place.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(os.urandom(4096))
    with pytest.raises(StartError, match=r"is damaged.*last backup"):
        async with opened(file_address(place)):
            pass
    engine = database._engine(place)
    try:
        store = Store(engine)
        with pytest.raises(DatabaseTrouble, match="DB-DAMAGED"):
            await store.settings.get("match", second, "story")
        assert await store.matches.find(first)
        await store.require_well()
    finally:
        await engine.dispose()


def _last_page_of(place: Path, table: str) -> int:
    with closing(sqlite3.connect(place)) as opened_once:
        return opened_once.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]


# --- people at a table ---


@pytest.fixture
async def engines(monkeypatch: pytest.MonkeyPatch) -> list[Engine]:
    """The engines that were made for stores: the last one is the bot's."""
    made: list[Engine] = []
    begin = Transactions.__init__

    def noted(self: Transactions, engine: Engine, *share: Share) -> None:
        made.append(engine)
        begin(self, engine, *share)

    monkeypatch.setattr(Transactions, "__init__", noted)
    monkeypatch.setattr(clock, "SHORTEST", 0.05)
    return made


@pytest.fixture
def room(engines: list[Engine], inn: Inn) -> Room:
    inn.local.allow("DB-FULL")
    return inn.room()


Act = Callable[[Room, Player], Awaitable[Any]]


async def move(room: Room, ana: Player) -> Any:
    return await ana.slash("muscat place", market="A")


async def draft(room: Room, ana: Player) -> Any:
    step = await ana.tap("Your move")
    return await ana.tap(step.labels[0], on=step)


async def end(room: Room, ana: Player) -> Any:
    return await ana.tap("End it", on=await ana.slash("game end"))


async def resign(room: Room, ana: Player) -> Any:
    return await ana.tap("Resign", on=await ana.slash("game leave"))


KINDS_OF_WRITES: dict[str, tuple[Act, str]] = {
    "a move": (move, "INTO entries"),
    "its board": (move, "INTO posts"),
    "a draft": (draft, "INTO drafts"),
    "an end": (end, "INTO notes"),
    "a seat": (resign, "sittings"),
}


def everything(inn: Inn) -> list[Any]:
    tables = [
        name for (name,) in inn.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'settings'")
    ]
    return [inn.query(f"SELECT * FROM {table}") for table in tables]


@pytest.mark.parametrize("what", KINDS_OF_WRITES)
async def test_what_cannot_be_written_is_not_done_and_can_be_done_later(
    engines, inn, room, no_previews, caplog, what: str
) -> None:
    act, where = KINDS_OF_WRITES[what]
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    await ana.slash("game board")
    before = everything(inn)
    with failure(engines[-1], sqlite3.SQLITE_FULL, "database or disk is full", where):
        told = await act(room, ana)
    assert "Nothing was done by this" in told
    assert "the disk of my database is full" in told
    number = told.text.partition("DB-FULL · ")[2]
    assert any(f"DB-FULL: interaction {number} was not carried out" in line for line in caplog.messages)
    assert before == everything(inn)
    assert "Nothing was done" not in await act(room, ana)
    assert before != everything(inn)


async def test_a_timer_comes_when_the_database_is_well_again(engines, house: House, caplog) -> None:
    house.inn.local.allow("DB-FULL")
    _, (ana, *_) = await house.begin("Ana", "Ben", "Caro")
    with failure(engines[-1], sqlite3.SQLITE_FULL, "database or disk is full"):
        house.wall.ahead += timedelta(hours=30)
        await house.inn.let_pass(60)
        waited = len(ana.pings)
        await house.inn.let_pass(60)
        assert waited == len(ana.pings), "what cannot be noted is not said again and again"
    assert 1 == sum(AT_WORK in line for line in caplog.messages)
    await house.inn.let_pass(120)  # the pauses double: at most as long as it was in trouble
    assert "Still your turn" in ana.pings[-1] or "waits for you" in ana.pings[-1]
    assert not house.inn.query("SELECT 1 FROM timers WHERE kind = 'reminder' AND reminded IS NULL")


async def noted(inn: Inn, room: Room) -> None:
    """Wait until it is noted of every board that it was posted; somebody reads rules meanwhile."""
    while inn.query("SELECT 1 FROM posts WHERE status = 'pending'"):
        await room.onlooker.slash("game rules", game="muscat")


async def test_a_board_that_was_posted_and_not_noted_is_not_posted_twice(
    engines, inn: Inn, room: Room, no_previews: None
) -> None:
    board = await room.game("Ana", "Ben", "Caro")
    await noted(inn, room)
    with failure(engines[-1], sqlite3.SQLITE_FULL, "database or disk is full", "UPDATE posts"):
        board = await room.person("Ana").slash("muscat place", market="A")
        assert "starts on 1A" in board
        await inn.let_pass(20)
        boards = room.boards
    await noted(inn, room)
    assert boards == room.boards
    await room.person("Ben").slash("muscat place", market="B")
    await room.board(after=board)


async def test_a_table_is_set_when_the_database_is_well_again(engines, inn: Inn, room: Room) -> None:
    ana = room.person("Ana")
    with failure(engines[-1], sqlite3.SQLITE_FULL, "database or disk is full", "INTO sittings"):
        assert "Nothing was done" in await ana.slash("game new", game="muscat")
    assert [] == inn.query("SELECT * FROM matches")
    await room.lobby("Ana", "Ben")


async def test_an_undo_that_cannot_be_written_leaves_the_move(engines, inn: Inn, room: Room) -> None:
    await begin(room, "Ana", "Ben")
    ana = room.person("Ana")
    await play_move(ana, "sealed bid", coins="3")
    before = inn.query("SELECT * FROM entries")
    with failure(engines[-1], sqlite3.SQLITE_FULL, "database or disk is full"):
        assert "Nothing was done" in await ana.slash("game undo")
    assert before == inn.query("SELECT * FROM entries")
    assert "taken this back" in await ana.slash("game undo")


async def test_what_was_written_and_could_not_be_read_again_is_seen_by_the_next_who_looks(engines, inn, room) -> None:
    inn.local.allow("DB-IO")
    await begin(room, "Ana", "Ben")
    ana = room.person("Ana")
    question = await ana.slash("game leave")
    with failure(engines[-1], sqlite3.SQLITE_IOERR, "disk I/O error", "FROM offers", verbs="SELECT"):
        assert "the disk of my database fails" in await ana.tap("Resign", on=question)
        assert "the disk of my database fails" in await ana.slash("game board")
    assert "You are not playing in this game" in await ana.slash("sealed bid", coins="1")


async def test_nothing_is_suggested_while_the_database_is_in_trouble(engines, inn: Inn, room: Room, caplog) -> None:
    inn.local.allow("DB-IO")
    await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    with failure(engines[-1], sqlite3.SQLITE_IOERR, "disk I/O error", verbs="SELECT"):
        assert [] == await ana.suggest("muscat place", "market")
    assert "Ignoring exception" not in caplog.text
    assert await ana.suggest("muscat place", "market")
