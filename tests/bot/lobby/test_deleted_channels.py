"""A channel counts as deleted when Discord says so twice; who plays there hears that the game has ended."""

from __future__ import annotations

import pytest

from bot.jobs.channel_check import ASK_AGAIN as PAUSE
from tests.bot.app import App
from tests.bot.moderating import GAME
from tests.e2e.rooms import Room, play_move

POST, FETCH = "POST /channels/{channel}/messages", "GET /channels/{channel}"
TOLD = "was deleted, so the game was called off; its log is kept"
ASK_AGAIN = PAUSE.total_seconds()
MINUTES = ASK_AGAIN + 60


@pytest.fixture
async def room(app: App) -> Room:
    """A channel in which a game has begun, and boards are no answers."""
    room = app.room()
    room.let_boards_be_posted()
    await room.game("Ana", "Ben", "Caro")
    return room


def answer_gone(room: Room, route: str, times: int | None) -> None:
    channel_id = room.local.channel(room.channel).id
    room.local.fault(route.format(channel=channel_id), status=404, code=10003, times=times)


def statuses(app: App) -> list[str]:
    return [status for (status,) in app.query("SELECT status FROM matches ORDER BY id")]


def asked_for_channels(app: App) -> int:
    return sum(count for route, count in app.local.requests.items() if route.startswith("GET /channels/{channel"))


@pytest.mark.usefixtures("no_previews")
async def test_one_answer_that_a_channel_is_gone_ends_no_game(app: App, room: Room) -> None:
    board = room.onlooker.last
    answer_gone(room, POST, 1)
    told = await room.person("Ana").slash("muscat place", market="A")
    assert "if it was deleted, the game ends and all players get a message from me" in told
    await app.let_pass(20)
    await room.board(after=board)
    await app.let_pass(MINUTES)
    assert ["running"] == statuses(app)


async def test_discord_is_asked_twice_and_minutes_apart(app: App, room: Room) -> None:
    answer_gone(room, POST, None)
    answer_gone(room, FETCH, 1)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await app.let_pass(MINUTES)
    assert ["running"] == statuses(app)
    room.local.discord.faults.lift()


async def test_a_game_whose_channel_is_gone_ends_and_everybody_hears_of_it(app: App, room: Room) -> None:
    answer_gone(room, POST, None)
    answer_gone(room, FETCH, None)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await app.let_pass(ASK_AGAIN / 2)
    assert ["running"] == statuses(app)
    await app.let_pass(ASK_AGAIN)
    for name in ("Ana", "Ben", "Caro"):
        await room.person(name).in_dm().expect(TOLD)
    assert ["ended"] == statuses(app)


async def test_as_long_as_discord_does_not_tell_nothing_ends(app: App, room: Room) -> None:
    answer_gone(room, POST, 1)
    room.local.fault(FETCH.format(channel=room.local.channel(room.channel).id), status=503, times=8)
    answer_gone(room, FETCH, 1)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await app.let_pass(MINUTES)
    assert ["running"] == statuses(app)


async def test_a_channel_that_was_deleted_while_the_bot_was_away_is_noticed(app: App, room: Room) -> None:
    other = app.room()
    await other.game("Dan", "Eva", "Finn")
    await app.close()
    app.local.delete_channel(room.channel)
    await app.open()
    await app.let_pass(MINUTES)
    await room.person("Caro").in_dm().expect(TOLD)
    assert ["ended", "running"] == statuses(app)


async def test_a_thread_that_is_only_archived_is_asked_for_and_stays(app: App) -> None:
    room = app.room()
    starter = await room.person("Ana").slash("table new", game=GAME, where="thread")
    assert starter is not None
    while not app.query("SELECT * FROM matches"):
        await app.let_pass(1)
    (thread,) = app.local.discord.world.threads
    await app.close()
    app.local.set_thread(thread.name, archived=True)
    before = asked_for_channels(app)
    await app.open()
    await app.let_pass(MINUTES)
    assert (["lobby"], before + 1) == (statuses(app), asked_for_channels(app))
