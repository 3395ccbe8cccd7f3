"""Whole lists and views: games in order with their due players, and the fields of controls."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any

import pytest
from discord.utils import time_snowflake

from bot.errors import UserError
from bot.features.view import games, my_games, replays, timed_events
from bot.features.view.games import (
    _game_line,
    _in_thread,
    _spectator_buttons,
    games_layout,
    log_layout,
    look_layout,
)
from bot.features.view.my_games import Mine, _Game, list_mine, that_fit
from bot.features.view.overview import _due_now, overview_layout, overview_words
from bot.features.view.predicting import _layout, _seat_in
from bot.features.view.replays import _replay_layout
from bot.interactions.parts import layout, row
from bot.posting.pictures import Animation
from bot.store.boards import Board
from bot.store.leagues import LeagueStatus
from bot.store.matches import Admission, InThread, Past, PastHolder, SeatHolder, Status
from bot.store.open_tables import OpenTable
from bot.store.predictions import Prediction
from bot.store.shard_range import NO_SERVER
from bot.tables.preferences import Preferences
from bot.tables.scheduled_events import TimedEvent
from bot.tables.table import Table
from engine.core import Decision
from engine.games import discover
from engine.match import Match
from engine.record import parse_record
from engine.texts import Seat, Text
from tests.bot.desk import Desk
from tests.bot.posting.test_posted_boards import bid
from tests.bot.refusing import CHANNEL, GUEST, GUILD, HOST, NOON, refusal
from tests.bot.whole import ANA, BEN, CARO, DAN, HOUR, NOW, holder, table_of, whole
from tests.engine.toys.sealed import Bid

BOARD = time_snowflake(NOW)


def open_table(number: int, **columns: Any) -> OpenTable:
    """A running game of Ana and a computer in channel 9."""
    usual = {
        **{"channel_id": 9, "parent_id": None, "own_thread": False, "game": "muses", "status": Status.RUNNING},
        **{"admits": Admission.ANYONE, "starts_at": None, "message_id": BOARD, "users": (ANA, None)},
        **{"due": (Seat(0),), "has_moved": False},
    }
    return OpenTable(number, **{**usual, **columns})


def test_the_overview_names_running_games_with_those_they_wait_for_and_then_tables_to_join() -> None:
    lobby = {"status": Status.LOBBY, "due": ()}
    lines = overview_words(
        8,
        [
            open_table(1, **lobby, admits=Admission.INVITATION),
            open_table(2, **lobby),
            open_table(3, due=(Seat(1), Seat(0), Seat(2))),
            open_table(4, due=()),
            open_table(5, message_id=None, channel_id=10),
            open_table(6, **lobby, starts_at=NOW, admits=Admission.REQUEST, users=(ANA, BEN, CARO), game="gone"),
        ],
    ).splitlines()
    title = lines[1].partition("** in ")[0]
    assert title.startswith("**[")
    assert title.endswith(f"](https://discord.com/channels/8/9/{BOARD})")
    assert [
        "### Games in this server",
        f"{title}** in <#9>: waiting for a computer, <@71>, a computer · <t:1800000000:R>",
        f"{title}** in <#9>",
        f"{title.removesuffix(f'/9/{BOARD})')}/10)** in <#10>",
        "### Waiting for players",
        f"{title}** in <#9>: 2 of 4 players",
        f"**[gone](https://discord.com/channels/8/9/{BOARD})** in <#9>: 3 of 3 players · ⏰ <t:1800000000:f>",
    ] == lines


async def test_the_overview_waits_for_the_seats_of_the_board_if_a_game_cannot_be_read(desk: Desk) -> None:
    table = await desk.home.posted()
    running = open_table(table.id, due=(Seat(1),))
    assert (Seat(0), Seat(1)) == await _due_now(desk.home.services, running)
    table.match = None
    gone = open_table(table.id + 1, due=(Seat(1),))
    assert [(Seat(1),)] * 2 == [await _due_now(desk.home.services, each) for each in (running, gone)]


def test_an_overview_without_games_says_how_to_begin_and_one_of_many_counts_the_others() -> None:
    nothing = ["### Games in this server", "No game is open at the moment. `/table new` sets up a table."]
    note = "-# Changes show here within three minutes. Last change: <t:1800000000:R>"
    assert [*nothing, note, "[My games mygames 3]"] == whole(overview_layout(overview_words(8, []), NOW, 3))
    lines = overview_words(8, [open_table(n) for n in range(60)]).splitlines()
    assert f"-# … and {60 - len(lines) + 2} more games" == lines[-1]
    assert len("\n".join(lines)) < 3600


def mine(*due: int, **changes: Any) -> _Game:
    """A game of Ana with Ben and a computer in which these seats decide."""
    table = table_of(ANA, BEN, 0, runs=True, facts={"board": Board(3, 99, {})}, **changes.pop("columns", {}))
    question = Text("{seat} {seat:chooses|choose} a road.", seat=Seat(0))
    decisions = tuple(Decision(Seat(seat), question, ()) for seat in due)
    return _Game(table, Seat(0), **{"decisions": decisions, "since": NOW, **changes})


GAME = "**[Toll](https://discord.com/channels/8/9/99)** with 🟦 Ben and 🟨 Tumbleweed"


def test_my_games_are_those_that_wait_for_the_user_and_then_the_others_with_whom_they_wait_for() -> None:
    broken = mine(columns={"guild_id": NO_SERVER})
    broken.table.problem = Text("Its record is damaged.")
    games = [
        mine(1, 2, upcoming=Text("your turn is next")),
        mine(1, 0),
        mine(0, since=None),
        mine(1, fault=Text("It has a fault.")),
        broken,
    ]
    assert [
        *("### Your move", GAME, "You choose a road. · <t:1800000000:R>", GAME, "You choose a road."),
        *("### Waiting for others", GAME),
        "Waiting for 🟦 Ben and 🟨 Tumbleweed · <t:1800000000:R> · your turn is next",
        *(GAME, "It has a fault. · <t:1800000000:R>"),
        "**[Toll](https://discord.com/channels/@me/9/99)** with Blue and Yellow",
        "Its record is damaged. · <t:1800000000:R>",
        "-# … and 2 more games",
    ] == Mine(games, 2).in_words(3900).splitlines()
    assert 2 == Mine(games, 2).due
    assert "-# … and 6 more games" == Mine(games, 2).in_words(200).splitlines()[-1]
    assert "-# …" not in Mine(games, 0).in_words(3900)


async def test_my_games_tell_since_when_the_user_is_asked_even_if_another_player_waits_longer(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = desk.home
    table = await home.posted()
    await home.services.moves.play(table, HOST, Bid(1), interaction_id=1, version=None)
    home.time.now += HOUR
    await home.services.moves.play(table, GUEST, Bid(2), interaction_id=2, version=None)
    # as if Ana had been asked by an entry, and Ben from the beginning
    monkeypatch.setattr(Match, "decision_version", lambda _, seat: 1 - seat)
    home.time.now += HOUR
    ((*_, line),) = await desk.command(HOST, list_mine)
    assert f"Bid 0 to 3 coins. · <t:{int((home.time.now - 2 * HOUR).timestamp())}:R>" == line


async def test_my_games_tell_of_the_next_turn_only_those_who_are_not_asked(desk: Desk) -> None:
    people = [SeatHolder(user_id, name=name) for user_id, name in ((HOST, "Ana"), (GUEST, "Ben"), (72, "Caro"))]
    table = await desk.home.lobby(CHANNEL, *people, game="toll", ready=[HOST, GUEST, 72], secret="5" * 64)
    await desk.home.services.moves.start(table, 4711)
    (keeper,) = table.require_match().state.decisions()
    assert Seat(2) == keeper.seat, "the one before the first traveler, who is not next"
    ((*_, question),) = await desk.command(72, list_mine)
    assert question.startswith("Shall the traveler pay? · <t:")
    assert question.endswith(":R>")
    ((*_, waiting),) = await desk.command(GUEST, list_mine)
    assert waiting.endswith(":R> · You’re next")


async def test_the_games_of_a_user_are_those_that_run_outside_of_some_servers(desk: Desk) -> None:
    services = desk.home.services
    table = await desk.home.posted()
    (played,) = await services.store.matches.played_by(HOST)
    assert [table] == [game.table for game in (await my_games.games_of(services, HOST)).games]
    assert [table] == [
        game.table for game in (await my_games.games_of(services, HOST, without=lambda n: n != GUILD)).games
    ]
    assert () == tuple((await my_games.games_of(services, HOST, without=lambda n: n == GUILD)).games)
    await services.seats.end(table, at=NOON)
    assert await my_games._game(services, played, HOST, Preferences()) is None, "it ended after it was listed"


async def test_with_too_many_games_those_without_a_move_for_the_longest_time_are_listed(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = desk.home
    tables = [await home.posted(channel_id) for channel_id in (CHANNEL, 3, 4)]
    for table in (tables[1], tables[0]):
        home.time.now += HOUR
        await home.services.moves.play(table, GUEST, Bid(1), interaction_id=table.id, version=None)
    played = await home.store.matches.played_by(HOST)
    assert [tables[2].id, tables[1].id, tables[0].id] == [game.id for game in played]
    monkeypatch.setattr(my_games, "MAX_LOADED", 2)
    ((*lines, rest),) = await desk.command(HOST, list_mine)
    channels = {int(line.split("/")[-2]) for line in lines if "](" in line}
    assert ({3, 4}, "-# … and 1 more game") == (channels, rest)


@pytest.mark.parametrize(
    ("status", "at", "label"),
    [
        (Status.LOBBY, None, "Muscat, waiting for players"),
        (Status.RUNNING, NOW, "Muscat, being played – last move on January 15, 2027"),
        (Status.OVER, NOW, "Muscat, over – last move on January 15, 2027"),
        (Status.ENDED, NOW, "Muscat, called off – last move on January 15, 2027"),
        (Status.CLOSED, None, "Muscat, called off"),
    ],
)
def test_the_games_of_a_channel_are_listed_with_their_state(status: Status, at: datetime | None, label: str) -> None:
    assert label == str(_game_line(Past(1, "muscat", status, at)))
    state = label.split(", ")[1].partition(" – ")[0]
    thread = _in_thread(8, InThread(10, BEN, "muscat", status))
    assert f"[Muscat](https://discord.com/channels/8/10), hosted by <@72>, {state}" == str(thread)
    of_league = _in_thread(8, InThread(10, 0, "muscat", status))
    assert f"[Muscat](https://discord.com/channels/8/10), {state}" == str(of_league)


def test_the_list_has_a_menu_of_the_channel_and_links_to_its_threads() -> None:
    rows, threads = [("7", "Muscat, over"), ("3", "Toll, called off")], [Text("one"), Text("two")]
    menu = ["### Games in this channel", "Choose a game to look at: game", "  7 Muscat, over", "  3 Toll, called off"]
    listed = ["### Games in its threads", "one", "two"]
    assert [*menu, *listed] == whole(games_layout(rows, threads))
    assert menu == whole(games_layout(rows, []))
    assert listed == whole(games_layout([], threads))


@pytest.mark.parametrize(
    ("people", "block"), [((ANA, 0), []), ((ANA, BEN), ["[Block a player blockhere]"])], ids=["alone", "together"]
)
def test_a_page_of_the_log_leads_to_the_others_and_to_what_else_there_is(people: Any, block: list[str]) -> None:
    table = table_of(*people, runs=True)
    assert ["### Toll", "all", "[Luck luck]", "[Export export]", *block] == whole(log_layout(table, ["all"], 0))
    heading, words, number, *ways = whole(log_layout(table, ["one", "two", "three"], 1))
    assert ["### Toll", "two", "-# Page 2 of 3"] == [heading, words, number]
    assert ["[Previous log 0]", "[Next log 2]", "[Luck luck]", "[Export export]", *block] == ways


@pytest.mark.parametrize("due", [False, True])
def test_a_private_board_has_the_log_and_for_those_who_are_asked_their_move(due: bool) -> None:
    table = table_of(ANA, BEN, runs=True)
    page = whole(look_layout(table, "words", ("a.png", "alt"), due=due, spectating=_spectator_buttons(table, DAN)))
    move = ["[Your move turn]"] * due
    assert ["words", *move, "[Log past]", "[As text text]", "[Replay film]", "[Follow follow]"] == page


PREDICTION = Prediction(Seat(1), 4, NOW + HOUR, "Dan")


@pytest.mark.parametrize(
    ("user_id", "before", "buttons"),
    [
        (CARO, (), ["[Follow follow]"]),
        (DAN, (), ["[Unfollow unfollow]", "[Predict the winner predict]"]),
        (DAN, (PastHolder(Seat(1), holder(DAN), 3),), ["[Unfollow unfollow]"]),
    ],
)
def test_followers_who_never_played_may_predict(user_id: int, before: Any, buttons: list[str]) -> None:
    table = table_of(ANA, BEN, runs=True, past_holders=before, facts={"followers": frozenset({DAN})})
    assert buttons == whole(layout(row(*_spectator_buttons(table, user_id))))


def test_a_follower_sees_and_changes_their_own_prediction_alone() -> None:
    table: Table = table_of(ANA, BEN, runs=True, facts={"predictions": {DAN: PREDICTION}})
    table.match = SimpleNamespace(setup=table.setup, moves_before=lambda version: version - 1)
    about, words, *menu = whole(_layout(table, CARO))
    assert ["Choose the winner: predicted", "  0 🔴 Ana", "  1 🟦 Ben"] == menu
    assert [
        *(about, words, "✓ Your prediction before move 4: 🟦 Ben wins.", "Choose the winner: predicted"),
        *("  0 🔴 Ana", "  *1 🟦 Ben", "  - No prediction"),
    ] == whole(_layout(table, DAN))


@pytest.mark.parametrize("value", ["", "x", "-1", "١"])
def test_a_forged_winner_is_no_seat(value: str) -> None:
    with pytest.raises(UserError):
        _seat_in(value)


async def test_events_are_those_tables_and_leagues_that_all_members_can_join_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    later, earlier = NOW + HOUR, NOW - HOUR
    lobby = {"status": Status.LOBBY, "starts_at": later}
    tables = [
        open_table(1, **lobby),
        open_table(2, starts_at=later),
        open_table(3, **lobby, admits=Admission.INVITATION),
        open_table(4, **lobby, admits=Admission.REQUEST, game="gone" * 30, channel_id=10),
        open_table(5, **lobby | {"starts_at": None}),
        open_table(6, **lobby | {"starts_at": earlier}),
        open_table(7, **lobby, channel_id=11),
        open_table(8, **lobby, channel_id=12, parent_id=9, own_thread=True),
        open_table(9, **lobby, channel_id=12, parent_id=9),
    ]
    statuses = [(LeagueStatus.SIGN_UP, later, 9), (LeagueStatus.PLAYING, later, 9), (LeagueStatus.SIGN_UP, earlier, 9)]
    leagues = [
        SimpleNamespace(id=n, game="muses", status=status, closes_at=at, channel_id=channel_id)
        for n, (status, at, channel_id) in enumerate((*statuses, (LeagueStatus.SIGN_UP, later, 11)))
    ]

    def of_server(rows: list[Any]) -> Any:
        async def of_server(guild_id: int) -> list[Any]:
            assert 8 == guild_id
            return rows

        return SimpleNamespace(of_server=of_server)

    def everyone_sees(_: Any, channel_id: int, parent_id: int | None) -> bool:
        return channel_id in (9, 10) or (channel_id, parent_id) == (12, 9)

    monkeypatch.setattr(timed_events, "everyone_sees", everyone_sees)
    services: Any = SimpleNamespace(store=SimpleNamespace(open_tables=of_server(tables), leagues=of_server(leagues)))
    guild: Any = SimpleNamespace(id=8)
    events = await timed_events.timed_events(services, guild, NOW)
    link = "https://discord.com/channels/8"
    title = str(discover()["muses"].name)
    assert {
        "table 1": TimedEvent(title, later, f"{link}/9"),
        "table 4": TimedEvent("gone" * 25, later, f"{link}/10"),
        "table 8": TimedEvent(title, later, f"{link}/12"),
        "league 0": TimedEvent(f"{title} League, round 1", later, f"{link}/9"),
    } == events


async def test_a_game_with_the_luck_of_another_one_has_no_file_to_continue_from(desk: Desk) -> None:
    table = await desk.home.lobby(game="toll", ready=[70, 71])
    source = Match.begin(table.spec, table.spec.setup(2), "another seed")
    while decisions := source.state.decisions():
        source.play(decisions[0].seat, decisions[0].options[0])
    await desk.home.services.moves.start(table, 4711, source.entries)
    assert Status.OVER is table.row.status
    ((_, _, note),) = await desk.tap(70, "export:1:0:")
    assert "-# This game began in the middle of another one, so there’s no file to continue from." == note
    assert ["toll-1.txt"] == [file.filename for file in desk.files]
    no_proof = "This game began in the middle of another one, so there’s no proof of its luck."
    assert [["new private", no_proof]] == await desk.tap(70, "luck:1:0:")


async def test_what_was_done_unseen_is_no_empty_line_in_an_export(desk: Desk) -> None:
    table = await desk.home.posted()
    await desk.home.services.moves.play(table, 70, Bid(1), interaction_id=1, version=None)
    await desk.tap(71, "export:1:0:")
    (file,) = desk.files
    assert "Sealed Bids\n🔴 Ana\n🟦 Ben" == file.fp.read().decode()


async def test_a_look_at_a_game_says_nothing_of_its_board_that_cannot_be_posted(desk: Desk) -> None:
    table = await desk.home.match()
    desk.home.network.fault = lambda: refusal(403, 50013)
    (answer,) = await desk.command(70, games.show_board)
    assert ("new private", True) == (answer[0], table.waiting is not None)


async def test_a_page_of_the_log_that_is_gone_leads_to_the_last_one(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves were taken back since its button was made."""
    await desk.home.posted()
    last = await desk.tap(70, "log:1:0:")
    assert last == await desk.tap(70, "log:1:0:9")
    monkeypatch.setattr(games, "log_pages", lambda *_: ["One.", "Two."])
    for control, page in (("log:1:0:0", "One."), ("log:1:0:1", "Two."), ("log:1:0:", "Two."), ("log:1:0:9", "Two.")):
        ((_, *lines),) = await desk.tap(70, control)
        assert [page] == [line for line in lines if line in ("One.", "Two.")]


