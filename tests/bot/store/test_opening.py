"""Opening of the database: one process alone, a sound file that can be written, and a sentence for all else."""

from __future__ import annotations

import asyncio
import errno
import os
import sqlite3
import stat
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.errors import StartError
from bot.store import sqlite
from bot.store.matches import SeatHolder
from bot.store.opening import open_database
from bot.store.reminded import LONG_AGO
from bot.store.store import Store
from tests.bot.matches import open_match

ROOT = Path(__file__).parents[3]


def url(folder, name="caravanserai.db"):
    return f"sqlite:///{folder}/{name}"


async def refusal(place: str) -> str:
    with pytest.raises(StartError) as caught:
        async with open_database(place):
            pass
    return str(caught.value)


@pytest.fixture
async def place(tmp_path):
    """A database with a lobby in it, closed."""
    async with open_database(url(tmp_path)) as database:
        await open_match(Store(database), at=LONG_AGO)
    return tmp_path / "caravanserai.db"


# --- one process a database ---


async def test_a_second_process_names_the_process_using_the_database_and_changes_nothing(place):
    async with open_database(url(place.parent)):
        before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.parent.iterdir()}
        sentence = await refusal(url(place.parent))
        after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in place.parent.iterdir()}
    assert f"Another Caravanserai, process {os.getpid()}, already uses {place}" in sentence
    assert sentence.endswith("with DATA_DIR."), "a local folder: no word of other machines"
    assert before == after


async def test_an_alias_of_a_database_counts_as_the_same_database(place, tmp_path):
    (tmp_path / "other.db").symlink_to(place)
    async with open_database(url(place.parent)):
        assert "already uses" in await refusal(url(tmp_path, "other.db"))


async def test_two_databases_in_one_folder_are_independent(tmp_path):
    async with open_database(url(tmp_path, "a.db")), open_database(url(tmp_path, "b.db")) as database:
        assert [] == await Store(database).jobs.due(datetime.now(UTC))


async def test_a_killed_process_leaves_no_lock(place):
    holder = f"""
import asyncio
from bot.store.opening import open_database
async def hold():
    async with open_database({url(place.parent)!r}):
        print("open", flush=True)
        await asyncio.Event().wait()
asyncio.run(hold())
"""
    first = await asyncio.create_subprocess_exec(sys.executable, "-c", holder, cwd=ROOT, stdout=asyncio.subprocess.PIPE)
    assert b"open\n" == await first.stdout.readline()
    assert f"process {first.pid}," in await refusal(url(place.parent))
    first.kill()
    await first.wait()
    async with open_database(url(place.parent)) as database:
        assert (SeatHolder(7),) == (await Store(database).matches.find(1)).holders


async def test_other_tools_may_read_while_the_bot_runs(place):
    async with open_database(url(place.parent)):
        with closing(sqlite3.connect(place)) as tool:
            assert [(1,)] == tool.execute("SELECT id FROM matches").fetchall()


async def test_a_failed_start_releases_the_lock(place):
    healthy = place.read_bytes()
    place.write_bytes(b"dear diary, " * 100)
    assert "is not a database" in await refusal(url(place.parent))
    place.write_bytes(healthy)
    async with open_database(url(place.parent)) as database:
        assert await Store(database).matches.find(1) is not None


# --- the address ---

ADDRESSES = {
    "postgresql://ana:hush@host": "names no database",
    "postgresql://ana:hush@host/": "names no database",
    "mysql://ana:hush@host:3306/db": "another kind of database",
    "sqlite+pysqlite:///games.db": "another kind of database",
    "postgresql+psycopg://ana:hush@host/db": "another kind of database",
    "sqlite://": "names no file",
    "sqlite:///": "names no file",
    "sqlite:///:memory:": "names no file",
    "sqlite:///file:hush?mode=memory&uri=true": "more than a path",
    "sqlite://hush/games.db": "more than a path",
    "nonsense": "is not an address",
    "nonsense://": "another kind of database",
    "postgresql://ana:hush@host:port/db": "a port that is not a number",
}
"""DATABASE_URL -> its error."""


