"""Lobbies and moves on the stored facts: rematches, invitations, ready checks, hosts, and stale work."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.errors import UserError
from bot.features.deadlines.time_limits import full_clock
from bot.store.database import Conflict
from bot.store.drafts import Draft
from bot.store.jobs import JobKind
from bot.store.matches import Admission, SeatHolder, Status
from bot.store.planned_turns import PlannedTurn
from bot.tables import rated
from bot.tables.guild_settings import GuildSettings
from bot.tables.lobbies import INVITATION_INTERVAL, Occupied
from bot.tables.moves import Continuation, NextStep
from bot.tables.paces import PACES
from bot.tables.table import Stale, Table
from engine.texts import CHANCE, Seat
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, HOUR, House
from tests.bot.walks import set_row

CARO, DAN = 72, 75
ANA, BEN, COMPUTER = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), SeatHolder(computer="uniform")


async def called_off_match(home: House, *holders: SeatHolder, **row: object) -> Table:
    """A match of these people that was called off after they had seen something."""
    table = await home.match(CHANNEL, *holders, **row)
    table.facts = table.facts.with_holder(Seat(0), seen=7, interaction_id=70)
    await home.services.seats.end(table, by=HOST, at=home.clock.now())
    return table


async def test_a_rematch_moves_everyone_on_by_one_seat_without_what_they_saw_before(home: House) -> None:
    table = await called_off_match(home, ANA, COMPUTER, BEN)
    rematch = await home.services.lobbies.rematch(table, GUEST, interaction_id=99)
    assert (COMPUTER, replace(BEN, interaction_id=99), ANA) == rematch.row.holders
    assert (GUEST, Status.LOBBY, {}) == (rematch.row.host_id, rematch.row.status, rematch.invited)
    with pytest.raises(UserError, match="Only somebody who played"):
        await home.services.lobbies.rematch(table, DAN)


@pytest.mark.parametrize("admits", [Admission.REQUEST, Admission.INVITATION])
async def test_who_was_let_in_before_need_not_ask_for_a_rematch(home: House, admits: Admission) -> None:
    table = await called_off_match(home, ANA, BEN, admits=admits)
    rematch = await home.services.lobbies.rematch(table, HOST)
    assert (admits, {HOST, GUEST}) == (rematch.row.admits, rematch.invited.keys())


async def test_players_without_a_seat_in_a_rematch_by_invitation_are_invited(home: House) -> None:
    table = await called_off_match(home, ANA, BEN, SeatHolder(CARO, name="Caro"), admits=Admission.INVITATION)
    await home.store.blocks.add(GUEST, CARO, "Caro", home.clock.now())
    rematch = await home.services.lobbies.rematch(table, HOST)
    assert ((HOST,), {HOST, GUEST, CARO}) == (rematch.people, rematch.invited.keys())


async def test_a_rematch_has_the_terms_of_its_game(home: House) -> None:
    terms = {"parent_id": 5, "own_thread": True, "when_full": True, "ready_check": True, "pace": "daily", "firm": True}
    table = await called_off_match(home, ANA, BEN, rated=False, **terms)
    rematch = await home.services.lobbies.rematch(table, HOST)
    assert {"rated": False, **terms} == {name: getattr(rematch.row, name) for name in ("rated", *terms)}


async def test_a_forgotten_player_has_no_seat_in_a_rematch(home: House) -> None:
    table = await called_off_match(home, ANA, COMPUTER, BEN)
    set_row(table, holders=(ANA, SeatHolder(0, name="somebody"), BEN))
    rematch = await home.services.lobbies.rematch(table, HOST)
    assert [GUEST, HOST] == [holder.user_id for holder in rematch.row.holders]


async def test_nobody_is_called_twice_within_an_hour_and_a_repeated_call_keeps_no_table_open(home: House) -> None:
    lobbies, table = home.services.lobbies, await home.lobby()
    assert {CARO, DAN} == await lobbies.invite(table, [HOST, CARO, DAN])
    opened = table.touched
    home.time.now += INVITATION_INTERVAL / 2
    assert frozenset() == await lobbies.invite(table, [CARO, GUEST])
    assert opened == table.touched
    home.time.now += INVITATION_INTERVAL / 2
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


async def test_a_channel_with_a_running_game_has_that_game_even_for_its_players(home: House) -> None:
    table = await home.match()
    with pytest.raises(Occupied, match="already has a game of Sealed Bids"):
        await home.services.lobbies.open("toll", guild_id=GUILD, channel_id=CHANNEL, host=ANA)
    await home.services.seats.end(table, by=HOST, at=home.clock.now())
    await home.lobby()
    with pytest.raises(Occupied, match="already a Sealed Bids table here, and you’re at it"):
        await home.services.lobbies.open("toll", guild_id=GUILD, channel_id=CHANNEL, host=ANA)


@pytest.mark.parametrize("log", [0, 5])
async def test_luck_is_announced_only_in_a_log(home: House, log: int) -> None:
    await home.services.servers.keep(GUILD, GuildSettings(log=log))
    await home.lobby()
    jobs = [job for job in await home.store.jobs.due(home.clock.now()) if job.kind is JobKind.MODERATION_LOG]
    assert bool(log) == bool(jobs)


async def test_the_turn_that_a_computer_plays_for_somebody_is_not_their_own(home: House) -> None:
    table = await home.posted()
    clock = replace(full_clock(table.id, Seat(0), HOST, home.clock.now(), PACES["daily"]), stand_in="uniform")
    async with home.services.tables.changing(table) as change:
        change.facts = table.facts.with_clocks([clock])
    await home.services.moves.resume(table)
    match = table.require_match()
    assert ({0}, [Seat(0)]) == (match.stood_in, [entry.seat for entry in match.entries])
    assert [0] == await home.store.log.stand_in_entries(table.id)
    assert {} == table.stand_ins, "for one turn"


async def test_a_computer_that_plays_for_somebody_stops_where_others_are_asked_too(home: House) -> None:
    """Its bid opens the bids, and the next round asks both again: that is another turn."""
    table = await home.posted()
    await home.services.moves.play(table, GUEST, table.require_match().parse("bid 1"), interaction_id=1, version=None)
    clock = replace(full_clock(table.id, Seat(0), HOST, home.clock.now(), PACES["daily"]), stand_in="uniform")
    async with home.services.tables.changing(table) as change:
        change.facts = table.facts.with_clocks([clock])
    await home.services.moves.resume(table)
    match = table.require_match()
    assert [Seat(1), Seat(0), CHANCE] == [entry.seat for entry in match.entries]
    assert {Seat(0), Seat(1)} == {decision.seat for decision in match.state.decisions()}
    assert ({1}, {}) == (match.stood_in, table.stand_ins)


async def test_a_computer_that_plays_for_somebody_plays_their_whole_turn(home: House) -> None:
    table = await home.match(game="jinns")
    (first,) = {decision.seat for decision in table.require_match().state.decisions()}
    user_id = table.row.holders[first].user_id
    assert user_id is not None
    clock = replace(full_clock(table.id, first, user_id, home.clock.now(), PACES["daily"]), stand_in="uniform")
    async with home.services.tables.changing(table) as change:
        change.facts = table.facts.with_clocks([clock])
    await home.services.moves.resume(table)
    match = table.require_match()
    assert first not in {decision.seat for decision in match.state.decisions()}
    assert len(match.stood_in) > 1, "several choices make a turn"
    assert {} == table.stand_ins


async def test_what_computers_thought_of_is_not_played_once_the_game_was_called_off(home: House) -> None:
    moves, table = home.services.moves, await home.posted()
    before, continuation = table.require_match(), Continuation.of(table)
    continuation.match.play(Seat(0), before.parse("bid 1"))
    await home.services.seats.end(table, by=HOST, at=home.clock.now())
    assert not await moves.computers_played(table, before, continuation)
    assert [] == list(before.entries)


async def test_what_computers_thought_of_does_not_count_where_another_process_was_faster(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    moves, table = home.services.moves, await home.posted()
    before, continuation = table.require_match(), Continuation.of(table)
    continuation.match.play(Seat(0), before.parse("bid 1"))
    with monkeypatch.context() as patch:
        patch.setattr(home.store, "write", _conflict)
        assert not await moves.computers_played(table, before, continuation)
    assert [] == list(table.require_match().entries)
    assert await moves.computers_played(table, table.require_match(), continuation)
    assert [Seat(0)] == [entry.seat for entry in table.require_match().entries]


async def _conflict(*_: object) -> None:
    raise Conflict


async def test_a_start_names_first_that_the_table_is_closed_and_then_who_is_not_ready(home: House) -> None:
    table = await home.lobby()
    with pytest.raises(UserError, match="no longer ready"):
        await home.services.moves.start(table, 1)
    await home.services.seats.end(table, by=HOST, at=home.clock.now())
    with pytest.raises(UserError) as refused:
        await home.services.moves.start(table, 1)
    assert "ready" not in str(refused.value.text)


async def test_a_plan_for_an_earlier_position_is_not_saved(home: House) -> None:
    table = await home.posted()
    plan = {0: PlannedTurn(("bid 1",), ())}
    with pytest.raises(Stale):
        await home.services.moves.save_plan(table, Seat(0), plan, version=7)
    assert {} == table.plans
    table.facts = table.facts.keep_draft(Seat(0), Draft(0, ("bid 1",)))
    await home.services.moves.save_plan(table, Seat(0), {1: plan[0]})
    assert {Seat(0)} == table.drafts.keys()
    await home.services.moves.save_plan(table, Seat(0), plan, version=table.require_match().decision_version(Seat(0)))
    assert ({Seat(0): plan}, {}) == (table.plans, table.drafts)


async def test_a_game_that_counts_as_it_stood_has_no_points(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rated, "companies_behind", lambda *_: frozenset({Seat(0)}))
    table = await home.posted()
    assert await rated.results_if_ended_now(table, GUEST) is None
    results = await rated.results_if_ended_now(table, HOST)
    assert results is not None
    assert [(None, False), (GUEST, False)] == [(credit.user_id, credit.whole) for credit in results.owners.credits]
    assert [(0, 0), (0, 1)] == list(results.merits)


async def test_a_board_comes_after_an_answer_about_a_hand_even_if_its_player_goes_on(home: House) -> None:
    table = await home.posted(game="beg")
    for user_id, notation in ((HOST, "beg 1"), (GUEST, "deny")):
        action = table.require_match().parse(notation)
        step = await home.services.moves.play(table, user_id, action, interaction_id=user_id, version=None)
        assert NextStep.BOARD is step, notation
    assert {Seat(1)} == {decision.seat for decision in table.require_match().state.decisions()}


async def test_a_game_that_runs_gets_no_start_time_and_asks_nobody_whether_they_are_ready(home: House) -> None:
    table = await home.match()
    lobbies = home.services.lobbies
    for change in (lobbies.set_start(table, home.clock.now() + HOUR), lobbies.ask_at_start(table)):
        with pytest.raises(UserError, match="already begun"):
            await change
    assert table.row.starts_at is None
