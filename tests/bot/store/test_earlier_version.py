"""A database that an earlier version has written is opened by this one, and its games go on to their ends.

`fixtures/README.md` says how the databases were made.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import pytest

from bot.features.play.drafting import TurnDraft
from bot.store.jobs import JobKind
from bot.store.matches import Status
from bot.store.opening import file_address, open_database
from bot.store.store import Store
from bot.tables.table import Table
from engine.games import discover
from engine.players import discover as discover_players
from tests.bot.refusing import House
from tests.crowd.times import Time

DATABASES = sorted((Path(__file__).parent / "fixtures").glob("*.sql"))
PLIES = {1: 58, 2: 53, 3: 46, 4: 35, 5: 16}
"""Length of each match's log when the earlier version stopped, by match id."""

MAX_TURNS = 2000


@pytest.fixture(params=DATABASES, ids=lambda path: path.stem)
async def home(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[House]:
    """A bot of this version on a copy of the database, in the minute after the earlier one has stopped."""
    place = tmp_path / "caravanserai.db"
    with closing(sqlite3.connect(place)) as file:
        file.executescript(request.param.read_text(encoding="utf-8"))
        (latest,) = file.execute("SELECT max(at) FROM entries").fetchone()
    async with open_database(file_address(place)) as database:
        home = House(Store(database), Time(datetime.fromisoformat(latest) + timedelta(minutes=1)))
        yield home
        await home.services.worker.close(grace=0)
        await home.services.poster.close(grace=0)
        home.services.pictures.close()


async def tables_of(home: House) -> list[Table]:
    tables = [await home.services.tables.find(match_id) for match_id in PLIES]
    return [table for table in tables if table is not None]


def due_user(table: Table) -> int:
    """A user who must decide."""
    return next(table.users[decision.seat] for decision in table.require_match().state.decisions())


async def test_all_stored_games_are_loaded_midway_with_their_related_data(home: House) -> None:
    tables = await tables_of(home)
    assert sorted(discover()) == [table.row.game for table in tables]
    for table in tables:
        assert (None, Status.RUNNING) == (table.problem, table.row.status)
        assert PLIES[table.id] == table.require_match().version
        assert ("Ana", "Ben", "Caro") == table.persons
        user = due_user(table)
        assert TurnDraft.saved(table, user).chosen, "the preview that was not confirmed"
        assert table.board is not None
        reminders = await home.store.jobs.of_user(JobKind.REMINDER, user)
        assert table.id in [job.match_id for job in reminders]
        assert all(clock.at for clock in table.clocks.values() if clock.runs)


async def test_stored_reminders_and_clocks_fire_on_time(home: House) -> None:
    due = {table: due_user(table) for table in await tables_of(home)}
    await home.begin()
    await home.let_pass(timedelta(days=1))
    assert "POST /channels/{channel_id}/messages" in home.network.accepted, "the reminder"
    await home.let_pass(timedelta(days=4))
    for table, user in due.items():
        (late,) = [clock for clock in table.clocks.values() if clock.lost]
        assert late.user_id == user
        assert table.require_match().version > PLIES[table.id], "a computer has played the turn"


async def test_each_stored_game_can_be_played_to_its_end(home: House) -> None:
    luck, choose, interactions = Random(5), discover_players()["uniform"].choose, count(1)
    for table in await tables_of(home):
        before = table.require_match().entries.copy()
        user = due_user(table)
        draft = TurnDraft.saved(table, user)
        await home.services.moves.play(
            table, user, *draft.chosen, interaction_id=next(interactions), version=draft.version
        )
        await home.services.poster.post(table)
        for _ in range(MAX_TURNS):
            if table.require_match().outcome is not None:
                break
            user = due_user(table)
            action = choose(table.require_match().view(table.seat_of(user)), luck)
            await home.services.moves.play(table, user, action, interaction_id=next(interactions), version=None)
        await home.services.poster.post(table)
        assert Status.OVER is table.row.status
        assert before == table.require_match().entries[: len(before)]
    stored = [await home.store.facts.find(match_id) for match_id in PLIES]
    assert all(facts and facts.row.status is Status.OVER and not facts.drafts for facts in stored)


async def test_stored_seats_lost_to_a_firm_pace_stay_apart_from_those_lost_to_a_vote(tmp_path: Path) -> None:
    (dump, *_), place = DATABASES, tmp_path / "caravanserai.db"
    with closing(sqlite3.connect(place)) as file:
        file.executescript(dump.read_text(encoding="utf-8"))
        file.execute("UPDATE matches SET firm = (id = 1)")
        rows = [(match_id, "2026-11-27T12:00:00+00:00") for match_id in (1, 2)]
        file.executemany("INSERT INTO table_events (match_id, version, at, kind) VALUES (?, 0, ?, 'held')", rows)
        file.commit()
    async with open_database(file_address(place)) as database:
        held = await database.fetch("SELECT match_id, kind FROM table_events WHERE kind IN ('held', 'lapsed')")
    assert {(1, "lapsed"), (2, "held")} == {(row["match_id"], row["kind"]) for row in held}
