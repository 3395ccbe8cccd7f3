"""A channel counts as deleted when Discord says so twice, hours apart, while its server is there; who plays there hears
that the game has ended. An outage of the server ends nothing."""

from __future__ import annotations

from typing import Any

import pytest

from bot.features.lobby import deleted_channels
from bot.features.lobby.deleted_channels import RECHECK_DELAY, check_channel, recheck_later
from bot.store.failures import DatabaseUnavailable, FailureKind
from bot.store.jobs import JobKind
from tests.bot.app import App
from tests.bot.moderating import GAME
from tests.bot.refusing import CHANNEL, House
from tests.bot.timed_app import TimedApp
from tests.rooms import Room, play_move

POST, FETCH = "POST /channels/{channel}/messages", "GET /channels/{channel}"
TOLD = "was deleted, so the game was called off; its log is kept"
HOURS = RECHECK_DELAY.total_seconds() / 3600
NAMES = ("Ana", "Ben", "Caro")


@pytest.fixture
async def room(app: App) -> Room:
    """A channel with a game whose boards are not answers to interactions."""
    room = app.room()
    room.let_boards_be_posted()
    await room.game(*NAMES)
    return room


def answer_gone(room: Room, route: str, times: int | None) -> None:
    channel_id = room.local.channel(room.channel).id
    room.local.fault(route.format(channel=channel_id), status=404, code=10003, times=times)


def statuses(app: App) -> list[str]:
    return [status for (status,) in app.query("SELECT status FROM matches ORDER BY id")]


def checks(app: App) -> int:
    return len(app.query("SELECT 1 FROM jobs WHERE kind = 'channel check'"))


def count_requests(app: App) -> int:
    """Number of requests that do not answer an interaction."""
    return sum(number for route, number in app.local.requests.items() if "callback" not in route)


async def delete_unseen(app: App, room: Room) -> None:
    await app.close()
    app.local.delete_channel(room.channel)
    await app.open()
    await asked_once(app)


async def asked_once(app: App) -> None:
    """Wait until Discord was asked for a channel, and did not know it."""
    for _ in range(500):
        if app.query("SELECT 1 FROM jobs WHERE kind = 'channel check' AND state <> '{}'"):
            return
        await app.breathe()
    raise AssertionError("no second question is planned")


