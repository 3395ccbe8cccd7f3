"""A server with an outage, or without the bot: no message is sent, no player is late, and all goes on later."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from bot.features.deadlines import board_clocks
from bot.features.lobby.deleted_channels import RECHECK_DELAY
from bot.tables.lobbies import LOBBY_LIFETIME
from playground.player import Player
from tests.bot.app import App
from tests.bot.habits import choose_preference
from tests.bot.lobby.test_deleted_channels import asked_once
from tests.bot.moderating import GAME, thread_of
from tests.bot.timed_app import TimedApp
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game

NAMES = ("Ana", "Ben", "Caro")
LATE, WARNING, WAITING = (
    "time for this turn is up. What should happen?",
    "your deadline for this turn",
    "waiting for you",
)
WHOLE, LEAD = 66.1, 6.1
"""Hours until the warning of a daily pace with a full bank, and from there to the end."""

SENT = ("POST /channels", "PATCH /channels", "POST /users")


@pytest.fixture(autouse=True)
def no_lulls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_clocks, "MAX_GAP", timedelta.max)  # the tests move the clock by days


def count_sent(app: App) -> int:
    """Number of messages and edits that the bot has tried."""
    return sum(number for route, number in app.local.requests.items() if route.startswith(SENT))


async def days_away(timed_app: TimedApp, days: int) -> None:
    for _ in range(days * 4):
        timed_app.fake_clock.ahead += timedelta(hours=6)
        await timed_app.app.let_pass(25)


async def start_paced_game(app: App) -> tuple[Room, Player]:
    """Start a game with a daily pace. Returns its room, and the due player."""
    room = app.room()
    people = room.people(*NAMES)
    await people[0].slash("table new", game="muscat")
    for person in people[1:]:
        await person.tap("Join")
    await start_game(*people)
    await TimedApp.called(TimedApp(app, app.fake_clock), people[0], await room.onlooker.expect(BOARD))
    return room, people[0]


def statuses(app: App) -> list[str]:
    return [status for (status,) in app.query("SELECT status FROM matches")]


def count_messages(room: Room, words: str) -> int:
    return sum(words in seen.text for seen in room.onlooker.messages)


ABSENCES: dict[str, Callable[[App], None]] = {
    "outage": lambda app: app.local.guilds.fail(),
    "removal": lambda app: app.local.guilds.remove_bot(),
}


def come_back(app: App, how: str) -> None:
    if how == "outage":
        app.local.guilds.recover()
    else:
        app.local.guilds.invite_bot()


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("how", ABSENCES)
async def test_no_message_is_sent_and_no_clock_runs_until_the_server_is_back(
    timed_app: TimedApp, how: str, restarted: bool
) -> None:
    app = timed_app.app
    room, ana = await start_paced_game(app)
    await choose_preference(ana, "direct", "In a direct message")
    await timed_app.hours(WHOLE - 2)
    if restarted:
        await app.close()
        ABSENCES[how](app)
        await app.open()
    else:
        ABSENCES[how](app)
    await app.let_pass(25)
    before, pings = count_sent(app), len(ana.pings)
    await days_away(timed_app, 5)
    assert (before, pings) == (count_sent(app), len(ana.pings))
    come_back(app, how)
    await app.let_pass(25)
    await timed_app.hours(1.5)
    assert (0, 0) == (count_messages(room, LATE), count_messages(room, WARNING)), (
        "two hours were left until the warning"
    )
    await timed_app.hours(0.7)
    await timed_app.hours(LEAD)
    assert 1 == count_messages(room, LATE)
    assert len(ana.in_dm().messages) > 0, "reminders go on"
    assert ["running"] == statuses(app)


@pytest.mark.parametrize("how", ABSENCES)
async def test_a_player_warned_before_an_absence_keeps_the_remaining_time(timed_app: TimedApp, how: str) -> None:
    app = timed_app.app
    room, _ = await start_paced_game(app)
    await timed_app.hours(WHOLE)
    assert 1 == count_messages(room, WARNING)
    await timed_app.hours(LEAD - 1)
    ABSENCES[how](app)
    await app.let_pass(5)
    await days_away(timed_app, 2)
    come_back(app, how)
    await app.let_pass(25)
    await timed_app.hours(0.5)
    assert 0 == count_messages(room, LATE)


async def test_a_lost_session_does_not_hide_a_removal(timed_app: TimedApp) -> None:
    """discord.py keeps servers that READY no longer names."""
    app = timed_app.app
    _, ana = await start_paced_game(app)
    await choose_preference(ana, "direct", "In a direct message")
    world = app.local.discord.world
    world.without_bot.add(world.guild_id)
    came = app.local.gateway.identified
    app.local.gateway.forget()
    app.local.gateway.hang_up()
    while app.local.gateway.identified == came:
        app._ahead += 1  # without a connection, no command can be typed meanwhile
        await asyncio.sleep(0.02)
    await app.let_pass(25)
    before = count_sent(app)
    await days_away(timed_app, 2)
    assert before == count_sent(app)


async def test_jobs_of_an_absent_server_are_neither_due_nor_retried(timed_app: TimedApp) -> None:
    app = timed_app.app
    await start_paced_game(app)
    app.local.guilds.remove_bot()
    await days_away(timed_app, 2)
    now = timed_app.fake_clock.now.isoformat()
    assert [] == app.query("SELECT kind FROM jobs WHERE due_at <= ? OR attempts > 0", now)


async def test_a_reminder_omits_games_on_servers_without_the_bot(timed_app: TimedApp) -> None:
    app = timed_app.app
    await app.close()
    other = app.local.add_guild(0, 1)
    app.local.add_channel("elsewhere", guild=other)
    await app.open()
    _, ana = await start_paced_game(app)
    here, there = ana, Room(app.local, "elsewhere")
    await there.person("Ana").slash("table new", game="garden")
    await there.person("Ben").tap("Join")
    await start_game(there.person("Ana"), there.person("Ben"))
    await there.onlooker.expect(BOARD)
    await choose_preference(ana, "direct", "In a direct message")
    app.local.guilds.remove_bot()
    for _ in range(3):
        timed_app.fake_clock.ahead += timedelta(hours=12)
        await app.let_pass(30)
    reminder = await here.in_dm().expect(WAITING)
    assert "Muscat" not in reminder.text


async def test_a_lobby_gets_back_the_time_of_an_outage(timed_app: TimedApp) -> None:
    app = timed_app.app
    room = app.room()
    await room.person("Ana").slash("table new", game=GAME)
    await timed_app.hours(LOBBY_LIFETIME.total_seconds() / 3600 - 0.5)
    app.local.guilds.fail()
    await app.let_pass(5)  # until the bot has heard of it
    await days_away(timed_app, 1)
    app.local.guilds.recover()
    await app.let_pass(25)
    await timed_app.hours(0.5)
    assert ["lobby"] == statuses(app)
    await timed_app.hours(1)
    assert ["closed"] == statuses(app)


async def test_a_channel_deleted_while_the_bot_was_removed_ends_its_game(timed_app: TimedApp) -> None:
    app = timed_app.app
    room, ana = await start_paced_game(app)
    app.local.guilds.remove_bot()
    await app.let_pass(5)
    app.local.discord.world.channels.pop(app.local.channel(room.channel).id)
    app.local.guilds.invite_bot()
    await asked_once(app)
    await timed_app.hours(RECHECK_DELAY.total_seconds() / 3600 + 0.1)
    await ana.in_dm().expect("was deleted")


async def test_a_move_made_during_a_removal_is_shown_once_the_bot_is_back(timed_app: TimedApp) -> None:
    app = timed_app.app
    room, ana = await start_paced_game(app)
    room.let_boards_be_posted()
    board = room.onlooker.last
    fault = app.local.fault("POST /channels/*/messages", status=403, code=50001, times=None)
    await play_move(ana, "muscat place", market="A")
    await app.local.wait_for_fault(fault)
    app.local.guilds.remove_bot()
    await days_away(timed_app, 1)
    app.local.lift("POST /channels/*/messages")
    app.local.guilds.invite_bot()
    await app.let_pass(25)
    await room.board(after=board)


async def test_no_player_is_late_in_a_thread_locked_by_a_moderator(timed_app: TimedApp) -> None:
    app = timed_app.app
    inside = thread_of(app, app.room())
    people = inside.people(*NAMES)
    await people[0].slash("table new", game="muscat")
    for person in people[1:]:
        await person.tap("Join")
    await start_game(*people)
    await timed_app.called(people[0], await inside.onlooker.expect(BOARD))
    app.local.set_thread(inside.channel, locked=True)
    await timed_app.hours(WHOLE)
    await timed_app.hours(24)
    assert (0, 0) == (count_messages(inside, WARNING), count_messages(inside, LATE))
    app.local.set_thread(inside.channel, locked=False)
    await timed_app.hours(1.1)
    assert (1, 0) == (count_messages(inside, WARNING), count_messages(inside, LATE))
