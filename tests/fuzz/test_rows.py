"""Damaged rows: the table is there, and names the problem if it cannot go on."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import Clock
from bot.posting.board_layouts import Body
from bot.store.boards import Board
from bot.store.drafts import Draft
from bot.store.matches import SeatHolder
from bot.store.opening import file_address, open_database
from bot.store.store import Store
from bot.tables.lobbies import Lobbies
from bot.tables.moves import Moves
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.texts import Seat
from tests.fuzz.likely import tried

CELLS = [
    ("matches", "options"),
    ("matches", "game"),
    ("matches", "rules_version"),
    ("matches", "status"),
    ("matches", "seed"),
    ("matches", "pace"),
    ("matches", "ready"),
    ("seat_history", "user_id"),
    ("seat_history", "computer"),
    ("seat_history", "seat"),
    ("seat_history", "until"),
    ("entries", "n"),
    ("entries", "seat"),
    ("entries", "notation"),
    ("boards", "version"),
    ("boards", "body"),
    ("jobs", "state"),
    ("jobs", "due_at"),
    ("drafts", "notations"),
]
BODY = Body(heading="", filename="", alt="", story="", due=(), due_text="", first=True)
VALUES = (
    st.none() | st.integers(-2, 2**62) | st.text(max_size=12) | st.sampled_from(["{}", "[]", "[1]", '{"a": 1}', "x"])
)


class Archive:
    """A database with a running match in it, kept as it was for the next try."""

    def __init__(self, place: Path, store: Store, match_id: int) -> None:
        self.place, self.store, self.match_id = place, store, match_id

    async def with_cell(self, table: str, column: str, value: object) -> Table | None:
        """The match as it is read with another value in a cell; none if the database would not take it."""
        with closing(sqlite3.connect(self.place)) as database, database:
            which = "WHERE kind = 'board'" if table == "jobs" else ""
            before = database.execute(f"SELECT rowid, {column} FROM {table} {which} LIMIT 1").fetchone()
            try:
                database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (value, before[0]))
            except (sqlite3.IntegrityError, OverflowError):
                return None
        try:
            return await Tables(self.store).find(self.match_id)
        finally:
            with closing(sqlite3.connect(self.place)) as database, database:
                database.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (before[1], before[0]))


@pytest_asyncio.fixture(scope="module")
async def archive(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Archive]:
    place = tmp_path_factory.mktemp("archive") / "games.db"
    async with open_database(file_address(place)) as database:
        store = Store(database)
        tables = Tables(store)
        lobbies, moves = Lobbies(store, tables, Clock()), Moves(store, tables, Clock())
        table = await lobbies.open("jinns", guild_id=1, channel_id=5, host=SeatHolder(70, interaction_id=1))
        await lobbies.change_holders(table, lambda holders: [*holders, SeatHolder(71, interaction_id=2)])
        await moves.start(table, 1)
        assert table.waiting is not None, "its first board is to be posted"
        async with tables.changing(table) as change:
            change.facts = table.facts.note_posted(table.waiting, Board(0, 9, BODY.stored()), ())
        decision = table.require_match().state.decisions()[0]
        user = table.row.holders[decision.seat].user_id or 0
        await moves.play(table, user, decision.options[0], interaction_id=1, version=None)
        await moves.keep_draft(table, Seat(0), Draft(table.require_match().version, ("b4 13 9",)))
        yield Archive(place, store, table.id)


@pytest.mark.parametrize(("table", "column"), CELLS)
@tried
@given(value=VALUES)
async def test_a_table_with_any_value_in_a_cell_loads_or_names_its_problem(
    archive: Archive, table: str, column: str, value: object
) -> None:
    table_now = await archive.with_cell(table, column, value)
    assert table_now is None or table_now.problem is None or str(table_now.problem)
