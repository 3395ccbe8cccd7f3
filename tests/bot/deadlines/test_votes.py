"""The end of a player's time and the vote of the others, at a bot without a gateway: in Muscat, where one is due, or in
Sealed Bids, where all are.
"""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.features.deadlines.heartbeat import Heartbeat
from bot.features.deadlines.pace_and_votes import show_pace
from bot.features.deadlines.timeouts import Timeouts
from bot.features.lobby.substitutes import join
from bot.features.play.undo_buttons import undo_last
from bot.interactions.parts import stamp
from bot.store.jobs import JobKind
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.texts import Seat
from tests.bot.deadlines.test_late_players import LATE, forbidden
from tests.bot.desk import NAMES, PUBLIC, Desk
from tests.bot.outcomes import choose, end, prefer
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, NOON, House
from tests.bot.whole import whole

CARO, DAN = 72, 99
WARNING, VOTE_OPEN = "your deadline for this turn", "time for this turn is up. What should happen?"
REMINDER, VOTE = "you haven’t voted yet", 12 * HOUR
WHOLE, LEAD = 66.1 * HOUR, 6.1 * HOUR
"""The time until the warning of a daily pace with a full bank, and from there to the end."""
MOVED_ON = "The game has moved on: there’s nothing left to decide."


async def paced(home: House, *people: int, game: str = "muscat") -> Table:
    """A game with a daily pace, whose board was posted."""
    await home.begin()
    people = people or (HOST, GUEST, CARO)
    holders = [SeatHolder(user_id, name=NAMES[user_id]) for user_id in people]
    table = await home.lobby(CHANNEL, *holders, game=game, pace="daily", ready=[*people])
    await home.services.moves.start(table, 4711)
    await home.services.poster.post(table)
    return table


async def time_up(home: House) -> None:
    await home.let_pass(WHOLE)
    await home.let_pass(LEAD)


async def late(home: House) -> Table:
    """A game in which the others vote about the host."""
    table = await paced(home)
    await time_up(home)
    return table


async def play(home: House, table: Table, user_id: int, notation: str = "bid 3") -> None:
    """Play a move, and post the board if there is a new one."""
    action, number = table.require_match().parse(notation), len(home.network.bodies) + 1
    await home.services.moves.play(table, user_id, action, interaction_id=number, version=None)
    await home.services.poster.publish(table)
    await home.let_pass(0 * HOUR)


async def vote(desk: Desk, table: Table, user_id: int, choice: str, seat: Seat = LATE, number: int = 0) -> str:
    """Vote about a late player. Returns the message of the vote, or the refusal."""
    control = f"vote:{table.id}:{number or table.clocks[seat].number}:{seat} {choice}"
    ((_, *lines),) = await desk.tap(user_id, control, message=PUBLIC)
    return "\n".join(lines)


BOARD = "[More boardmore "
"""A board, by a button of it."""


def messages(home: House, words: str, method: str = "POST") -> list[tuple[set[int], str]]:
    """The messages with these words that were posted or edited: whom each mentions, and its text."""
    bodies = [body for address, body in home.network.bodies if address.startswith(f"{method} /channels/")]
    texts = [(_mentioned(body), "\n".join(whole(body["components"]))) for body in bodies if "components" in body]
    return [(users, text) for users, text in texts if words in text]


def _mentioned(body: Any) -> set[int]:
    return {*map(int, (body.get("allowed_mentions") or {}).get("users") or ())}


def edits(home: House, words: str) -> int:
    return len(messages(home, words, "PATCH"))


def events(table: Table) -> list[str]:
    return [str(event.kind) for event in table.facts.events]


async def spare(desk: Desk, user_id: int = GUEST) -> str:
    """The page of the pace, with the time that everyone has to spare."""
    ((_, *lines),) = await desk.command(user_id, show_pace)
    return "\n".join(lines)


async def test_board_and_page_show_the_remaining_time_which_ends_with_the_pace(desk: Desk) -> None:
    home = desk.home
    table = await paced(home)
    ((_, board),) = messages(home, BOARD)
    assert f"⏳ {stamp(NOON + 24 * HOUR, 'R')}" in board
    page = await spare(desk)
    assert ("Ana: 48 hours to spare" in page, "No time limit" in page) == (True, False), "only the host has a menu"
    await desk.tap(HOST, f"pace:{table.id}:0:", "none")
    await home.let_pass(100 * HOUR)
    assert ([], ["paced"]) == (messages(home, WARNING), events(table))
    assert "⏳ <t:" not in messages(home, BOARD, "PATCH")[-1][1]


