"""The seats of a running match: leaving, taking, offering and following, their events, and undo requests."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest

from bot.errors import UserError
from bot.store.drafts import Draft
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.known_seats import knower_of
from bot.store.matches import PastHolder, SeatHolder, Status
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables import seats as seats_module
from bot.tables.abandoned import unless_abandoned
from bot.tables.rated import seats_of
from bot.tables.results import losses_of
from bot.tables.seats import MAX_FOLLOWERS, holds_secrets
from bot.tables.table import Table
from engine.core import Event, Outcome, only
from engine.notation import format_action
from engine.texts import Seat
from tests.bot.matches import end_match
from tests.bot.play.test_at_once import Sealed
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, HOUR, NOON, House
from tests.bot.walks import set_row
from tests.bot.whole import ANA as ANAS_ID
from tests.bot.whole import BEN as BENS_ID
from tests.bot.whole import holder, table_of
from tests.engine.toys.sealed import Auction, Bid, Bidding, Reason

CARO, DAN = 72, 75
ONE, TWO, THREE = Seat(0), Seat(1), Seat(2)
ANA, BEN, COMPUTER = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), SeatHolder(computer="uniform")


async def three(home: House) -> Table:
    """A match of the host, the guest and a computer."""
    return await home.posted(CHANNEL, ANA, BEN, COMPUTER)


def kinds(table: Table) -> list[str]:
    return [str(event.kind) for event in table.facts.events]


def knowers(table: Table, *users: int) -> list[tuple[Seat, int]]:
    """The seats that these users are known to know."""
    names = {knower_of(table.row.seed, user_id): user_id for user_id in users}
    return sorted((seat, names[knower]) for seat, knower in table.facts.known_seats if knower in names)


async def test_a_seat_of_a_game_that_is_over_cannot_be_left(home: House) -> None:
    table = await home.posted()
    async with home.services.tables.changing(table) as change:
        change.facts = end_match(Outcome((1.0, 0.0), (3, 1), Reason.ROUNDS), NOON)(table.facts)
    with pytest.raises(UserError, match="This game is over"):
        await home.services.seats.resign(table, GUEST)
    assert {ONE: HOST, TWO: GUEST} == table.users


async def test_only_a_seat_left_after_the_first_entry_is_lost(home: House) -> None:
    seats, table = home.services.seats, await home.posted(CHANNEL, ANA, BEN, SeatHolder(CARO), SeatHolder(DAN))
    await seats.resign(table, HOST)
    assert [] == losses_of(seats_of(table, table.require_match()))
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    await seats.resign(table, CARO)
    assert [CARO] == [loss.user_id for loss in losses_of(seats_of(table, table.require_match()))]


async def test_a_look_that_does_not_arrive_or_cannot_be_noted_changes_nothing(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats, table = home.services.seats, await home.posted()
    await home.services.moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
    with suppress(ConnectionError):
        async with seats.seeing(table, TWO):
            assert 1 == table.seen_version(TWO)
            raise ConnectionError
    assert 0 == table.seen_version(TWO)

    async def fails(*_: Any, **__: Any) -> Any:
        raise DatabaseUnavailable(FailureKind.GONE, "away")

    monkeypatch.setattr(home.store, "write", fails)
    await seats.greet(table, GUEST, "Benjamin")
    async with seats.seeing(table, TWO):
        pass
    assert ("Ben", 0) == (table.row.holders[TWO].name, table.seen_version(TWO))


async def test_what_is_known_already_is_not_noted_again(home: House) -> None:
    seats, table = home.services.seats, await three(home)
    async with seats.seeing(table, TWO):
        facts = table.facts
    await seats.greet(table, GUEST, "Ben")
    await seats.cast(table, THREE, "uniform", by=HOST)
    async with seats.seeing(table, TWO):
        pass
    assert facts is table.facts
    await seats.cast(table, THREE, "greedy", by=HOST)
    facts = table.facts
    await seats.cast(table, THREE, "greedy", by=HOST)
    assert facts is table.facts
    await seats.cast(table, THREE, "uniform", by=HOST)
    assert "uniform" == table.row.holders[THREE].computer, "the usual one, too, can come back"


async def test_only_seats_of_computers_are_offered_and_their_message_is_that_of_the_offer(home: House) -> None:
    seats, table = home.services.seats, await home.posted(CHANNEL, ANA, BEN, COMPUTER, COMPUTER)
    with pytest.raises(UserError, match="no computer here"):
        await seats.offer(table, [ONE, TWO])
    assert {THREE} == (await seats.offer(table, [ONE, THREE])).seats
    await seats.note_offer_message(table, 9)
    assert ({THREE}, 9) == (table.offer.seats, table.offer.message_id)


@pytest.mark.parametrize(
    ("user_id", "seat", "reason"),
    [
        (HOST, THREE, "You’re already in this game."),
        (CARO, ONE, "already has this seat"),
        (CARO, Seat(3), "no longer available"),
        (CARO, Seat(9), "no longer available"),
        (DAN, THREE, "barred you"),
    ],
)
async def test_a_seat_is_for_those_outside_of_the_game_once_it_is_offered(
    home: House, user_id: int, seat: Seat, reason: str
) -> None:
    seats, table = home.services.seats, await home.posted(CHANNEL, ANA, BEN, COMPUTER, COMPUTER)
    await home.store.bars.put(GUILD, DAN, "Dan", "", NOON, None)
    await seats.offer(table, [THREE])
    with pytest.raises(UserError, match=reason):
        await seats.take_over(table, seat, SeatHolder(user_id, name="x"))
    await seats.take_over(table, THREE, SeatHolder(CARO, name="Caro"))
    assert ({ONE: HOST, TWO: GUEST, THREE: CARO}, []) == (table.users, kinds(table))


async def test_a_player_returns_without_an_offer_in_spite_of_a_block_and_that_is_noted(home: House) -> None:
    seats, table = home.services.seats, await three(home)
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    await seats.resign(table, GUEST)
    await home.store.blocks.add(HOST, GUEST, "Ben", NOON)
    await seats.take_over(table, TWO, BEN)
    assert ({ONE: HOST, TWO: GUEST}, ["returned"]) == (table.users, kinds(table))


async def test_those_who_saw_the_secrets_of_a_seat_take_no_other_one(home: House) -> None:
    seats, people = home.services.seats, (ANA, BEN, SeatHolder(DAN, name="Dan"))
    table = await home.lobby(CHANNEL, *people, ready=[HOST, GUEST, DAN])
    await home.services.moves.start(table, 4711)
    await seats.resign(table, GUEST)
    assert [] == [*table.facts.known_seats], "nothing was hidden yet"
    await seats.offer(table, [TWO])
    await seats.take_over(table, TWO, BEN)
    assert [] == [*table.facts.known_seats], "nor did the newcomer see anything"
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    await seats.resign(table, GUEST)
    assert [(TWO, GUEST)] == knowers(table, GUEST)
    await seats.resign(table, DAN)
    await seats.offer(table, [TWO, THREE])
    with pytest.raises(UserError, match="another seat’s secrets"):
        await seats.take_over(table, THREE, BEN)
    await seats.take_over(table, TWO, SeatHolder(CARO, name="Caro"))
    assert [(TWO, GUEST), (TWO, CARO)] == knowers(table, GUEST, CARO)[:2], "who takes it sees the bid"


async def test_a_full_list_of_followers_takes_no_more_until_one_leaves_it(home: House) -> None:
    seats, table = home.services.seats, await home.posted()
    for user_id in range(1000, 1000 + MAX_FOLLOWERS):
        await seats.follow(table, user_id, follows=True)
    with pytest.raises(UserError, match="as many followers"):
        await seats.follow(table, CARO, follows=True)
    await seats.follow(table, 1000, follows=False)
    await seats.follow(table, CARO, follows=True)
    with pytest.raises(UserError, match="You’re in this game"):
        await seats.follow(table, HOST, follows=True)
    assert (MAX_FOLLOWERS, True) == (len(table.followers), CARO in table.followers)


async def test_the_end_of_a_match_notes_who_called_it_off_and_why(home: House) -> None:
    table = await home.posted()
    await home.services.seats.end(table, by=GUEST, at=NOON, words="No time")
    (event,) = table.facts.events
    assert ("closed", GUEST, "No time") == (event.kind, event.user_id, event.words)


async def test_a_match_is_called_off_once_its_last_player_has_left(home: House) -> None:
    table = await three(home)
    for user_id in (HOST, GUEST):
        assert table.is_open
        await home.services.seats.resign(table, user_id)
    assert not table.is_open


async def test_unsticking_a_match_gives_up_drafts_and_posts_its_board_once_more(home: House) -> None:
    table = await home.posted()
    await home.services.moves.keep_draft(table, ONE, Draft(0, ("bid 1",)))
    await home.services.seats.unstick(table, by=DAN, at=NOON)
    assert ({}, True, ["unstuck"]) == (table.drafts, table.waiting is not None, kinds(table))


async def test_the_message_of_an_undo_request_that_is_over_is_not_that_of_the_next_one(home: House) -> None:
    undoing, table = home.services.undoing, await home.posted()
    old = await undoing.undo_request(table, HOST)
    await home.services.moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
    await undoing.note_undo_message(table, old, 9)
    assert table.undo_request is None
    new = await undoing.undo_request(table, HOST)
    await undoing.note_undo_message(table, old, 9)
    assert new == table.undo_request
    await undoing.note_undo_message(table, new, 10)
    assert table.undo_request is not None
    assert 10 == table.undo_request.message_id


async def test_after_an_undo_the_same_move_is_a_new_one(home: House) -> None:
    """Typing a move again within minutes does not repeat the one that was taken back."""
    moves, undoing, table = home.services.moves, home.services.undoing, await home.posted(game="garden")

    async def plant(user_id: int, number: int) -> str:
        option = table.require_match().state.decisions()[0].options[0]
        await moves.play(table, user_id, option, interaction_id=number, version=None)
        return format_action(option)

    typed = await plant(HOST, 1)
    assert table.done_unanswered(ONE, typed, 2)
    await undoing.undo(table, HOST, interaction_id=3)
    assert not table.done_unanswered(ONE, typed, 4)
    await plant(HOST, 5)
    typed = await plant(GUEST, 6)
    request = await undoing.undo_request(table, HOST)
    assert table.done_unanswered(TWO, typed, 7)
    assert frozenset() == await undoing.agree(table, GUEST, request.version, interaction_id=8)
    assert not table.done_unanswered(TWO, typed, 9)


async def test_after_an_undo_computers_act_again_at_once(home: House) -> None:
    moves, undoing, people = home.services.moves, home.services.undoing, (ANA, BEN, SeatHolder(CARO, name="Caro"))
    table = await home.lobby(CHANNEL, *people, ready=[HOST, GUEST, CARO])
    await moves.start(table, 4711)
    await moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
    await home.services.seats.resign(table, GUEST)
    await moves.resume(table)
    assert {THREE} == due_seats(table)
    request = await undoing.undo_request(table, HOST)
    await undoing.agree(table, CARO, request.version, interaction_id=2)
    assert {ONE, THREE} == due_seats(table)


def due_seats(table: Table) -> set[Seat]:
    return {decision.seat for decision in table.require_match().state.decisions()}


async def test_a_seat_whose_only_secret_is_an_event_has_secrets(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    resolve = Bidding.resolve

    def with_event(frame: Bidding, state: Auction, seat: Seat, action: Bid) -> tuple[Auction, tuple[Event, ...]]:
        after, events = resolve(frame, state, seat, action)
        return after, (Sealed(action.coins, audience=only(seat)), *events)

    monkeypatch.setattr(Bidding, "resolve", with_event)
    table = await home.posted()
    for user_id in (HOST, GUEST):
        await home.services.moves.play(table, user_id, Bid(user_id == HOST), interaction_id=user_id, version=None)
    match = table.require_match()
    assert match.view(ONE).state == match.view(None).state, "all bids are open"
    assert holds_secrets(match, ONE)


async def test_nobody_sits_down_beside_somebody_whom_they_have_blocked(home: House) -> None:
    seats, table = home.services.seats, await three(home)
    await seats.offer(table, [THREE])
    await home.store.blocks.add(HOST, CARO, "Caro", NOON)
    with pytest.raises(UserError, match="That’s not possible here"):
        await seats.take_over(table, THREE, SeatHolder(CARO, name="Caro"))
    assert {ONE: HOST, TWO: GUEST} == table.users


@pytest.mark.parametrize(("status", "refusal"), [(Status.OVER, "over"), (Status.ENDED, "called off")])
async def test_nothing_happens_to_the_seats_of_a_game_that_is_over(home: House, status: Status, refusal: str) -> None:
    seats, table = home.services.seats, await three(home)
    await seats.offer(table, [THREE])
    set_row(table, status=status)
    facts = table.facts
    for change in (
        seats.resign(table, GUEST),
        seats.stop_rating(table, GUEST),
        seats.cast(table, THREE, "greedy", by=HOST),
        seats.replace(table, GUEST, by=DAN, at=NOON),
        seats.offer(table, [THREE]),
        seats.take_over(table, THREE, SeatHolder(CARO)),
        seats.follow(table, CARO, follows=True),
        seats.end(table, by=HOST, at=NOON),
        seats.unstick(table, by=DAN, at=NOON),
    ):
        with pytest.raises(UserError) as refused:
            await change
        assert f"This game {'is over' if refusal == 'over' else 'was called off'}." == str(refused.value.text)
    assert facts is table.facts


async def test_each_handover_is_noted_with_its_seat_its_users_and_the_version(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def behind(_: Table) -> frozenset[Seat]:
        return frozenset({TWO})

    async def claim(*seat: object) -> None:
        claimed.append(seat)

    claimed: list[object] = []
    monkeypatch.setattr(seats_module, "behind_now", behind)
    monkeypatch.setattr(seats_module, "claim_league_seat", claim)
    seats, table = home.services.seats, await three(home)
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    version = table.require_match().version
    assert TWO == await seats.replace(table, GUEST, by=DAN, at=NOON)
    with pytest.raises(UserError, match=f"<@{GUEST}> is no longer in this game"):
        await seats.replace(table, GUEST, by=DAN, at=NOON)
    await seats.cast(table, TWO, "greedy", by=HOST)
    with pytest.raises(UserError, match="is no longer a computer"):
        await seats.cast(table, ONE, "greedy", by=HOST)
    await seats.take_over(table, TWO, replace(BEN, interaction_id=5))
    assert [(home.store, table, TWO, GUEST)] == claimed
    await seats.end(table, by=DAN, at=NOON + HOUR, words="Enough")
    assert [
        TableEvent(TableEventKind.REPLACED, version, NOON, TWO, DAN, behind=True),
        TableEvent(TableEventKind.CAST, version, NOON, TWO, HOST, "greedy"),
        TableEvent(TableEventKind.RETURNED, version, NOON, TWO, GUEST),
        TableEvent(TableEventKind.CLOSED, version, NOON + HOUR, user_id=DAN, words="Enough"),
    ] == [*table.facts.events]
    assert (ANA, replace(BEN, interaction_id=5), COMPUTER) == tuple(
        replace(holder, seen=0) for holder in table.row.holders
    )


async def test_a_name_is_stored_once_it_has_changed(home: House) -> None:
    seats, table = home.services.seats, await three(home)
    for user_id in (GUEST, CARO):
        await seats.greet(table, user_id, " Benjamin  B ")
    assert ["Ana", "Benjamin B", ""] == [holder.name for holder in table.row.holders]


async def test_a_look_is_over_once_it_is_stored(home: House) -> None:
    seats, table = home.services.seats, await three(home)
    await home.services.moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
    async with seats.seeing(table, TWO):
        pass
    assert ({}, table.require_match().version) == (table.looks, table.row.holders[TWO].seen)


@pytest.mark.parametrize("status", [Status.LOBBY, Status.RUNNING])
async def test_a_table_without_people_is_called_off_in_its_way(home: House, status: Status) -> None:
    table = await three(home)
    set_row(table, status=status, holders=(COMPUTER, COMPUTER, COMPUTER))
    closed = Status.CLOSED if status is Status.LOBBY else Status.ENDED
    assert closed is (await unless_abandoned(table, NOON)).row.status
    set_row(table, status=closed)
    assert table.facts is await unless_abandoned(table, NOON)
    set_row(table, status=status, holders=(ANA, COMPUTER, COMPUTER))
    assert table.facts is await unless_abandoned(table, NOON)


def test_players_who_left_are_told_where_they_played() -> None:
    sat = ((ONE, 73), (TWO, 74), (TWO, 73))
    before = tuple(PastHolder(seat, SeatHolder(user_id), n) for n, (seat, user_id) in enumerate(sat))
    table = table_of(ANAS_ID, 0, runs=True, past_holders=before)
    assert [(ONE, TWO), (TWO,), ()] == [table.seats_left_by(user_id) for user_id in (73, 74, ANAS_ID)]
    assert (TWO,) == table_of(73, 0, runs=True, past_holders=before).seats_left_by(73)
    for there, refusal in (
        (table, "A computer has taken over your seat. Get it back with `/game join`."),
        (
            table_of(ANAS_ID, BENS_ID, runs=True, past_holders=before),
            f"You’re not playing in this game. It’s 🔴 <@{ANAS_ID}>’s turn.",
        ),
        (table_of(ANAS_ID), "You haven’t joined this table yet. Tap **Join** first."),
    ):
        with pytest.raises(UserError) as refused:
            there.require_seat(74)
        assert refusal == str(refused.value.text)


def test_all_are_asked_where_secrets_are_dealt_or_one_was_seated_by_another() -> None:
    seated = holder(BENS_ID, interaction_id=0)
    for row, game, asks in (
        ((holder(ANAS_ID), holder(BENS_ID)), "garden", False),
        ((holder(ANAS_ID), seated), "garden", True),
        ((seated, COMPUTER), "garden", False),
        ((holder(ANAS_ID), holder(BENS_ID)), "beg", True),
        ((holder(ANAS_ID), COMPUTER), "beg", False),
    ):
        assert asks == table_of(ANAS_ID, game=game, holders=row).asks_ready
    table = table_of(ANAS_ID, BENS_ID, game="garden", ready_check=True, ready=frozenset({BENS_ID}))
    assert (True, (ANAS_ID,)) == (table.asks_ready, table.unready)
