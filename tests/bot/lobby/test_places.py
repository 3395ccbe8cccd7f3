"""Places: threads of their own, and the end of abandoned ones."""

from __future__ import annotations

import asyncio

import pytest

from bot.features.lobby import new_table
from bot.features.lobby.deleted_channels import RECHECK_DELAY
from playground.player import Seen
from tests.bot.app import App
from tests.bot.fake_clock import FakeClock, use_fake_clock
from tests.bot.lobby.test_deleted_channels import asked_once
from tests.bot.moderating import choose_setting, moderator
from tests.bot.timed_app import TimedApp
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game, tap_more

GAME, TITLE = "sealed", "Sealed Bids"
CLOSES = "Closing time: <t:"


@pytest.fixture
def fake_clock(monkeypatch: pytest.MonkeyPatch) -> FakeClock:
    return use_fake_clock(monkeypatch)


@pytest.fixture
def timed_app(fake_clock: FakeClock, app: App) -> TimedApp:
    return TimedApp(app, fake_clock)


@pytest.fixture
def room(timed_app: TimedApp) -> Room:
    return timed_app.app.room()


async def restart(timed_app: TimedApp) -> None:
    await timed_app.app.close()
    await timed_app.app.open()


async def lobby_of(room: Room, *names: str) -> Seen:
    """A table in the channel with these people at it."""
    host, *others = room.people(*names)
    reply = await host.slash("table new", game=GAME)
    for person in others:
        await person.tap("Join")
    return reply


async def in_thread(room: Room, host: str = "Ana") -> Room:
    """A table in its own thread. Returns the thread."""
    person = room.person(host)
    starter = await person.slash("table new", game=GAME, where="in its own thread")
    assert f"{person.mention} has set up a **{TITLE}**" in starter
    inside = Room(room.local, f"{TITLE} with {host}")
    await inside.onlooker.expect(f"## {TITLE}")
    return inside


async def begin(inside: Room) -> Seen:
    """Ana begins a game with Ben. Returns the board."""
    await inside.person("Ben").tap("Join")
    await start_game(*inside.people("Ana", "Ben"))
    return await inside.onlooker.expect(BOARD)


async def play(inside: Room) -> Seen:
    """All of that game. Returns the last board."""
    for _ in range(3):
        await play_move(inside.person("Ana"), "sealed bid", coins="3")
        await play_move(inside.person("Ben"), "sealed bid", coins="1")
    return await inside.onlooker.expect("wins!")


async def wait_until_closed(room: Room, lobby: Seen) -> None:
    """Wait until a lobby says that it is closed."""
    sentence = "Nothing happened at this table for a day, so it’s closed."
    await room.onlooker.until(lambda: sentence in room.onlooker.look(lobby), what=sentence)
    assert [] == room.onlooker.look(lobby).labels


def members(inside: Room) -> set[str]:
    world = inside.local.discord.world
    return {world.users[user_id].name for user_id in inside.local.channel(inside.channel).members} - {world.bot.name}


# --- threads ---


async def test_a_thread_is_named_after_game_and_host_and_players_who_join_become_members(room: Room) -> None:
    inside = await in_thread(room)
    thread = room.local.channel(inside.channel)
    assert (room.local.channel(room.channel).id, 10080) == (thread.parent_id, thread.auto_archive_minutes)
    assert {"Ana"} == members(inside)
    await inside.person("Ben").tap("Join")
    await inside.person("Caro").slash("game join")
    await room.onlooker.until(lambda: {"Ana", "Ben", "Caro"} == members(inside), what="Caro to belong to it")
    await start_game(*inside.people("Ana", "Ben", "Caro"))
    await inside.onlooker.expect(BOARD)
    assert 1 == len(room.onlooker.messages), "the channel has one message of it"


