"""Tables before the game at the level of the store: a rematch, invitations, the ready check, and who is the host."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.store.jobs import JobKind
from bot.store.matches import Admission, SeatHolder, Status
from bot.tables.lobbies import NOT_AGAIN
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, HOUR, House
from tests.bot.walks import set_row

CARO, DAN = 72, 75
ANA, BEN, COMPUTER = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), SeatHolder(computer="uniform")


async def ended(home: House, *holders: SeatHolder, **row: object) -> Table:
    """A match of these people that was called off after they had seen something."""
    table = await home.match(CHANNEL, *holders, **row)
    table.facts = table.facts.with_holder(Seat(0), seen=7, interaction_id=70)
    await home.services.seats.end(table, by=HOST, at=home.clock.now())
    return table


async def test_a_rematch_moves_everyone_on_by_one_seat_without_what_they_saw_before(home: House) -> None:
    table = await ended(home, ANA, COMPUTER, BEN)
    rematch = await home.services.lobbies.rematch(table, GUEST, interaction_id=99)
    assert (COMPUTER, replace(BEN, interaction_id=99), ANA) == rematch.row.holders
    assert (GUEST, Status.LOBBY, {}) == (rematch.row.host_id, rematch.row.status, rematch.invited)
    with pytest.raises(UserError, match="Only somebody who played"):
        await home.services.lobbies.rematch(table, DAN)


@pytest.mark.parametrize("admits", [Admission.REQUEST, Admission.INVITATION])
async def test_who_was_let_in_before_need_not_ask_for_a_rematch(home: House, admits: Admission) -> None:
    table = await ended(home, ANA, BEN, admits=admits)
    rematch = await home.services.lobbies.rematch(table, HOST)
    assert (admits, {HOST, GUEST}) == (rematch.row.admits, rematch.invited.keys())


async def test_a_forgotten_player_has_no_seat_in_a_rematch(home: House) -> None:
    table = await ended(home, ANA, COMPUTER, BEN)
    set_row(table, holders=(ANA, SeatHolder(0, name="somebody"), BEN))
    rematch = await home.services.lobbies.rematch(table, HOST)
    assert [GUEST, HOST] == [holder.user_id for holder in rematch.row.holders]


async def test_nobody_is_called_twice_within_an_hour_and_a_repeated_call_keeps_no_table_open(home: House) -> None:
    lobbies, table = home.services.lobbies, await home.lobby()
    assert {CARO, DAN} == await lobbies.invite(table, [HOST, CARO, DAN])
    opened = table.touched
    home.time.now += NOT_AGAIN / 2
    assert frozenset() == await lobbies.invite(table, [CARO, GUEST])
    assert opened == table.touched
    home.time.now += NOT_AGAIN / 2
    assert {CARO} == await lobbies.invite(table, [CARO])
    assert opened != table.touched


async def test_only_players_are_ready_once_one_of_them_has_asked(home: House) -> None:
    lobbies, table = home.services.lobbies, await home.lobby()
    with pytest.raises(UserError, match="Nobody has been asked yet"):
        await lobbies.note_ready(table, GUEST, asked=True)
    with pytest.raises(UserError, match="haven’t joined"):
        await lobbies.note_ready(table, CARO, asked=False)
    assert await lobbies.note_ready(table, HOST, asked=False)
    assert not await lobbies.note_ready(table, GUEST, asked=False)
    assert {HOST, GUEST} == table.row.ready


async def test_whatever_changes_the_game_asks_everyone_anew(home: House) -> None:
    lobbies, table = home.services.lobbies, await home.lobby(CHANNEL, ANA, BEN, COMPUTER)
    changes = (
        lambda: lobbies.set_option(table, "rounds", 1),
        lambda: lobbies.set_options(table, {"rounds": 3}),
        lambda: lobbies.allow_hints(table, allowed=True),
        lambda: lobbies.cast(table, Seat(2), "fair"),
        lambda: lobbies.set_start(table, home.clock.now() + HOUR),
    )
    for change in changes:
        await lobbies.note_ready(table, GUEST, asked=False)
        await change()
        assert table.row.ready is None


async def test_the_same_computer_again_changes_nothing(home: House) -> None:
    lobbies, table = home.services.lobbies, await home.lobby(CHANNEL, ANA, BEN, COMPUTER)
    await lobbies.note_ready(table, GUEST, asked=False)
    await lobbies.cast(table, Seat(2), "uniform")
    assert {GUEST} == table.row.ready
    with pytest.raises(UserError):
        await lobbies.cast(table, Seat(0), "fair")


async def test_a_start_that_has_passed_leaves_the_answers_of_its_ready_check(home: House) -> None:
    lobbies, table, at = home.services.lobbies, await home.lobby(), home.clock.now() + HOUR
    await lobbies.set_start(table, at)
    await lobbies.note_ready(table, GUEST, asked=False)
    await lobbies.ask_at_start(table)
    assert {GUEST} == table.row.ready, "who was ready before the start is so still"
    await lobbies.end_start(table, at + HOUR)
    assert at == table.row.starts_at, "the host has chosen another time meanwhile"
    await lobbies.end_start(table, at)
    assert (None, {GUEST}) == (table.row.starts_at, table.row.ready)


async def test_a_table_expires_unless_it_was_changed_since_its_job_was_read(home: House) -> None:
    lobbies, table = home.services.lobbies, await home.lobby()
    (job,) = await home.store.jobs.of_match(JobKind.LOBBY_EXPIRY, table.id)
    home.time.now += HOUR
    await lobbies.keep(table)
    assert (False, Status.LOBBY) == (await lobbies.expire(table, job), table.row.status)
    (job,) = await home.store.jobs.of_match(JobKind.LOBBY_EXPIRY, table.id)
    assert (True, Status.CLOSED) == (await lobbies.expire(table, job), table.row.status)
    assert not await lobbies.expire(table, job)


async def test_the_first_of_those_who_stay_becomes_the_host_except_in_a_league(home: House) -> None:
    lobbies = home.services.lobbies
    table = await home.lobby(CHANNEL, SeatHolder(CARO, name="Caro"), BEN)
    await lobbies.hand_on(table)
    assert CARO == table.row.host_id
    spec = table.spec
    league = await lobbies.open_for(spec, (BEN, ANA), guild_id=GUILD, channel_id=9, options={}, secret="5" * 64)
    await lobbies.hand_on(league)
    assert 0 == league.row.host_id
