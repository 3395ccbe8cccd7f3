"""A copy of a running bot's database: whole, private, checked, and good to play on."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.config import database_url
from bot.errors import StartError
from bot.store import copying
from bot.store.backup import back_up
from bot.store.database import Database
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.migrate import table_keys
from bot.store.opening import file_address, open_database
from bot.store.settings import Settings
from bot.store.sqlite import SQLite
from tests.bot.app import DATABASE, App
from tests.rooms import play_move

ROOT = Path(__file__).parents[3]


def run(*words: object) -> tuple[int, str]:
    """The console command in a process of its own. Returns its exit code and its output."""
    done = subprocess.run([sys.executable, "-m", "caravanserai", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


async def test_a_backup_of_a_running_bot_can_be_played_on(app: App) -> None:
    room, target = app.room(), app.folder / "copy.db"
    board = await room.game("Ana", "Ben", "Caro")
    await play_move(room.person("Ana"), "muscat place", market="A")
    board = await room.board(after=board)
    sentence = f"{target} is a sound copy of all games. It holds secrets: keep it to yourself.\n"
    assert (0, sentence) == await asyncio.to_thread(run, "backup", "--from", app.folder / DATABASE, target)
    assert 0o600 == os.stat(target).st_mode & 0o777
    await play_move(room.person("Ben"), "muscat place", market="B")
    await room.board(after=board)
    await app.close()
    for end in ("", "-wal", "-shm"):
        (app.folder / f"{DATABASE}{end}").unlink(missing_ok=True)
    target.rename(app.folder / DATABASE)
    await app.open()
    assert "Ben to decide" in await room.person("Ben").slash("game board", **{"as": "text"})
    await play_move(room.person("Ben"), "muscat place", market="C")
    assert [] != app.query("SELECT 1 FROM entries WHERE notation = 'place C'")


def test_a_backup_overwrites_no_file_and_requires_an_existing_database(folder: Path) -> None:
    (existing := folder / "kept").write_text("mine")
    for source, target, sentence in (
        (folder / "none.db", folder / "new.db", "There is no database"),
        (folder / DATABASE, existing, "overwrites nothing"),
        (folder / DATABASE, folder, "is a folder. Name a file in it"),
        (folder / DATABASE, folder / "nowhere" / "new.db", "cannot be written: No such file"),
        (existing, folder / "new.db", "file is not a database"),
    ):
        with pytest.raises(StartError, match=sentence):
            back_up(source, target)
    assert "mine" == existing.read_text()
    assert [] == list(folder.glob("new*"))
    (folder / "new.db.part").write_text("of a backup that was killed")
    back_up(folder / DATABASE, folder / "new.db")
    assert [folder / "new.db"] == list(folder.glob("new*"))
    with closing(sqlite3.connect(folder / "new.db")) as copy:
        assert ("delete",) == copy.execute("PRAGMA journal_mode").fetchone(), "a single file"


@pytest.mark.skipif(not shutil.which("make"), reason="make is missing")
@pytest.mark.parametrize("more", [[], ["TO="], ["FROM=games.db", "TO="]])
def test_make_backup_requires_a_target_file(more: list[str], tmp_path: Path) -> None:
    """The database is not even looked for."""
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (tmp_path / "python").chmod(0o755)
    ready = [f"READY={tmp_path / 'python'}", f"BIN={tmp_path}", f"--assume-old={tmp_path / 'python'}"]
    done = subprocess.run(["make", "backup", *ready, *more], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode
    assert "Name the file to copy to: make backup TO=games.db" in done.stdout + done.stderr
    assert "exists already" not in done.stdout + done.stderr


def test_a_damaged_database_produces_no_backup(folder: Path) -> None:
    with (folder / DATABASE).open("r+b") as file:
        file.seek(3 * 4096)
        file.write(os.urandom(4096))
    with pytest.raises(StartError, match="is damaged"):
        back_up(folder / DATABASE, folder / "new.db")
    assert [] == list(folder.glob("new*"))


def test_the_database_is_found_without_a_token(tmp_path: Path) -> None:
    address = database_url({"DATA_DIR": str(tmp_path)}, tmp_path / "no")
    assert f"sqlite:///{tmp_path}/caravanserai.db" == address


async def test_a_copy_that_loses_the_database_keeps_nothing_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = (file_address(tmp_path / name) for name in ("source.db", "target.db"))
    async with open_database(source) as database:
        await database.execute("INSERT INTO settings VALUES ('user', 1, 'preferences', '{}')")
    copy_table = copying._copy_table

    async def copy_until_the_jobs(old: Database, new: Database, table: str) -> int:
        if table == "jobs":
            raise DatabaseUnavailable(FailureKind.FULL, "database or disk is full")
        return await copy_table(old, new, table)

    monkeypatch.setattr(copying, "_copy_table", copy_until_the_jobs)
    with pytest.raises(StartError, match=r"^Nothing was copied: .*database or disk is full$"):
        await copying.copy(source, target)
    async with open_database(target) as database:
        assert [] == await database.fetch("SELECT * FROM settings WHERE scope = 'user'")


async def test_a_copy_has_all_rows_in_batches(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    advanced = list[str]()

    async def advance_ids(database: SQLite, table: str) -> None:
        advanced.append(f"{database._place.name} {table}")

    monkeypatch.setattr(copying, "ROWS_PER_BATCH", 2)
    monkeypatch.setattr(SQLite, "advance_ids", advance_ids)
    shutil.copyfile(folder / DATABASE, folder / "new.db")
    source, target = file_address(folder / DATABASE), file_address(folder / "new.db")
    async with open_database(source) as database:
        for user_id in range(5):
            await Settings(database).put("user", user_id, "a", user_id)
    counts = await copying.copy(source, target)
    async with open_database(target) as database:
        assert {n: n for n in range(5)} == await Settings(database).of_all("user", "a")
        assert counts["settings"] == await database.fetch_value("SELECT count(*) FROM settings")
    numbered = [f"new.db {table}" for table, key in table_keys().items() if key == "id"]
    assert numbered == advanced, "new rows get ids that no copied row has"