async def test_a_look_at_a_game_posts_the_board_that_waits(desk: Desk) -> None:
    await desk.home.match()
    await desk.command(70, games.show_board)
    assert "POST /channels/{channel_id}/messages" in desk.home.network.accepted


async def test_a_game_of_another_channel_cannot_be_chosen_from_a_list(desk: Desk) -> None:
    for channel_id in (CHANNEL, 3):
        await desk.home.posted(channel_id)
    gone = [["new private", "I can’t find that game here anymore."]]
    assert gone == await desk.tap(70, "game:1:0:", "2")
    assert gone != await desk.tap(70, "game:1:0:", "1")


async def test_a_game_that_was_called_off_is_exported_as_far_as_it_went(desk: Desk) -> None:
    table = await desk.home.posted()
    for user_id, coins in ((HOST, 3), (GUEST, 1)):
        await bid(desk.home, table, user_id, coins)
    await desk.home.services.seats.end(table, by=70, at=desk.home.clock.now())
    ((_, title, note),) = await desk.tap(70, "export:1:0:")
    assert ("### Sealed Bids", True) == (title, note.startswith("-# It contains everything"))
    (file,) = desk.files
    words = ["Sealed Bids", "🔴 Ana", "🟦 Ben", "The bids are 3 and 1."]
    assert ("sealed-1.txt", words) == (file.filename, file.fp.read().decode().splitlines())


