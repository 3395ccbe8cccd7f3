"""The doctor tells the truth: of servers that are away, time-outs, running games, voice channels and refused boards."""

from __future__ import annotations

import pytest

from playground.permissions import Permission
from playground.world import ChannelKind
from tests.bot.app import App
from tests.bot.moderating import GAME, begin, moderator, open_server_settings
from tests.rooms import Room, play_move

AWAY = "Discord isn’t showing me this server at the moment"
TIMED_OUT = "A moderator has **timed me out** until <t:"


async def without_its_server(app: App) -> None:
    """Start the bot anew; READY names the server, and Discord does not send it."""
    await app.close()
    app.local.guilds.withhold()
    await app.open()
    await app.breathe()


async def test_an_unavailable_server_is_reported_and_tables_can_still_be_opened(app: App) -> None:
    room = app.room()
    eva = moderator(room)
    await without_its_server(app)
    assert "1 more needed" in await room.person("Ana").slash("table new", game=GAME)
    for command in ("server games", "server doctor", "server settings"):
        assert AWAY in await eva.slash(command), command
    app.local.guilds.deliver()
    await app.let_pass(5)
    assert "Games in this server" in await eva.slash("server games")
    assert "Everything looks good" in await eva.slash("server doctor")


@pytest.mark.parametrize("how", ["not sent", "outage"])
async def test_channel_and_role_rules_of_an_unavailable_server_use_the_interaction(app: App, how: str) -> None:
    room, other = app.room(), app.room()
    role = app.local.add_role("Players")
    app.local.give_role("Ana", "Players")
    eva = moderator(room)
    await eva.choose(room.channel, on=await eva.slash("server settings"), menu=0)
    await eva.choose("Players", on=await eva.slash("server settings"), menu=1)
    if how == "not sent":
        await without_its_server(app)
    else:
        # the gateway tells of the outage, and interactions still come
        app.local.gateway.dispatch("GUILD_DELETE", {"id": str(app.local.discord.world.guild_id), "unavailable": True})
        await app.let_pass(5)
    ana, ben = room.people("Ana", "Ben")
    place = app.local.channel(room.channel).id
    assert f"Here, games are played in <#{place}>." in await other.person("Ana").slash("table new", game=GAME)
    assert f"Only <@&{role.id}> can start games here." in await ben.slash("table new", game=GAME)
    assert "1 more needed" in await ana.slash("table new", game=GAME)


async def test_a_missing_permission_is_named_while_the_server_is_away(app: App) -> None:
    room = app.room()
    app.local.forbid(room.channel, "ATTACH_FILES")
    await without_its_server(app)
    answer = await room.person("Ana").slash("table new", game=GAME)
    assert "**Attach Files**, for the pictures of the boards.\n  Grant it under Server Settings › Roles" in answer
    assert "Send Messages" not in answer


async def test_a_timeout_of_the_bot_is_reported_with_its_end_and_its_remedy(app: App) -> None:
    room = app.room()
    eva, ana = moderator(room), room.person("Ana")
    app.local.guilds.time_out("Caravanserai", 3600)
    await app.let_pass(5)
    for answer in (
        await ana.slash("table new", game=GAME),
        await eva.slash("server doctor"),
        await eva.tap("Check this channel", on=await open_server_settings(eva, "log")),
    ):
        assert (1, True) == (answer.text.count(TIMED_OUT), "**Timeout Members** can lift it" in answer)
        assert not any(words in answer for words in ("Everything looks good", "Grant it", "attention")), answer.text
    app.local.guilds.time_out("Caravanserai", 0)
    await app.let_pass(5)
    assert "### Everything looks good" in await eva.slash("server doctor")


async def test_a_pending_board_is_posted_when_a_timeout_ends(app: App) -> None:
    room = app.room()
    board = await room.first_turn("Ana", "Ben", "Caro")
    app.local.guilds.time_out("Caravanserai", 3600)
    await app.let_pass(5)
    ana = room.person("Ana")
    (_, market), *_ = await ana.suggest("muscat place", "market")
    await play_move(ana, "muscat place", market=market)
    await app.let_pass(5)
    app.local.guilds.time_out("Caravanserai", 0)
    await room.board(after=board)


