"""Warnings and verdicts of late players, at a bot without a gateway."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UserError
from bot.features.deadlines import pace_and_vote_layouts
from bot.features.deadlines import timeouts as timeouts_module
from bot.features.deadlines.absences import Absences
from bot.features.deadlines.board_clocks import BoardClocks, heartbeat_key, last_heartbeat
from bot.features.deadlines.heartbeat import Heartbeat
from bot.features.deadlines.pace_and_votes import show_pace
from bot.features.deadlines.time_limits import begin_turn, full_clock, schedule, stop_clock
from bot.features.deadlines.timeouts import Timeouts
from bot.features.deadlines.votes import MAX_STRIKES
from bot.interactions.clock_check import MAX_OFFSET
from bot.interactions.refusals import MAX_ATTEMPTS
from bot.jobs import seat_clock
from bot.store.clocks import SeatClock, Verdict
from bot.store.codec import time_of
from bot.store.jobs import NOBODY, Job, JobKind
from bot.store.leagues import MAX_TIMES_HELD
from bot.store.matches import SeatHolder
from bot.store.shard_range import NO_SERVER, ShardRange
from bot.tables.paces import PACES
from bot.tables.preferences import Preferences, keep_preferences, preferences_of
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.desk import PUBLIC, Desk
from tests.bot.outcomes import sent
from tests.bot.posting.test_posted_boards import finish_posting
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, HOUR, NOON, House
from tests.engine.toys.sealed import Bid

CONVERSATION, MODERATOR = 900, 75
LATE = Seat(0)


async def waiting_for_host(home: House, **row: Any) -> Table:
    """A game at a brisk pace in which the guest has bid: 4 hours for the turn of the host, and 12 to spare."""
    await home.begin()
    table = await home.posted(pace="brisk", **row)
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    return table


def move_while_sending(home: House, table: Table, monkeypatch: pytest.MonkeyPatch, nonce: str = "") -> None:
    """Let the host move right after a message is sent whose nonce begins with `nonce`, before its sender goes on."""
    send = home.services.channels.send

    async def send_and_move(*content: Any, **options: Any) -> int:
        message_id = await send(*content, **options)
        if options.get("nonce", "").startswith(nonce):
            await home.services.moves.play(table, HOST, Bid(2), interaction_id=9, version=None)
        return message_id

    monkeypatch.setattr(home.services.channels, "send", send_and_move)


def messages(home: House, start: str) -> list[tuple[int, list[int]]]:
    """The messages that begin with some text: the channel, and whom each mentions. Forgets all of them."""
    posts = [(address, body) for address, body in home.network.bodies if address.startswith("POST /channels/")]
    home.network.bodies.clear()
    texts = [(int(address.split("/")[2]), body, body["components"][0].get("content", "")) for address, body in posts]
    return [
        (channel, [*map(int, body["allowed_mentions"].get("users", []))])
        for channel, body, text in texts
        if start in text
    ]


def forbidden() -> Exception:
    answer: Any = SimpleNamespace(status=403, reason="Forbidden")
    return discord.Forbidden(answer, {"code": 50007, "message": "Cannot send messages to this user"})


@pytest.mark.parametrize(
    ("direct", "is_closed", "start", "place"),
    [
        (False, False, "⏳ <@70>, your deadline", (CHANNEL, [HOST])),
        (True, False, "⏳ Your deadline", (CONVERSATION, [])),
        (True, True, "⏳ <@70>, your deadline", (CHANNEL, [HOST])),
    ],
)
async def test_a_warning_goes_where_the_player_wants_it_or_else_to_the_channel_with_a_mention(
    home: House, direct: bool, is_closed: bool, start: str, place: tuple[int, list[int]]
) -> None:
    preferences = await preferences_of(home.store.settings, HOST)
    await keep_preferences(home.store.settings, HOST, replace(preferences, direct=direct, interval=0))
    table = await waiting_for_host(home)
    if is_closed:
        home.network.fault, home.network.spared = forbidden, ("POST /channels", "GET", "PATCH", "DELETE")
    await home.let_pass(14.9 * HOUR)
    assert [] == messages(home, "deadline for this turn")
    await home.let_pass(0.2 * HOUR)
    assert [place] == messages(home, start)
    await Timeouts(home.services).check(table.id, LATE)
    clock = table.clocks[LATE]
    assert (True, None) == (clock.warned is not None, clock.out), "an early check ends no turn"


async def test_a_firm_pace_plays_late_turns_and_counts_them_until_the_seat_is_lost(home: House) -> None:
    table = await waiting_for_host(home, firm=True)
    counts = []
    for turn in range(MAX_STRIKES):
        await home.let_pass((16.1 if not turn else 4.1) * HOUR)
        clock = table.clocks[LATE]
        counts.append((clock.strikes, clock.lost, HOST in table.people))
        if HOST in table.people and table.is_open:
            await home.services.moves.play(table, GUEST, Bid(1), interaction_id=2 + turn, version=None)
    assert [(1, 1, True), (2, 2, True), (2, 2, False)] == counts
    assert not any("Nobody voted" in str(body) for _, body in home.network.bodies), "there was no vote"
    events = [(str(event.kind), event.user_id) for event in table.facts.events]
    late = [("late", HOST), ("stood in", HOST)]
    assert [*late, *late, ("late", HOST), ("lapsed", HOST)] == events


@pytest.mark.parametrize("direct", [True, False])
async def test_a_firm_pace_warns_of_the_loss_of_the_seat_with_its_cost_in_figures_only_to_the_player(
    home: House, monkeypatch: pytest.MonkeyPatch, direct: bool
) -> None:
    preferences = await preferences_of(home.store.settings, HOST)
    await keep_preferences(home.store.settings, HOST, replace(preferences, direct=direct, interval=0))
    await home.store.ratings._database.execute(
        "INSERT INTO ratings VALUES (?, ?, 'sealed', 25, 6, 20, 1, 1, 1, 1, 1, 1, 1)", GUILD, HOST
    )

    async def league_of(match_id: int) -> int | None:
        return match_id

    async def times_held(*_: object) -> dict[int, int]:
        return {HOST: MAX_TIMES_HELD - 1}

    monkeypatch.setattr(home.store.leagues, "league_of", league_of)
    monkeypatch.setattr(home.store.leagues, "times_held", times_held)
    table = await waiting_for_host(home, firm=True, host_id=NOBODY)
    for turn in range(MAX_STRIKES - 1):
        await home.let_pass((16.1 if not turn else 4.1) * HOUR)
        await home.services.moves.play(table, GUEST, Bid(1), interaction_id=2 + turn, version=None)
    await home.let_pass(4 * HOUR)
    texts = [str(body) for _, body in home.network.bodies if "deadline for this turn" in str(body)]
    assert [False] * (MAX_STRIKES - 1) == ["⚠️" in text for text in texts[:-1]]
    last = f"you’d finish last{' and lose about [0-9]+ points' if direct else ''}."
    loss = f"{last} You’d get no points for this game in the league. You’d also be out of the league."
    assert re.search(f"⚠️ This game is rated: {loss}", texts[-1])
    assert "a computer takes over your seat, since this would be your third late turn in a row." in texts[-1]


async def test_time_stops_while_a_warning_reaches_its_player_nowhere(home: House) -> None:
    table = await waiting_for_host(home)
    home.network.fault = forbidden
    await home.let_pass(30 * HOUR)
    clock = table.clocks[LATE]
    assert (None, None, True) == (clock.warned, clock.out, clock.barred)
    home.network.fault = None
    await home.let_pass(1.1 * HOUR)
    assert (True, None) == (table.clocks[LATE].warned is not None, table.clocks[LATE].out)


async def test_a_seat_that_the_others_give_to_a_computer_has_not_lapsed(home: House) -> None:
    table, timeouts = await waiting_for_host(home), Timeouts(home.services)
    await home.let_pass(16.1 * HOUR)
    clock = table.clocks[LATE]
    assert (Verdict.NONE, True) == (clock.verdict, clock.vote_ends is not None), "the guest decides"
    board = [str(body) for address, body in home.network.bodies if address.startswith("PATCH")][-1]
    assert "the time for this is up" in board
    assert [(CHANNEL, [GUEST])] == messages(home, "")[-1:]
    async with table.pacing:
        clock = await timeouts.vote(table, clock, GUEST, Verdict.HOLD)
        await timeouts.carry_out(table, clock)
    assert (2, 1) == (clock.number, clock.lost + 1), "the warning and the vote: the next message has a new nonce"
    assert ["late", "held"] == [str(event.kind) for event in table.facts.events]
    assert ([GUEST], GUEST) == ([*table.people], table.row.host_id), "the host is one who still plays"


@pytest.mark.parametrize(
    ("verdict", "seats", "behind"),
    [
        (Verdict.HOLD, {LATE}, True),
        (Verdict.INVITE, {LATE}, True),
        (Verdict.PLAY, {LATE}, False),
        (Verdict.HOLD, {Seat(1)}, False),
    ],
)
async def test_who_loses_the_seat_while_behind_is_recorded_as_behind(
    home: House, monkeypatch: pytest.MonkeyPatch, verdict: Verdict, seats: set[Seat], behind: bool
) -> None:
    async def behind_now(_: Table) -> frozenset[Seat]:
        return frozenset(seats)

    monkeypatch.setattr(timeouts_module, "behind_now", behind_now)
    table = await waiting_for_host(home)
    await home.let_pass(16.1 * HOUR)
    async with table.pacing:
        await Timeouts(home.services).vote(table, table.clocks[LATE], GUEST, verdict)
    assert behind == table.facts.events[-1].behind


async def test_a_vote_lasts_longer_while_its_reminder_cannot_be_posted(home: House) -> None:
    table = await waiting_for_host(home)
    await home.let_pass(16.1 * HOUR)
    ends = table.clocks[LATE].vote_ends
    home.network.bodies.clear()
    await Timeouts(home.services).check(table.id, LATE)
    assert [] == messages(home, "you haven’t voted yet"), "not yet"
    home.network.fault, home.network.spared = forbidden, ("GET", "PATCH", "DELETE")
    home.network.bodies.clear()
    await home.let_pass(2.1 * HOUR)
    clock = table.clocks[LATE]
    assert ends is not None
    assert ends + HOUR == clock.vote_ends
    assert 1 == sum(f"<t:{clock.vote_ends.timestamp():.0f}:R>" in str(body) for _, body in home.network.bodies)
    home.network.fault = None
    await home.let_pass(1.1 * HOUR)
    assert [(CHANNEL, [GUEST])] == messages(home, "you haven’t voted yet")
    assert (ends + HOUR, None) == (table.clocks[LATE].vote_ends, table.clocks[LATE].reminds_at)


def mysterious() -> Exception:
    answer: Any = SimpleNamespace(status=400, reason="Bad Request")
    return discord.HTTPException(answer, {"code": 99999, "message": "a new rule"})


@pytest.mark.parametrize(
    ("hours", "more", "verdict", "refused"),
    [
        (14, 1.1, None, "POST"),  # the warning
        (15.1, 1, None, "POST"),  # the vote
        (16.1, 2, None, "POST"),  # its reminder
        (16.1, 0, Verdict.WAIT, "PATCH"),  # its result
        (16.1, 0, Verdict.INVITE, "POST"),  # the offer of the seat
    ],
)
async def test_a_message_about_time_that_discord_refuses_forever_does_not_hold_up_the_table(
    home: House, hours: float, more: float, verdict: Verdict | None, refused: str
) -> None:
    table = await waiting_for_host(home)
    await home.let_pass(hours * HOUR)
    clock = table.clocks[LATE]
    if verdict:
        async with table.pacing:
            clock = await Timeouts(home.services).vote(table, clock, GUEST, verdict)
    home.network.fault, home.network.spared = mysterious, tuple({"GET", "DELETE", "PATCH", "POST"} - {refused})
    home.time.now += more * HOUR
    job = Job(JobKind.CLOCK, NOON, table.id, seat=LATE)
    with pytest.raises(discord.HTTPException):
        await seat_clock.run(home.services, replace(job, attempts=MAX_ATTEMPTS - 1))
    assert clock is table.clocks[LATE]
    await seat_clock.run(home.services, replace(job, attempts=MAX_ATTEMPTS))
    assert clock is not table.clocks[LATE]


async def test_only_a_player_whose_time_is_up_cannot_change_the_pace(home: House) -> None:
    table, timeouts = await waiting_for_host(home), Timeouts(home.services)
    await home.let_pass(16.1 * HOUR)
    with pytest.raises(UserError, match="Your time is up"):
        await timeouts.set_pace(table, "daily", firm=False, user_id=HOST)
    await timeouts.set_pace(table, "daily", firm=False, user_id=GUEST)
    assert "daily" == table.row.pace


async def test_a_new_pace_starts_no_clock_before_the_pending_board_is_posted(home: House) -> None:
    table = await home.match(pace="brisk")
    await Timeouts(home.services).set_pace(table, "daily", firm=True, user_id=HOST)
    assert {} == {seat: clock for seat, clock in table.clocks.items() if clock.runs}
    (event,) = table.facts.events
    assert ("paced", HOST, "daily, firm") == (str(event.kind), event.user_id, event.words)
    await home.services.poster.post(table)
    assert {Seat(0), Seat(1)} == {seat for seat, clock in table.clocks.items() if clock.runs}


@pytest.mark.parametrize(
    ("before", "message_id", "offered", "posts"),
    [
        ({2}, None, {0, 2}, 1),
        # a crash before the message of the offer
        ({0}, None, {0}, 1),
        ({0}, 55, {0}, 0),
    ],
)
async def test_an_invitation_offers_the_seat_beside_those_on_offer_and_posts_one_message(
    home: House, before: set[int], message_id: int | None, offered: set[int], posts: int
) -> None:
    await home.begin()
    people = SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben"), SeatHolder(computer="uniform")
    table = await home.posted(CHANNEL, *people, pace="brisk")
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    await home.let_pass(16.1 * HOUR)
    timeouts = Timeouts(home.services)
    async with table.pacing:
        clock = await timeouts.vote(table, table.clocks[LATE], GUEST, Verdict.INVITE)
        await home.services.seats.offer(table, [Seat(seat) for seat in before])
        if message_id is not None:
            await home.services.seats.note_offer_message(table, message_id)
        home.network.bodies.clear()
        await timeouts.carry_out(table, clock)
    assert offered == table.offer.seats
    assert GUEST == table.row.host_id, "the host is one who still plays"
    offers = [body for _, body in home.network.bodies if "Who takes over" in str(body)]
    nonce = f"offer-{table.id}-{table.require_match().version}"
    assert [(nonce, True)] * posts == [(body["nonce"], body["enforce_nonce"]) for body in offers]


async def _nothing(_: int) -> None:
    """The board is not posted, as while Discord refuses it."""


async def test_time_stops_while_a_board_is_not_posted(home: House, monkeypatch: pytest.MonkeyPatch) -> None:
    table = await waiting_for_host(home)
    async with home.services.tables.changing(table) as change:
        change.facts = table.facts.expect_board("1", home.time.now)
    home.time.now += 15.1 * HOUR
    monkeypatch.setattr(home.services.worker, "wait_for_board", _nothing)
    await Timeouts(home.services).check(table.id, LATE)
    clock = table.clocks[LATE]
    assert (True, None, home.time.now + HOUR) == (clock.barred, clock.warned, clock.at)


async def test_the_clock_of_a_player_who_left_stops_even_while_a_board_is_not_posted(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await waiting_for_host(home)
    async with home.services.tables.changing(table) as change:
        facts = table.facts.expect_board("1", home.time.now)
        change.facts = facts.hand_over(LATE, SeatHolder(75, name="Eva"), 1, home.time.now)
    monkeypatch.setattr(home.services.worker, "wait_for_board", _nothing)
    assert table.clocks[LATE].runs
    await Timeouts(home.services).check(table.id, LATE)
    assert not table.clocks[LATE].runs


async def test_the_clock_of_a_player_who_came_while_others_are_due_begins_at_the_next_check(home: House) -> None:
    await home.begin()
    table = await home.posted(pace="brisk")
    await home.services.seats.resign(table, GUEST)
    await home.services.seats.offer(table, [Seat(1)])
    await home.services.seats.take_over(table, Seat(1), SeatHolder(75, name="Eva"))
    before = table.clocks[Seat(1)]
    home.network.bodies.clear()
    await Timeouts(home.services).check(table.id, LATE)
    await finish_posting(home)
    ((address, body),) = home.network.bodies
    assert ("PATCH /channels/2/messages/555", True) == (address, "<@75>" in str(body)), "the board shows the time"
    assert [GUEST, 75] == [clock.user_id for clock in (before, table.clocks[Seat(1)])]


async def test_a_substitute_gets_a_full_bank_and_no_late_turns_but_goes_on_with_the_messages_of_the_clock(
    home: House,
) -> None:
    table, now = await waiting_for_host(home), home.time.now
    clock = replace(table.clocks[LATE], number=4, verdict=Verdict.WAIT, message_id=55, bank=0 * HOUR, strikes=2)
    facts = table.facts.with_clocks([clock]).hand_over(LATE, SeatHolder(75, name="Eva"), 1, now)
    changed = await BoardClocks(home.store).changed_clocks(table.after(facts), now)
    (fresh,) = [change for change in changed if change.seat == LATE]
    assert (75, 12 * HOUR, 0) == (fresh.user_id, fresh.bank, fresh.strikes)
    assert (4, Verdict.WAIT, 55) == (fresh.number, fresh.verdict, fresh.message_id)


@pytest.mark.parametrize(("heartbeat", "left"), [(0, 12), (3, 12), (5.5, 10), (6, 10)])
async def test_a_turn_that_ends_after_a_gap_ends_with_the_last_check_before_it(
    home: House, heartbeat: float, left: float
) -> None:
    table, began = await waiting_for_host(home), home.time.now
    clock = table.clocks[LATE]
    await home.store.settings.put(*heartbeat_key(home.store), time_of(began + heartbeat * HOUR))
    home.time.now += 6 * HOUR
    await home.services.moves.play(table, HOST, Bid(1), interaction_id=9, version=None)
    settled = await BoardClocks(home.store).settle(table, replace(clock, strikes=1))
    assert (left * HOUR, 0) == (settled.bank, settled.strikes)


async def test_no_clock_runs_for_a_player_alone_among_computers(home: House) -> None:
    people = SeatHolder(HOST, name="Ana"), SeatHolder(computer="uniform")
    table = await home.posted(CHANNEL, *people, pace="brisk")
    assert {} == {seat: clock for seat, clock in table.clocks.items() if clock.runs}


@pytest.mark.parametrize("firm", [True, False])
async def test_a_player_alone_with_computers_cannot_hold_up_the_round_of_a_league(home: House, firm: bool) -> None:
    await home.begin()
    people = SeatHolder(HOST, name="Ana"), SeatHolder(computer="uniform")
    table = await home.posted(CHANNEL, *people, pace="brisk", firm=firm, host_id=NOBODY)
    home.network.bodies.clear()
    await home.let_pass(30 * HOUR)
    assert not table.is_open
    assert "lapsed" == [str(event.kind) for event in table.facts.events if event.user_id == HOST][-1]
    assert not any("What should happen?" in str(body) for _, body in home.network.bodies), "no one could vote"


async def test_a_vote_pings_no_voter_in_quiet_hours(home: House) -> None:
    await keep_preferences(home.store.settings, GUEST, Preferences(quiet="0-9", zone="UTC"))
    await waiting_for_host(home)
    await home.let_pass(16.1 * HOUR)
    assert [(CHANNEL, [])] == messages(home, "")[-1:]


async def test_a_voter_in_quiet_hours_is_not_reminded_and_the_reminder_is_done(home: House) -> None:
    table = await waiting_for_host(home)
    await home.let_pass(16.1 * HOUR)
    await keep_preferences(home.store.settings, GUEST, Preferences(quiet="0-23", zone="UTC"))
    home.network.bodies.clear()
    clock = table.clocks[LATE]
    await Timeouts(home.services)._remind(table, clock, [Seat(1)])
    after = table.clocks[LATE]
    assert ([], True, None) == (messages(home, ""), clock.reminds_at is not None, after.reminds_at)
    assert clock.vote_ends == after.vote_ends == after.at


async def test_a_board_shows_the_new_end_of_a_time_after_a_change_of_quiet_hours_and_is_not_edited_otherwise(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, updated = await waiting_for_host(home), list[int]()
    monkeypatch.setattr(home.services.poster, "update_due", lambda table: updated.append(table.id))
    timeouts, until = Timeouts(home.services), table.clocks[LATE].until
    await timeouts.check(table.id, LATE)
    assert [] == updated
    await keep_preferences(home.store.settings, HOST, Preferences(quiet="13-15", zone="UTC"))
    await timeouts.check(table.id, LATE)
    assert ([table.id], until + 2 * HOUR) == (updated, table.clocks[LATE].until)


@pytest.mark.parametrize("has_moved", [False, True])
async def test_a_gap_is_taken_out_of_a_turn_but_does_not_prolong_one_that_is_over(home: House, has_moved: bool) -> None:
    table = await waiting_for_host(home)
    until, start = table.clocks[LATE].until, home.time.now + HOUR
    home.time.now = start
    home.network.fault = forbidden
    if has_moved:
        await home.services.moves.play(table, HOST, Bid(1), interaction_id=9, version=None)
    home.time.now += 5 * HOUR
    await Timeouts(home.services).skip_gap(table.id, start)
    clock = table.clocks[LATE]
    assert (not has_moved) == clock.runs
    assert has_moved or until + 5 * HOUR == clock.until


@pytest.mark.parametrize(
    ("is_posted", "answer"),
    [
        (False, "The game has moved on: there’s nothing left to decide."),
        (True, "⏳ Sealed Bids has moved on: there’s nothing left to decide about <@70>."),
    ],
)
async def test_a_vote_about_a_player_who_moves_meanwhile_decides_nothing_and_says_so(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, is_posted: bool, answer: str
) -> None:
    home, vote = desk.home, Timeouts.vote
    table = await waiting_for_host(home)
    await home.let_pass(16.1 * HOUR)

    async def vote_after_move(timeouts: Timeouts, *ballot: Any) -> SeatClock:
        await home.services.moves.play(table, HOST, Bid(1), interaction_id=9, version=None)
        if is_posted:
            await home.services.poster.post(table)
        return await vote(timeouts, *ballot)

    monkeypatch.setattr(Timeouts, "vote", vote_after_move)
    control = pace_and_vote_layouts.vote.id(table, table.clocks[LATE].number, LATE, Verdict.HOLD.value)
    (lines,) = await desk.tap(GUEST, str(control))
    assert answer == lines[1]
    assert HOST == table.row.holders[LATE].user_id


@pytest.mark.parametrize("first_late", [HOST, 72])
async def test_with_one_more_late_player_fewer_votes_are_enough_about_the_others(home: House, first_late: int) -> None:
    """One of three votes about a player is enough once the second of the voters is late, too."""
    await home.begin()
    people = [SeatHolder(user_id, name=f"{user_id}") for user_id in (HOST, GUEST, 72)]
    table = await home.lobby(CHANNEL, *people, pace="brisk", ready=[HOST, GUEST, 72])
    await home.services.moves.start(table, 4711)
    await home.services.poster.post(table)
    await home.services.moves.play(table, GUEST, Bid(1), interaction_id=1, version=None)
    late = table.seat_of(first_late)
    other = Seat(2) - late
    assert late is not None
    async with home.services.tables.changing(table) as change:
        clock = replace(table.clocks[Seat(other)], bank=13 * HOUR)
        change.facts = table.facts.with_clocks([schedule(clock, home.time.now)])
    await home.let_pass(16.1 * HOUR)
    async with table.pacing:
        clock = await Timeouts(home.services).vote(table, table.clocks[late], GUEST, Verdict.HOLD)
    assert (Verdict.NONE, first_late) == (clock.verdict, table.row.holders[late].user_id)
    await home.let_pass(HOUR)
    assert None is table.row.holders[late].user_id
    assert table.row.holders[other].user_id is not None


async def test_a_player_who_moves_while_the_vote_is_announced_leaves_nothing_to_decide(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await waiting_for_host(home)
    await home.let_pass(15.1 * HOUR)
    move_while_sending(home, table, monkeypatch, nonce="late-")
    await home.let_pass(1.1 * HOUR)
    edits = [str(body) for address, body in home.network.bodies if address.startswith("PATCH /channels/")]
    assert any("has moved on: there’s nothing left to decide about <@70>." in edit for edit in edits)
    assert table.clocks.get(LATE) is None or table.clocks[LATE].out is None


async def test_the_heartbeat_of_a_process_says_nothing_about_another_one(home: House) -> None:
    await Heartbeat(home.services, lambda: None).check(home.time.now)
    home.store.shard_range = ShardRange(1, 1, 2)
    assert await last_heartbeat(home.store) is None


async def test_a_board_shows_the_earlier_end_of_a_turn_after_the_clock_of_the_machine_was_set_back(home: House) -> None:
    table = await waiting_for_host(home)
    heartbeat, before = Heartbeat(home.services, lambda: None), table.clocks[LATE]
    await heartbeat.check(home.time.now)
    home.time.now -= 3 * HOUR
    home.network.bodies.clear()
    await heartbeat.check(home.time.now)
    await finish_posting(home)
    assert before.until - 3 * HOUR == table.clocks[LATE].until
    assert home.time.now == await last_heartbeat(home.store)
    ((address, body),) = home.network.bodies
    assert "PATCH /channels/2/messages/555" == address
    assert f"⏳ <t:{int((before.turn_until - 3 * HOUR).timestamp())}:R>" in str(body)


@pytest.mark.parametrize("verdict", [Verdict.HOLD, Verdict.WAIT, Verdict.PLAY])
async def test_after_a_verdict_a_pending_board_is_posted_or_the_newest_one_shows_who_plays(
    home: House, verdict: Verdict
) -> None:
    table, timeouts = await home.match(), Timeouts(home.services)
    update = {Verdict.HOLD: [("PATCH", True)], Verdict.WAIT: [("PATCH", False)], Verdict.PLAY: []}
    for requests in ([("POST", True)], update[verdict]):
        home.network.bodies.clear()
        await timeouts._show(table, verdict)
        await finish_posting(home)
        bodies = [(address.split()[0], "attachments" in body) for address, body in home.network.bodies]
        assert requests == bodies, "a new picture shows the people"


async def test_a_time_that_runs_out_after_a_change_of_preferences_is_up(home: House) -> None:
    table = await waiting_for_host(home)
    await home.let_pass(15.1 * HOUR)
    await keep_preferences(home.store.settings, HOST, Preferences(quiet="20-22", zone="UTC"))
    home.time.now += HOUR
    await Timeouts(home.services).check(table.id, LATE)
    clock = table.clocks[LATE]
    assert (home.time.now, "20-22") == (clock.out, clock.preferences["quiet"])
    assert clock.vote_ends is not None
    home.time.now = clock.vote_ends
    await Timeouts(home.services).check(table.id, LATE)
    assert ["late", "stood in"] == [str(event.kind) for event in table.facts.events], "a vote ends on time"


async def test_a_player_who_goes_on_while_their_late_turn_is_announced_keeps_it(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await home.begin()
    table = await home.posted(game="alibaba", pace="brisk", firm=True)
    (decision,) = table.require_match().state.decisions()
    send, user_id, seat = home.services.channels.send, table.users[decision.seat], decision.seat
    await home.let_pass(15.1 * HOUR)

    async def send_and_move(*content: Any, **options: Any) -> int:
        message_id = await send(*content, **options)
        steal = table.require_match().parse("steal 2")
        await home.services.moves.play(table, user_id, steal, interaction_id=1, version=None)
        return message_id

    monkeypatch.setattr(home.services.channels, "send", send_and_move)
    home.time.now += HOUR
    await Timeouts(home.services).check(table.id, seat)
    assert (None, 0, "") == (table.waiting, table.clocks[seat].strikes, table.clocks[seat].stand_in)


def test_a_turn_begins_without_anything_of_the_turn_before() -> None:
    clock = full_clock(1, LATE, HOST, NOON, PACES["brisk"])
    now = NOON + 5 * HOUR
    times: dict[str, Any] = dict.fromkeys(("warned", "out", "vote_ends", "reminds_at"), NOON)
    used = replace(clock, spent=HOUR, stopped=HOUR, barred=True, votes={GUEST: "wait"}, **times)
    fresh, again = (begin_turn(before, 3, Preferences(quiet="22-6"), now) for before in (clock, used))
    assert (fresh, 3, now) == (again, fresh.version, fresh.since)
    assert ("22-6", True) == (fresh.preferences["quiet"], fresh.runs)


async def test_a_match_that_is_gone_has_no_clocks(home: House) -> None:
    timeouts = Timeouts(home.services)
    await home.store.jobs.put(Job(JobKind.CLOCK, NOON, 99, seat=LATE))
    await timeouts.skip_gap(99, NOON)
    await timeouts.show_clocks(99)
    await timeouts.check(99, LATE)
    assert [] == await home.store.jobs.of_match(JobKind.CLOCK, 99)


async def test_a_late_player_who_acts_has_a_new_turn_for_their_next_question(home: House) -> None:
    await home.begin()
    table = await home.posted(game="alibaba", pace="brisk")
    (decision,) = table.require_match().state.decisions()
    user_id = table.users[decision.seat]
    await home.let_pass(16.1 * HOUR)
    assert table.clocks[decision.seat].out is not None
    await home.services.moves.play(
        table, user_id, table.require_match().parse("steal 2"), interaction_id=1, version=None
    )
    due = {decision.seat for decision in table.require_match().state.decisions()}
    assert (None, {decision.seat}) == (table.waiting, due)
    await Timeouts(home.services).check(table.id, decision.seat)
    clock = table.clocks[decision.seat]
    state = clock.runs, clock.out, clock.verdict, clock.version, clock.since
    assert (True, None, Verdict.NONE, table.require_match().decision_version(decision.seat), home.time.now) == state


async def test_the_message_about_a_player_who_acts_while_it_is_sent_says_that_the_game_went_on(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await waiting_for_host(home)
    await home.let_pass(15.1 * HOUR)
    move_while_sending(home, table, monkeypatch)
    home.time.now += HOUR
    home.network.bodies.clear()
    await Timeouts(home.services).check(table.id, LATE)
    (_, late), (address, body) = home.network.bodies
    over = "Sealed Bids has moved on: there’s nothing left to decide about <@70>."
    assert ("PATCH /channels/2/messages/555", False, True) == (address, over in str(late), over in str(body))
    assert table.clocks[LATE].out is None


async def test_a_reminder_of_a_vote_mentions_the_missing_voters_beside_a_computer(home: House) -> None:
    holders = SeatHolder(computer="uniform"), SeatHolder(HOST, name="Ana"), SeatHolder(GUEST, name="Ben")
    table = await home.posted(CHANNEL, *holders, pace="brisk")
    clock = replace(full_clock(table.id, Seat(1), HOST, NOON, PACES["brisk"]), out=NOON, vote_ends=NOON + 9 * HOUR)
    home.network.bodies.clear()
    await Timeouts(home.services)._remind(table, clock, [Seat(2)])
    assert [(CHANNEL, [GUEST])] == messages(home, "")


PACE_MENU = [
    ": pace",
    "  none No time limit",
    "  relaxed 3 days, then a vote – Relaxed: 3 days per turn plus 3 to spare; after that, the others decide",
    "  relaxed-firm 3 days, then a computer – Relaxed: 3 days per turn plus 3 to spare; after that, a computer plays",
    "  daily 24 hours, then a vote – Daily: 24 hours per turn plus 2 days to spare; after that, the others decide",
    "  daily-firm 24 hours, then a computer – Daily: 24 hours per turn plus 2 days to spare; after that, a computer "
    "plays",
    "  brisk 4 hours, then a vote – Brisk: 4 hours per turn plus 12 to spare; after that, the others decide",
    "  brisk-firm 4 hours, then a computer – Brisk: 4 hours per turn plus 12 to spare; after that, a computer plays",
]
DAILY = "Daily: 24 hours per turn plus 2 days to spare; after that, the others decide."


def clock_menu(name: str) -> list[str]:
    """The menu of paces with this one selected."""
    return [line.replace(f"  {name} ", f"  *{name} ") for line in PACE_MENU]


async def test_the_host_sets_the_pace_before_the_game_which_its_lobby_shows(desk: Desk) -> None:
    table = await desk.home.lobby(ready=[HOST, GUEST])
    await desk.home.services.lobbies.note_lobby_message(table, 55)
    sent(desk.home)
    ((how, title, words, *lines),) = await desk.tap(HOST, f"pace:{table.id}:0:", "daily-firm")
    daily_firm = DAILY.replace("the others decide", "a computer plays")
    assert ("edit", "### The pace of Sealed Bids", daily_firm) == (how, title, words)
    assert clock_menu("daily-firm") == lines[-8:]
    ((head, *lines),) = sent(desk.home)
    assert ("PATCH /channels/2/messages/55", True) == (head, any("⏳ 24 hours per turn" in line for line in lines))
    assert ("daily", True, ()) == (table.row.pace, table.row.firm, tuple(table.row.ready or ()))
    gone = [["new private", "That pace no longer exists."]]
    assert (gone, []) == (await desk.tap(HOST, f"pace:{table.id}:0:", "hourly"), sent(desk.home))
    ((_, _, words, *lines),) = await desk.tap(HOST, f"pace:{table.id}:0:", "none")
    assert ("No time limit.", clock_menu("none"), "") == (words, lines[1:], table.row.pace)


async def test_in_direct_messages_a_pace_with_a_vote_cannot_be_chosen(desk: Desk) -> None:
    table = await desk.home.lobby(guild_id=NO_SERVER)
    gone = [["new private", "That pace no longer exists."]]
    assert (gone, "") == (await desk.tap(HOST, f"pace:{table.id}:0:", "daily"), table.row.pace)


async def test_a_new_pace_in_the_game_is_announced_with_its_author_and_shown_on_the_board(desk: Desk) -> None:
    home = desk.home
    table = await home.posted(pace="brisk")
    sent(home)
    ((how, _, words, *lines),) = await desk.tap(HOST, f"pace:{table.id}:0:", "daily")
    assert ("edit", DAILY) == (how, words)
    assert ["🔴 Ana: 12 hours to spare", "🟦 Ben: 48 hours to spare"] == lines[:2]
    assert clock_menu("daily") == lines[-8:]
    (edit, *board), announcement = sent(home)
    assert ["POST /channels/2/messages", f"⏳ <@{HOST}> has changed the pace. {DAILY}"] == announcement
    assert "PATCH /channels/2/messages/555" == edit
    assert any("⏳ <t:" in line for line in board)
    same = await desk.tap(HOST, f"pace:{table.id}:0:", "daily")
    assert ([how, DAILY], []) == ([same[0][0], same[0][2]], sent(home)), "it was that already"
    moderating = discord.Permissions(manage_messages=True)
    await desk.tap(MODERATOR, f"pace:{table.id}:0:", "none", permissions=moderating)
    (_, *board), (_, announcement) = sent(home)
    assert (0, f"⏳ <@{MODERATOR}> has changed the pace. No time limit.") == (
        sum("⏳" in line for line in board),
        announcement,
    )
    assert [(False, 12 * HOUR), (False, 48 * HOUR)] == [(clock.runs, clock.bank) for clock in table.clocks.values()]
    events = [(str(event.kind), event.user_id, event.words) for event in table.facts.events]
    assert [("paced", HOST, "daily"), ("paced", MODERATOR, "none")] == events


async def test_only_the_others_vote_and_only_in_the_vote_that_is_open(desk: Desk) -> None:
    home = desk.home
    table = await waiting_for_host(home)
    await home.let_pass(16.1 * HOUR)
    sent(home)
    number = table.clocks[LATE].number
    moved_on = "The game has moved on: there’s nothing left to decide."
    about_you = "This is about you, so the others decide. Your move ends the vote."
    stranger = f"You’re not playing in this game. It’s 🔴 <@{HOST}>’s turn."
    for user_id, ballot, refusal in (
        (GUEST, f"{number + 1}:0 hold", moved_on),
        (GUEST, f"{number}:1 hold", moved_on),
        (GUEST, f"{number}:0 perhaps", moved_on),
        (HOST, f"{number}:0 hold", about_you),
        (99, f"{number}:0 hold", stranger),
    ):
        answer = await desk.tap(user_id, f"vote:{table.id}:{ballot}", message=PUBLIC)
        assert ([["new private", refusal]], {}) == (answer, table.clocks[LATE].votes), ballot
    answer = await desk.tap(GUEST, f"vote:{table.id}:{number}:0 wait", message=PUBLIC)
    assert [["edit", "⏳ The table keeps waiting for <@70>: 4 hours more for this turn."]] == answer
    again = await desk.tap(GUEST, f"vote:{table.id}:{number}:0 wait", message=PUBLIC)
    clock = table.clocks[LATE]
    assert ([["new private", moved_on]], number) == (again, clock.number), "that vote is over"
    assert (None, {}, Verdict.NONE, None) == (clock.out, clock.votes, clock.verdict, clock.message_id)
    await finish_posting(home)
    assert ["PATCH /channels/2/messages/555"] == [head for head, *_ in sent(home)], "the board has the new time"


async def test_the_check_of_a_turn_that_went_on_without_a_board_warns_at_once_if_it_is_time(home: House) -> None:
    await home.begin()
    table = await home.posted(game="alibaba", pace="brisk")
    (decision,) = table.require_match().state.decisions()
    user_id = table.users[decision.seat]
    await home.services.moves.play(
        table, user_id, table.require_match().parse("steal 2"), interaction_id=1, version=None
    )
    home.time.now += 15.1 * HOUR
    home.network.bodies.clear()
    await Timeouts(home.services).check(table.id, decision.seat)
    assert [(CHANNEL, [user_id])] == messages(home, "your deadline for this turn")
    clock = table.clocks[decision.seat]
    assert (table.require_match().decision_version(decision.seat), home.time.now) == (clock.version, clock.warned)


async def test_a_gap_wakes_no_clock_that_stands_still(home: House) -> None:
    table = await waiting_for_host(home)
    start = home.time.now
    async with home.services.tables.changing(table) as change:
        change.facts = table.facts.with_clocks([stop_clock(table.clocks[Seat(1)], start)])
    home.time.now += 5 * HOUR
    await Timeouts(home.services).skip_gap(table.id, start)
    assert {LATE: home.time.now, Seat(1): None} == {seat: clock.at for seat, clock in table.clocks.items()}


async def test_a_clock_that_is_wrong_now_moves_no_stored_times_and_is_reported_once(
    home: House, caplog: pytest.LogCaptureFixture
) -> None:
    """The clock is slow, so it will be set forward again."""
    heartbeat = Heartbeat(home.services, lambda: -2 * MAX_OFFSET)
    table, now = await waiting_for_host(home), home.time.now
    before = table.clocks[LATE]
    await heartbeat.check(now)
    for minutes in (0, 1, 2):
        home.time.now = now - 3 * HOUR + minutes * HOUR / 60
        await heartbeat.check(home.time.now)
    warnings = [record.getMessage() for record in caplog.records if "was set back" in record.getMessage()]
    assert ["the clock of this machine was set back by 3:00:00, and is wrong now; stored times stay"] == warnings
    assert (before, now) == (table.clocks[LATE], await last_heartbeat(home.store))


async def test_the_first_check_after_a_long_sleep_takes_it_out_of_all_turns(home: House) -> None:
    heartbeat, table = Heartbeat(home.services, lambda: None), await waiting_for_host(home)
    until = table.clocks[LATE].until
    await heartbeat.check(home.time.now)
    home.network.fault = forbidden
    home.time.now += 6 * HOUR
    await heartbeat.check(home.time.now)
    assert until + 6 * HOUR == table.clocks[LATE].until
    assert home.time.now == await last_heartbeat(home.store)


async def test_a_server_that_is_back_gets_the_time_of_its_absence_for_turns_and_lobbies(home: House) -> None:
    absences, table = Absences(home.services), await waiting_for_host(home)
    await home.lobby(CHANNEL + 1)
    until, began = table.clocks[LATE].until, home.time.now
    absences.begin(GUILD)
    assert (True, False) == (absences.rests(GUILD), absences.rests(NO_SERVER))
    home.time.now += 5 * HOUR
    await absences.check(home.time.now)
    assert (False, until + 5 * HOUR) == (absences.rests(GUILD), table.clocks[LATE].until)
    (expiry,) = await home.store.jobs.of_match(JobKind.LOBBY_EXPIRY, table.id + 1)
    assert time_of(began + 5 * HOUR) == expiry.state["since"]
    assert {} == await home.store.settings.of_all("server", "away since")


async def test_a_game_that_is_over_has_no_page_of_its_pace(desk: Desk) -> None:
    table = await desk.home.posted(pace="brisk")
    await desk.home.services.seats.end(table, at=NOON)
    ((how, words),) = await desk.command(HOST, show_pace, over=True)
    assert ("new private", True) == (how, "game" in words), words