async def test_a_tied_vote_stays_open_and_keep_waiting_grants_a_new_period(desk: Desk) -> None:
    home, table = desk.home, await late(desk.home)
    earlier = table.clocks[LATE].number
    await vote(desk, table, GUEST, "hold")
    tied = await vote(desk, table, CARO, "wait")
    assert "Everyone has voted. You can still change your vote: 2 votes are enough" in tied
    assert "if it is still tied, a computer plays this turn" in tied
    assert "keeps waiting for" in await vote(desk, table, GUEST, "wait")
    await home.let_pass(17.9 * HOUR)
    assert (1, ["late", "waited"]) == (len(messages(home, WARNING)), events(table))
    await home.let_pass(0.2 * HOUR)
    await home.let_pass(LEAD)
    assert (2, 2) == (len(messages(home, WARNING)), len(messages(home, VOTE_OPEN)))
    assert MOVED_ON == await vote(desk, table, CARO, "hold", number=earlier), "a tap on the earlier vote"
    assert {} == table.clocks[LATE].votes
    assert "🟦 Ben" in await vote(desk, table, GUEST, "hold")


async def test_a_vote_ends_on_time_with_the_leading_choice_and_reminds_open_voters_once(desk: Desk) -> None:
    home, table = desk.home, await late(desk.home)
    ((users, text),) = messages(home, VOTE_OPEN)
    assert ({GUEST, CARO}, True) == (users, "if nobody votes, a computer plays this turn" in text)
    ends = table.clocks[LATE].vote_ends
    assert (NOON + 72 * HOUR + VOTE, True) == (ends, stamp(ends, "R") in text)
    assert "**Keep waiting** leads" in await vote(desk, table, GUEST, "wait")
    await home.let_pass(ends - VOTE / 2 - 0.1 * HOUR - home.time.now)
    assert [] == messages(home, REMINDER)
    await home.let_pass(0.2 * HOUR)
    ((users, text),) = messages(home, REMINDER)
    assert ({CARO}, True, True) == (users, "**Keep waiting** leads" in text, "/555)" in text)
    assert 0 == edits(home, stamp(ends + HOUR, "R")), "it lasts no longer, since the reminder was sent"
    await home.let_pass(ends - 0.1 * HOUR - home.time.now)
    assert 0 == edits(home, "keeps waiting for")
    await home.let_pass(0.2 * HOUR)
    assert (1, 1) == (edits(home, f"keeps waiting for <@{HOST}>"), len(messages(home, REMINDER)))
    assert ["late", "waited"] == events(table)


async def test_a_vote_pings_only_players_who_are_not_away(desk: Desk) -> None:
    home = desk.home
    await prefer(home, CARO, away="2099-01-01T00:00:00+00:00")
    table = await late(home)
    ((users, text),) = messages(home, VOTE_OPEN)
    assert ({GUEST}, True) == (users, f"<@{CARO}>" in text), "she is named like the others"
    assert "🟦 Ben" in await vote(desk, table, GUEST, "hold")


@pytest.mark.parametrize(("votes", "why"), [((), "Nobody voted in time"), (("hold", "wait"), "The vote was a tie")])
async def test_a_vote_without_a_majority_ends_with_a_computer_and_explains_why(
    desk: Desk, votes: tuple[str, ...], why: str
) -> None:
    home, table = desk.home, await late(desk.home)
    for user_id, choice in zip((GUEST, CARO), votes, strict=False):
        await vote(desk, table, user_id, choice)
    await home.let_pass(VOTE + 0.1 * HOUR)
    ((_, text),) = messages(home, why, "PATCH")
    assert "a computer plays this turn. The seat stays theirs" in text
    assert (HOST, ["late", "stood in"]) == (table.row.holders[LATE].user_id, events(table))
    assert {GUEST} == messages(home, BOARD)[-1][0], "the next player is called"
    assert (0 if votes else 1) == len(messages(home, REMINDER)), "all who voted need none"


async def test_a_vote_pauses_while_the_machine_sleeps(home: House) -> None:
    table, heartbeat = await late(home), Heartbeat(home.services, lambda: None)
    await heartbeat.check(home.time.now)
    before = table.clocks[LATE].vote_ends
    assert before is not None
    home.time.now += 100 * HOUR
    await heartbeat.check(home.time.now)
    await home.let_pass(0 * HOUR)
    later = before + 100 * HOUR
    assert (later, ["late"], []) == (table.clocks[LATE].vote_ends, events(table), messages(home, REMINDER))
    assert 1 == edits(home, stamp(later, "R"))


