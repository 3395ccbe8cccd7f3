"""What moderators lay down for their server, and where it bites."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.tables import guild_settings
from playground.options import CannotDo
from playground.player import Seen
from playground.world import Channel
from tests.bot.app import App
from tests.bot.forging import forge, forge_row
from tests.bot.moderating import GAME, begin, moderator, more_settings, thread_of
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, play_move, start_game

PLACES, ROLES, NUMBER, HOSTED, PACE, CALLS = range(6)
ARCHIVE, CONTRAST, LOG = range(3)
"""The menus of the page, and of the one behind *More settings*."""
DAILY = "Daily: 24 hours per turn plus 2 days to spare; after that, the others decide"
QUIET = "Write names only, without a ping"


async def lay_down(room: Room, menu: int, *entries: str) -> Seen:
    """Choose something on the page. Returns it as it is then."""
    eva = moderator(room)
    return await eva.choose(*entries, on=await eva.slash("server settings"), menu=menu)


def chosen(page: Seen) -> list[object]:
    return [*(menu.chosen for menu in page.menus[:NUMBER]), *labels(page)]


def labels(page: Seen) -> list[str]:
    """What is chosen in menus of fixed values."""
    return [option.label for menu in page.menus for option in menu.options if option.chosen]


def threads_of(room: Room) -> list[Channel]:
    parent = room.local.channel(room.channel)
    return [thread for thread in room.local.discord.world.threads if thread.parent_id == parent.id]


async def may_start(room: Room, name: str = "Ana") -> str:
    """Let a user set up a table and leave it again. Returns the refusal if they may not, else nothing."""
    person = room.person(name)
    answer = await person.slash("table new", game=GAME)
    if answer.ephemeral:
        return answer.text
    await person.slash("game leave")
    return ""


async def test_the_page_is_for_moderators_and_says_what_is_chosen(app: App) -> None:
    room, role = app.room(), app.local.add_role("Players")
    page = await moderator(room).slash("server settings")
    usual = [(), (), "25 games at a time", "5 games for each host", DAILY, "Mention people"]
    assert (True, usual) == (page.ephemeral, chosen(page))
    await lay_down(room, PLACES, room.channel)
    await lay_down(room, ROLES, "Players")
    await lay_down(room, NUMBER, "3 games at a time")
    await lay_down(room, HOSTED, "Any number of games for each host")
    changed = await lay_down(room, CALLS, QUIET)
    place = str(app.local.channel(room.channel).id)
    laid_down = [(place,), (str(role.id),), "3 games at a time", "Any number of games for each host", DAILY, QUIET]
    assert laid_down == chosen(changed)
    await app.close()
    await app.open()
    assert laid_down == chosen(await moderator(room).slash("server settings"))
    nothing = await moderator(room).choose(on=page, menu=PLACES)
    assert ((), laid_down[1:]) == (chosen(nothing)[0], chosen(nothing)[1:]), "an old page works"


async def test_what_is_seldom_changed_is_on_a_second_page(app: App) -> None:
    room = app.room()
    eva, place = moderator(room), str(app.local.channel(room.channel).id)
    page = await more_settings(eva)
    chosen = ["A day after the game", "New tables are rated", "This server’s language on Discord", "No events"]
    assert (True, chosen, ()) == (page.ephemeral, labels(page), page.menus[LOG].chosen)
    page = await eva.choose("Never", on=page, menu=ARCHIVE)
    page = await eva.choose(room.channel, on=page, menu=CONTRAST)
    page = await eva.choose(room.channel, on=page, menu=LOG)
    assert ("Never", (place,), (place,)) == (labels(page)[0], page.menus[CONTRAST].chosen, page.menus[LOG].chosen)
    assert "### Games in this server" in await eva.tap("Back", on=page)
    await app.close()
    await app.open()
    assert page.menus == (await more_settings(eva)).menus


async def test_nobody_else_finds_the_command_or_uses_the_page(app: App) -> None:
    room = app.room()
    page, ana = await moderator(room).slash("server settings"), room.person("Ana")
    for command in ("settings", "games", "doctor"):
        with pytest.raises(CannotDo, match="not for you"):
            await ana.slash(f"server {command}")
        with pytest.raises(CannotDo, match="cannot be used"):
            await ana.in_dm().slash(f"server {command}")
    settings = await ana.slash("me settings")
    for custom_id in ("cm:custom:0:0:calls", "cm:ofserver:0:0:"):
        assert "**Manage Server**" in await forge_row(app, ana, settings, custom_id, "no")
    for kind in (
        "moreserver",
        "checkhere",
        "checkall",
        "games",
        "again",
        "calloff",
        "calledoff",
        "unstick",
        "handover",
    ):
        control = {"type": 2, "style": 2, "label": "x", "custom_id": f"cv:{kind}:1:0:1"}
        for person in (ana, ana.in_dm()):
            on = settings if person is ana else await person.slash("me settings")
            assert "**Manage Server**" in await forge(app, person, on, control), kind
    assert chosen(page) == chosen(await moderator(room).slash("server settings"))


NO_ROWS: tuple[tuple[str, list[str]], ...] = (
    ("channels", ["12"]),
    ("channels", ["x"]),
    ("channels", [str(n) for n in range(26)]),
    ("roles", ["12"]),
    ("roles", ["²"]),
    ("most", ["4"]),
    ("most", []),
    ("hosted", ["4"]),
    ("calls", ["perhaps"]),
    ("archive", ["night"]),
    ("log", ["12"]),
    ("log", ["x"]),
    ("fly", ["no"]),
    ("", []),
)


async def test_what_no_menu_offers_is_refused(app: App) -> None:
    room = app.room()
    await lay_down(room, PLACES, room.channel)
    await lay_down(room, ROLES, "Moderators")
    before = await lay_down(room, NUMBER, "5 games at a time")
    category, places = app.local.add_category("Fun"), [str(app.local.channel(app.room().channel).id) for _ in range(2)]
    for name, values in (*NO_ROWS, ("log", [str(category.id)]), ("log", places)):
        answer = await forge_row(app, moderator(room), before, f"cm:custom:0:0:{name}", *values)
        assert (True, False) == (answer.ephemeral, "wrong on my end" in answer), (name, values)
        assert chosen(before) == chosen(await moderator(room).slash("server settings")), (name, values)


async def test_games_are_started_in_the_chosen_channels_their_threads_and_categories_only(app: App) -> None:
    games, other, category = app.room(), app.room(), app.local.add_category("Fun")
    within = Room(app.local, app.local.add_channel("fun-1", category=category).name)
    await begin(other, "Ana", "Ben")
    await lay_down(other, PLACES, games.channel, "Fun")
    refusal = f"Here, games are played in <#{app.local.channel(games.channel).id}> and **Fun**."
    assert refusal == await may_start(app.room())
    assert refusal == await may_start(thread_of(app, other))
    for room in (games, thread_of(app, games), within, thread_of(app, within)):
        assert "" == await may_start(room)
    assert "" == await may_start(app.room(), "Eva"), "a moderator may start anywhere"
    assert "### Bid" in await other.person("Ana").tap("Your move"), "a game that runs goes on"
    app.local.delete_channel(games.channel)
    app.local.discord.close_channel(category)
    assert "are gone. A moderator can choose others" in await may_start(app.room())
    assert "only moderators can start games" in await moderator(other).slash("server settings")


async def test_learning_rematch_and_start_ask_as_well(app: App) -> None:
    games, other, set_before = app.room(), app.room(), app.room()
    ana = other.person("Ana")
    await ana.slash("table new", game=GAME)
    await ana.choose("rounds: 1", on=await ana.slash("table options"))
    await other.person("Ben").tap("Join")
    await start_game(*other.people("Ana", "Ben"))
    for name in ("Ana", "Ben"):
        await play_move(other.person(name), "sealed bid", coins="3")
    end = await other.onlooker.expect("win")
    lobby = await set_before.person("Ana").slash("table new", game=GAME)
    await set_before.person("Ben").tap("Join")
    await lay_down(games, PLACES, games.channel)
    answers = (
        await ana.slash("game learn", game=GAME),
        await ana.tap("Rematch", on=end),
        await set_before.person("Ana").tap("Start"),
    )
    for answer in answers:
        assert (True, True) == (answer.ephemeral, "games are played in" in answer), answer
    assert [] == app.query("SELECT 1 FROM matches WHERE status = 'running'")
    await lay_down(games, PLACES)
    await start_game(*set_before.people("Ana", "Ben"))
    await set_before.onlooker.expect(BOARD, after=lobby)


async def test_games_are_started_by_the_chosen_roles_only_and_everybody_joins(app: App) -> None:
    room, role = app.room(), app.local.add_role("Players")
    app.local.add_role("Elders")
    app.local.give_role("Ben", "Elders")
    await lay_down(room, ROLES, "Players", "Elders")
    assert f"Only <@&{role.id}> and" in await may_start(room, "Ana")
    assert "" == await may_start(room, "Ben")
    assert "" == await may_start(room, "Eva")
    lobby = await room.person("Ben").slash("table new", game=GAME)
    joined = await room.person("Ana").tap("Join")
    assert room.person("Ana").mention in joined
    assert f"Only <@&{role.id}> and" in await room.person("Ana").tap("Start")
    await start_game(*room.people("Ben", "Ana"))
    await room.onlooker.expect(BOARD, after=lobby)
    for name, is_warned in (("Players", False), ("Elders", True)):
        app.local.discord.delete_role(app.local.discord.world.role_named(name))
        page = await moderator(room).slash("server settings")
        assert is_warned == ("Nothing chosen here exists anymore, so only moderators can start games" in page)
    assert "roles that could start games exists anymore" in await may_start(app.room(), "Ana")


async def test_so_many_games_run_at_once_and_not_one_more(app: App) -> None:
    rooms = [app.room() for _ in range(3)]
    await lay_down(rooms[0], NUMBER, "3 games at a time")
    await begin(rooms[0], "Ana", "Ben")
    await rooms[1].person("Ana").slash("table new", game=GAME)
    last, late = app.room(), app.room()
    answers = await asyncio.gather(*(room.person("Caro").slash("table new", game=GAME) for room in (last, late)))
    assert [False, True] == sorted(answer.ephemeral for answer in answers)
    (refusal,) = [answer for answer in answers if answer.ephemeral]
    assert "This server allows 3 games at a time" in refusal
    assert "" == await may_start(rooms[2], "Eva"), "a moderator may start any number"
    await rooms[1].person("Ben").tap("Join")
    await lay_down(rooms[0], NUMBER, "1 game at a time")
    assert "allows 1 game at a time" in await rooms[1].person("Ana").tap("Start")
    ana = rooms[0].person("Ana")
    await ana.tap("End it", on=await ana.slash("table end"))
    await start_game(*rooms[1].people("Ana", "Ben"))
    await rooms[1].onlooker.expect(BOARD)


async def test_a_host_has_so_many_games_at_once_until_a_moderator_allows_more(app: App) -> None:
    rooms = [app.room() for _ in range(6)]
    for room in rooms[:5]:
        assert not (await room.person("Ana").slash("table new", game=GAME)).ephemeral
    ana, last = rooms[5].person("Ana"), rooms[5]
    for refused in (await ana.slash("table new", game=GAME), await ana.slash("game learn", game=GAME)):
        assert "You’re hosting 5 games in this server, which is the limit for one person." in refused
        assert "`/server settings`" in refused
    assert "" == await may_start(last, "Ben"), "everybody has a number of their own"
    await lay_down(last, HOSTED, "10 games for each host")
    assert "" == await may_start(last)
    await lay_down(last, HOSTED, "1 game for each host")
    assert "You’re hosting 1 game" in await may_start(last)
    for room in rooms[:5]:
        await room.person("Ana").slash("game leave")
    assert "" == await may_start(last)


async def test_a_moderator_hosts_any_number_of_games(app: App) -> None:
    moderator(app.room())
    for _ in range(6):
        assert not (await app.room().person("Eva").slash("table new", game=GAME)).ephemeral


async def test_a_moderator_starts_a_game_where_as_many_run_as_may(app: App) -> None:
    full, room = app.room(), app.room()
    eva = moderator(room)
    await begin(full, "Ana", "Ben")
    await eva.slash("table new", game="toll")
    await room.person("Caro").tap("Join")
    await lay_down(full, NUMBER, "1 game at a time")
    assert "allows 1 game at a time" in await room.person("Caro").tap("Start")
    await eva.tap("Start")
    await room.onlooker.expect(BOARD)


async def test_so_many_games_run_in_a_server_unless_a_moderator_wants_more(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guild_settings, "USUAL", replace(guild_settings.USUAL, most=1))
    await app.room().person("Ana").slash("table new", game=GAME)
    answer = await may_start(app.room(), "Ben")
    assert "This server allows 1 game at a time" in answer
    assert "`/server settings`" in answer
    await lay_down(app.room(), NUMBER, "Any number of games")
    assert "" == await may_start(app.room(), "Ben")


async def test_in_direct_messages_nobody_counts_the_games_of_others(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guild_settings, "USUAL", replace(guild_settings.USUAL, most=1, hosted=1))
    for name in ("Ana", "Ben", "Caro"):
        person = app.room().person(name).in_dm()
        await person.slash("game learn", game="muscat")
        await person.expect(BOARD)


async def test_a_full_server_refuses_a_game_in_a_thread_before_anything_is_opened(app: App) -> None:
    room = app.room()
    await lay_down(room, NUMBER, "1 game at a time")
    await room.person("Ana").slash("table new", game=GAME)
    full = app.room()
    answer = await full.person("Caro").slash("table new", game=GAME, where="thread")
    assert (True, True) == (answer.ephemeral, "This server allows 1 game at a time" in answer)
    assert ([], []) == (full.public, threads_of(full))


async def test_of_two_who_open_the_last_game_in_a_thread_at_once_one_gets_it_and_no_empty_thread_stays_open(
    app: App,
) -> None:
    rooms = [app.room(), app.room()]
    await lay_down(rooms[0], NUMBER, "1 game at a time")
    await asyncio.gather(*(room.person("Caro").slash("table new", game=GAME, where="thread") for room in rooms))
    while not (rows := app.query("SELECT parent_id FROM matches")):
        await app.let_pass(1)
    (late,) = (room for room in rooms if (app.local.channel(room.channel).id,) not in rows)
    await late.onlooker.until(lambda: all(thread.archived for thread in threads_of(late)), what="no open thread")
    await late.onlooker.until(lambda: "set up a" not in str(late.public), what="no table announced")


async def test_without_mentions_a_rematch_calls_nobody(app: App) -> None:
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME)
    await ana.choose("rounds: 1", on=await ana.slash("table options"))
    await ben.tap("Join")
    await start_game(ana, ben)
    for person in (ana, ben):
        await play_move(person, "sealed bid", coins="3")
    await room.onlooker.expect("win")
    await lay_down(room, CALLS, QUIET)
    lobby = await ana.tap("Rematch")
    assert (True, ()) == (ben.mention in lobby, lobby.pinged)
