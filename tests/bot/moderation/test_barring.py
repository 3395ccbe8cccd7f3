"""Moderators keep people out of the games of their server, who hear why and until when."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from bot.errors import UserError
from bot.features.moderation.barring import _end
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.forging import forge
from tests.bot.moderating import GAME, bar, begin, choose_setting, moderator
from tests.bot.timed_app import TimedApp
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


async def lift(room: Room, name: str) -> Seen:
    eva = moderator(room)
    return await eva.choose(name, on=await eva.slash("server players"), menu=1)


def is_refusal(seen: Seen | None) -> bool:
    """Whether a barred person is told so in private."""
    assert seen is not None
    return seen.ephemeral and "The moderators have barred you from games in this server" in seen


async def test_a_barred_player_reads_the_reason_and_the_end_on_every_attempt(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    page = await bar(room, "Ben")
    assert f"{ben.mention}, until <t:" in page
    await ana.slash("table new", game=GAME)
    refused = await ben.tap("Join")
    assert is_refusal(refused)
    assert re.search(r"until <t:\d+:f>\.\n> Left three games \\\*again\\\* @\u200beveryone$", refused.text)
    other = app.room().person("Ben")
    for answer in (
        await ben.slash("game join"),
        await other.slash("table new", game=GAME),
        await other.slash("table new", game=GAME, where="in its own thread"),
        await other.slash("game learn", game=GAME),
        await other.slash("league new", game=GAME),
    ):
        assert is_refusal(answer)
    assert [(1,)] == app.query("SELECT count(*) FROM matches")
    assert "host" in await ben.in_dm().slash("table new", game=GAME)


async def test_a_bar_ends_by_itself_or_when_it_is_lifted(timed_app: TimedApp, app: App, room: Room) -> None:
    ana, ben, caro = room.people("Ana", "Ben", "Caro")
    await bar(room, "Ben", "For a day")
    await bar(room, "Caro", "Until further notice", "")
    await timed_app.hours(23.5)
    await ana.slash("table new", game=GAME)
    assert is_refusal(await ben.tap("Join"))
    assert (await caro.tap("Join")).text.endswith("in this server until further notice.")
    await timed_app.hours(1)
    await ben.tap("Join")
    page = await moderator(room).slash("server players")
    assert (ben.mention in page, caro.mention in page) == (False, True)
    await bar(room, "Dan")
    assert [("Caro",), ("Dan",)] == app.query("SELECT name FROM bars ORDER BY name"), "a bar is deleted after its end"
    assert f"{caro.mention} may play again" in await lift(room, "Caro")
    await caro.tap("Join")
    people = "SELECT name FROM seat_history ORDER BY seat"
    assert [("Ana",), ("Ben",), ("Caro",)] == app.query(people)


async def test_a_bar_removes_a_player_from_lobbies_but_not_from_running_games(app: App, room: Room) -> None:
    waiting, elsewhere = app.room(), app.room()
    await begin(room, "Ana", "Ben")
    await waiting.person("Ben").slash("table new", game=GAME)
    await waiting.person("Caro").tap("Join")
    await waiting.person("Ben").in_dm().slash("table new", game=GAME)
    await bar(elsewhere, "Ben")
    seated = "SELECT name FROM seat_history WHERE match_id = ?"
    assert [[("Caro",)], [("Ben",)]] == [app.query(seated, match) for match in (2, 3)]
    assert [(waiting.person("Caro").id,)] == app.query("SELECT host_id FROM matches WHERE id = 2")
    assert "✓ Bid 1" in await play_move(room.person("Ben"), "sealed bid", coins="1")
    ben = room.person("Ben")
    await ben.tap("Resign", on=await ben.slash("game leave"))
    assert is_refusal(await ben.slash("game join")), "a seat that they have given up stays with the computer"


async def test_a_barred_player_is_neither_pinged_nor_seated(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await begin(room, "Ana", "Ben", "Caro")
    caro = room.person("Caro")
    await caro.tap("Resign", on=await caro.slash("game leave"))
    await bar(app.room(), "Dan")
    offer = await ana.slash("table seats")
    assert is_refusal(await room.person("Dan").tap("Take this seat", on=offer))
    for _ in range(3):
        for coins, person in enumerate((ana, ben)):
            await play_move(person, "sealed bid", coins=str(coins))
    await room.onlooker.expect("wins!")
    await bar(app.room(), "Ben")
    lobby = await ana.tap("Rematch")
    assert () == lobby.pinged
    assert [("Ana",)] == app.query("SELECT name FROM seat_history WHERE match_id = 2 AND user_id IS NOT NULL")
    await ana.slash("table invite", who="Ben")
    assert () == (await room.onlooker.expect("invites you")).pinged


async def test_a_host_learns_nothing_about_a_bar(app: App, room: Room) -> None:
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME, join="On request")
    await ben.tap("Ask to join")
    request = await room.onlooker.expect("is asking to join")
    await bar(app.room(), "Ben")
    answer = await ana.tap("Let in", on=request)
    assert (True, "That’s not possible here.") == (answer.ephemeral, answer.text)
    assert [("Ana",)] == app.query("SELECT name FROM seat_history")


async def test_the_moderation_log_shows_who_barred_a_player_and_why(app: App, room: Room) -> None:
    eva, log = moderator(room), app.room()
    await choose_setting(eva, "log", log.channel)
    await bar(room, "Ben")
    line = await log.onlooker.expect("barred")
    ben = room.person("Ben")
    assert re.search(rf"{eva.mention} barred {ben.mention} from games until <t:\d+:f>: “Left three", line.text)
    assert () == line.pinged
    await lift(room, "Ben")
    assert f"{eva.mention} lets {ben.mention} play again" in await log.onlooker.expect("play again")


async def test_only_moderators_can_bar_and_lift(app: App, room: Room) -> None:
    ana, eva = room.person("Ana"), moderator(room)
    page = await bar(room, "Ben")
    question = await eva.choose("Caro", on=await eva.slash("server players"))
    assert "This is for moderators" in await forge(
        app, ana, page, {"type": 2, "style": 2, "label": "Back", "custom_id": "cv:bars:0:0:"}
    )
    ids = [menu.custom_id for menu in (*page.menus, *question.menus)]
    values = [str(room.person("Caro").id), page.menus[1].options[0].value, "7"]
    people = {value: {"id": value, "username": "x"} for value in values}
    for custom_id, value in zip(ids, values, strict=True):
        kind = 5 if custom_id.startswith("cu:") else 3
        control = {"type": kind, "custom_id": custom_id} | ({"options": []} if kind == 3 else {})
        answer = await forge(app, ana, page, control, values=[value], resolved={"users": people})
        assert "This is for moderators" in answer
    assert [("Ben",)] == app.query("SELECT name FROM bars")


@pytest.mark.parametrize(("days", "end"), [(0, None), (7, datetime(2026, 11, 29, tzinfo=UTC))])
def test_a_bar_lasts_the_days_chosen_in_its_menu(days: int, end: datetime | None) -> None:
    now = datetime(2026, 11, 22, tzinfo=UTC)
    assert end == _end(now, days)
    with pytest.raises(UserError):  # in the form of another program
        _end(now, 8)


async def test_a_bar_applies_only_on_its_own_server(app: App, room: Room) -> None:
    elsewhere = app.room()
    await elsewhere.person("Ben").slash("table new", game=GAME)
    await app.close()
    await app.change("UPDATE matches SET guild_id = guild_id + ?", 1 << 22)
    await app.open()
    await bar(room, "Ben")
    assert [("Ben",)] == app.query("SELECT name FROM seat_history WHERE match_id = 1"), "a lobby of another server"
    (guild_id,) = app.query("SELECT guild_id FROM bars")[0]
    await app.change("UPDATE bars SET guild_id = ?", guild_id + (1 << 22))
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    assert "Nobody is barred" in await moderator(room).slash("server players")
    await start_game(ana, ben)
    await room.onlooker.expect(BOARD)


async def test_moderators_cannot_bar_themselves_and_a_new_bar_replaces_the_old_one(app: App, room: Room) -> None:
    eva = moderator(room)
    assert "You can’t bar yourself" in await eva.choose("Eva", on=await eva.slash("server players"))
    await bar(room, "Ben", "For a day")
    question = await eva.choose("Ben", on=await eva.slash("server players"))
    assert "They’re barred until <t:" in question
    await bar(room, "Ben", "Until further notice", "new")
    assert [("new", None)] == app.query("SELECT reason, until FROM bars")


async def test_a_long_list_of_bars_shows_the_newest_and_counts_the_rest(app: App, room: Room) -> None:
    await bar(room, "Ben")
    ((guild_id,),) = app.query("SELECT guild_id FROM bars")
    rows = [(guild_id, f"{n}", 10_000 + n, f"P{n:02}", f"2026-01-{n:02}T00:00:00.000000+00:00") for n in range(1, 28)]
    app.write("INSERT INTO bars (guild_id, digest, user_id, name, at, reason) VALUES (?, ?, ?, ?, ?, '')", rows)
    page = await moderator(room).slash("server players")
    assert "… and 3 more" in page
    assert ["Ben", *(f"P{n:02}" for n in range(27, 3, -1))] == [option.label for option in page.menus[1].options]


async def test_a_forgotten_player_stays_barred_without_being_named(app: App, room: Room) -> None:
    ben = room.person("Ben")
    await bar(room, "Ben")
    await forget(ben)
    page = await moderator(room).slash("server players")
    assert "somebody, until" in page
    assert "three games" not in page
    assert is_refusal(await ben.slash("table new", game=GAME))
    await lift(room, "somebody")
    assert "host" in await ben.slash("table new", game=GAME)


async def forget(person: Player) -> None:
    sure = await person.tap("Forget me", on=await person.slash("me data"))
    await person.tap("Forget me for good", on=sure)