@pytest.mark.parametrize(("room", "parts"), [(6, ["ab", "cd"]), (5, ["ab"]), (3, ["ab"]), (2, [])])
def test_the_parts_of_a_message_fit_with_their_line_breaks(room: int, parts: list[str]) -> None:
    assert parts == list(that_fit(["ab", "cd"], room))


@pytest.mark.parametrize(("digits", "fits"), [("1", True), ("12", True), ("14", True), ("2", False), ("123", False)])
def test_a_move_is_suggested_by_the_beginning_of_its_number(digits: str, fits: bool) -> None:
    turn: Any = SimpleNamespace(moves=(12, 14))
    assert fits == replays._has(turn, digits)


def carpets() -> Table:
    """A game of Ana and Ben whose turns have several moves."""
    table = table_of(ANA, BEN, game="jinns", runs=True)
    match = table.require_match()
    for _ in range(40):
        (decision,) = match.state.decisions()
        match.play(decision.seat, decision.options[0])
    return table


def test_a_suggested_turn_stands_for_its_last_move_and_the_newest_comes_first() -> None:
    table = carpets()
    scenes = replays._scenes(table)
    assert any(scene.moves[0] < scene.moves[1] for scene in scenes)
    suggested = [choice for choice in replays.candidates(table, "") if choice]
    assert [scene.moves[1] for scene in scenes[:0:-1]] == [choice.value for choice in suggested]


