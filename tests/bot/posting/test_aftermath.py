"""A move after its commit: the board and the answer do not wait for each other, no user is told
something untrue, and nothing is done twice."""

from __future__ import annotations

import asyncio
import inspect
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.interactions import responses
from bot.store import jobs
from bot.store.codec import time_at, time_of
from playground import rest
from playground.plan import EDIT
from playground.player import ExpectationFailed, Player, Seen
from playground.rest.call import Call
from playground.world import Channel, ChannelKind
from tests.bot.app import App
from tests.bot.forging import forge, forge_row
from tests.rooms import Room, choose_first, play_move, start_game, tap_more

ANSWER = "POST /interactions/*/callback"
MOVE_SAVED = "Your move is saved"
UNANSWERED = r"no answer within|left unanswered"
AGES = 100.0
"""Seconds after which a user stops waiting for an answer; the bot still remembers their command."""


@pytest.fixture
def room(app: App) -> Room:
    return app.room()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long for Discord."""
    monkeypatch.setattr(responses, "ANSWER_TIMEOUT", 1.0)
    monkeypatch.setattr(responses, "BOARD_TIMEOUT", 0.5)
    monkeypatch.setattr(jobs, "POST_DELAY", timedelta(seconds=1))


def post_here(room: Room) -> str:
    return f"POST /channels/{room.local.channel(room.channel).id}/messages"


async def preview(player: Player) -> Seen:
    """Up to the first preview there is."""
    step = await player.tap("Your move")
    return await choose_first(player, step)


def stored_rows(app: App) -> list[Any]:
    """All that the database knows of matches, people and moves; not what they have looked at, which is noted later."""
    people = "SELECT match_id, seat, since, until, user_id, computer, name FROM seat_history"
    return [app.query(what) for what in ("SELECT * FROM matches", people, "SELECT * FROM entries")]


# --- each goes its own way ---


@pytest.mark.usefixtures("no_previews")
@pytest.mark.parametrize("how", ["by tap", "by command"])
async def test_a_hanging_answer_does_not_delay_the_board(app: App, room: Room, soon: None, how: str):
    app.local.allow(UNANSWERED)
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    screen = await preview(ana)
    silence = app.local.fault(ANSWER, hang=True)
    act = ana.tap("Confirm", on=screen) if how == "by tap" else ana.slash("muscat place", market="A")
    acting = asyncio.create_task(act)
    await app.local.wait_for_fault(silence)
    await room.onlooker.expect("starts on 1A", after=board)
    app.local.release()
    app.local.clock.advance(AGES)
    await asyncio.wait({acting})
    acting.exception()


# --- nothing untrue ---

LOST = {
    "forbidden": {"status": 403},
    "cut": {"cut": True},
    "a proxy's page": {"status": 502, "html": True, "times": 9},
}


@pytest.mark.usefixtures("no_previews")
@pytest.mark.parametrize("how", ["by tap", "by command"])
@pytest.mark.parametrize("fault", LOST.values(), ids=LOST)
async def test_a_move_counts_if_only_its_answer_fails_and_no_message_suggests_a_retry(app, room, soon, fault, how):
    app.local.allow(UNANSWERED)
    board = await room.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    screen = await preview(ana)
    lost = app.local.fault(ANSWER, **fault)
    act = ana.tap("Confirm", on=screen) if how == "by tap" else ana.slash("muscat place", market="A")
    acting = asyncio.create_task(act)
    await room.onlooker.expect("starts on 1A", after=board)
    if "html" in fault:  # nothing gets through, not even the excuse
        await app.local.wait_for_fault(lost, 2)
        app.local.clock.advance(AGES)
        app.local.lift(ANSWER)
        await app.let_pass(10)  # else the bot would not leave before discord.py's next try
    else:
        assert (MOVE_SAVED if how == "by tap" else "The board is in the channel") in await acting
    await asyncio.wait({acting})
    assert acting.exception() is None or "html" in fault
    assert not any("try again" in seen for seen in ana.messages)


@pytest.mark.parametrize("how", ["by tap", "by command"])
async def test_a_start_counts_even_if_only_its_answer_fails(app: App, room: Room, how: str):
    await room.lobby("Ana", "Ben", "Caro")
    app.local.fault(ANSWER, 403)
    ana = room.person("Ana")
    answer = await (ana.tap("Start") if how == "by tap" else ana.slash("table start"))
    assert "The game has begun" in answer
    await room.board()


async def test_calling_off_a_game_works_for_every_player_even_without_an_answer(app: App, room: Room):
    await room.game("Ana", "Ben", "Caro")
    question = await room.person("Ana").slash("table end")
    app.local.fault(ANSWER, 403)
    await room.person("Ana").tap("End it", on=question)
    await room.onlooker.expect("called off by")
    await room.onlooker.until(lambda: not any(seen.labels for seen in room.onlooker.messages))


async def test_the_player_who_moved_is_informed_when_discord_refuses_the_board(app: App, room: Room):
    room.let_boards_be_posted()
    await room.game("Ana", "Ben", "Caro")
    app.local.fault(post_here(room), 503)
    await play_move(room.person("Ana"), "muscat place", market="A")
    assert "keep trying" in await room.person("Ana").expect(MOVE_SAVED)


async def test_cancel_mentions_the_choices_confirmed_earlier(app: App, room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    for name, market in zip(("Ana", "Ben"), "AB", strict=True):
        cancelled = await room.person(name).tap("Cancel", on=await room.person(name).tap("Your move", on=board))
        assert "Nothing has changed" in cancelled
        await play_move(room.person(name), "muscat place", market=market)
        board = await room.board(after=board)
    ana = room.person("Ana")
    reply = await play_move(ana, "muscat draw")
    cancelled = await ana.tap("Cancel", on=reply)
    assert "Nothing else has changed; the choices you confirmed earlier still count" in cancelled


# --- nothing twice ---


async def unheard(app: App, room: Room, name: str, path: str, **typed: str) -> None:
    """Somebody types a command that is carried out, and gets no answer to it."""
    app.local.allow(UNANSWERED)
    lost = app.local.fault(ANSWER, 404, code=10062)
    typing = asyncio.create_task(room.person(name).slash(path, **typed))
    await app.local.wait_for_fault(lost)
    app.local.clock.advance(AGES)
    with pytest.raises(ExpectationFailed):
        await typing


@pytest.mark.usefixtures("no_previews")
async def test_retyping_a_command_whose_answer_was_lost_shows_it_as_done(app: App, room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    await unheard(app, room, "Ana", "muscat place", market="A")
    board = await room.board(after=board)
    before = stored_rows(app)
    again = await room.person("Ana").slash("muscat place", market="A")
    assert "✓" in again
    assert "when you typed it a moment ago" in again
    assert before == stored_rows(app)
    assert "Not your turn" in await room.person("Ana").slash("muscat place", market="A")


@pytest.mark.usefixtures("no_previews")
async def test_a_command_that_could_act_twice_asks_for_confirmation(app: App, room: Room):
    host = room.person("Ana")
    await host.slash("table new", game="jinns")
    await host.tap("As printed", on=await host.slash("table options"))
    await host.tap("Add computer")
    await host.tap("Start")
    board = await room.board()
    await unheard(app, room, "Ana", "jinns place", strength="rest")
    board = await room.board(after=board)
    before = stored_rows(app)
    page = await host.slash("jinns place", strength="rest")
    assert "Do it again?" in page
    assert "Confirm" in page.labels
    assert before == stored_rows(app)
    await host.tap("Confirm", on=page)
    await room.board(after=board)
    assert before != stored_rows(app)


@pytest.mark.usefixtures("no_previews")
async def test_an_answered_command_can_be_typed_again(app: App, room: Room):
    host = room.person("Ana")
    await host.slash("table new", game="jinns")
    await host.tap("As printed", on=await host.slash("table options"))
    await host.tap("Add computer")
    await host.tap("Start")
    board = await room.board()
    for _ in range(2):
        await host.slash("jinns place", strength="rest")
        board = await room.board(after=board)


# --- looking back ---


async def test_a_finished_game_can_be_viewed_in_its_channel(app: App, room: Room):
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="sealed")
    await ben.tap("Join")
    await ana.choose("rounds: 1", on=await ana.slash("table options"))
    await start_game(ana, ben)
    await play_move(ana, "sealed bid", coins="3")
    await play_move(ben, "sealed bid", coins="1")
    board = await room.onlooker.expect("wins!")
    assert {"Ana", "Ben"} == set(board.pinged)
    for person in (ana, ben, room.onlooker):
        response = await person.slash("game board")
        assert ("win" in response, 1, ["Log", "As text", "Replay"]) == (True, len(response.images), response.labels)
        assert "The bids are 3 and 1." in await person.slash("game log")
        assert (await person.slash("game board", **{"as": "text"})).text
    assert "There’s no game" in await ana.slash("sealed bid", coins="1")


async def one_choice(person: Player, step: Seen) -> Seen:
    """Choose the first option, and confirm it."""
    while "Confirm" not in step.labels:
        if step.menus:
            step = await person.choose(step.menus[0].options[0].label, on=step)
        else:
            step = await choose_first(person, step)
    return await person.tap("Confirm", on=step)


async def test_the_log_of_a_long_game_can_be_paged(app: App, room: Room):
    await room.lobby("Ana", computers=2)
    ana = room.person("Ana")
    await ana.tap("Start")
    board = await room.board()
    for _ in range(12):
        done = await one_choice(ana, await ana.tap("Your move", on=board))
        while "Cancel" in done.labels:
            done = await one_choice(ana, done)
        board = await room.board(after=board)
    last = await ana.slash("game log")
    assert ["Previous", "Luck", "Export"] == last.labels
    first = await ana.tap("Previous", on=last)
    while "Previous" in first.labels:
        first = await ana.tap("Previous", on=first)
    assert "draws a hidden artist" in first
    assert ["Next", "Luck", "Export"] == first.labels


async def test_a_request_for_the_rules_of_an_unknown_game_is_refused_by_name(app: App, room: Room):
    reply = await room.person("Ana").slash("game rules", game="chess")
    assert "I have no game called “chess”" in reply
    assert "Muscat" in reply


# --- data from outside ---


async def test_a_control_works_only_in_its_own_channel(app: App, room: Room):
    board = await room.game("Ana", "Ben", "Caro")
    elsewhere = app.room()
    other = await elsewhere.game("Ana", "Ben", "Caro")
    here = board.button("Your move").custom_id
    reply = await forge(
        app, elsewhere.person("Ana"), other, {"type": 2, "custom_id": here, "style": 1, "label": "here"}
    )
    assert "find that game here anymore" in reply
    assert [] == reply.labels


async def test_the_list_does_not_show_a_game_of_another_channel(app: App, room: Room):
    other = app.room()
    for place in (other, room):
        await place.game("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    listed = await ana.slash("game list")
    menu, (mine,) = listed.menus[0].custom_id, [option.value for option in listed.menus[0].options]
    (others,) = {str(number) for (number,) in app.query("SELECT id FROM matches")} - {mine}
    assert "find that game here anymore" in await forge_row(app, ana, listed, menu, others)
    assert (await forge_row(app, ana, listed, menu, mine)).images


@pytest.mark.parametrize("values", [[], ["place A", "place B"], ["nonsense"], [""]])
@pytest.mark.parametrize("kind", ["pick", "option"])
async def test_a_forged_menu_gets_a_friendly_answer(app: App, room: Room, kind: str, values: list[str]):
    lobby = await room.lobby("Ana", "Ben", "Caro")
    ana = room.person("Ana")
    match_id = lobby.button("Start").custom_id.split(":")[2]
    if kind == "pick":
        await ana.tap("Start")
        await room.board()
    screen = await (ana.tap("Your move") if kind == "pick" else ana.slash("table options"))
    before = stored_rows(app)
    text = "0" if kind == "pick" else "start_player"
    menu = {"type": 3, "custom_id": f"cm:{kind}:{match_id}:4:{text}", "options": []}
    answer = await forge(app, ana, screen, menu, values=values)
    assert answer.ephemeral
    assert "wrong on my end" not in answer
    assert before == stored_rows(app)


@pytest.fixture
def bodies(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Bodies of the bot's requests, in order."""
    sent: list[dict[str, Any]] = []
    answer = rest._answer

    async def listen(local: Any, call: Call, *others: Any) -> Any:
        sent.append(call.body)
        result = answer(local, call, *others)
        return await result if inspect.isawaitable(result) else result

    monkeypatch.setattr(rest, "_answer", listen)
    return sent


