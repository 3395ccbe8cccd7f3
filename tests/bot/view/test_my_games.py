"""`/me games`: the user's games in all channels, from anywhere, each with its question and a link."""

from __future__ import annotations

import asyncio
import re
from datetime import UTC, datetime

import pytest

from bot.features.view import my_games
from playground.options import CannotDo
from playground.player import Player
from tests.bot.app import PATIENCE, App
from tests.bot.watch import Watch, marks_of
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game

NONE = "You’re not in any game at the moment."
TITLE = re.compile(r"\*\*\[(.+?)\]\((\S+)\)\*\* with")


async def begin(app: App, game: str, *names: str) -> Room:
    room = app.room()
    host, *others = room.people(*names)
    await host.slash("table new", game=game)
    for person in others:
        await person.tap("Join")
    await start_game(host, *others)
    await room.onlooker.expect(BOARD)
    return room


def titles(text: str) -> list[str]:
    return [title for title, _ in TITLE.findall(text)]


def links(text: str) -> list[str]:
    return [link for _, link in TITLE.findall(text)]


async def list_games(person: Player) -> str:
    answer = await person.slash("me games")
    assert answer.ephemeral
    return answer.text


async def test_without_a_game_the_list_says_how_to_begin_one(app: App) -> None:
    room = app.room()
    assert NONE in await list_games(room.person("Ana"))
    await room.person("Ana").slash("table new", game="sealed")
    assert NONE in await list_games(room.person("Ana")), "nothing has begun"


async def test_games_of_all_channels_are_listed_in_servers_and_direct_messages(app: App) -> None:
    muscat, sealed = await begin(app, "muscat", "Ana", "Ben", "Caro"), await begin(app, "sealed", "Ben", "Ana")
    await begin(app, "sealed", "Ben", "Caro")
    ana = app.room().person("Ana")
    there = await list_games(ana)
    assert {"Muscat", "Sealed Bids"} == set(titles(there))
    assert "with 🟦 Ben and 🟨 Caro" in there
    assert "Bid 0 to 3 coins." in there
    assert there == await list_games(ana.in_dm()) == await list_games(muscat.person("Ana"))
    boards = {f"{room.onlooker.last.record.channel_id}/{room.onlooker.last.id}" for room in (muscat, sealed)}
    assert boards == {link.partition("channels/")[2].partition("/")[2] for link in links(there)}
    assert all(
        link.startswith(f"https://discord.com/channels/{app.local.discord.world.guild_id}/") for link in links(there)
    )


async def test_a_game_in_a_direct_message_is_listed_everywhere(app: App) -> None:
    ana = app.room().person("Ana").in_dm()
    await ana.slash("game learn", game="muscat")
    board = await ana.expect(BOARD)
    (link,) = links(await list_games(app.room().person("Ana")))
    assert f"https://discord.com/channels/@me/{board.record.channel_id}/{board.id}" == link
    assert NONE in await list_games(app.room().person("Ben"))


async def test_games_awaiting_the_user_come_first_and_the_longest_waiting_lead(app: App) -> None:
    ana, ben, caro = "Ana", "Ben", "Caro"
    waits = {
        (ana, ben, caro): 20,
        (ben, caro, ana): 3,
        (ana, caro, ben): 10,
        (caro, ana, ben): 2,
    }
    rooms = {day: await begin(app, "muscat", *names) for names, day in waits.items()}
    for match, day in enumerate(rooms, 1):
        await app.change(
            "UPDATE entries SET at = ? WHERE match_id = ?", f"2026-11-{day:02}T12:00:00.000000+00:00", match
        )
    text = await list_games(app.room().person("Ana"))
    channels = [link.split("/")[-2] for link in links(text)]
    assert [str(app.local.channel(rooms[day].channel).id) for day in (10, 20, 2, 3)] == channels
    stamps = [f"<t:{int(datetime(2026, 11, day, 12, tzinfo=UTC).timestamp())}:R>" for day in (10, 20, 2, 3)]
    assert stamps == re.findall(r"<t:\d+:R>", text)
    assert ["### Your move", "### Waiting for others"] == [line for line in text.splitlines() if line.startswith("#")]
    assert text.index("Waiting for 🔴 Caro") < text.index("Waiting for 🔴 Ben")