async def test_moves_to_replay_are_suggested_for_the_game_of_the_channel_alone(desk: Desk) -> None:
    assert [] == await desk.suggest(HOST, replays._suggest_moves)
    table = await desk.home.posted()
    for user_id, coins in ((HOST, 1), (GUEST, 2)):
        await bid(desk.home, table, user_id, coins)
    (choice,) = filter(None, replays.candidates(table, ""))
    assert [(choice.name, choice.value)] == await desk.suggest(HOST, replays._suggest_moves)


def test_the_button_for_everyone_shows_the_turns_of_the_replay_above_it() -> None:
    table = carpets()
    scenes = replays._scenes(table)
    animation = Animation(b"", "a.gif", "alt", 2, 2)
    *_, round_, game, step, share = whole(_replay_layout(table, animation, scenes, (2, 4)))
    assert ["[Last round replay round]", "[Whole game replay all]"] == [round_, game]
    assert step.startswith("[Step by step frame 2")
    span = f"{scenes[2].moves[1]}-{scenes[4].moves[1]}"
    assert f"[Show to everyone share {span}]" == share
    assert (2, 4) == replays._scene_range(table, scenes, span)


async def test_a_private_board_marks_what_its_player_has_not_seen_and_asks_who_is_due(desk: Desk) -> None:
    home = desk.home
    table = await home.posted(game="jinns")
    match, drawings = table.require_match(), home.services.pictures.drawings
    first = match.state.decisions()[0].seat
    while match.state.decisions()[0].seat == first:
        (decision,) = match.state.decisions()
        user_id = table.row.holders[decision.seat].user_id
        number = match.version + 1
        await home.services.moves.play(table, user_id, decision.options[0], interaction_id=number, version=None)
        match = table.require_match()
    mover, waiting = (table.row.holders[seat].user_id for seat in (first, Seat(1 - first)))
    await home.services.poster.post(table)
    drawings.clear()
    ((_, *lines),) = await desk.command(waiting, games.show_board)
    assert "[Your move turn]" in lines
    everything = match.view(Seat(1 - first), since=0).events
    assert everything == drawings[-1][0].events, "all since the beginning is news"
    await desk.command(waiting, games.show_board)
    last = match.view(Seat(1 - first)).events
    assert last == drawings[-1][0].events != everything, "without news, the last move"
    ((_, *lines),) = await desk.command(mover, games.show_board)
    assert "[Your move turn]" not in lines
    table = await home.posted(3, game="garden")
    planted = table.require_match().state.decisions()[0].options[0]
    await home.services.moves.play(table, HOST, planted, interaction_id=99, version=None)
    ((_, *lines),) = await desk.command(GUEST, games.show_board, channel_id=3)
    assert ["🔴 Ana plants a1 with date tree.", f"It’s 🟦 <@{GUEST}>’s turn."] == lines[:2]


