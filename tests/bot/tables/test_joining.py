"""Seats at a table before the game: who gets one, and by which tap."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.store.matches import Admission, SeatHolder
from bot.tables.joining import must_ask
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, NOON, House

CARO = SeatHolder(72, name="Caro", interaction_id=4)


async def test_a_host_lets_somebody_in_by_the_tap_by_which_they_asked(home: House) -> None:
    table, joining = await home.lobby(admits=Admission.REQUEST), home.services.joining
    await joining.ask(table, CARO)
    with pytest.raises(UserError, match="You’ve asked for a seat"):
        await joining.ask(table, CARO)
    await joining.note_message(table, 72, 9)
    assert 9 == (await joining.let_in(table, 72)).message_id
    assert (CARO, {}) == (table.row.holders[-1], table.facts.join_requests)
    with pytest.raises(UserError, match="already been answered"):
        await joining.let_in(table, 72)


async def test_a_declined_request_is_neither_repeated_nor_accepted(home: House) -> None:
    table, joining = await home.lobby(admits=Admission.REQUEST, ready=[HOST, GUEST]), home.services.joining
    await joining.ask(table, CARO)
    await joining.decline(table, 72)
    with pytest.raises(UserError, match="hasn’t let you in"):
        await joining.ask(table, CARO)
    with pytest.raises(UserError, match="already been answered"):
        await joining.let_in(table, 72)
    assert [HOST, GUEST] == [*table.people]
    await home.services.moves.start(table, 4711)
    for answer in (joining.let_in, joining.decline):
        with pytest.raises(UserError, match="already begun"):
            await answer(table, 72)


@pytest.mark.parametrize("is_barred", [True, False], ids=["bar", "block"])
async def test_of_a_bar_the_user_hears_the_reason_and_the_host_hears_of_neither_a_bar_nor_a_block(
    home: House, is_barred: bool
) -> None:
    table, joining = await home.lobby(admits=Admission.REQUEST), home.services.joining
    await joining.ask(table, CARO)
    if is_barred:
        await home.store.bars.put(GUILD, 72, "Caro", "Rude", NOON, None)
    else:
        await home.store.blocks.add(GUEST, 72, "Caro", NOON)
    with pytest.raises(UserError, match="That’s not possible here"):
        await joining.let_in(table, 72)
    await joining.withdraw(table, 72)
    if is_barred:
        with pytest.raises(UserError, match="Rude"):
            await joining.ask(table, CARO)
    free = await home.lobby(3)
    with pytest.raises(UserError, match="Rude" if is_barred else "not possible here"):
        await joining.join(free, CARO)
    assert [2, 2] == [len(each.people) for each in (table, free)]


@pytest.mark.parametrize(
    ("admits", "asks", "joins"),
    [(Admission.ANYONE, False, True), (Admission.REQUEST, True, False), (Admission.INVITATION, False, False)],
)
async def test_who_has_to_ask_and_who_may_join_at_once(home: House, admits: Admission, asks: bool, joins: bool) -> None:
    table = await home.lobby(admits=admits)
    assert asks is must_ask(table, 72)
    if not joins:
        with pytest.raises(UserError, match="Only people the host invites"):
            await home.services.joining.join(table, CARO)
        await home.services.lobbies.invite(table, [72])
        assert not must_ask(table, 72)
    await home.services.joining.join(table, CARO)
    assert [HOST, GUEST, 72] == [*table.people]
    with pytest.raises(UserError, match="already at this table"):
        await home.services.joining.join(table, CARO)


async def test_a_table_is_full_with_as_many_as_its_game_allows(home: House) -> None:
    table = await home.lobby(CHANNEL)
    for user_id in (72, 73):
        await home.services.joining.join(table, SeatHolder(user_id))
    assert table.is_full
    with pytest.raises(UserError, match="The table is full: Sealed Bids is for at most 4 players"):
        await home.services.joining.join(table, SeatHolder(74))


async def test_somebody_at_an_invite_only_table_hears_that_they_sit_there_already(home: House) -> None:
    table = await home.lobby(admits=Admission.INVITATION)
    with pytest.raises(UserError, match="already at this table"):
        await home.services.joining.join(table, SeatHolder(GUEST))