async def test_every_message_restricts_its_pings(bodies: list[dict[str, Any]], room: Room):
    """Every request with text lists the users that it may ping; edits of lobbies and boards ping no one."""
    await room.first_turn("Ana", "Ben", "Caro")
    await room.person("Ana").slash("game board")
    await tap_more(room.person("Ben"), "As text")
    await room.person("Ben").slash("game hand")
    await room.person("Caro").slash("game log")
    results = [body.get("data") or body for body in bodies if isinstance(body, dict)]
    results = [body for body in results if "components" in body]
    assert len(results) > 10
    assert [] == [body for body in results if "allowed_mentions" not in body]
    assert all(body["allowed_mentions"]["parse"] == [] for body in results)


# --- limits ---


@pytest.mark.parametrize(
    ("route", "pause"), [("POST /channels/*/messages", 25.0), ("PATCH /channels/*/messages/*", 12.0)]
)
async def test_an_overlong_global_limit_blocks_no_board_for_good(
    app: App, room: Room, route: str, pause: float
) -> None:
    await room.game("Ana", "Ben", "Caro")
    elsewhere = app.room()
    board = await elsewhere.game("Ana", "Ben", "Caro")
    limited = app.local.fault(route, 429, retry_after=pause, is_global=True)
    if route == EDIT:
        lobby = app.room()
        await lobby.lobby("Ana", "Ben")
        await lobby.person("Caro").slash("game join")
    else:
        await play_move(room.person("Ana"), "muscat place", market="A")
    await app.local.wait_for_fault(limited)
    await app.let_pass(pause + 10)
    await play_move(elsewhere.person("Ana"), "muscat place", market="A")
    await elsewhere.board(after=board)
    assert 1 == limited.struck
    await app.let_pass(30)
    assert (1 if route == EDIT else 2, 2) == (len(room.boards), len(elsewhere.boards))


