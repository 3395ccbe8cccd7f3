"""The overview: one message with the open games of a server and whose turn it is, edited in place, without a ping."""

from __future__ import annotations

import pytest

from playground.player import Player, Seen
from playground.world import Channel, ChannelKind
from tests.bot.moderating import GAME, begin, choose_setting, moderator, open_server_settings, thread_of
from tests.bot.timed_app import TimedApp
from tests.rooms import Room, play_move

MINUTES = 1 / 60
EDITS = 4 * MINUTES
"""Longer than the time between two edits."""


@pytest.fixture
async def hall(timed_app: TimedApp) -> Room:
    """A channel that a moderator has chosen for the overview."""
    hall = timed_app.app.room()
    await choose(hall, hall.channel)
    await hall.onlooker.expect("Games in this server")
    return hall


async def choose(room: Room, *channels: str) -> Seen:
    """Let a moderator choose the channel of the overview, or none."""
    eva = moderator(room)
    return await choose_setting(eva, "overview", *channels)


def overview(hall: Room) -> Seen:
    """The only message of the overview."""
    (message,) = [seen for seen in hall.onlooker.messages if "Games in this server" in seen]
    return message


async def table_in(room: Room, game: str = "toll") -> Player:
    ana = room.person("Ana")
    await ana.slash("table new", game=game)
    return ana


async def test_the_overview_names_the_due_players_and_is_edited_without_a_ping(timed_app: TimedApp, hall: Room) -> None:
    first = overview(hall)
    assert "No game is open at the moment." in first
    room = timed_app.app.room()
    board = await begin(room, "Ana", "Ben", game=GAME)
    assert "No game is open" in overview(hall), "several changes are one edit"
    await timed_app.hours(EDITS)
    after, address = overview(hall), f"/{room.local.channel(room.channel).id}/{board.id}"
    assert (first.id, (), ("Ana", "Ben")) == (after.id, after.pinged, board.pinged)
    assert f"{address})** in <#" in after
    assert f": waiting for {room.person('Ana').mention}, {room.person('Ben').mention} · <t:" in after
    await play_move(room.person("Ana"), "sealed bid", coins="3")
    await timed_app.hours(EDITS)
    assert f": waiting for {room.person('Ben').mention} · <t:" in overview(hall)
    assert "Sealed Bids" in await room.person("Ben").tap("My games", on=overview(hall))
    await moderator(room).tap("End it", on=await moderator(room).slash("table end"))
    await timed_app.hours(EDITS)
    assert "No game is open at the moment." in overview(hall)


async def test_the_overview_lists_open_tables_unless_they_are_invite_only(timed_app: TimedApp, hall: Room) -> None:
    room, private = timed_app.app.room(), timed_app.app.room()
    await room.person("Ana").slash("table new", game="toll", start="in 30 hours")
    await private.person("Ben").slash("table new", game="toll", join="invitation")
    await room.person("Caro").in_dm().slash("table new", game="toll")
    await timed_app.hours(EDITS)
    words = overview(hall).text
    assert ("### Waiting for players" in words, 1) == (True, words.count("of 3 players · ⏰ <t:"))
    assert str(private.local.channel(private.channel).id) not in words


def hide(room: Room, role: str | None) -> None:
    """Hide a channel from everyone, or from a role."""
    if role is None:
        room.local.discord.overwrite(
            room.local.channel(room.channel), allow=0, deny=1 << 10, whom=room.local.discord.world.guild_id
        )
    else:
        room.local.forbid(room.channel, "VIEW_CHANNEL", role=role)


async def test_a_game_is_listed_only_if_all_readers_can_see_it(timed_app: TimedApp, hall: Room) -> None:
    app = timed_app.app
    app.local.add_role("Guests")
    rooms = {name: app.room() for name in ("open", "hidden from a role", "of the hall")}
    hide(rooms["hidden from a role"], "Guests")
    public, private = thread_of(app, rooms["open"]), private_thread(timed_app, rooms["open"])
    rooms |= {"public thread": public, "private thread": private, "of the hall": hall}
    for room in rooms.values():
        await table_in(room)
    await timed_app.hours(EDITS)
    words = overview(hall).text
    listed = {name for name, room in rooms.items() if f"<#{room.local.channel(room.channel).id}>" in words}
    assert {"open", "public thread", "of the hall"} == listed
    # a table of a hidden channel is not even counted
    assert len(listed) == words.count("**[Toll]")
    # now the readers are the same
    hide(hall, "Guests")
    await timed_app.hours(EDITS)
    assert f"<#{hall.local.channel(rooms['hidden from a role'].channel).id}>" in overview(hall)


