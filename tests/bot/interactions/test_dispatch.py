"""Dispatch: an interaction has one handler, once, in the right language, at the right table."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.errors import UserError
from bot.features import dispatcher as dispatcher_module
from bot.features.dispatcher import Dispatcher, _enter, _reader_of, suggesting
from bot.features.handlers import TAPS, Answer, Request, TableRequest, Tap
from bot.features.settings import preference_page
from bot.features.view import games
from bot.interactions.responses import Response
from bot.store.failures import DatabaseUnavailable, FailureKind
from engine.errors import IllegalAction
from engine.languages import ENGLISH, language, reading
from engine.texts import Seat, Text
from locales import language_of
from tests.bot.desk import AUTOCOMPLETE, COMMAND, PRIVATE, PUBLIC, TAP, Desk
from tests.bot.outcomes import choose, language_of_words, sent
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, House

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
    first, successor = (Dispatcher(desk.home.services, is_successor=is_successor) for is_successor in (False, True))
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
    assert [] == await desk.command(HOST, games.show_board, id=2)
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
    with reading(ENGLISH):
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
    assert no_game == await desk.command(HOST, games.show_board, guild_id=None, is_guild_integration=lambda: False)
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


@pytest.mark.parametrize(
    ("answer", "message", "updates", "is_public"),
    [
        (Answer.USUAL, PRIVATE, True, False),
        (Answer.USUAL, PUBLIC, False, False),
        (Answer.USUAL, None, False, False),
        (Answer.NEW, PRIVATE, False, False),
        (Answer.NEW, PUBLIC, False, False),
        (Answer.IN_PLACE, PRIVATE, True, False),
        (Answer.IN_PLACE, PUBLIC, True, True),
    ],
)
async def test_an_answer_replaces_its_message_and_is_in_the_language_of_all_who_see_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, answer: Answer, message: Any, updates: bool, is_public: bool
) -> None:
    served: list[Any] = []

    async def serve(response: Any, work: Any, *, public: bool) -> None:
        served.append((response._updates, public))
        await work()

    async def run(request: Any, control: Any) -> None:
        served.append((request.values, request.answer, control.kind))

    monkeypatch.setattr(desk.dispatcher, "serve", serve)
    monkeypatch.setitem(TAPS, "pawn", Tap(SimpleNamespace(run=run), answer))  # type: ignore[arg-type]  # a handler
    await desk.tap(HOST, "pawn:0:0:", "x" * 300, "y", message=message)
    assert [(updates, is_public), (("x" * 200, "y"), answer, "pawn")] == served


async def test_a_request_at_a_table_names_its_seats_and_waits_for_its_board(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    services, steps = desk.home.services, list[Any]()

    async def greet(_: object, user_id: int, name: str) -> None:
        steps.append((user_id, name))

    async def wait_for_board(match_id: int) -> None:
        steps.append(match_id)

    table = await desk.home.lobby()
    monkeypatch.setattr(services.seats, "greet", greet)
    monkeypatch.setattr(services.worker, "wait_for_board", wait_for_board)
    interaction = desk._interaction(HOST, TAP, message=PUBLIC)
    async with Response(interaction) as response:
        here = await _enter(Request(services, response, ("a row",), Answer.IN_PLACE), table)
        assert TableRequest(services, response, ("a row",), Answer.IN_PLACE, table=table) == here
        assert "You and 🟦 Ben" == response.localize(Text("{a} and {b}", a=Seat(0), b=Seat(1)))
    assert [(HOST, "Ana"), 1] == steps


async def test_a_user_without_a_language_reads_english(desk: Desk) -> None:
    assert ENGLISH is await _reader_of(desk._interaction(DAN, TAP, message=None, locale=""))


async def test_a_control_of_another_channel_or_an_unknown_kind_does_nothing(desk: Desk) -> None:
    await desk.home.lobby()
    unknown = [["new private", "I can’t find that game here anymore."]]
    assert unknown == await desk.tap(DAN, "join:1:0:", message=PUBLIC, channel_id=5)
    assert unknown == await desk.tap(DAN, "join:9:0:", message=PUBLIC)
    outdated = [["new private", "This button is outdated and no longer works."]]
    assert outdated == await desk.tap(DAN, "pawn:1:0:", message=PUBLIC)
    table = await desk.home.services.tables.find(1)
    assert table is not None
    assert {HOST, GUEST} == set(table.people)


async def test_the_next_process_gets_the_newest_ids(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatcher_module, "MAX_HANDED_OVER", 2)
    desk.dispatcher.adopt_seen([5, 6, 7])
    assert [6, 7] == desk.dispatcher.recent_ids


async def test_an_interaction_during_the_start_waits_for_it_and_a_shutdown_waits_for_its_answer(desk: Desk) -> None:
    desk.dispatcher.ready.clear()
    answering = asyncio.create_task(desk.command(HOST, preference_page.show_preferences))
    async with asyncio.timeout(5):
        while not desk.dispatcher._working:  # noqa: ASYNC110
            await asyncio.sleep(0)
    closing = asyncio.create_task(desk.dispatcher.close())
    await asyncio.sleep(0)
    assert not desk.dispatcher.recent_ids
    desk.dispatcher.ready.set()
    await closing
    assert answering.done()
    assert await answering
    assert set() == desk.dispatcher._working

    async def stop(_: Request) -> None:
        await desk.dispatcher.close()

    async with asyncio.timeout(2):  # not for itself
        await desk.command(HOST, stop)


async def test_suggestions_fit_discord_are_in_the_language_of_the_user_and_never_an_error(desk: Desk) -> None:
    choices = [discord.app_commands.Choice(name=str(n), value=n) for n in range(30)]
    errors: list[Exception] = [
        UserError(Text("No.")),
        IllegalAction("illegal", Text("No."), seat=Seat(0), ply=1, notation="go", rule=""),
        DatabaseUnavailable(FailureKind.FULL, "full"),
    ]
    languages: list[object] = []

    @suggesting
    async def suggest(_: Any, current: str) -> Any:
        languages.append(language())
        if current:
            raise errors.pop()
        return [None, *choices]

    assert [(str(n), n) for n in range(25)] == await desk.suggest(HOST, suggest)
    assert [[], [], []] == [await desk.suggest(HOST, suggest, "x") for _ in range(3)]
    interaction = desk._interaction(HOST, AUTOCOMPLETE, message=None, locale="fr")
    await suggest(interaction, "")
    assert language_of("fr") == languages[-1]