async def test_several_games_run_in_the_threads_of_a_channel_and_are_listed_there(room: Room) -> None:
    first, second = await in_thread(room), await in_thread(room, "Ben")
    await begin(first)
    heading, *lines = (await room.person("Caro").slash("game list")).text.splitlines()
    server = f"/{room.local.discord.world.guild_id}"
    links = [f"{server}/{room.local.channel(place.channel).id})" for place in (second, first)]
    assert "### Games in its threads" == heading
    hosts = [room.person(name).mention for name in ("Ben", "Ana")]
    results = [
        f"{links[0]}, hosted by {hosts[0]}, waiting for players",
        f"{links[1]}, hosted by {hosts[1]}, being played",
    ]
    assert results == [line.partition("/channels")[2] for line in lines], "the newest first"
    assert "Games in this channel" in await first.person("Caro").slash("game list")


async def test_a_new_table_in_a_thread_stays_there_and_does_not_own_the_thread(timed_app: TimedApp, room: Room) -> None:
    inside = await in_thread(room)
    await inside.person("Ana").slash("game leave")
    lobby = await inside.person("Ben").slash("table new", game=GAME, where="thread")
    assert inside.channel == lobby.channel
    thread, channel = room.local.channel(inside.channel), room.local.channel(room.channel)
    expected = "SELECT channel_id, parent_id, own_thread FROM matches ORDER BY id"
    assert [(thread.id, channel.id, 1), (thread.id, channel.id, 0)] == timed_app.app.query(expected)


OPENING = {
    "VIEW_CHANNEL": "View Channel",
    "CREATE_PUBLIC_THREADS": "Create Public Threads",
    "SEND_MESSAGES_IN_THREADS": "Send Messages in Threads",
    "ATTACH_FILES": "Attach Files",
}


async def test_thread_permissions_are_required_only_to_open_a_thread(room: Room) -> None:
    ana = room.person("Ana")
    for permission, name in OPENING.items():
        room.local.forbid(room.channel, permission)
        answer = await ana.slash("table new", game=GAME, where="thread")
        assert (True, True) == (answer.ephemeral, f"**{name}**" in answer)
        assert 1 == answer.text.count("* **"), "what only follows from it is not named"
        room.local.permit(room.channel, permission)
    room.local.forbid(room.channel, "CREATE_PUBLIC_THREADS", "SEND_MESSAGES_IN_THREADS")
    assert [] == room.public
    assert "1 more needed" in await ana.slash("table new", game=GAME)


async def test_without_a_thread_the_table_opens_in_the_channel_with_an_explanation(
    timed_app: TimedApp, room: Room
) -> None:
    route = "POST /channels/*/messages/*/threads"
    refused = timed_app.app.local.fault(route, 400, code=160006, times=None)
    await room.person("Ana").slash("table new", game=GAME, where="thread", invite="Ben")
    lobby = await room.onlooker.expect("so the table is here")
    assert (1, ("Ben",)) == (refused.struck, lobby.pinged)
    await room.onlooker.until(lambda: "further down" in room.onlooker.messages[0], what="a pointer")
    await room.person("Ben").slash("table new", game=GAME, where="thread")
    assert (await room.person("Ben").expect("already has a game")).ephemeral
    await room.onlooker.expect("so no table was set")
    assert [(1,)] == timed_app.app.query("SELECT count(*) FROM matches")


async def test_a_shutdown_while_opening_a_table_sends_no_further_message(
    timed_app: TimedApp, room: Room, monkeypatch
) -> None:
    async def leaving(*_: object) -> None:
        raise asyncio.CancelledError

    monkeypatch.setattr(new_table, "open_here", leaving)
    timed_app.app.local.fault("POST /channels/*/messages/*/threads", 400, code=160006, times=None)
    await room.person("Ana").slash("table new", game=GAME, where="thread")
    await room.person("Ben").slash("game list")
    assert not any(edited for _, _, edited in room.public)


