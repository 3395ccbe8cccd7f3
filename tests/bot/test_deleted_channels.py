"""A channel counts as deleted when Discord says so twice; who plays there hears that the game has ended."""

from __future__ import annotations

import pytest

from bot.jobs.channel_check import ASK_AGAIN as PAUSE
from tests.bot.inn import Inn
from tests.bot.keeping import GAME
from tests.e2e.rooms import Room, play_move

POST, FETCH = "POST /channels/{channel}/messages", "GET /channels/{channel}"
TOLD = "was deleted, so the game was called off; its log is kept"
ASK_AGAIN = PAUSE.total_seconds()
MINUTES = ASK_AGAIN + 60


@pytest.fixture
async def room(inn: Inn) -> Room:
    """A channel in which a game has begun, and boards are no answers."""
    room = inn.room()
    room.let_boards_be_posted()
    await room.game("Ana", "Ben", "Caro")
    return room


def answer_gone(room: Room, route: str, times: int | None) -> None:
    channel_id = room.local.channel(room.channel).id
    room.local.fault(route.format(channel=channel_id), status=404, code=10003, times=times)


def statuses(inn: Inn) -> list[str]:
    return [status for (status,) in inn.query("SELECT status FROM matches ORDER BY id")]


def asked_for_channels(inn: Inn) -> int:
    return sum(count for route, count in inn.local.requests.items() if route.startswith("GET /channels/{channel"))


@pytest.mark.usefixtures("no_previews")
async def test_one_answer_that_a_channel_is_gone_ends_no_game(inn: Inn, room: Room) -> None:
    board = room.onlooker.last
    answer_gone(room, POST, 1)
    told = await room.person("Ana").slash("muscat place", market="A")
    assert "if it was deleted, the game ends and all players get a message from me" in told
    await inn.let_pass(20)
    await room.board(after=board)
    await inn.let_pass(MINUTES)
    assert ["running"] == statuses(inn)


async def test_discord_is_asked_twice_and_minutes_apart(inn: Inn, room: Room) -> None:
    answer_gone(room, POST, None)
    answer_gone(room, FETCH, 1)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await inn.let_pass(MINUTES)
    assert ["running"] == statuses(inn)
    room.local.discord.faults.lift()


async def test_a_game_whose_channel_is_gone_ends_and_everybody_hears_of_it(inn: Inn, room: Room) -> None:
    answer_gone(room, POST, None)
    answer_gone(room, FETCH, None)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await inn.let_pass(ASK_AGAIN / 2)
    assert ["running"] == statuses(inn)
    await inn.let_pass(ASK_AGAIN)
    for name in ("Ana", "Ben", "Caro"):
        await room.person(name).in_dm().expect(TOLD)
    assert ["ended"] == statuses(inn)


async def test_as_long_as_discord_does_not_tell_nothing_ends(inn: Inn, room: Room) -> None:
    answer_gone(room, POST, 1)
    room.local.fault(FETCH.format(channel=room.local.channel(room.channel).id), status=503, times=8)
    answer_gone(room, FETCH, 1)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await inn.let_pass(MINUTES)
    assert ["running"] == statuses(inn)


async def test_a_channel_that_was_deleted_while_the_bot_was_away_is_noticed(inn: Inn, room: Room) -> None:
    other = inn.room()
    await other.game("Dan", "Eva", "Finn")
    await inn.close()
    inn.local.delete_channel(room.channel)
    await inn.open()
    await inn.let_pass(MINUTES)
    await room.person("Caro").in_dm().expect(TOLD)
    assert ["ended", "running"] == statuses(inn)


async def test_a_thread_that_is_only_archived_is_asked_for_and_stays(inn: Inn) -> None:
    room = inn.room()
    starter = await room.person("Ana").slash("table new", game=GAME, where="thread")
    assert starter is not None
    while not inn.query("SELECT * FROM matches"):
        await inn.let_pass(1)
    (thread,) = inn.local.discord.world.threads
    await inn.close()
    inn.local.set_thread(thread.name, archived=True)
    before = asked_for_channels(inn)
    await inn.open()
    await inn.let_pass(MINUTES)
    assert (["lobby"], before + 1) == (statuses(inn), asked_for_channels(inn))