def private_thread(timed_app: TimedApp, room: Room) -> Room:
    world, parent = timed_app.app.local.discord.world, room.local.channel(room.channel)
    number = world.ids.next()
    members = [world.bot.id, room.person("Ana").id]
    thread = Channel(number, f"p{number}", ChannelKind.PRIVATE_THREAD, None, parent.id, world.bot.id, members)
    timed_app.app.local.discord.open_channel(thread)
    return Room(timed_app.app.local, thread.name)


async def test_the_overview_follows_its_setting_and_is_deleted_when_turned_off(timed_app: TimedApp, hall: Room) -> None:
    other = timed_app.app.room()
    await choose(hall, other.channel)
    await other.onlooker.expect("Games in this server")
    assert [] == [seen for seen in hall.onlooker.messages if "Games in this server" in seen]
    await choose(hall)
    await other.onlooker.until(
        lambda: not [message for message in other.onlooker.messages if "Games" in message], what="its end"
    )
    await timed_app.hours(0.01)
    assert [] == timed_app.app.query("SELECT 1 FROM jobs WHERE kind = 'overview'")
    await choose(hall, other.channel)
    await other.onlooker.expect("Games in this server")


async def test_a_deleted_overview_comes_back_and_a_restart_keeps_the_same_message(
    timed_app: TimedApp, hall: Room
) -> None:
    first = overview(hall)
    await timed_app.app.close()
    await timed_app.app.open()
    await table_in(timed_app.app.room())
    await timed_app.hours(EDITS)
    assert (first.id, True) == (overview(hall).id, "of 3 players" in overview(hall))
    hall.local.delete_message(overview(hall))
    await timed_app.hours(1.1)
    assert first.id != overview(hall).id


@pytest.mark.parametrize("is_forgotten", [False, True], ids=["within minutes", "once Discord has forgotten the nonce"])
async def test_a_lost_response_posts_no_second_overview(timed_app: TimedApp, is_forgotten: bool) -> None:
    hall = timed_app.app.room()
    fault = timed_app.app.local.fault("POST /channels/*/messages", status=503, after=True)
    await choose(hall, hall.channel)
    await timed_app.app.local.wait_for_fault(fault)
    if is_forgotten:
        await timed_app.app.close()
        timed_app.app.local.clock.advance(3600)
        await timed_app.app.open()
    await timed_app.app.let_pass(400)
    await timed_app.hours(EDITS)
    assert "No game is open" in overview(hall)
    ((value,),) = timed_app.app.query("SELECT value FROM settings WHERE name = 'overview'")
    assert str(overview(hall).id) in value


async def test_an_overview_without_changes_is_edited_once_an_hour(timed_app: TimedApp, hall: Room) -> None:
    edits = timed_app.app.local.fault("PATCH /channels/*/messages/*", hang=0.01, times=None)
    for _ in range(40):
        await timed_app.hours(EDITS)
    assert 2 <= edits.struck <= 3


async def test_moderators_see_why_the_overview_is_not_written(timed_app: TimedApp, hall: Room) -> None:
    hall.local.forbid(hall.channel, "SEND_MESSAGES")
    room = timed_app.app.room()
    eva = moderator(room)
    why = "⚠️ I can’t post the overview:\n* **Send Messages**, to post the overview"
    assert why in await open_server_settings(eva, "overview")
    hall.local.delete_channel(hall.channel)
    assert "I can’t post the overview:\n* The channel is gone." in await open_server_settings(eva, "overview")
    answer = await eva.tap("Check all channels", on=await open_server_settings(eva, "log"))
    assert "### A setting needs attention" in answer
    assert "I can’t post the overview:\n* The channel is gone." in answer