# --- closed doors ---


async def test_a_pending_board_is_posted_when_a_player_asks_for_it(app: App, room: Room):
    room.let_boards_be_posted()
    board = await room.game("Ana", "Ben", "Caro")
    refused = app.local.fault(post_here(room), 403, html=True)
    await play_move(room.person("Ana"), "muscat place", market="A")
    await app.local.wait_for_fault(refused)
    await room.person("Gus").slash("game board")
    assert 1 == len(room.boards)
    await room.person("Ben").slash("game board")
    assert ("Ben",) == (await room.board(after=board)).pinged


async def test_a_board_for_an_archived_thread_is_posted_when_the_thread_is_opened(app: App, room: Room):
    parent, number = app.local.channel(room.channel), app.local.discord.world.ids.next()
    thread = app.local.discord.open_channel(
        Channel(number, "thread", kind=ChannelKind.PUBLIC_THREAD, parent_id=parent.id, owner_id=1)
    )
    inside = Room(app.local, thread.name)
    room.let_boards_be_posted()
    board = await inside.game("Ana", "Ben", "Caro")
    assert [(app.local.discord.world.guild_id, thread.id)] == app.query("SELECT guild_id, channel_id FROM matches")
    app.local.fault(post_here(inside), 400, code=50083, message="Thread is archived")
    await play_move(inside.person("Ana"), "muscat place", market="A")
    await inside.person("Ana").expect("I can’t post the board")
    app.local.set_thread("thread", archived=False)
    await app.let_pass(10)
    await inside.board(after=board)


