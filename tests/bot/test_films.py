"""Every round as a moving picture, where the host wants it: below the board, only the last one, once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from playground.faults import Fault
from playground.player import Seen
from tests.bot.inn import Inn
from tests.bot.test_replay import frames
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, play_move

ROUND = "### The last round of"
ON, OFF = "Film every round", "✓ Film every round"


async def garden(inn: Inn, *, wanted: bool = True) -> Room:
    """Ana and Ben are about to plant nothing in a garden of four beds."""
    room = inn.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("game new", game="garden")
    if wanted:
        await ana.tap(ON, on=await ana.tap("Options"))
        await room.onlooker.until(lambda: "Every round as a film" in room.onlooker.messages[0], what="that to be told")
    await ben.tap("Join")
    await ana.tap("Start")
    await room.onlooker.expect(BOARD)
    return room


async def plant(room: Room, name: str, bed: str) -> Seen:
    """Somebody plants nothing. Returns the board."""
    before = boards(room)[-1]
    await play_move(room.person(name), "game move", what=f"{bed} nothing")
    return await room.onlooker.expect(BOARD, after=before)


def boards(room: Room) -> list[Seen]:
    return [seen for seen in room.onlooker.messages if BOARD in seen]


def rounds(room: Room) -> list[Seen]:
    return [seen for seen in room.onlooker.messages if ROUND in seen]


async def noted(inn: Inn, rounds: int) -> None:
    """Wait until the bot knows that it has shown so many rounds."""
    while [rounds] != [json.loads(value)["rounds"] for (value,) in inn.query(NOTED)]:
        await inn.let_pass(1.0)


NOTED = "SELECT value FROM settings WHERE name = 'film'"


async def test_a_round_follows_the_board_once_all_had_their_turn_and_only_the_last_one_stays(inn: Inn) -> None:
    room = await garden(inn)
    await plant(room, "Ana", "a1")
    assert [] == rounds(room)
    board = await plant(room, "Ben", "a2")
    shown = await room.onlooker.expect(ROUND, after=board)
    assert (3, (), ["Your move", "Step by step"]) == (frames(shown), shown.pinged, shown.labels)
    assert "Moves 1–2 of 2" in shown
    assert (await room.person("Ana").tap("Your move", on=shown)).ephemeral
    await plant(room, "Ana", "a3")
    assert [shown.id] == [seen.id for seen in rounds(room)]
    await play_move(room.person("Ben"), "game move", what="a4 nothing")
    await room.onlooker.expect("🥇")
    await room.onlooker.until(lambda: not rounds(room), what="the round to go: the last board has a replay of all")


async def test_where_the_host_does_not_want_it_nothing_is_shown_until_he_does(inn: Inn) -> None:
    room = await garden(inn, wanted=False)
    await plant(room, "Ana", "a1")
    ana, ben = room.people("Ana", "Ben")
    page = await ana.slash("game replay")
    assert ON not in (await ben.slash("game replay")).labels, "only the host decides"
    assert "From now on" in await ana.tap(ON, on=page)
    board = await plant(room, "Ben", "a2")
    shown = await room.onlooker.expect(ROUND, after=board)
    page = await ana.slash("game replay")
    assert "not shown any more" in await ana.tap(OFF, on=page)
    await room.onlooker.until(lambda: room.onlooker.look(shown) is None, what="it to go")
    while inn.query(NOTED):
        await inn.let_pass(1.0)


@pytest.mark.parametrize("fault", [{"status": 503}, {"cut": True, "after": True}], ids=["refused", "unanswered"])
async def test_a_round_that_discord_did_not_take_is_there_once_after_a_restart(inn: Inn, fault: dict[str, Any]) -> None:
    inn.prefer(inn.room().person("Ben").id, at_once=True)  # so the board is an answer, which is taken
    room = await garden(inn)
    await plant(room, "Ana", "a1")
    post = f"POST /channels/{room.local.channel(room.channel).id}/messages"
    lost = inn.local.discord.faults.order(Fault(post, times=None, **fault))
    board = await room.person("Ben").slash("game move", what="a2 nothing")
    await inn.local.struck(lost)
    await inn.close()
    inn.local.lift(post)
    await inn.open()
    await room.onlooker.expect(ROUND, after=board)
    await noted(inn, 1)
    assert 1 == len(rounds(room))


async def test_what_is_taken_back_and_played_anew_is_no_second_round(inn: Inn) -> None:
    room = await garden(inn)
    await plant(room, "Ana", "a1")
    board = await plant(room, "Ben", "a2")
    shown = await room.onlooker.expect(ROUND, after=board)
    await noted(inn, 1)
    await room.person("Ben").slash("game undo")
    await plant(room, "Ben", "a2")
    await inn.close()
    await inn.open()
    assert [shown.id] == [seen.id for seen in rounds(room)]