async def test_administrators_are_never_timed_out(app: App) -> None:
    room = app.room()
    eva = moderator(room)
    app.local.add_role("Helper", "ADMINISTRATOR")
    app.local.give_role("Caravanserai", "Helper")
    app.local.guilds.time_out("Caravanserai", 3600)
    await app.let_pass(5)
    assert "Everything looks good" in await eva.slash("server doctor")


async def test_permissions_from_the_interaction_override_computed_ones(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = app.room()
    eva, world = moderator(room), app.local.discord.world
    real = type(world).permissions

    def less(self: object, user: object, channel: object) -> Permission:
        granted = real(self, user, channel)
        return granted & ~Permission.ATTACH_FILES if user.bot else granted

    monkeypatch.setattr(type(world), "permissions", less)
    answer = await eva.slash("server doctor")
    assert ("Everything looks good" in answer, "**Attach Files**" in answer) == (False, True)


@pytest.mark.parametrize("how", ["hidden", "gone", "a hidden thread"])
async def test_the_doctor_checks_the_channel_of_a_running_game_even_where_none_could_start(app: App, how: str) -> None:
    desk, room = app.room(), app.room()
    eva = moderator(desk)
    if "thread" in how:
        await room.person("Ana").slash("table new", game=GAME, where="thread")
        while not app.query("SELECT 1 FROM matches"):
            await app.let_pass(1)
        channel_id = app.local.discord.world.threads[0].id
    else:
        await begin(room, "Ana", "Ben")
        channel_id = app.local.channel(room.channel).id
    assert "### Everything looks good" in await eva.slash("server doctor")
    if how == "gone":
        await app.close()
        app.local.delete_channel(room.channel)
        await app.open()
    else:
        app.local.forbid(room.channel, "VIEW_CHANNEL")
        await app.let_pass(5)
    answer = await eva.slash("server doctor")
    assert "1 of " in answer
    why = "The channel of this game is gone." if how == "gone" else "**View Channel**, to see it: the permissions of"
    assert f"**<#{channel_id}>** – a game is played here\n* {why}" in answer


@pytest.mark.parametrize("kind", [ChannelKind.VOICE, ChannelKind.STAGE])
async def test_a_voice_channel_chat_requires_connect(app: App, kind: ChannelKind) -> None:
    lounge = app.local.add_channel("lounge", kind=kind)
    await app.let_pass(5)
    room = Room(app.local, lounge.name)
    eva, ana = moderator(app.room()), room.person("Ana")
    assert "Everything looks good" in await eva.slash("server doctor")
    app.local.forbid("lounge", "CONNECT")
    await app.let_pass(5)
    for answer in (await ana.slash("table new", game=GAME), await eva.slash("server doctor")):
        assert "**Connect**, to write in the chat of a voice channel: the permissions of" in answer
    app.local.permit("lounge", "CONNECT")
    await app.let_pass(5)
    assert "1 more needed" in await ana.slash("table new", game=GAME)


@pytest.mark.usefixtures("no_previews")
async def test_a_player_whose_board_is_refused_reads_the_permission_the_place_and_the_reason(app: App) -> None:
    room = app.room()
    room.let_boards_be_posted()
    await room.game("Ana", "Ben", "Caro")
    app.local.forbid(room.channel, "SEND_MESSAGES", role="@everyone")
    await app.let_pass(5)
    answer = await room.person("Ana").slash("muscat place", market="A")
    place = f"<#{app.local.channel(room.channel).id}>"
    assert f"But I can’t post the board in {place}. What is missing:" in answer
    assert f"* **Send Messages**, to post boards and mention people: the permissions of {place} deny it to" in answer
    assert f"Grant it under {place} › Edit Channel › Permissions › " in answer
