"""Running games that an earlier version stored, piece by piece, are read as facts, and go on."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.clock import Clock
from bot.store.auto_answers import AutoAnswer
from bot.store.boards import PendingBoard
from bot.store.database import Database
from bot.store.drafts import Draft
from bot.store.facts import Facts
from bot.store.matches import PastHolder, SeatHolder
from bot.store.store import Store
from bot.store.undo_requests import UndoRequest
from bot.tables import tables as tables_module
from bot.tables.joining import Joining
from bot.tables.moves import Moves
from bot.tables.seats import Seats
from bot.tables.table import Table
from bot.tables.tables import Tables
from engine.texts import Seat
from tests.engine.toys import TOYS

ROWS = Path(__file__).with_name("running_games.sql")
"""The rows of a lobby, of a game with something in every part, and of one with auto-answers."""

LOBBY, SEALED, BEG = 1, 2, 3
ANN, BEN, CLEO, DAN = 7, 8, 9, 10


@pytest.fixture
async def tables(database: Database, store: Store, monkeypatch: pytest.MonkeyPatch) -> Tables:
    """The tables of a database in which these games run."""
    monkeypatch.setattr(tables_module, "discover", lambda: TOYS)
    async with database.transaction():
        for statement in ROWS.read_text().split(";\n"):
            if statement.strip():
                await database.execute(statement)
        for table in ("matches", "table_events"):
            await database.advance_ids(table)
    return Tables(store)


async def find_table(tables: Tables, match_id: int) -> Table:
    table = await tables.find(match_id)
    assert table is not None
    assert not table.problem
    return table


async def read_again(store: Store, table: Table) -> Facts:
    """The facts that a new process reads of a table, which must be the same."""
    facts = await store.facts.find(table.id)
    assert facts is not None
    assert not facts.damage
    assert (facts.row, facts.drafts, facts.followers) == (table.row, table.drafts, table.followers)
    return facts


async def test_a_stored_lobby_accepts_a_pending_join_request(store: Store, tables: Tables) -> None:
    table = await find_table(tables, LOBBY)
    assert ({8, 9}, {DAN}, True) == (table.invited.keys(), table.facts.join_requests.keys(), table.hints)
    assert table.touched is not None
    await Joining(store, tables, Clock()).let_in(table, DAN)
    facts = await read_again(store, table)
    assert ((ANN, DAN), {}) == (tuple(holder.user_id for holder in facts.row.holders), facts.join_requests)


async def test_a_stored_game_resumes_from_a_draft_and_an_offered_seat_is_taken(store: Store, tables: Tables) -> None:
    table = await find_table(tables, SEALED)
    draft, request = Draft(0, ("bid 2",)), UndoRequest(Seat(0), 2)
    assert ({Seat(1): draft}, request, PendingBoard("2-57b9")) == (
        table.drafts,
        table.undo_request,
        table.facts.pending,
    )
    assert ({20}, {Seat(2)}, 602) == (table.followers, table.offer.seats, table.offer.message_id)
    assert ({Seat(0), Seat(1), Seat(2)}, ANN) == (table.clocks.keys(), table.clocks[Seat(0)].user_id)
    assert (PastHolder(Seat(2), SeatHolder(CLEO, name="Cleo", interaction_id=74), 1),) == table.row.past_holders
    moves, seats = Moves(store, tables, Clock()), Seats(store, tables, Clock(), "uniform")
    bid = table.require_match().parse(draft.notations[0])
    await moves.play(table, BEN, bid, interaction_id=900, version=draft.version)
    await seats.take_over(table, Seat(2), SeatHolder(CLEO, name="Cleo", interaction_id=901))
    facts = await read_again(store, table)
    assert ({}, None, {}) == (facts.drafts, facts.undo_request, facts.offers)
    assert CLEO == facts.row.holders[2].user_id
    assert table.require_match().entries == await store.log.entries(SEALED)


async def test_stored_auto_answers_apply_until_their_player_resigns(store: Store, tables: Tables) -> None:
    table = await find_table(tables, BEG)
    assert {Seat(1): {"begged": AutoAnswer.DECLINE}} == table.auto_answers
    assert ("4-8071", "3-a681", "answered") == (table.waiting, table.superseded, table.facts.events[0].kind)
    await Seats(store, tables, Clock(), "uniform").resign(table, BEN)
    facts = await read_again(store, table)
    assert ({}, ["answered", "asked"]) == (facts.auto_answers, [event.kind for event in facts.events])
