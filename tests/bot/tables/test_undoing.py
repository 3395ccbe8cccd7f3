"""Undo and redo of the choices of a seat, and who agrees, on the stored facts."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.store.drafts import Draft
from bot.store.matches import SeatHolder
from bot.store.undo_requests import UndoRequest
from bot.tables.table import Stale, Table
from engine.notation import format_action
from engine.texts import Seat
from tests.bot.refusing import CHANNEL, GUEST, HOST, House

CARO, DAN = 72, 75
ONE, TWO, THREE = Seat(0), Seat(1), Seat(2)
PEOPLE = [SeatHolder(user_id, name="x", interaction_id=1) for user_id in (HOST, GUEST, CARO)]


async def garden(home: House, *planters: int) -> Table:
    """A game of three in which these have planted something, and all have a draft."""
    table = await home.lobby(CHANNEL, *PEOPLE, game="garden", ready=[HOST, GUEST, CARO])
    await home.services.moves.start(table, 4711)
    for user_id in planters:
        await plant(home, table, user_id)
    for seat in (ONE, TWO, THREE):
        await home.services.moves.keep_draft(table, seat, Draft(table.require_match().version, ("plant a1 date 1",)))
    return table


async def plant(home: House, table: Table, user_id: int) -> str:
    option = table.require_match().state.decisions()[0].options[0]
    number = table.require_match().version + 1
    await home.services.moves.play(table, user_id, option, interaction_id=number, version=None)
    return format_action(option)


def notations(table: Table) -> list[str]:
    return [entry.notation.partition(" ")[0] for entry in table.require_match().entries]


async def test_an_undo_and_a_redo_end_the_draft_of_their_seat_alone(home: House) -> None:
    table, undoing = await garden(home, HOST), home.services.undoing
    board = table.waiting
    await undoing.undo(table, HOST, interaction_id=50)
    assert (["plant", "undo"], {TWO, THREE}) == (notations(table), table.drafts.keys())
    assert None is not table.waiting != board
    board = table.waiting
    await home.services.moves.keep_draft(table, ONE, Draft(2, ()))
    await undoing.redo(table, HOST, interaction_id=51)
    assert (["plant", "undo", "redo"], {TWO, THREE}) == (notations(table), table.drafts.keys())
    assert None is not table.waiting != board
    assert [50, 51] == [
        number
        for number in await home.store.jobs._database.fetch_column("SELECT interaction_id FROM entries ORDER BY n")
        if number and number > 9
    ]


async def test_a_choice_is_taken_back_once_all_have_agreed_and_no_earlier(home: House) -> None:
    table, undoing = await garden(home, HOST, GUEST, CARO), home.services.undoing
    request = await undoing.undo_request(table, HOST)
    assert UndoRequest(ONE, 3) == request == table.undo_request
    repeated = table.unanswered
    assert repeated is not None
    with pytest.raises(UserError, match="were asked"):
        await undoing.agree(table, HOST, 3, interaction_id=60)
    for version in (2, 4):
        with pytest.raises(Stale):
            await undoing.agree(table, GUEST, version, interaction_id=60)
    for outdated in (UndoRequest(ONE, 2), None):
        async with home.services.tables.changing(table) as change:
            change.facts = table.facts.request_undo(outdated)
        with pytest.raises(Stale):
            await undoing.agree(table, GUEST, 3, interaction_id=60)
    await undoing.undo_request(table, HOST)
    assert {THREE} == await undoing.agree(table, GUEST, 3, interaction_id=60)
    assert (UndoRequest(ONE, 3, frozenset({TWO})), repeated) == (table.undo_request, table.unanswered)
    assert ["plant"] * 3 == notations(table)
    assert frozenset() == await undoing.agree(table, CARO, 3, interaction_id=61)
    assert (None, None) == (table.undo_request, table.unanswered)
    assert ["plant"] * 3 + ["undo"] == notations(table)
    assert {TWO, THREE} == table.drafts.keys()


async def test_one_who_was_asked_refuses_and_the_requester_withdraws(home: House) -> None:
    table, undoing = await garden(home, HOST, GUEST, CARO), home.services.undoing
    request = await undoing.undo_request(table, HOST)
    with pytest.raises(UserError, match="were asked"):
        await undoing.refuse_undo(table, DAN, 3)
    with pytest.raises(Stale):
        await undoing.refuse_undo(table, GUEST, 2)
    assert request == await undoing.refuse_undo(table, GUEST, 3)
    assert table.undo_request is None
    with pytest.raises(Stale):
        await undoing.refuse_undo(table, GUEST, 3)
    request = await undoing.undo_request(table, HOST)
    assert request == await undoing.refuse_undo(table, HOST, 0), "of whatever version the control is"
    assert table.undo_request is None
