"""When reminders of turns are due, and when they are not sent anymore, at a bot without a gateway."""

from __future__ import annotations

import pytest

from bot.store.jobs import JobKind
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from tests.bot.deadlines.test_votes import CARO, messages, play
from tests.bot.desk import NAMES
from tests.bot.outcomes import end, prefer
from tests.bot.refusing import CHANNEL, GUEST, HOST, HOUR, House


async def untimed(home: House, *people: int, channel_id: int = CHANNEL, game: str = "muscat") -> Table:
    """A game without a pace, whose board was posted: in Muscat the host is due, in Sealed Bids everyone."""
    holders = [SeatHolder(user_id, name=NAMES[user_id]) for user_id in people]
    table = await home.lobby(channel_id, *holders, game=game, ready=[*people])
    await home.services.moves.start(table, 4711)
    await home.services.poster.post(table)
    return table


def reminders_of(home: House, user_id: int) -> list[str]:
    """The reminders that mention a user."""
    return [text for users, text in messages(home, "waiting for you") if user_id in users]


async def test_a_player_who_moved_is_not_reminded_and_the_next_one_gets_a_full_day(home: House) -> None:
    await home.begin()
    table = await untimed(home, HOST, GUEST, CARO)
    await home.let_pass(20 * HOUR)
    await play(home, table, HOST, "place A")
    await home.let_pass(23.5 * HOUR)
    assert ([], []) == (reminders_of(home, HOST), reminders_of(home, GUEST))
    await home.let_pass(0.6 * HOUR)
    assert ([], 1) == (reminders_of(home, HOST), len(reminders_of(home, GUEST)))
    assert [GUEST] == [job.user_id for job in await home.store.jobs.of_match(JobKind.REMINDER, table.id)]


@pytest.mark.parametrize("resigns", [True, False])
async def test_reminders_end_with_the_game_or_the_seat(home: House, resigns: bool) -> None:
    await home.begin()
    table = await untimed(home, HOST, GUEST, CARO)
    assert [HOST] == [job.user_id for job in await home.store.jobs.of_match(JobKind.REMINDER, table.id)]
    await (home.services.seats.resign(table, HOST) if resigns else end(home, table))
    await home.let_pass(25 * HOUR)
    assert [] == reminders_of(home, HOST)
    assert HOST not in [job.user_id for job in await home.store.jobs.of_match(JobKind.REMINDER, table.id)]


async def test_of_simultaneous_deciders_only_the_undecided_are_reminded(home: House) -> None:
    await home.begin()
    table = await untimed(home, HOST, GUEST, game="sealed")
    await play(home, table, HOST)
    await home.let_pass(25 * HOUR)
    assert ([], 1) == (reminders_of(home, HOST), len(reminders_of(home, GUEST)))


async def test_games_that_come_due_around_the_same_time_share_one_message(home: House) -> None:
    await home.begin()
    await untimed(home, HOST, GUEST, CARO)
    await home.let_pass(0.5 * HOUR)
    await untimed(home, HOST, GUEST, channel_id=9, game="sealed")
    await home.let_pass(23.6 * HOUR)
    (reminder,) = reminders_of(home, HOST)
    assert "games are waiting for you" in reminder
    assert all(f"/{channel_id}/" in reminder for channel_id in (CHANNEL, 9))
    await home.let_pass(1.5 * HOUR)
    assert 1 == len(reminders_of(home, HOST))


async def test_two_reminders_are_at_least_an_hour_apart(home: House) -> None:
    await home.begin()
    await prefer(home, HOST, interval=4)
    await untimed(home, HOST, GUEST, CARO)
    await home.let_pass(2 * HOUR)
    await untimed(home, HOST, GUEST, channel_id=9, game="sealed")
    for hours, number in ((2.1, 1), (0.8, 1), (1.2, 2)):
        await home.let_pass(hours * HOUR)
        assert number == len(reminders_of(home, HOST))


async def test_no_reminder_is_sent_during_quiet_hours(home: House) -> None:
    await home.begin()
    await prefer(home, HOST, quiet="11-21", zone="UTC")
    await untimed(home, HOST, GUEST, CARO)
    await home.let_pass(32.9 * HOUR)
    assert [] == reminders_of(home, HOST)
    await home.let_pass(0.2 * HOUR)
    assert 1 == len(reminders_of(home, HOST))
