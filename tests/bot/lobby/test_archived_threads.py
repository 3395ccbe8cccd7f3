"""Archived threads with a game: players without the permission to open threads must find working buttons."""

from __future__ import annotations

import pytest

from playground.options import CannotDo
from playground.permissions import Permission
from playground.world import Channel
from tests.bot.app import App
from tests.bot.moderating import GAME, moderator, thread_of
from tests.rooms import Room, start_game


async def own_thread(app: App) -> tuple[Room, Channel]:
    """A game in a thread that the bot has opened for it."""
    room = app.room()
    await room.person("Ana").slash("table new", game=GAME, where="thread")
    while not app.query("SELECT 1 FROM matches"):
        await app.let_pass(1)
    thread = app.local.discord.world.threads[0]
    return await begin_in_thread(app, Room(app.local, thread.name)), thread


async def strange_thread(app: App) -> tuple[Room, Channel]:
    """A game in a thread of a member, which Discord archives after an hour."""
    inside = thread_of(app, app.room())
    thread = app.local.channel(inside.channel)
    thread.owner_id, thread.auto_archive_minutes = app.local.discord.world.user_named("Finn").id, 60
    app.local.discord.restart_archiving(thread)
    await inside.person("Ana").slash("table new", game=GAME)
    return await begin_in_thread(app, inside), thread


async def begin_in_thread(app: App, inside: Room) -> Room:
    await inside.onlooker.expect("1 more needed")
    await inside.person("Ben").tap("Join")
    await start_game(inside.person("Ana"), inside.person("Ben"))
    await inside.onlooker.expect("Bid 0 to 3")
    return inside


def forbid_writing_in_threads(app: App) -> None:
    role = app.local.discord.world.role_named("@everyone")
    app.local.discord.change_role(role, role.permissions & ~Permission.SEND_MESSAGES_IN_THREADS)


async def opened_again(app: App, thread: Channel) -> None:
    for _ in range(20):
        if not thread.archived:
            return
        await app.let_pass(2)
    raise AssertionError("the thread stays archived")


@pytest.mark.parametrize("kind", [own_thread, strange_thread])
async def test_an_archived_thread_is_reopened_for_players_without_permission(app: App, kind: object) -> None:
    inside, thread = await kind(app)
    forbid_writing_in_threads(app)
    for _ in range(2):
        app.local.clock.advance(thread.auto_archive_minutes * 60 + 1)
        assert thread.archived
        with pytest.raises(CannotDo):
            await inside.person("Ana").tap("Your move")
        await opened_again(app, thread)
        await inside.person("Ana").tap("Your move")


async def test_a_locked_thread_stays_closed_and_moderators_read_why_no_player_can_move(app: App) -> None:
    inside, thread = await own_thread(app)
    eva = moderator(app.room())
    app.local.set_thread(thread.name, archived=True, locked=True)
    await app.let_pass(60)
    assert (True, True) == (thread.archived, thread.locked)
    for command in ("server games", "server doctor"):
        assert "its buttons don’t work for players" in await eva.slash(command), command
    with pytest.raises(CannotDo):
        await inside.person("Ana").tap("Your move")
    app.local.set_thread(thread.name, locked=False)
    await opened_again(app, thread)
    assert "### Everything looks good" in await eva.slash("server doctor")


async def test_a_thread_without_an_open_game_stays_archived(app: App) -> None:
    inside, thread = await own_thread(app)
    answer = await inside.person("Ana").slash("table end")
    await inside.person("Ana").tap("End it", on=answer)
    await app.let_pass(30)
    app.local.set_thread(thread.name, archived=True)
    await app.let_pass(60)
    assert thread.archived