async def test_a_lost_response_opens_no_second_thread(timed_app: TimedApp, room: Room) -> None:
    timed_app.app.local.fault("POST /channels/*/messages/*/threads", 502, after=True)
    await in_thread(room)
    assert 1 == len(room.local.discord.world.threads)


async def test_a_thread_is_archived_a_day_after_its_game_and_a_rematch_reopens_it(
    timed_app: TimedApp, room: Room
) -> None:
    inside = await in_thread(room)
    thread = room.local.channel(inside.channel)
    await begin(inside)
    await timed_app.hours(30)
    assert not thread.archived, "as long as it is played, it stays"
    board = await play(inside)
    await timed_app.hours(23.5)
    assert not thread.archived
    await restart(timed_app)
    await timed_app.hours(1)
    assert (True, False) == (thread.archived, thread.locked)
    lobby = await inside.person("Ben").tap("Rematch", on=board)
    assert (False, thread.name, ("Ana",)) == (thread.archived, lobby.channel, lobby.pinged)
    assert 1 == len(set(timed_app.app.query("SELECT channel_id, parent_id, own_thread, options FROM matches")))
    await timed_app.hours(20)
    assert not thread.archived, "they play again"


async def test_moderators_can_have_threads_archived_after_the_last_message_of_a_game(
    timed_app: TimedApp, room: Room
) -> None:
    eva = moderator(room)
    await choose_setting(eva, "archive", "When the game ends")
    played, called_off = await in_thread(room), await in_thread(room, "Caro")
    await begin(played)
    await play(played)
    caro = called_off.person("Caro")
    await caro.tap("Close the table", on=await caro.slash("table end"))
    threads = [room.local.channel(inside.channel) for inside in (played, called_off)]
    # less than the day after which any thread is archived; no timeout, because the loop's clock is moved as well
    for _ in range(100):
        if not all(thread.archived for thread in threads):
            await timed_app.hours(0.1)
    assert all(thread.archived for thread in threads)


async def test_a_delayed_final_board_does_not_reopen_the_thread(timed_app: TimedApp, room: Room) -> None:
    eva = moderator(room)
    await choose_setting(eva, "archive", "When the game ends")
    inside = await in_thread(room)
    thread = room.local.channel(inside.channel)
    await begin(inside)
    for _ in range(2):
        await play_move(inside.person("Ana"), "sealed bid", coins="3")
        await play_move(inside.person("Ben"), "sealed bid", coins="1")
    await play_move(inside.person("Ana"), "sealed bid", coins="3")
    room.local.fault(f"POST /channels/{thread.id}/messages", 500, times=None)
    await play_move(inside.person("Ben"), "sealed bid", coins="1")
    await timed_app.app.let_pass(150)
    assert not thread.archived, "its last board is still to come"
    room.local.lift(f"POST /channels/{thread.id}/messages")
    await timed_app.app.let_pass(60)
    await inside.onlooker.expect("wins!")
    await timed_app.hours(0.1)
    assert thread.archived


async def test_moderators_can_keep_threads_open(timed_app: TimedApp, room: Room) -> None:
    eva = moderator(room)
    await choose_setting(eva, "archive", "Never")
    inside = await in_thread(room)
    await begin(inside)
    await play(inside)
    await timed_app.hours(25)
    await timed_app.hours(25)
    assert not room.local.channel(inside.channel).archived


@pytest.mark.parametrize("locked", [False, True])
async def test_an_archived_thread_is_reopened_when_needed_unless_locked(
    timed_app: TimedApp, room: Room, locked: bool
) -> None:
    inside = await in_thread(room)
    await timed_app.hours(23.5)
    await inside.onlooker.expect(CLOSES)
    room.local.set_thread(inside.channel, archived=True, locked=locked)
    await timed_app.hours(1.5)
    await timed_app.hours(2)  # it has had the time by now
    if not locked:
        await wait_until_closed(inside, inside.onlooker.messages[0])
    assert locked == room.local.channel(inside.channel).archived
    assert bool(inside.onlooker.messages[0].labels) == locked
    assert [("closed",)] == timed_app.app.query("SELECT status FROM matches")