async def test_an_outage_of_the_database_delays_the_check_of_a_server(
    app: App, room: Room, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    check, outages = deleted_channels.check_server, [DatabaseUnavailable(FailureKind.AWAY, "gone") for _ in range(3)]

    async def check_server(*arguments: Any) -> None:
        if outages:
            raise outages.pop()
        await check(*arguments)

    monkeypatch.setattr(deleted_channels, "check_server", check_server)
    await app.close()
    app.local.delete_channel(room.channel)
    await app.open()
    await app.let_pass(60)
    await asked_once(app)
    assert not any(record.exc_info for record in caplog.records), "one line for an outage, and no traceback"


@pytest.mark.usefixtures("no_previews")
async def test_a_single_unknown_channel_error_ends_no_game(timed_app: TimedApp, room: Room) -> None:
    app, board = timed_app.app, room.onlooker.last
    answer_gone(room, POST, 1)
    answer = await room.person("Ana").slash("muscat place", market="A")
    assert "if it was deleted, the game ends and all players get a message from me" in answer
    await app.let_pass(20)
    await room.board(after=board)
    await timed_app.hours(HOURS + 1)
    assert ["running"] == statuses(app)


async def test_another_refusal_does_not_postpone_the_second_request(home: House) -> None:
    table = await home.match(CHANNEL)
    await check_channel(home.services, CHANNEL)
    first = await home.store.jobs.find(JobKind.CHANNEL_CHECK, table.id)
    second = recheck_later(first, home.time.now)
    await home.store.jobs.put(second)
    home.time.now += RECHECK_DELAY / 2
    await check_channel(home.services, CHANNEL)
    assert second == await home.store.jobs.find(JobKind.CHANNEL_CHECK, table.id)


async def test_a_channel_listed_by_its_server_never_counts_as_deleted(timed_app: TimedApp, room: Room) -> None:
    app = timed_app.app
    answer_gone(room, POST, None)
    answer_gone(room, FETCH, None)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await app.let_pass(20)
    for _ in range(3):
        await timed_app.hours(HOURS + 0.1)
    assert ["running"] == statuses(app)
    app.local.discord.faults.lift()


async def test_a_game_in_a_deleted_channel_ends_after_hours_and_notifies_its_players(
    timed_app: TimedApp, room: Room
) -> None:
    app = timed_app.app
    other = app.room()
    await other.game("Dan", "Eva", "Finn")
    await delete_unseen(app, room)
    await timed_app.hours(HOURS - 0.1)
    assert ["running", "running"] == statuses(app)
    await timed_app.hours(0.2)
    for name in NAMES:
        await room.person(name).in_dm().expect(TOLD)
    assert ["ended", "running"] == statuses(app)


async def test_no_game_ends_while_discord_does_not_respond(timed_app: TimedApp, room: Room) -> None:
    app = timed_app.app
    await delete_unseen(app, room)
    app.local.fault("GET /guilds/*/channels", status=503, times=None)
    for _ in range(3):
        timed_app.fake_clock.ahead += RECHECK_DELAY
        await app.let_pass(60)
    assert ["running"] == statuses(app)
    app.local.discord.faults.lift()


async def test_a_deletion_event_ends_a_game_at_once(app: App, room: Room) -> None:
    app.local.delete_channel(room.channel)
    await room.person("Caro").in_dm().expect(TOLD)
    assert ["ended"] == statuses(app)


@pytest.mark.parametrize("thread", [False, True])
async def test_a_game_survives_an_outage_of_its_server(timed_app: TimedApp, thread: bool) -> None:
    app = timed_app.app
    room = app.room()
    room.let_boards_be_posted()
    await room.game(*NAMES)
    if thread:
        await room.person("Dan").slash("table new", game=GAME, where="thread")
        while len(statuses(app)) < 2:
            await app.let_pass(1)
        (opened,) = app.local.discord.world.threads
    ana, expected = room.person("Ana"), statuses(app)
    board = room.onlooker.last
    # first REST fails and then the gateway tells why, as it was in public reports
    fault = app.local.fault(POST.format(channel="*"), status=404, code=10003, times=None)
    await play_move(ana, "muscat place", market="A")
    await app.local.wait_for_fault(fault)
    app.local.guilds.fail()
    if thread:
        app.local.set_thread(opened.name, archived=True)
    app.local.lift(POST.format(channel="*"))
    await app.let_pass(10)  # requests in flight
    before = count_requests(app)
    for _ in range(4):
        timed_app.fake_clock.ahead += RECHECK_DELAY
        await app.let_pass(40)
    assert expected == statuses(app)
    assert before == count_requests(app), "nothing is sent to a server with an outage"
    app.local.guilds.recover()
    await app.let_pass(30)
    await room.board(after=board)
    await timed_app.hours(HOURS + 0.1)
    assert expected == statuses(app)
    assert not any(TOLD in seen for name in NAMES for seen in room.person(name).in_dm().messages)


async def test_a_thread_archived_during_downtime_is_reopened(timed_app: TimedApp) -> None:
    app = timed_app.app
    room = app.room()
    await room.person("Ana").slash("table new", game=GAME, where="thread")
    while not app.query("SELECT * FROM matches"):
        await app.let_pass(1)
    (thread,) = app.local.discord.world.threads
    await app.close()
    app.local.set_thread(thread.name, archived=True)
    await app.open()
    while thread.archived:
        await app.let_pass(1)
    await timed_app.hours(HOURS + 0.1)
    assert (["lobby"], 0) == (statuses(app), checks(app))
