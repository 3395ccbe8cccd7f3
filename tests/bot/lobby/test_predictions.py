"""Followers predict the winner of a game, in secret; the last board names the earliest right predictions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bot.features.view.games import show, show_log
from bot.features.view.predicting import NO_PREDICTION
from bot.posting import board_texts
from bot.posting.board_texts import details_of
from bot.store.matches import SeatHolder, Status
from bot.tables.table import Table
from tests.bot.desk import Desk, Screen
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, DAY, GUEST, GUILD, HOST, NOON, House
from tests.engine.toys.sealed import Bid

ANA, BEN, CARO, DAN, EVA, FINN = HOST, GUEST, 72, 73, 75, 76
PREDICT = "Predict the winner"
NAMES = {CARO: "Caro", DAN: "Dan", EVA: "Eva", FINN: "Finn"}


async def begin(home: House, rounds: int = 3) -> Table:
    """Ana and Ben bid; the higher bid wins."""
    people = SeatHolder(ANA, name="Ana"), SeatHolder(BEN, name="Ben")
    table = await home.posted(CHANNEL, *people, options={"rounds": rounds})
    sent(home)
    return table


async def play_round(home: House, table: Table) -> None:
    for user_id, coins in ((ANA, 3), (BEN, 1)):
        number = table.require_match().version + 1
        await home.services.moves.play(table, user_id, Bid(coins), interaction_id=number, version=None)


async def finish(home: House, table: Table) -> list[str]:
    """Play the last round. Returns the final board, with the details behind *More*."""
    sent(home)
    await play_round(home, table)
    assert Status.OVER is table.row.status
    await home.services.poster.publish(table)
    board = next(message for message in sent(home) if "POST" in message[0])
    return [*board, *map(table.say, details_of(table))]


async def follow(desk: Desk, user_id: int) -> Screen:
    return (await desk.tap(user_id, "follow:1:0:"))[0]


async def open_page(desk: Desk, user_id: int) -> Screen:
    """The list of players, after *Follow*."""
    return await desk.press(user_id, PREDICT, await follow(desk, user_id))


async def choose(desk: Desk, user_id: int, value: str) -> Screen:
    user: Any = SimpleNamespace(id=user_id, display_name=NAMES.get(user_id, "Ana"), _roles=())
    return (await desk.tap(user_id, "predicted:1:0:", value, user=user))[0]


async def predict(desk: Desk, user_id: int, seat: str) -> Screen:
    await open_page(desk, user_id)
    return await choose(desk, user_id, seat)


def chosen(page: Screen) -> list[str]:
    return [line.split(" ", 3)[-1] for line in page if line.startswith("  *")]


def stored(table: Table) -> dict[str, tuple[int, int]]:
    """The predictions by name: seat and version."""
    return {one.name: (one.seat, one.version) for one in table.predictions.values()}


async def test_the_final_board_names_the_first_correct_predictions_without_extra_pings(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_texts, "MAX_PREDICTIONS", 2)
    home, table = desk.home, await begin(desk.home)
    await predict(desk, EVA, "1")
    await play_round(home, table)
    await predict(desk, FINN, "0")
    await predict(desk, DAN, "0")
    await play_round(home, table)
    await predict(desk, CARO, "0")
    head, *lines = await finish(home, table)
    # both before move 3: in the order of their choices
    assert "-# 🔮 Saw it coming: Finn (before move 3), Dan (before move 3)" in lines
    assert 1 == head.count(f"@{DAN}") == "\n".join(lines).count(f"<@{DAN}>"), "as a follower"
    assert {"Caro", "Dan", "Finn"} == stored(table).keys(), "a wrong one is deleted"


async def test_a_prediction_is_private_until_the_end(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    await follow(desk, EVA)
    answer = await predict(desk, DAN, "0")
    assert "✓ Your prediction before move 1: 🔴 Ana wins." in answer
    assert ["🔴 Ana"] == chosen(answer)
    assert [] == sent(home)
    await play_round(home, table)
    await home.services.poster.publish(table)
    screens = sent(home)
    for user_id in (ANA, EVA):
        for command in (show, show_log):
            screens += await desk.command(user_id, command)
    page = await desk.press(EVA, PREDICT, (await desk.command(EVA, show))[0])
    assert [] == chosen(page)
    secrets = ("Dan", str(DAN), "Your prediction before", "coming")
    assert not [line for screen in (*screens, page) for line in screen if any(words in line for words in secrets)]


async def test_a_changed_prediction_counts_from_its_move_and_a_repeated_one_from_the_first(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    await predict(desk, DAN, "1")
    await play_round(home, table)
    assert "before move 1" in (await choose(desk, DAN, "1")).text
    page = await choose(desk, DAN, NO_PREDICTION)
    assert ([], {}) == (chosen(page), table.predictions)
    assert ["🔴 Ana"] == chosen(await choose(desk, DAN, "0"))
    await play_round(home, table)
    assert "-# 🔮 Saw it coming: Dan (before move 3)" in await finish(home, table)


async def test_players_and_users_who_do_not_follow_cannot_predict(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    await play_round(home, table)
    await open_page(desk, DAN)
    assert "You’re playing or have played" in (await choose(desk, ANA, "1")).text
    assert "follow this game first" in (await choose(desk, EVA, "1")).text
    await desk.tap(BEN, "resign:1:0:")
    assert PREDICT not in (await follow(desk, BEN)).labels
    assert "You’re playing or have played" in (await choose(desk, BEN, "1")).text
    for value in ("7", "x", "²"):
        assert "no longer available" in (await choose(desk, DAN, value)).text
    assert {} == table.predictions


@pytest.mark.parametrize("how", ["bar", "block"])
async def test_barred_and_blocked_users_cannot_predict_and_are_not_named(desk: Desk, how: str) -> None:
    home, table = desk.home, await begin(desk.home)
    for user_id in (CARO, DAN):
        await predict(desk, user_id, "0")
    if how == "bar":
        await home.store.bars.put(GUILD, DAN, "Dan", "", NOON, NOON + DAY)
    else:
        await home.store.blocks.add(BEN, DAN, "Dan", NOON)
    refused = "barred you" if how == "bar" else "That’s not possible here."
    assert refused in (await choose(desk, DAN, "1")).text
    for _ in range(2):
        await play_round(home, table)
    assert "-# 🔮 Saw it coming: Caro (before move 1)" in await finish(home, table)
    assert {"Caro"} == stored(table).keys()


async def test_unfollowing_or_calling_off_the_game_deletes_a_prediction(desk: Desk) -> None:
    table = await begin(desk.home)
    await predict(desk, DAN, "0")
    (board,) = await desk.command(DAN, show)
    assert "your prediction is deleted" in (await desk.press(DAN, "Unfollow", board)).text
    assert {} == table.predictions
    await predict(desk, DAN, "0")
    assert table.predictions
    await desk.home.services.seats.end(table, by=ANA, at=NOON)
    assert {} == table.predictions
    assert "called off" in (await choose(desk, DAN, "0")).text


async def test_predictions_survive_a_restart_and_forget_me_deletes_them_before_and_after_the_end(desk: Desk) -> None:
    await begin(desk.home, rounds=1)
    for user_id in (DAN, EVA):
        await predict(desk, user_id, "0")
    desk = Desk(desk.home.successor())
    table = await desk.home.services.tables.at(CHANNEL)
    await desk.tap(DAN, "forgetme:0:0:")
    assert "-# 🔮 Saw it coming: Eva (before move 1)" in await finish(desk.home, table)
    await desk.tap(EVA, "forgetme:0:0:")
    assert {} == table.predictions
    board = table.facts.board
    assert board is not None
    assert "Followers: somebody" in str(board.body)
