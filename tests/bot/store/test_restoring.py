"""A backup in the place of the database: the boards come again, and a lost game is not taken for another one."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StartError
from bot.store.backup import back_up
from bot.store.files import rescue_path
from bot.store.jobs import JobKind, version_of
from bot.store.opening import open_database
from bot.store.reminded import LONG_AGO
from bot.store.restoring import restore
from bot.store.store import MAX_LOST_MATCHES, Store
from engine.core import CHANCE
from engine.match import Entry
from engine.texts import Text
from tests.bot.app import DATABASE, App
from tests.bot.matches import begin, open_match
from tests.rooms import play_move
from tests.server import Server


@pytest.mark.usefixtures("watch")
async def test_a_restore_reposts_boards_and_a_lost_game_says_that_it_is_gone(app: App) -> None:
    room, other = app.room(), app.room()
    board = await room.game("Ana", "Ben", "Caro")
    await asyncio.to_thread(back_up, app.folder / DATABASE, app.folder / "copy.db")
    await play_move(room.person("Ana"), "muscat place", market="A")
    board = await room.board(after=board)
    lost = await other.game("Ana", "Ben", "Caro")
    await app.close()
    replaced = await asyncio.to_thread(restore, app.folder / "copy.db", app.folder / DATABASE)
    assert app.folder / f"{DATABASE}.replaced-1" == replaced
    await app.open()
    again = await room.board(after=board)
    assert "Ana to decide" in await room.person("Ana").slash("game board", **{"as": "text"})
    await play_move(room.person("Ana"), "muscat place", market="B")
    await room.board(after=again)
    gone = Text("I can’t find that game here anymore.")
    assert str(gone) in await other.person("Ana").tap("Your move", on=lost)
    assert "There’s no game in this channel" in await other.person("Ana").slash("game board")
    await other.game("Ana", "Ben", "Caro")
    # without the gap, the new game would have the id of the lost one
    assert str(gone) in await other.person("Ana").tap("Your move", on=lost)


@pytest.mark.usefixtures("watch")
async def test_a_restored_copy_posts_each_board_once(app: App) -> None:
    room = app.room()
    board = await room.game("Ana", "Ben", "Caro")
    await app.close()
    await asyncio.to_thread(back_up, app.folder / DATABASE, app.folder / "copy.db")
    # without the command: the copy itself is marked
    for end in ("", "-wal", "-shm"):
        (app.folder / f"{DATABASE}{end}").unlink(missing_ok=True)
    (app.folder / "copy.db").rename(app.folder / DATABASE)
    await app.open()
    await room.board(after=board)
    await app.close()
    assert [] == app.query("SELECT * FROM settings WHERE name = 'restored'")
    assert [] == app.query("SELECT * FROM jobs WHERE kind = 'board'")
    await app.open()
    await app.let_pass(20)
    assert [] == app.query("SELECT * FROM jobs WHERE kind = 'board'")


@pytest.fixture
async def place(tmp_path: Path) -> Path:
    """A database with a lobby in it, closed."""
    async with open_database(f"sqlite:///{tmp_path}/games.db") as database:
        await new_match(Store(database))
    return tmp_path / "games.db"


async def new_match(store: Store, channel_id: int = 1) -> int:
    return await open_match(store, channel_id=channel_id, at=LONG_AGO)


@pytest.fixture(params=["sqlite", "postgres"])
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/games.db"
    server: Server = request.getfixturevalue("server")
    return await server.database()


async def test_a_restore_reposts_boards_of_running_games_and_never_reuses_ids_of_lost_games(address: str) -> None:
    async with open_database(address) as database:
        store = Store(database)
        lobby, running = await new_match(store), await new_match(store, 2)
        await begin(store, running, [Entry(CHANCE, "draw A")], at=LONG_AGO)
        await store.jobs.drop(JobKind.BOARD, running)
        assert 0 == await store.resume_restored(LONG_AGO), "it was not restored"
        assert 1 == await store.resume_restored(LONG_AGO, is_restored=True)
        assert await store.jobs.find(JobKind.BOARD, lobby) is None
        board = await store.jobs.find(JobKind.BOARD, running)
        assert board is not None
        assert 1 == version_of(board.state["mark"])
        first = running + MAX_LOST_MATCHES
        assert [first, first + 1] == [await new_match(store, 3), await new_match(store, 4)]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".lock"}


async def test_an_invalid_backup_replaces_nothing(place: Path, tmp_path: Path) -> None:
    (diary := tmp_path / "diary").write_text("dear diary, " * 100)
    with closing(sqlite3.connect(recipes := tmp_path / "recipes.db")) as database:
        database.execute("CREATE TABLE settings (scope, scope_id, name, value, UNIQUE (scope, scope_id, name))")
    back_up(place, newer := tmp_path / "newer.db")
    with closing(sqlite3.connect(newer)) as database, database:
        database.execute("UPDATE schema_version SET version = 9999")
    back_up(place, broken := tmp_path / "broken.db")
    with broken.open("r+b") as file:
        file.seek(3 * 4096)
        file.write(os.urandom(4096))
    before = files_in(tmp_path)
    for backup, problem in {
        diary: "file is not a database",
        recipes: "is a database of another program",
        newer: "was made by a newer Caravanserai",
        broken: "is damaged",
        tmp_path / "none": "There is no file",
        place: "is the database itself",
    }.items():
        with pytest.raises(StartError, match=problem) as refused:
            restore(backup, place)
        assert str(backup) in str(refused.value)
        assert before == files_in(tmp_path)


async def test_a_running_bot_keeps_its_database(place: Path, tmp_path: Path) -> None:
    back_up(place, tmp_path / "copy.db")
    async with open_database(f"sqlite:///{place}"):
        with pytest.raises(StartError, match="already uses"):
            restore(tmp_path / "copy.db", place)


async def test_a_killed_restore_is_completed_by_the_next_start(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(place, tmp_path / "copy.db")

    def die(_: Path) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as killed:
        killed.setattr("bot.store.restoring.rename_rescue_copy", die)
        with pytest.raises(KeyboardInterrupt):
            restore(tmp_path / "copy.db", place)
    assert place.name not in files_in(tmp_path)
    async with open_database(f"sqlite:///{place}") as database:
        assert await Store(database).matches.find(1) is not None


async def test_the_replaced_database_can_be_used_again(place: Path, tmp_path: Path) -> None:
    back_up(place, tmp_path / "copy.db")
    async with open_database(f"sqlite:///{place}") as database:
        await new_match(Store(database), 2)
    for number in (1, 2):
        assert tmp_path / f"games.db.replaced-{number}" == restore(tmp_path / "copy.db", place)
    async with open_database(f"sqlite:///{tmp_path}/games.db.replaced-1") as database:
        assert await Store(database).matches.find(2) is not None
    assert 0o600 == os.stat(place).st_mode & 0o777
    elsewhere = tmp_path / "new" / "folder" / "games.db"
    assert restore(tmp_path / "copy.db", elsewhere) is None
    assert [0o700, 0o600] == [os.stat(path).st_mode & 0o777 for path in (elsewhere.parent, elsewhere)]
    assert {"games.db", "games.db.lock"} == {path.name for path in elsewhere.parent.iterdir()}


def test_an_interrupted_restore_keeps_the_copy_once_the_database_has_moved_with_its_journal_first(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(place := folder / DATABASE, backup := folder / "a.backup")
    for end in ("-wal", "-shm"):
        Path(f"{place}{end}").touch()
    renamed, rename = list[str](), Path.rename

    def rename_until_the_database(path: Path, target: str | Path) -> Path:
        renamed.append(path.name)
        moved = rename(path, target)
        if path == place:
            raise KeyboardInterrupt
        return moved

    monkeypatch.setattr(Path, "rename", rename_until_the_database)
    with pytest.raises(KeyboardInterrupt):
        restore(backup, place)
    assert [f"{DATABASE}-shm", f"{DATABASE}-wal", DATABASE] == renamed
    assert (False, True) == (place.exists(), rescue_path(place).exists())
