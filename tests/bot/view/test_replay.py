"""Replays of past moves: as a moving picture, which can be shown around, and position by position."""

from __future__ import annotations

import dataclasses
import io
from typing import Any

import pytest
from PIL import Image, ImageSequence

from bot.posting import pictures
from playground.player import Seen
from tests.bot.app import App
from tests.robots import BOARD
from tests.rooms import Room, play_move, start_game, tap_more

MOVES = (("Ana", "a1"), ("Ben", "a2"), ("Ana", "a3"), ("Ben", "a4"))


async def start_garden(app: App, moves: int = len(MOVES)) -> Room:
    """A garden of Ana and Ben in which nothing is planted; four moves are all of it."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="garden")
    await ben.tap("Join")
    await start_game(ana, ben)
    for name, bed in MOVES[:moves]:
        await play_move(room.person(name), "game move", what=f"plant {bed} nothing")
    return room


def frames(seen: Seen) -> int:
    (image,) = seen.images
    with Image.open(io.BytesIO(image.data)) as animation:
        assert "GIF" == animation.format
        return sum(1 for _ in ImageSequence.Iterator(animation))


async def test_the_replay_shows_the_last_round_of_a_running_game_and_all_of_a_finished_one(app: App) -> None:
    room = await start_garden(app, 3)
    dan = room.person("Dan")
    answer = await dan.slash("game replay")
    assert (True, 3) == (answer.ephemeral, frames(answer)), "the position before it, and a turn of each"
    assert "Moves 2–3 of 3" in answer
    await play_move(room.person("Ben"), "game move", what="plant a4 nothing")
    over = await room.onlooker.expect("🥇")
    answer = await tap_more(dan, "Replay", over)
    assert (True, 5) == (answer.ephemeral, frames(answer))
    assert "Moves 1–4 of 4" in answer
    assert "It ends like this" in (answer.images[0].alt or "")
    assert "Moves 3–4 of 4" in await dan.tap("Last round", on=answer)


@pytest.mark.parametrize("who", ["Ana", "Dan"])
async def test_an_older_board_leads_to_the_result(app: App, who: str) -> None:
    room = await start_garden(app, 3)
    board = await room.board()
    await play_move(room.person("Ben"), "game move", what="plant a4 nothing")
    over = await room.onlooker.expect("🥇")
    reply = await room.person(who).tap("Your move", on=board)
    assert (True, over.images[0].alt) == (reply.ephemeral, reply.images[0].alt)
    assert "🥇" in reply
    assert "Replay" in reply.labels


async def test_any_span_of_moves_can_be_asked_for(app: App) -> None:
    room = await start_garden(app)
    spans: tuple[tuple[dict[str, Any], str, int], ...] = (
        ({"from": 2, "to": 3}, "Moves 2–3 of 4", 3),
        ({"from": 3}, "Moves 3–4 of 4", 3),
        ({"to": 2}, "Moves 1–2 of 4", 3),
        ({"from": 3, "to": 2}, "Moves 2–3 of 4", 3),
        ({"from": 4, "to": 900}, "Move 4 of 4", 2),
        ({"span": "round"}, "Moves 3–4 of 4", 3),
        ({"span": "all"}, "Moves 1–4 of 4", 5),
    )
    for typed, sentence, number in spans:
        page = await room.person("Dan").slash("game replay", **typed)
        assert (sentence in page, number) == (True, frames(page)), typed


async def test_moves_have_log_numbers_and_are_suggested_by_number_and_by_text(app: App) -> None:
    room = await start_garden(app)
    dan = room.person("Dan")
    log = (await dan.slash("game log")).text
    assert [f"`{n}`" in log for n in range(6)] == [False, True, True, True, True, False]
    suggested = await dan.suggest("game replay", "from")
    assert [4, 3, 2, 1] == [value for _, value in suggested]
    assert [2] == [value for _, value in await dan.suggest("game replay", "to", "2")]
    words = suggested[0][0].partition("· ")[2]
    assert words in log.replace("**", "")
    assert {2, 4} == {value for _, value in await dan.suggest("game replay", "from", "bEN")}


async def test_a_replay_shown_to_everyone_contains_only_what_onlookers_saw(app: App) -> None:
    """Ben has sealed the next bid, which Ana must not know: Ben's replay is that of everybody else, to the byte."""
    room = app.room()
    ana, ben, dan = room.people("Ana", "Ben", "Dan")
    await ana.slash("table new", game="sealed")
    await ben.tap("Join")
    await start_game(ana, ben)
    await room.onlooker.expect(BOARD)
    for person, coins in ((ana, "3"), (ben, "2"), (ben, "1")):
        await play_move(person, "sealed bid", coins=coins)
    own, others = await ben.slash("game replay"), await dan.slash("game replay")
    assert own.images[0].data == others.images[0].data
    await ben.tap("Show to everyone", on=own)
    message = await room.onlooker.expect("Shown by")
    assert (False, ()) == (message.ephemeral, message.pinged)
    assert message.images[0].data == others.images[0].data
    assert ben.mention in message
    assert (await dan.tap("Step by step", on=message)).ephemeral


