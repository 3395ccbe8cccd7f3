"""Dispatch: an interaction has one handler, once, in the right language, at the right table."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from bot.features import dispatcher as dispatcher_module
from bot.features.dispatcher import Dispatcher
from bot.features.settings import preference_page
from bot.features.view import games
from locales import language_of
from tests.bot.desk import COMMAND, PRIVATE, PUBLIC, Desk
from tests.bot.refusing import CHANNEL, GUILD, HOST, House
from tests.bot.test_job_results import choose, language_of_words, sent

DAN = 99


@pytest.fixture
def home(home: House) -> House:
    home.let_make_events()
    home.add_channel(CHANNEL)
    return home


async def test_an_interaction_delivered_twice_is_handled_once(desk: Desk) -> None:
    assert await desk.command(HOST, preference_page.show_preferences, id=5)
    assert [] == await desk.command(HOST, preference_page.show_preferences, id=5)
    assert [] == await desk.tap(HOST, "mydata:0:0:", id=5)
    assert [5] == desk.dispatcher.recent_ids
    desk.dispatcher.adopt_seen([6])
    assert [] == await desk.tap(HOST, "mydata:0:0:", id=6)
    assert await desk.tap(HOST, "mydata:0:0:", id=7)
    desk.dispatcher.stopping = True
    assert [] == await desk.tap(HOST, "mydata:0:0:", id=8)


async def test_a_successor_waits_until_its_predecessor_has_stopped(desk: Desk) -> None:
    typed: Any = {"options": [{"name": "game", "value": "x" * 300}, {"options": [{"value": "y z" * 99}]}]}
    interaction = desk._interaction(HOST, COMMAND, message=None, data=typed)
    first, successor = (Dispatcher(desk.home.services, is_successor=one) for one in (False, True))
    assert await first.accepts(interaction)
    assert [100, 100] == [len(typed["options"][0]["value"]), len(typed["options"][1]["options"][0]["value"])]
    interaction.type = discord.InteractionType.autocomplete
    async with asyncio.timeout(1):  # suggestions cannot wait
        assert not await successor.accepts(interaction)
    successor.ready.set()
    assert await successor.accepts(interaction)
    successor.stopping = True
    assert not await successor.accepts(interaction)


async def test_of_many_interactions_the_oldest_are_forgotten(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher_module, "MAX_SEEN", 2)
    for number in (1, 2, 3):
        await desk.command(HOST, games.show_board, id=number)
    assert [] == await desk.command(HOST, games.show_board, id=3)
    assert [] != await desk.command(HOST, games.show_board, id=1)


async def test_everyone_reads_the_language_of_the_server_and_each_user_their_own(desk: Desk) -> None:
    home = desk.home
    await choose(home, language="de")
    table = await home.lobby()
    await home.services.lobbies.note_lobby_message(table, 55)
    ((how, *lines),) = await desk.tap(DAN, "join:1:0:", message=PUBLIC, locale="fr")
    assert ("edit", "-# Für 2 bis 4 Personen. Starte, wenn alle da sind.") == (how, lines[7])
    refusal = [["new private", "You’re already at this table."]]
    assert refusal == await desk.tap(DAN, "join:1:0:", message=PUBLIC)
    ((how, *lines),) = await desk.tap(DAN, "more:1:0:", message=PUBLIC, locale="fr")
    assert ("new private", "fr") == (how, language_of_words(lines)), lines
    assert language_of("fr") == await home.services.servers.language_of_user(DAN), "known for direct messages"
    ((_, *lines),) = await desk.tap(HOST, "more:1:0:", message=PUBLIC, locale="ja")
    assert "en" == language_of_words(lines), "a language that the bot does not speak"
    ((_, *lines),) = await desk.tap(DAN, "leave:1:0:", message=PRIVATE, locale="fr")
    assert "fr" == language_of_words(lines), lines


async def test_a_command_needs_a_channel_of_a_server_with_the_bot(desk: Desk) -> None:
    nowhere = [["new private", "Games are played in a server channel, or in a direct message with me."]]
    assert nowhere == await desk.command(HOST, games.show_board, channel_id=None)
    ((how, text),) = await desk.command(HOST, games.show_board, is_guild_integration=lambda: False)
    assert ("new private", True) == (how, text.startswith("I’m not in this server: [invite me](https://discord.com"))
    no_game = await desk.command(HOST, games.show_board)
    assert "new private" == no_game[0][0]
    table = await desk.home.posted()
    assert no_game != await desk.command(HOST, games.show_board)
    await desk.home.services.seats.end(table, at=desk.home.time.now, by=HOST)
    assert no_game == await desk.command(HOST, games.show_board)
    assert no_game != await desk.command(HOST, games.show_board, over=True)


async def test_the_name_of_a_member_is_remembered_from_their_interaction(desk: Desk) -> None:
    home = desk.home
    await desk.command(HOST, preference_page.show_preferences)
    guild = home.services.channels.server(GUILD)
    assert guild is not None
    assert {HOST: "Ana"} == await home.services.members.names(guild, [HOST], asked_by=DAN)
    assert [] == sent(home)