async def test_deleting_a_channel_or_thread_closes_its_tables_and_notifies_the_hosts(room: Room) -> None:
    await begin(await in_thread(room))
    lobby = await in_thread(room, "Ben")
    room.local.delete_channel(lobby.channel)
    await room.person("Ben").in_dm().expect(f"your **{TITLE}** game was deleted, so the table is closed.")
    room.local.delete_channel(room.channel)
    await room.person("Ana").in_dm().expect("was deleted, so the game was called off; its log is kept.")
    assert 1 == len(room.person("Ana").in_dm().messages), "though the channel and its thread are gone"


async def test_a_thread_deleted_during_downtime_is_detected(timed_app: TimedApp, room: Room) -> None:
    inside = await in_thread(room)
    await timed_app.app.close()
    room.local.delete_channel(inside.channel)
    await timed_app.app.open()
    await asked_once(timed_app.app)
    await timed_app.hours(RECHECK_DELAY.total_seconds() / 3600 + 0.1)
    await room.person("Ana").in_dm().expect("was deleted, so the table is closed.")


# --- abandoned lobbies ---


async def test_a_lobby_closes_after_a_day_and_its_host_is_warned_an_hour_before(
    timed_app: TimedApp, room: Room
) -> None:
    lobby = await lobby_of(room, "Ana", "Ben")
    await timed_app.hours(22.5)
    assert lobby.id == room.onlooker.last.id
    await timed_app.hours(0.6)
    warning = room.onlooker.last
    assert (("Ana",), ["Keep it open"]) == (warning.pinged, warning.labels)
    assert f"{room.person('Ana').mention}, nothing has happened at your **{TITLE}** table since <t:" in warning
    await timed_app.hours(0.9)
    assert room.onlooker.look(lobby).labels
    await timed_app.hours(0.2)
    await wait_until_closed(room, lobby)
    await room.onlooker.until(lambda: [] == room.onlooker.look(warning).labels, what="a warning without a button")
    assert warning.id == room.onlooker.last.id
    assert "more needed" in await room.person("Ben").slash("table new", game=GAME)


# --- lobbies whose message is lost ---


@pytest.mark.parametrize("known", [True, False], ids=["deleted", "never noted"])
@pytest.mark.parametrize(("who", "command"), [("Dan", "table new"), ("Dan", "game join"), ("Ana", "game join")])
async def test_a_lobby_with_a_lost_message_is_posted_again(
    timed_app: TimedApp, room: Room, who: str, command: str, known: bool
) -> None:
    lobby = await lobby_of(room, "Ana")
    if known:
        room.local.delete_message(lobby)
    else:
        await timed_app.app.close()  # a running bot could have read the table already
        await timed_app.app.change("UPDATE matches SET lobby_message_id = NULL")
        await timed_app.app.open()
    person = room.person(who)
    typed = {"game": GAME} if command == "table new" else {}
    await person.slash(command, **typed)
    screen = await room.onlooker.expect("The message of this table was lost")
    await person.slash(command, **typed)
    await room.person("Ben").tap("Join", on=screen)
    lobbies = {seen.id for seen in room.onlooker.messages if "Join" in seen.labels}
    assert ({screen.id}, [(1,)]) == (lobbies - {lobby.id}, timed_app.app.query("SELECT count(*) FROM matches"))


async def test_an_existing_lobby_is_not_posted_twice(room: Room) -> None:
    lobby = await lobby_of(room, "Ana")
    assert "already has a game" in await room.person("Ben").slash("table new", game=GAME)
    assert "There’s already a" in await room.person("Ana").slash("table new", game=GAME)
    assert "already at this table" in await room.person("Ana").slash("game join")
    await room.person("Ben").slash("game join")
    await room.onlooker.until(lambda: room.person("Ben").mention in room.onlooker.look(lobby), what="Ben to be shown")
    assert 1 == len(room.onlooker.messages)