async def test_the_wait_begins_with_the_question_and_not_with_hidden_moves_of_others(app: App) -> None:
    """Ben's bid in a sealed round leaves Ana's question as old as it was."""
    room = await begin(app, "sealed", "Ana", "Ben")
    ana, ben = room.people("Ana", "Ben")
    for person in (ana, ben):
        await play_move(person, "sealed bid", coins="1")
    await app.change("UPDATE entries SET at = '2026-11-01T12:00:00.000000+00:00'")
    await play_move(ben, "sealed bid", coins="2")
    for person, line in ((ana, "Bid 0 to 3 coins."), (ben, "Waiting for 🔴 Ana")):
        assert f"{line} · <t:1793534400:R>" in await list_games(person)


async def test_games_that_do_not_fit_are_counted(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        await begin(app, "sealed", "Ana", "Ben")
    monkeypatch.setattr(my_games, "MAX_LOADED", 2)
    text = await list_games(app.room().person("Ana"))
    assert 2 == len(titles(text))
    assert text.endswith("-# … and 1 more game")
    monkeypatch.setattr(my_games, "MAX_LIST_CHARS", len(text) // 2)
    text = await list_games(app.room().person("Ana"))
    assert 1 == len(titles(text))
    assert text.endswith("-# … and 2 more games")


async def test_with_too_many_games_those_awaiting_the_user_are_loaded_first(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    await begin(app, "muscat", "Ben", "Ana", "Caro")
    await begin(app, "muscat", "Ana", "Ben", "Caro")
    monkeypatch.setattr(my_games, "MAX_LOADED", 1)
    for name in ("Ana", "Ben"):
        text = await list_games(app.room().person(name))
        assert text.startswith("### Your move")
        assert "Waiting for" not in text


async def test_a_hidden_move_of_another_player_changes_nothing(app: App) -> None:
    ana, ben = (await begin(app, "sealed", "Ana", "Ben")).people("Ana", "Ben")
    async with asyncio.timeout(PATIENCE):  # its board is noted a moment after everybody sees it
        while ":R>" not in (before := await list_games(ben)):
            pass
    await play_move(ana, "sealed bid", coins="3")
    assert before == await list_games(ben)


async def test_the_list_reveals_no_secrets_of_a_seat(app: App, watch: Watch) -> None:
    ana = (await begin(app, "lay", "Ana", "Ben")).person("Ana")
    assert set() == marks_of(await ana.slash("me games"))


async def test_an_unreadable_game_is_reported_and_the_others_are_listed(app: App) -> None:
    await begin(app, "sealed", "Ana", "Ben")
    await begin(app, "toll", "Ana", "Ben")
    await app.close()
    await app.change("UPDATE matches SET game = 'chess' WHERE id = 1")
    await app.open()
    text = await list_games(app.room().person("Ana"))
    assert ["Toll", "chess"] == titles(text)
    assert "I no longer have the game “chess”." in text


async def test_a_player_who_left_no_longer_sees_the_game(app: App) -> None:
    room = await begin(app, "sealed", "Ana", "Ben")
    ana = room.person("Ana")
    await ana.tap("Resign", on=await ana.slash("game leave"))
    assert NONE in await list_games(ana)
    assert ["Sealed Bids"] == titles(await list_games(room.person("Ben")))


async def test_a_user_who_installed_the_bot_sees_the_list_in_servers_without_it(app: App) -> None:
    """Wherever they are: there nothing else can be done but read the rules and change one's settings."""
    await begin(app, "muscat", "Ana", "Ben", "Caro")
    app.local.add_foreign_channel("elsewhere")
    ana = app.local.player("Ana", "elsewhere")
    with pytest.raises(CannotDo):
        await ana.slash("me games")
    app.local.install("Ana")
    assert ["Muscat"] == titles(await list_games(ana))
    assert await list_games(ana) == await list_games(ana.in_dm())
    for path, options in (("table new", {"game": "muscat"}), ("game learn", {"game": "muscat"}), ("game board", {})):
        reply = await ana.slash(path, **options)
        assert reply.ephemeral
        assert "I’m not in this server: [invite me](" in reply
    assert (await ana.slash("me settings")).menus
    assert "Rules of Muscat" in await ana.slash("game rules", game="muscat")
    with pytest.raises(CannotDo):
        await play_move(ana, "muscat place", market="A")
    assert [] == app.query("SELECT id FROM matches WHERE id > 1")