# --- a kill between a board and its mark ---


@pytest.mark.parametrize(("hours", "readable", "doubled"), [(0, True, 0), (0, False, 0), (3, True, 0), (3, False, 1)])
async def test_a_board_found_hours_after_a_kill_is_not_reposted_if_the_history_is_readable(
    app: App, room: Room, hours: int, readable: bool, doubled: int
) -> None:
    if not readable:
        room.let_boards_be_posted()
    board = await room.game("Ana", "Ben", "Caro")
    await play_move(room.person("Ana"), "muscat place", market="A")
    board = await room.board(after=board)
    await app.close()  # as if it had been killed before the board was noted
    there = len(room.onlooker.messages)
    (mark,) = [json.loads(body)["mark"] for (body,) in app.query("SELECT body FROM boards")]
    await app.change("DELETE FROM boards")
    state = json.dumps({"mark": mark}, separators=(",", ":"))
    await app.change("INSERT INTO jobs VALUES ('board', 1, 0, -1, 1, ?, 0, ?)", time_of(datetime.now(UTC)), state)
    for match_id, n, at in app.query("SELECT match_id, n, at FROM entries"):
        earlier = time_of(time_at(at) - timedelta(hours=hours))
        await app.change("UPDATE entries SET at = ? WHERE match_id = ? AND n = ?", earlier, match_id, n)
    app.local.clock.advance(hours * 3600.0)
    await app.open()
    while app.query("SELECT 1 FROM jobs WHERE kind = 'board'"):
        await app.let_pass(1.0)
    assert there + doubled == len(room.onlooker.messages)
    assert [(not doubled,)] == app.query("SELECT message_id = ? FROM boards", board.id)
    assert room.onlooker.look(board).images, "it was not changed"
    assert (await tap_more(room.person("Ben"), "As text", room.onlooker.last)).ephemeral


async def test_a_clean_restart_edits_no_old_message(app: App) -> None:
    room = app.room()
    await room.game("Ana", "Ben", "Caro")
    await app.close()
    edits = app.local.requests["PATCH /channels/{channel_id}/messages/{message_id}"]
    await app.open()
    assert "Face up for" in await room.person("Ana").slash("game log")
    assert edits == app.local.requests["PATCH /channels/{channel_id}/messages/{message_id}"]