async def test_a_channel_without_games_says_how_to_begin_one_or_that_none_has_begun(desk: Desk) -> None:
    desk.home.add_channel(CHANNEL)
    none = "There’s no game in this channel. Start one with `/table new`."
    looks = (games.show_board, games.show_log, replays.show_moves)
    for command in (games.list_games, *looks):
        assert [["new private", none]] == await desk.command(HOST, command)
    await desk.home.lobby()
    none = "No game has begun in this channel yet."
    assert [["new private", none]] == await desk.command(HOST, games.list_games)
    early = "The game hasn’t started yet. Tap **Start** when everyone is here."
    for command in looks:
        assert [["new private", early]] == await desk.command(HOST, command)


async def test_a_game_that_is_over_is_exported_as_text_and_as_a_record_that_can_be_played_again(desk: Desk) -> None:
    table = await desk.home.posted(options={"rounds": 1})
    for user_id, coins in ((HOST, 3), (GUEST, 1)):
        await bid(desk.home, table, user_id, coins)
    ways = ["[First frame 0]", "[Back frame 1 0]", "(Forward frame 2 2)", "(Last frame 3 1)", "[Replay replay]"]
    for number in (1, 9):
        position = ["edit", "**Move 2 of 2**", "🟦 The bids are 3 and 1.", *ways]
        assert [position] == await desk.tap(HOST, f"frame:1:0:{number}")
        assert ["a.png"] == [file.filename for file in desk.files]
    ((how, title, *_),) = await desk.tap(HOST, "export:1:0:")
    assert ("new private", "### Sealed Bids") == (how, title)
    words, record = (file.fp.read().decode() for file in desk.files)
    assert ["sealed-1.txt", "sealed-1.json"] == [file.filename for file in desk.files]
    assert ["Sealed Bids", "rounds: 1", "🔴 Ana", "🟦 Ben"] == words.splitlines()[:4]
    assert ["🔴 Ana: 1", "🟦 Ben: 0"] == words.splitlines()[-2:]
    parsed = parse_record(record.encode())
    assert ("sealed", {"rounds": 1}, ("Ana", "Ben")) == (parsed.spec.slug, dict(parsed.options), parsed.names)
    assert tuple(table.viewable_match().entries) == parsed.entries