async def test_the_message_of_a_vote_shows_its_times_again_after_a_correction(home: House) -> None:
    table = await late(home)
    before = edits(home, VOTE_OPEN)
    await Timeouts(home.services).show_clocks(table.id)
    assert before + 1 == edits(home, VOTE_OPEN)


async def test_a_host_whose_time_is_up_cannot_change_the_pace(desk: Desk) -> None:
    table = await late(desk.home)
    ((how, words),) = await desk.tap(HOST, f"pace:{table.id}:0:", "none")
    assert ("new private", True, "daily") == (how, "Your time is up" in words, table.row.pace)


async def test_an_on_time_host_ends_a_vote_about_another_player_with_a_new_pace(desk: Desk) -> None:
    home = desk.home
    table = await paced(home, HOST, GUEST, game="sealed")
    await play(home, table, HOST)
    await time_up(home)
    await desk.tap(HOST, f"pace:{table.id}:0:", "none")
    await home.let_pass(0 * HOUR)
    assert (1, "") == (edits(home, "nothing left to decide about"), table.row.pace)
    assert (GUEST, ["late", "paced"]) == (table.row.holders[1].user_id, events(table))


def unavailable() -> Exception:
    answer: Any = type("Answer", (), {"status": 503, "reason": "Service Unavailable"})
    return discord.DiscordServerError(answer, "")


async def test_a_verdict_is_shown_once_discord_accepts_the_edit(desk: Desk) -> None:
    home, table = desk.home, await late(desk.home)
    home.network.fault, home.network.spared = unavailable, ("GET", "POST")
    await home.let_pass(VOTE + 0.1 * HOUR)
    assert 0 == edits(home, "a computer plays this turn")
    home.network.fault = None
    await home.let_pass(HOUR)
    assert (1, ["late", "stood in"]) == (edits(home, "a computer plays this turn"), events(table))


async def test_a_late_move_ends_the_vote(desk: Desk) -> None:
    home, table = desk.home, await late(desk.home)
    number = table.clocks[LATE].number
    await vote(desk, table, GUEST, "play")
    await play(home, table, HOST, "place A")
    ((_, text),) = messages(home, "nothing left to decide about", "PATCH")
    assert "[" not in text, "it has no buttons"
    assert (MOVED_ON, ["late"]) == (await vote(desk, table, CARO, "play", number=number), events(table))


async def test_an_undo_ends_the_vote_and_grants_new_time(desk: Desk) -> None:
    home = desk.home
    table = await paced(home, HOST, GUEST, game="sealed")
    await play(home, table, HOST)
    await time_up(home)
    await desk.command(HOST, undo_last)
    await home.let_pass(0 * HOUR)
    assert 1 == edits(home, "nothing left to decide about")
    await home.let_pass(17 * HOUR)
    assert 1 == len(messages(home, WARNING))


async def test_a_simultaneous_decision_charges_each_player_their_own_bank(desk: Desk) -> None:
    home = desk.home
    table = await paced(home, HOST, GUEST, game="sealed")
    await play(home, table, GUEST)
    await home.let_pass(33.5 * HOUR)
    assert "Ana: 38 hours to spare, now running until <t:" in await spare(desk)
    await play(home, table, HOST, "bid 2")
    page = await spare(desk)
    assert ("Ana: 38 hours to spare\n" in page, "Ben: 48 hours to spare\n" in page) == (True, True), page


async def test_a_substitute_has_a_clock_with_a_full_bank(desk: Desk) -> None:
    home = desk.home
    table = await paced(home, HOST, GUEST, game="sealed")
    await play(home, table, GUEST)
    await home.let_pass(33.5 * HOUR)
    await home.services.seats.resign(table, HOST)
    await home.services.seats.offer(table, [LATE])
    await home.services.seats.take_over(table, LATE, SeatHolder(DAN, name="Dan"))
    await home.let_pass(33.5 * HOUR)
    assert "Dan: 38 hours to spare, now running until <t:" in await spare(desk)


async def test_an_empty_bank_stops_running(desk: Desk) -> None:
    await late(desk.home)
    page = await spare(desk)
    assert ("Ana: 0 hours to spare" in page, "now running" in page) == (True, False)


