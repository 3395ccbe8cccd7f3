"""Settings of a server by its moderators, and where they apply."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace

import pytest

from bot.features.lobby.new_table import new
from bot.features.moderation.server_settings import PAGES
from bot.tables import guild_settings
from locales import languages
from playground.options import CannotDo
from playground.player import Menu, Seen
from playground.world import Channel
from tests.bot.app import App
from tests.bot.desk import Desk
from tests.bot.forging import forge, forge_row
from tests.bot.moderating import GAME, begin, choose_setting, moderator, open_server_settings, thread_of
from tests.bot.refusing import GUEST, HOST
from tests.playthroughs.taps import SETTINGS, Message
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game

PLACES, ROLES, NUMBER, HOSTED, CALLS = "channels", "roles", "most", "hosted", "calls"
"""Names of settings."""
DAILY = "24 hours, then a vote"
EVA, CHANNELS = 75, itertools.count(20)
QUIET = "Write names only, without a ping"


async def lay_down(room: Room, name: str, *entries: str) -> Seen:
    """Choose something in the menu of a setting. Returns its page as it is then."""
    return await choose_setting(moderator(room), name, *entries)


async def chosen(room: Room) -> dict[str, list[str]]:
    """The labels, or the ids of channels and roles, that the menus of all pages show, by the name of the setting."""
    pages = [await open_server_settings(moderator(room), page.fields[0].name) for page in PAGES]
    return {str(menu.custom_id).split(":")[-1]: labels(menu) for page in pages for menu in page.menus}


def labels(menu: Menu) -> list[str]:
    return [*menu.chosen, *(option.label for option in menu.options if option.chosen)]


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


USUAL = {
    "channels": [],
    "roles": [],
    "league_roles": [],
    "most": ["25 games at a time"],
    "hosted": ["5 games for each host"],
    "pace": [DAILY],
    "rated": ["New tables are rated"],
    "archive": ["A day after the game"],
    "calls": ["Mention people"],
    "log": [],
    "overview": [],
    "events": ["No events"],
    "language": ["This server’s language on Discord"],
    "contrast": [],
}
"""Values that the menus of a new server show."""


async def test_the_pages_are_private_and_say_what_is_chosen(app: App) -> None:
    room, role = app.room(), app.local.add_role("Players")
    page = await moderator(room).slash("server settings")
    assert (True, USUAL) == (page.ephemeral, await chosen(room))
    rows = {
        PLACES: room.channel,
        ROLES: "Players",
        NUMBER: "3 games at a time",
        HOSTED: "Any number of games for each host",
        CALLS: QUIET,
        "archive": "Never",
        "contrast": room.channel,
        "log": room.channel,
    }
    for name, row in rows.items():
        await lay_down(room, name, row)
    place = str(app.local.channel(room.channel).id)
    ids = {PLACES: place, ROLES: str(role.id), "contrast": place, "log": place}
    laid_down = USUAL | {name: [row] for name, row in (rows | ids).items()}
    assert laid_down == await chosen(room)
    await app.close()
    await app.open()
    assert laid_down == await chosen(room)
    await moderator(room).choose(on=page, menu=0)
    assert laid_down | {PLACES: []} == await chosen(room), "an old page works"


async def test_each_page_fits_on_a_phone(app: App) -> None:
    eva = moderator(app.room())
    titles = set()
    for language in languages():
        app.local.discord.world.users[eva.id].locale = language
        pages = [await open_server_settings(eva, page.fields[0].name) for page in PAGES]
        assert [] == [page.text for page in pages if Message.of(page).height > SETTINGS]
        titles.add(pages[0].text)
    assert len(languages()) == len(titles), "each in its own language"


TITLE = "### Games in this server: "


async def test_each_page_is_titled_and_leads_to_all_others(desk: Desk) -> None:
    names = {page.name: str(page.label) for page in PAGES}
    for name, label in names.items():
        ((_, title, *lines),) = await desk.tap(EVA, f"serversettings:0:0:{name}", moderates=True)
        assert f"{TITLE}{label}" == title
        links = [f"[{other} serversettings {page}]" for page, other in names.items() if page != name]
        assert links == [line for line in lines if " serversettings" in line and line.startswith("[")]


async def test_buttons_of_older_messages_lead_to_a_page(desk: Desk) -> None:
    for control, title in (
        ("serversettings:0:0:", "Access"),
        ("moreserver:0:0:", "Tables"),
        ("serversettings:0:0:gone", "Access"),
    ):
        ((_, line, *_),) = await desk.tap(EVA, control, moderates=True)
        assert f"{TITLE}{title}" == line


async def test_only_moderators_find_the_server_commands_and_use_their_pages(app: App) -> None:
    room = app.room()
    before, ana = await chosen(room), room.person("Ana")
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
    assert before == await chosen(room)


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


async def test_forged_settings_are_refused(app: App) -> None:
    room = app.room()
    await lay_down(room, PLACES, room.channel)
    await lay_down(room, ROLES, "Moderators")
    page = await lay_down(room, NUMBER, "5 games at a time")
    before = await chosen(room)
    category, places = app.local.add_category("Fun"), [str(app.local.channel(app.room().channel).id) for _ in range(2)]
    for name, values in (*NO_ROWS, ("log", [str(category.id)]), ("log", places)):
        answer = await forge_row(app, moderator(room), page, f"cm:custom:0:0:{name}", *values)
        assert (True, False) == (answer.ephemeral, "wrong on my end" in answer), (name, values)
    assert before == await chosen(room)


async def test_games_start_only_in_the_chosen_channels_their_threads_and_categories(app: App) -> None:
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


async def test_learning_rematch_and_start_check_the_server_settings(app: App) -> None:
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


async def test_only_chosen_roles_can_start_games_and_every_member_can_join(app: App) -> None:
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


async def test_a_server_runs_up_to_its_limit_of_simultaneous_games(app: App) -> None:
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


async def set_up(desk: Desk, user_id: int, title: str = GAME) -> str:
    """Set up a table in another channel than all others. Returns the refusal, or nothing."""
    ((how, line, *_), *_) = await desk.command(user_id, new, title=title, channel_id=next(CHANNELS))
    return line if "private" in how else ""


async def test_a_host_has_a_limited_number_of_games_until_a_moderator_raises_the_limit(desk: Desk) -> None:
    tables = [await desk.home.lobby(next(CHANNELS), host_id=HOST) for _ in range(5)]
    refusal = await set_up(desk, HOST)
    assert "You’re hosting 5 games in this server, which is the limit for one person." in refusal
    assert "`/server settings`" in refusal
    ((_, refused, *_),) = await desk.tap(HOST, f"learn:0:0:{GAME}", channel_id=next(CHANNELS))
    assert refusal == refused
    assert "" == await set_up(desk, GUEST), "everybody has a number of their own"
    await desk.tap(EVA, f"custom:0:0:{HOSTED}", "10", moderates=True)
    assert "" == await set_up(desk, HOST)
    await desk.tap(EVA, f"custom:0:0:{HOSTED}", "1", moderates=True)
    assert "You’re hosting 1 game" in await set_up(desk, HOST)
    for table in (*tables, await desk.home.services.tables.find(tables[-1].id + 2)):
        assert table is not None
        await desk.tap(HOST, f"end:{table.id}:0:", channel_id=table.row.channel_id)
    assert "" == await set_up(desk, HOST)


async def test_a_moderator_can_start_a_game_beyond_the_server_limit(app: App) -> None:
    full, room = app.room(), app.room()
    eva = moderator(room)
    await begin(full, "Ana", "Ben")
    await eva.slash("table new", game="toll")
    await room.person("Caro").tap("Join")
    await lay_down(full, NUMBER, "1 game at a time")
    assert "allows 1 game at a time" in await room.person("Caro").tap("Start")
    await eva.tap("Start")
    await room.onlooker.expect(BOARD)


async def test_a_server_has_a_default_game_limit_until_a_moderator_raises_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guild_settings, "USUAL", replace(guild_settings.USUAL, most=1))
    await desk.home.lobby()
    answer = await set_up(desk, GUEST)
    assert "This server allows 1 game at a time" in answer
    assert "`/server settings`" in answer
    await desk.tap(EVA, f"custom:0:0:{NUMBER}", "0", moderates=True)
    assert "" == await set_up(desk, GUEST)


async def test_direct_messages_have_no_server_limits(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guild_settings, "USUAL", replace(guild_settings.USUAL, most=1, hosted=1))
    for name in ("Ana", "Ben", "Caro"):
        person = app.room().person(name).in_dm()
        await person.slash("game learn", game="muscat")
        await person.expect(BOARD)


async def test_two_hosts_racing_for_the_last_game_open_one_thread_and_leave_no_empty_one(
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


async def test_without_mentions_a_rematch_pings_no_player(app: App) -> None:
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