async def test_positions_can_be_stepped_through_after_a_restart(app: App) -> None:
    room = await start_garden(app)
    dan = room.person("Dan")
    step = await dan.tap("Step by step", on=await dan.slash("game replay"))
    assert "Move 1 of 4" in step
    assert "Ana" in step
    assert (1080, 1440) == step.images[0].size
    await app.close()
    await app.open()
    step = await dan.tap("Last", on=step)
    assert "Move 4 of 4" in step
    assert ["First", "Back", "Replay"] == step.labels
    step = await dan.tap("Back", on=step)
    assert "Move 3 of 4" in step
    step = await dan.tap("First", on=step)
    assert "How it began" in step
    assert ["Forward", "Last", "Replay"] == step.labels


async def test_an_undone_move_is_not_replayed_and_its_buttons_lead_to_the_last_one(app: App) -> None:
    room = await start_garden(app, 3)
    ana = room.person("Ana")
    step = await ana.tap("Step by step", on=await ana.slash("game replay"))
    assert "Move 2 of 3" in step
    await ana.slash("game undo")
    await room.onlooker.expect("takes back")
    assert "Moves 1–2 of 2" in await ana.slash("game replay")
    assert "Move 2 of 2" in await ana.tap("Forward", on=step)


async def test_a_channel_shows_only_its_own_games_and_none_before_the_first_move(app: App) -> None:
    room, other = await start_garden(app, 0), app.room()
    dan = room.person("Dan")
    assert "Nobody has moved yet" in await dan.slash("game replay")
    await play_move(room.person("Ana"), "game move", what="plant a1 nothing")
    response = await dan.slash("game replay")
    eva = other.person("Eva")
    lobby = await eva.slash("table new", game="garden")
    forged = dataclasses.replace(response, record=lobby.record, ephemeral=False)
    for label in response.labels:
        assert "find that game here anymore" in await eva.tap(label, on=forged)


async def test_an_oversized_animation_says_how_much_of_it_is_included(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MAX_BYTES", 60_000)
    room = await start_garden(app)
    screen = await room.person("Dan").slash("game replay")
    assert "of 5 positions fit" in screen
    assert len(screen.images[0].data) < 60_000 or 2 == frames(screen)


async def test_an_older_game_is_chosen_from_the_list(app: App) -> None:
    room = await start_garden(app)
    ana = room.person("Ana")
    await ana.slash("table new", game="sealed")
    listed = await ana.slash("game list")
    screen = await ana.choose(listed.menus[0].options[-1].value, on=listed)
    board = await ana.tap("Replay", on=screen)
    assert ("Moves 1–4 of 4" in board, "positions fit" in board) == (True, False)
    assert board.id != screen.id, "the board stays where it is"