ENDINGS = {
    "table start": "The game has begun.",
    "table end": "called off before it began",
    "game leave": "Everyone has left",
}


@pytest.mark.parametrize("act", ENDINGS)
async def test_a_closed_lobby_is_updated_despite_an_outage_and_a_restart(
    timed_app: TimedApp, room: Room, act: str
) -> None:
    lobby = await lobby_of(room, "Ana")
    await room.person("Ana").tap("Add computer")
    down = timed_app.app.local.fault(
        f"PATCH /channels/{room.local.channel(room.channel).id}/messages/*", 503, times=None
    )
    page = await room.person("Ana").slash(act)
    if act == "table end":
        await room.person("Ana").tap("Close the table", on=page)
    await timed_app.app.local.wait_for_fault(down)
    await restart(timed_app)
    await timed_app.hours(0.1)
    assert room.onlooker.look(lobby).labels, "Discord is still down"
    timed_app.app.local.lift(down.route)
    await timed_app.hours(0.1)
    await room.onlooker.until(lambda: ENDINGS[act] in room.onlooker.look(lobby), what=ENDINGS[act])
    assert ([], []) == (room.onlooker.look(lobby).labels, closing_jobs(timed_app))


async def test_a_lobby_already_marked_as_closed_is_not_edited_again(timed_app: TimedApp, room: Room) -> None:
    await lobby_of(room, "Ana", "Ben")
    await start_game(*room.people("Ana", "Ben"))
    await room.onlooker.expect(BOARD)
    await restart(timed_app)  # before it, all is brought to its end
    assert [] == closing_jobs(timed_app)


def closing_jobs(timed_app: TimedApp) -> list[object]:
    return timed_app.app.query("SELECT * FROM jobs WHERE kind = 'lobby message'")


async def test_a_seated_player_or_any_change_keeps_a_table_open(timed_app: TimedApp, room: Room) -> None:
    await lobby_of(room, "Ana", "Ben")
    await timed_app.hours(23.5)
    warning = room.onlooker.last
    assert "haven’t joined this table" in await room.person("Dan").tap("Keep it open", on=warning)
    response = await room.person("Ben").tap("Keep it open", on=warning)
    assert (warning.id, []) == (response.id, response.labels)
    await room.person("Ben").tap("Keep it open", on=warning)
    for _ in range(2):
        await timed_app.hours(22)
        await tap_more(room.person("Ana"), "Shuffle seats")
    assert 0 == len([seen for seen in room.onlooker.messages if CLOSES in seen])


async def test_after_a_long_downtime_the_host_still_gets_an_hour_and_a_kill_duplicates_nothing(
    timed_app: TimedApp, room: Room
) -> None:
    lobby = await lobby_of(room, "Ana", "Ben")
    await timed_app.app.close()
    before = timed_app.app.query("SELECT * FROM jobs")
    await timed_app.app.open()
    await timed_app.hours(100)
    assert CLOSES in room.onlooker.last
    await timed_app.app.close()  # as if it had been killed before the warning was noted
    await timed_app.app.change("DELETE FROM jobs")
    for row in before:
        await timed_app.app.change("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *row)
    await timed_app.app.open()
    await timed_app.hours(0)
    assert 1 == sum(CLOSES in seen for seen in room.onlooker.messages)
    assert room.onlooker.look(lobby).labels
    await timed_app.hours(1.1)
    await wait_until_closed(room, lobby)


async def test_a_table_closes_even_if_its_host_cannot_be_warned(timed_app: TimedApp, room: Room) -> None:
    await lobby_of(room, "Ana")
    room.local.forbid(room.channel, "SEND_MESSAGES")
    await timed_app.hours(23.5)
    await timed_app.hours(1.1)
    assert [("closed",)] == timed_app.app.query("SELECT status FROM matches")