@pytest.mark.parametrize("address", ADDRESSES)
async def test_an_invalid_address_is_explained_without_its_password(address, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    sentence = await refusal(address)
    assert sentence.startswith("DATABASE_URL ")
    assert ADDRESSES[address] in sentence
    assert "Write it as sqlite:///folder/games.db, or postgresql://" in sentence
    assert "hush" not in sentence
    assert [] == list(tmp_path.iterdir())


async def test_a_percent_encoded_address_names_a_path_with_special_characters(tmp_path):
    async with open_database(url(tmp_path, "50%25 caf%C3%A9%3F.db")):
        names = {path.name for path in tmp_path.iterdir()}
    assert {f"50% café?.db{end}" for end in ("", "-shm", "-wal", ".lock")} == names


# --- obstacles ---


async def test_a_file_that_is_not_a_database_is_left_alone(tmp_path):
    (tmp_path / "caravanserai.db").write_text("dear diary, " * 100)
    assert "is not a database" in await refusal(url(tmp_path))
    assert (tmp_path / "caravanserai.db").read_text() == "dear diary, " * 100


async def test_a_database_of_a_newer_version_is_left_alone(tmp_path):
    async with open_database(url(tmp_path)) as database:
        await database.execute("UPDATE schema_version SET version = 9999")
    before = (tmp_path / "caravanserai.db").read_bytes()
    assert "newer Caravanserai" in await refusal(url(tmp_path))
    assert before == (tmp_path / "caravanserai.db").read_bytes()


async def test_a_damaged_database_is_kept_and_not_opened(place):
    with place.open("r+b") as file:
        file.seek(4096)
        file.write(b"\x55" * (place.stat().st_size - 4096))
    damaged = place.read_bytes()
    sentence = await refusal(url(place.parent))
    assert f"{place} is damaged" in sentence
    assert "backup" in sentence
    assert damaged == place.read_bytes()


async def test_damage_in_a_table_not_read_at_the_start_is_detected(place):
    """The page of a table that is not read at the start; only a check of the whole file finds it."""
    with closing(sqlite3.connect(place)) as database:
        (page,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'entries'").fetchone()
    with place.open("r+b") as file:
        file.seek(4096 * (page - 1))
        file.write(b"\x0d" + b"\xff" * 100)
    assert f"{place} is damaged" in await refusal(url(place.parent))


async def test_a_database_that_cannot_be_written_is_not_opened(place, monkeypatch):
    monkeypatch.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, "query_only=ON"))
    assert f"The database {place} cannot be written: attempt to write a readonly database. Check who owns" in (
        await refusal(url(place.parent))
    )


async def test_a_full_disk_is_detected_before_the_first_move(place, monkeypatch):
    with closing(sqlite3.connect(place)) as tool:
        tool.execute(
            "CREATE TRIGGER more BEFORE INSERT ON settings BEGIN "
            "INSERT INTO settings VALUES ('bot', 99, 'more', zeroblob(1000000)); END"
        )
    monkeypatch.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, "max_page_count=1"))
    assert f"The disk of {place} is full" in await refusal(url(place.parent))


async def test_the_check_for_a_full_disk_writes_each_time(place):
    """SQLite writes nothing when a row stays as it is."""
    async with open_database(url(place.parent)) as database:
        sizes = []
        for _ in range(3):
            await database.require_writable()
            sizes.append(os.stat(f"{place}-wal").st_size)
    assert sorted({*sizes}) == sizes


async def test_a_first_start_without_disk_space_leaves_no_partial_database(tmp_path, monkeypatch):
    with monkeypatch.context() as full:
        full.setattr(sqlite, "PRAGMAS", (*sqlite.PRAGMAS, "max_page_count=4"))
        assert "is full" in await refusal(url(tmp_path))
    assert 0o600 == stat.S_IMODE((tmp_path / "caravanserai.db").stat().st_mode)
    async with open_database(url(tmp_path)) as database:
        assert [] == await Store(database).jobs.due(datetime.now(UTC))


async def test_a_database_locked_by_another_program_is_named(place, monkeypatch):
    monkeypatch.setattr(sqlite, "PRAGMAS", ("busy_timeout=0",))
    with closing(sqlite3.connect(place, isolation_level=None)) as tool:
        tool.execute("BEGIN IMMEDIATE")
        assert f"Another program keeps {place} locked" in await refusal(url(place.parent))


async def test_a_folder_in_place_of_the_database_file_is_named(tmp_path):
    (tmp_path / "caravanserai.db").mkdir()
    assert f"{tmp_path / 'caravanserai.db'} is not a file" in await refusal(url(tmp_path))


async def test_a_data_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "data").write_text("in the way")
    assert f"{tmp_path / 'data'} cannot be created" in await refusal(url(tmp_path / "data"))


async def test_a_database_of_another_program_is_left_unchanged(tmp_path):
    with closing(sqlite3.connect(tmp_path / "recipes.db")) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    (tmp_path / "recipes.db").chmod(0o644)
    before = (tmp_path / "recipes.db").read_bytes()
    assert "another program" in await refusal(url(tmp_path, "recipes.db"))
    assert before == (tmp_path / "recipes.db").read_bytes()
    assert 0o644 == stat.S_IMODE((tmp_path / "recipes.db").stat().st_mode)


# --- permissions of the file ---


async def test_only_the_owner_may_read_the_files(tmp_path):
    before = os.umask(0)
    try:
        async with open_database(url(tmp_path)):
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    finally:
        os.umask(before)
    names = [f"caravanserai.db{end}" for end in ("", "-shm", "-wal", ".lock")]
    assert dict.fromkeys(names, 0o600) == modes


async def test_opening_a_database_from_an_older_version_makes_its_files_private(place):
    place.chmod(0o644)
    async with open_database(url(place.parent)):
        modes = {stat.S_IMODE(path.stat().st_mode) for path in place.parent.iterdir()}
    assert {0o600} == modes


async def test_a_disk_error_is_reported_in_a_sentence(tmp_path, monkeypatch):
    def fail(_place: Path) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(sqlite, "_make_file", fail)
    sentence = await refusal(url(tmp_path))
    assert "cannot be written: Read-only file system" in sentence


async def test_a_lock_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "caravanserai.db.lock").mkdir()
    assert "caravanserai.db.lock cannot be written" in await refusal(url(tmp_path))