async def test_two_players_late_at_once_cannot_vote_about_each_other(desk: Desk) -> None:
    home = desk.home
    table = await paced(home, HOST, GUEST, CARO, game="sealed")
    await play(home, table, CARO)
    await time_up(home)
    assert 2 == len(messages(home, VOTE_OPEN))
    assert "1 vote is enough" in messages(home, VOTE_OPEN)[-1][1]
    assert 1 == edits(home, "1 vote is enough"), "of the two voters about the first one, one is late by now"
    for seat in (Seat(0), Seat(1)):
        await vote(desk, table, CARO, "play", seat)
    await home.let_pass(0 * HOUR)
    assert 1 == len(messages(home, "The bids are"))
    assert ["late", "late", "stood in", "stood in"] == events(table)


async def test_nobody_is_late_before_the_others_can_read_it(home: House) -> None:
    table = await paced(home)
    await home.let_pass(WHOLE)
    home.network.fault, home.network.spared = forbidden, ("GET", "PATCH", "DELETE")
    await home.let_pass(LEAD)
    assert [] == events(table)
    home.network.fault = None
    await home.let_pass(1.1 * HOUR)
    await home.let_pass(LEAD)
    assert (["late"], 1) == (events(table), len(messages(home, VOTE_OPEN)))


async def test_no_turn_reminder_is_sent_during_a_vote(home: House) -> None:
    await late(home)
    reminders = len(messages(home, "⏰"))
    await prefer(home, HOST, interval=4)
    await home.let_pass(5 * HOUR)
    assert reminders == len(messages(home, "⏰"))


async def test_a_game_that_was_called_off_has_no_clocks(home: House) -> None:
    table = await paced(home)
    await end(home, table)
    await home.let_pass(25 * HOUR)
    await home.let_pass(WHOLE)
    assert ([], []) == (await home.store.jobs.of_match(JobKind.CLOCK, table.id), messages(home, WARNING))


async def test_a_held_seat_is_returned_to_its_player_and_noted_for_moderators(desk: Desk) -> None:
    home = desk.home
    await choose(home, log=CHANNEL)
    table = await paced(home, HOST, GUEST, game="sealed")
    await play(home, table, GUEST)
    await time_up(home)
    assert "[I’m back back]" in await vote(desk, table, GUEST, "hold")
    await home.let_pass(0 * HOUR)
    ((mentioned, log),) = messages(home, f"a computer takes over <@{HOST}>’s seat: by a vote of the others")
    assert (set(), True) == (mentioned, f"<#{CHANNEL}>" in log)
    assert table.row.holders[LATE].user_id is None
    assert "⏳ <t:" not in messages(home, BOARD, "PATCH")[-1][1], "nobody waits for the last one who is left"
    ((_, refusal),) = await desk.tap(DAN, f"back:{table.id}:0:", message=PUBLIC)
    assert "none of its seats was yours" in refusal
    ((_, refusal),) = await desk.command(HOST, undo_last)
    assert "A computer has taken over your seat" in refusal
    ((_, answer, *_),) = await desk.tap(HOST, f"back:{table.id}:0:", message=PUBLIC)
    await home.let_pass(0 * HOUR)
    assert ("now playing" in answer, HOST) == (True, table.row.holders[LATE].user_id)
    assert "⏳ <t:" in messages(home, BOARD, "PATCH")[-1][1]
    assert ["late", "held", "returned"] == events(table)


async def test_a_vote_can_invite_a_substitute(desk: Desk) -> None:
    home, table = desk.home, await late(desk.home)
    for user_id in (GUEST, CARO):
        await vote(desk, table, user_id, "invite")
    assert 1 == len(messages(home, "Who takes over in"))
    ((_, answer, *_),) = await desk.tap(DAN, f"take:{table.id}:0:0", message=PUBLIC)
    assert ("You’re now playing 🔴 Red" in answer, DAN) == (True, table.row.holders[LATE].user_id)
    ((_, refusal),) = await desk.command(HOST, join)
    assert ("already has this seat" in refusal, ["late", "invited"]) == (True, events(table))


async def test_an_early_check_changes_nothing_and_is_rescheduled(home: House) -> None:
    table = await late(home)
    (check,) = await home.store.jobs.of_match(JobKind.CLOCK, table.id)
    await home.put(check.at(NOON))
    await home.let_pass(0 * HOUR)
    assert ([check], ["late"]) == (await home.store.jobs.of_match(JobKind.CLOCK, table.id), events(table))
