"""Moderators manage the games of their server, in any state."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.features.moderation.games_overview import former_members
from playground.permissions import Permission
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.forging import forge, forge_row
from tests.bot.moderating import GAME, begin, moderator, open_server_settings, thread_of
from tests.robots import BOARD
from tests.rooms import Room, choose_first, play_move

WHY = "Why?"


async def look_after(room: Room, title: str) -> Seen:
    """Open the page of a game, from another channel than its own."""
    eva = moderator(room)
    listed = await eva.slash("server games")
    row = next(option for option in listed.menus[0].options if title in option.label)
    return await eva.choose(row.label, on=listed)


async def end(eva: Player, page: Seen, why: str = "") -> Seen:
    await eva.tap("End it…", on=page)
    return await eva.submit({WHY: why})


async def deleted_unseen(app: App, room: Room) -> None:
    """A channel is deleted while the bot is away."""
    await app.close()
    app.local.delete_channel(room.channel)
    await app.open()


def status(app: App) -> list[str]:
    return [status for (status,) in app.query("SELECT status FROM matches ORDER BY id")]


def table_events(app: App) -> list[tuple[object, ...]]:
    return app.query("SELECT kind, seat, user_id, words FROM table_events ORDER BY id")


async def test_the_server_list_shows_all_open_games_with_due_players_and_problems(app: App) -> None:
    desk, well, gathering, ill, gone = (app.room() for _ in range(5))
    assert "There’s no game in this server" in await moderator(desk).slash("server games")
    await begin(well, "Ana", "Ben", "Caro", game="muscat")
    await gathering.person("Dan").slash("table new", game=GAME)
    await begin(ill, "Ana", "Ben", game="lay")
    await begin(gone, "Ana", "Dan", game="garden")
    app.local.forbid(ill.channel, "ATTACH_FILES")
    await deleted_unseen(app, gone)
    page = await moderator(desk).slash("server games")
    heading, *lines = page.text.splitlines()
    assert (True, "### Games in this server") == (page.ephemeral, heading)
    assert ["Lay", "Gar", "Mus", "Sea"] == [line[3:6] for line in lines if line.startswith("**[")]
    assert ["⚠️ I’m missing **Attach Files** in its channel.", "⚠️ Its channel is gone."] == [
        line for line in lines if line.startswith("⚠️")
    ]
    assert "Waiting for players; it hasn’t begun." in lines
    assert any(line.startswith(f"It’s 🔴 {well.person('Ana').mention}’s turn. Asked <t:") for line in lines)
    app.local.permit(ill.channel, "ATTACH_FILES")
    assert "Attach Files" not in await moderator(desk).slash("server games")


async def test_a_moderator_ends_a_game_with_a_public_reason(app: App) -> None:
    desk, room = app.room(), app.room()
    board = await begin(room, "Ana", "Ben", "Caro", game="muscat")
    eva, page = moderator(desk), await look_after(desk, "Muscat")
    assert "Done." in await end(eva, page, "It is *late*.")
    message = await room.onlooker.expect(f"**Muscat** was called off by {eva.mention}.\n> It is \\*late\\*.")
    assert () == message.pinged
    await room.onlooker.until(lambda: [] == room.onlooker.look(board).labels, what="the board to lose its buttons")
    assert (["ended"], [("closed", None, eva.id, "It is *late*.")]) == (status(app), table_events(app))
    assert f"{eva.mention} called the game off: “It is \\*late\\*.”" in await room.person("Ana").slash("game log")
    assert "was called off" in await eva.tap("Unstick", on=page), "an old page does nothing"
    assert 1 == len(table_events(app))
    await room.person("Dan").slash("table new", game=GAME)
    games = await eva.slash("server games")
    assert (1, False) == (games.text.count("**["), "newer game" in games), "games that are over are not counted"


async def test_two_simultaneous_ends_end_a_game_once(app: App) -> None:
    desk, room = app.room(), app.room()
    await begin(room, "Ana", "Ben", "Caro", game="muscat")
    await look_after(desk, "Muscat")
    page, eva, ana = await look_after(desk, "Muscat"), moderator(desk), room.person("Ana")
    form = await ana.slash("table end")
    await eva.tap("End it…", on=page)
    answers = await asyncio.gather(eva.submit({WHY: ""}), ana.tap("End it", on=form))
    assert [False, True] == sorted("This game was called off." in answer for answer in answers)
    assert 1 == sum("was called off by" in seen for seen in room.onlooker.messages) == len(table_events(app))


async def test_the_host_can_give_a_reason_for_ending_a_game(app: App) -> None:
    room = app.room()
    await begin(room, "Ana", "Ben")
    ana = room.person("Ana")
    form = await ana.slash("table end")
    assert ["End it", "End it and say why", "Cancel"] == form.labels
    await ana.tap("End it and say why", on=form)
    await ana.submit({WHY: "Off to bed"})
    await room.onlooker.expect(f"was called off by {ana.mention}.\n> Off to bed")
    assert [("closed", None, ana.id, "Off to bed")] == table_events(app)


DAMAGES = {
    "a damaged record": "DELETE FROM entries WHERE n = 0",
    "an unknown game": "UPDATE matches SET game = 'gone'",
    "options of no game": "UPDATE matches SET options = '[]'",
}


@pytest.mark.parametrize("damage", DAMAGES)
async def test_an_unreadable_game_is_reported_and_can_be_ended(app: App, damage: str) -> None:
    desk, room = app.room(), app.room()
    await begin(room, "Ana", "Ben", "Caro", game="muscat")
    await app.close()
    app.query(DAMAGES[damage])
    app.local.allow("bot log: bot.tables.tables")
    await app.open()
    page = await look_after(desk, "⚠️")
    assert (["Unstick", "End it…", "All games"], True) == (page.labels, "It can’t continue." in page)
    assert room.person("Ana").mention in page
    assert "All you can do is end it." in await moderator(desk).tap("Unstick", on=page)
    assert "Done." in await end(moderator(desk), page, "broken")
    await room.onlooker.expect("> broken")
    assert ["ended"] == status(app)
    assert ["unstuck", "closed"] == [kind for kind, *_ in table_events(app)]
    assert "" == await _set(room)


async def _set(room: Room) -> str:
    """Set a new table. Returns why that is not possible."""
    answer = await room.person("Ana").slash("table new", game=GAME)
    return answer.text if answer.ephemeral else ""


@pytest.mark.parametrize("how", ["gone", "hidden", "a locked thread"])
async def test_a_game_in_an_unreachable_channel_can_be_ended(app: App, how: str) -> None:
    desk, room = app.room(), app.room()
    room = thread_of(app, room) if "thread" in how else room
    await begin(room, "Ana", "Ben", "Caro", game="muscat")
    if how == "gone":
        await deleted_unseen(app, room)
    elif how == "hidden":
        app.local.forbid(room.channel, "VIEW_CHANNEL")
    else:
        app.local.set_thread(room.channel, archived=True, locked=True)
        role = app.local.discord.world.role_named("Caravanserai")
        app.local.discord.change_role(role, role.permissions & ~Permission.MANAGE_THREADS)
    page = await look_after(desk, "Muscat")
    problem = {"gone": "Its channel is gone.", "hidden": "**View Channel**, to see it", "a locked thread": "is locked"}
    assert f"⚠️ {problem[how]}" in page.text.replace("This thread is", "is")
    if how != "gone":  # such a game is closed as soon as something is to be posted there
        assert "can’t be posted in its channel" in await moderator(desk).tap("Unstick", on=page)
    assert "I couldn’t announce it in its channel" in await end(moderator(desk), page, "closed")
    assert ["ended"] == status(app)


async def test_unsticking_drops_drafts_and_undo_requests_and_reposts_the_board(app: App) -> None:
    desk, room = app.room(), app.room()
    board = await room.first_turn("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    step = await ana.tap("Your move", on=board)
    await choose_first(ana, step)
    assert 1 == len(app.query("SELECT 1 FROM drafts"))
    entries = app.query("SELECT * FROM entries")
    page = await look_after(desk, "Muscat")
    await app.change("INSERT INTO undo_requests (match_id, seat, version, agreed) VALUES (1, 0, 3, '[]')")
    assert "Reloaded and posted again" in await moderator(desk).tap("Unstick", on=page)
    again = await room.board(after=board)
    assert ((), board.labels) == (again.pinged, again.labels), "no ping: no player asked for the board"
    assert entries == app.query("SELECT * FROM entries")
    assert [] == app.query("SELECT 1 FROM drafts") == app.query("SELECT 1 FROM undo_requests")
    assert [("unstuck", None, moderator(desk).id, "")] == table_events(app)
    assert "a moderator, unstuck the game" in await ana.slash("game log")
    await app.close()
    await app.open()
    await moderator(desk).tap("Unstick", on=page)
    await room.board(after=again)


async def test_unsticking_reposts_a_deleted_board(app: App) -> None:
    desk, room = app.room(), app.room()
    board = await begin(room, "Ana", "Ben", "Caro", game="muscat")
    app.local.delete_message(board)
    await moderator(desk).tap("Unstick", on=await look_after(desk, "Muscat"))
    assert board.labels == (await room.onlooker.expect(BOARD, after=board)).labels


async def test_a_refused_board_shows_its_error_and_unsticking_posts_it_once_possible(app: App) -> None:
    desk, room = app.room(), app.room()
    room.let_boards_be_posted()
    board = await begin(room, "Ana", "Ben", "Caro", game="muscat")
    fault = app.local.fault("POST /channels/*/messages", 503, times=None)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await app.local.wait_for_fault(fault)
    page = await look_after(desk, "Muscat")
    assert "⚠️ Its board can’t be posted. Discord says: 503" in page
    assert "can’t be posted" in await moderator(desk).tap("Unstick", on=page)
    app.local.lift("POST /channels/*/messages")
    assert "posted again" in await moderator(desk).tap("Unstick", on=page)
    assert ("Ben",) == (await room.board(after=board)).pinged, "Ben had not been called yet"


async def test_unsticking_reposts_a_lobby(app: App) -> None:
    desk, room = app.room(), app.room()
    lobby = await room.person("Ana").slash("table new", game=GAME)
    assert "posted again" in await moderator(desk).tap("Unstick", on=await look_after(desk, "Sealed"))
    await room.onlooker.until(lambda: [] == room.onlooker.look(lobby).labels, what="the old one to fade")
    joined = await room.person("Ben").tap("Join")
    assert joined.id > lobby.id
    assert "Done." in await end(moderator(desk), await look_after(desk, "Sealed"))
    await room.onlooker.until(lambda: [] == room.onlooker.look(joined).labels, what="the table to be closed")
    assert ["closed"] == status(app)


async def test_a_computer_takes_over_the_seat_of_a_player_who_left_the_server(app: App) -> None:
    desk, room = app.room(), app.room()
    board = await begin(room, "Ana", "Ben", "Caro", game="muscat")
    eva, (ana, ben) = moderator(desk), room.people("Ana", "Ben")
    app.local.leave("Ana")
    page = await look_after(desk, "Muscat")
    assert f"⚠️ {ana.mention} has left the server." in page
    assert ["🔴 Ana – has left the server", "🟦 Ben", "🟨 Caro"] == [o.label for o in page.menus[0].options]
    question = await eva.choose("🔴 Ana – has left the server", on=page)
    assert page.text == (await eva.tap("Back to the game", on=question)).text
    assert "✓ A computer has taken over the seat." in await eva.tap("Hand it over", on=question)
    await room.onlooker.expect("has given 🔴")
    assert ("Ben",) == (await room.board(after=board)).pinged
    assert "no longer in this game" in await eva.tap("Hand it over", on=question), "a double tap does nothing"
    assert [("replaced", 0, eva.id, "")] == table_events(app)
    assert "a moderator, gave 🔴 Red’s seat" in await ben.slash("game log")
    assert [(ben.id,)] == app.query("SELECT host_id FROM matches")


@pytest.mark.parametrize(
    ("members", "expected"),
    [({1: "Ana", 2: "Ben"}, set()), ({2: "Ben"}, {1}), ({}, {1, 2}), (OSError("an outage"), set())],
)
async def test_only_members_confirmed_absent_by_discord_have_left_a_server(
    members: dict[int, str] | OSError, expected: set[int]
) -> None:
    async def names(guild: object, user_ids: object, *, asked_by: int, anew: bool) -> dict[int, str]:
        assert ((1, 2), 9, True) == (user_ids, asked_by, anew), "nothing is taken from memory"
        if isinstance(members, OSError):
            raise members
        return members

    directory = cast(Any, SimpleNamespace(names=names))
    assert expected == await former_members(directory, cast(Any, None), (1, 2), asked_by=9)


async def test_replacing_the_last_player_closes_the_game(app: App) -> None:
    desk, room = app.room(), app.room()
    await room.game("Ana", computers=2)
    eva = moderator(desk)
    page = await look_after(desk, "Muscat")
    question = await eva.choose("🔴 Ana", on=page)
    assert "No other person is left in this game" in question
    assert "✓" in await eva.tap("Hand it over", on=question)
    await room.onlooker.expect("it is closed")
    assert ["ended"] == status(app)


async def test_games_of_other_servers_and_forged_choices_are_refused(app: App) -> None:
    desk, room = app.room(), app.room()
    ana = room.person("Ana").in_dm()
    await ana.slash("game learn", game="muscat")
    await ana.expect(BOARD)
    await begin(room, "Ana", "Ben")
    eva = moderator(desk)
    page = await look_after(desk, "Sealed")
    assert ["Sealed"] == [option.label[:6] for option in (await eva.slash("server games")).menus[0].options]
    for value in ("1", "99", "x", "²", "9" * 30):
        assert "find that game here anymore" in await forge_row(app, eva, page, "cm:ofserver:0:0:", value)
    for match_id in (1, 99):
        for kind in ("again", "calloff", "calledoff", "unstick", "handover"):
            button = {"type": 2, "style": 2, "label": "x", "custom_id": f"cv:{kind}:{match_id}:0:{ana.id}"}
            assert "find that game here anymore" in await forge(app, eva, page, button), kind
    for user in ("1", "x", "²", "9" * 30):
        assert "no longer in this game" in await forge_row(app, eva, page, "cm:handing:2:0:", user)
        button = {"type": 2, "style": 2, "label": "x", "custom_id": f"cv:handover:2:0:{user}"}
        refusal = "no longer in this game" if user == "1" else "no longer works"
        assert refusal in await forge(app, eva, page, button)
    assert (["running", "running"], []) == (status(app), table_events(app))


async def test_the_doctor_lists_only_channels_with_problems_and_their_causes(app: App) -> None:
    local, desk, ill = app.local, app.room(), app.room()
    eva = moderator(desk)
    assert "### Everything looks good" in await eva.slash("server doctor")
    local.forbid(ill.channel, "ATTACH_FILES", role="@everyone")
    local.forbid(desk.channel, "CREATE_PUBLIC_THREADS")
    answer = await eva.slash("server doctor")
    places = {room: f"<#{local.channel(room.channel).id}>" for room in (desk, ill)}
    assert f"**{places[ill]}**\n* **Attach Files**, for the pictures of the boards: the permissions of" in answer
    assert f"-# I can’t open threads for games in {places[desk]}:" in answer
    local.forbid(ill.channel, "VIEW_CHANNEL")
    assert places[ill] not in await eva.slash("server doctor"), "where it is kept out of, no games are wanted"
    await eva.choose(ill.channel, on=await eva.slash("server settings"), menu=0)
    chosen = await eva.slash("server doctor")
    assert ("View Channel" in chosen, "### 1 of 1 channel needs attention" in chosen) == (True, True)
    page = await open_server_settings(eva, "log")
    assert "Everything looks good" in await eva.tap("Check this channel", on=page)
    local.forbid(desk.channel, "SEND_MESSAGES")
    assert "**Send Messages**" in await eva.tap("Check this channel", on=page)


async def test_the_doctor_checks_each_channel_of_the_chosen_categories_once(app: App) -> None:
    local, desk, category = app.local, app.room(), app.local.add_category("Fun")
    for name in ("fun-1", "fun-2"):
        local.add_channel(name, category=category)
    eva = moderator(desk)
    for chosen, channels in ((("Fun",), 2), (("Fun", "fun-1"), 2), (("Fun", desk.channel), 3), ((desk.channel,), 1)):
        await eva.choose(*chosen, on=await eva.slash("server settings"), menu=0)
        count = f"I checked {channels} channel{'s' if channels > 1 else ''}."
        assert f"### Everything looks good\n{count}" in await eva.slash("server doctor")
    await eva.choose("Fun", on=await eva.slash("server settings"), menu=0)
    local.forbid("fun-2", "ATTACH_FILES", role="@everyone")
    assert "### 1 of 2 channels needs attention" in await eva.slash("server doctor")


async def test_a_new_table_reports_whether_a_role_or_the_channel_denies_a_permission(app: App) -> None:
    local, room = app.local, app.room()
    world, ana = local.discord.world, room.person("Ana")
    local.forbid(room.channel, "ATTACH_FILES", role="Caravanserai")
    for name in ("@everyone", "Caravanserai"):
        role = world.role_named(name)
        local.discord.change_role(role, role.permissions & ~Permission.SEND_MESSAGES)
    answer = await ana.slash("table new", game=GAME)
    place = f"<#{local.channel(room.channel).id}>"
    assert answer.text.splitlines() == [
        f"**I can’t run a game in {place} yet.** What is missing:",
        "* **Send Messages**, to post boards and mention people: none of my roles has it.",
        "  Grant it under Server Settings › Roles › **Caravanserai** › Permissions.",
        f"* **Attach Files**, for the pictures of the boards: the permissions of {place} deny it to **Caravanserai**.",
        f"  Grant it under {place} › Edit Channel › Permissions › **Caravanserai**.",
    ]
    local.add_role("Helper", "ADMINISTRATOR")
    local.give_role("Caravanserai", "Helper")
    assert "1 more needed" in await ana.slash("table new", game=GAME)
