"""A look at a database file, which says what the next start would do with it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.errors import StartError
from bot.store import postgres
from bot.store.inspection import describe
from bot.store.migrate import VERSION_TABLE, migrations
from bot.store.opening import file_address

NEWEST = max(migrations())
OURS = (f"CREATE TABLE {VERSION_TABLE} (version INTEGER)", "CREATE TABLE matches (id INTEGER)")
PAGE = 4096
EMPTY_TEXT = "is empty or not there; the first start creates the tables."


def fill(place: Path, *statements: str) -> None:
    with closing(sqlite3.connect(place)) as database, database:
        for statement in statements:
            database.execute(statement)


def insert_version(number: int) -> str:
    return f"INSERT INTO {VERSION_TABLE} VALUES ({number})"


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ((), EMPTY_TEXT),
        (OURS[:1], EMPTY_TEXT),
        ((*OURS, insert_version(NEWEST)), f"has version {NEWEST}."),
        ((*OURS, insert_version(3)), f"has version 3; the next start updates it to {NEWEST}."),
    ],
)
def test_a_database_that_can_be_used_has_a_version_or_is_empty(
    tmp_path: Path, statements: tuple[str, ...], words: str
) -> None:
    place = tmp_path / "100% a#b?.db"
    assert f"{place} {EMPTY_TEXT}" == describe(file_address(place))
    assert not place.exists(), "a look creates nothing"
    fill(place, *statements)
    assert f"{place} {words}" == describe(file_address(place))


@pytest.mark.parametrize(
    ("statements", "words"),
    [
        ((*OURS, insert_version(NEWEST + 1)), "was made by a newer Caravanserai. Update the program."),
        (("CREATE TABLE birds (id INTEGER)",), "is a database of another program."),
        (OURS[1:], "is a database of another program."),
        ((OURS[0], "CREATE TABLE birds (id INTEGER)"), "is a database of another program."),
    ],
)
def test_a_database_that_cannot_be_used_says_why(tmp_path: Path, statements: tuple[str, ...], words: str) -> None:
    fill(place := tmp_path / "a.db", *statements)
    with pytest.raises(StartError) as refused:
        describe(file_address(place))
    assert f"{place} {words}" == str(refused.value)


def test_a_damaged_file_is_told_from_one_that_is_no_database(tmp_path: Path) -> None:
    (place := tmp_path / "a.db").write_text("no database")
    with pytest.raises(StartError, match="cannot be read: file is not a database"):
        describe(file_address(place))
    place.unlink()
    fill(place, *OURS, insert_version(NEWEST))
    with place.open("r+b") as file:
        file.seek(-PAGE, os.SEEK_END)
        file.write(b"\xff" * PAGE)
    with pytest.raises(StartError, match=r"a\.db is damaged \(.+\)\. Restore a backup\."):
        describe(file_address(place))


@pytest.mark.parametrize(
    ("tables", "version", "words"),
    [
        (set(), None, EMPTY_TEXT),
        ({VERSION_TABLE}, None, EMPTY_TEXT),
        ({VERSION_TABLE, "matches"}, NEWEST, f"has version {NEWEST}."),
        ({"birds"}, None, "is a database of another program."),
        ({VERSION_TABLE, "birds"}, 3, "is a database of another program."),
    ],
)
def test_a_database_on_a_server_is_described_like_a_file(
    monkeypatch: pytest.MonkeyPatch, tables: set[str], version: int | None, words: str
) -> None:
    async def peek(*_: str) -> tuple[str, set[str], int | None]:
        return "the database games", tables, version

    monkeypatch.setattr(postgres, "peek", peek)
    try:
        sentence = describe("postgresql://ana@localhost/games")
    except StartError as refused:
        sentence = str(refused)
    assert f"the database games {words}" == sentence
