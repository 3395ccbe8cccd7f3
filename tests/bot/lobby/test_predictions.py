"""Followers predict the winner of a game, in secret; the last board names the earliest right predictions."""

from __future__ import annotations

import dataclasses

import pytest

from bot.posting import board_texts
from playground.player import Player, Seen
from tests.bot import moderating
from tests.bot.app import App
from tests.bot.forging import forge_row
from tests.bot.lobby.test_company import NOT_POSSIBLE, block
from tests.bot.lobby.test_follow import begin, finish, follow
from tests.e2e.rooms import Room, play_move

PREDICT = "Predict the winner"


async def play_round(room: Room) -> None:
    for name, coins in (("Ana", "3"), ("Ben", "1")):
        await play_move(room.person(name), "sealed bid", coins=coins)


async def open_page(room: Room, name: str) -> Seen:
    """The list of players, after *Follow*."""
    return await room.person(name).tap(PREDICT, on=await follow(room, name))


async def predict(room: Room, name: str, winner: str, page: Seen | None = None) -> Seen:
    person, page = room.person(name), page or await open_page(room, name)
    answer = await person.choose(entry(page, winner), on=page)
    assert answer is not None
    return answer


def entry(page: Seen, winner: str) -> str:
    return next(option.label for option in page.menus[0].options if winner in option.label)


def chosen(page: Seen) -> list[str]:
    return [option.label for option in page.menus[0].options if option.chosen]


def stored_predictions(app: App) -> list[tuple[str, int, int]]:
    return app.query("SELECT name, seat, version FROM predictions ORDER BY name")


async def forged_answer(room: Room, name: str, page: Seen, choice: str) -> str:
    """The answer to a choice on the page of another person, to whom the bot shows none."""
    person = room.person(name)
    forged = dataclasses.replace(page, record=room.onlooker.last.record, ephemeral=False)
    answer = await person.choose(choice, on=forged)
    assert answer is not None
    assert answer.ephemeral
    return answer.text


async def test_the_final_board_names_the_first_correct_predictions_without_extra_pings(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_texts, "MAX_PREDICTIONS", 2)
    room = await begin(app, rounds=3)
    await predict(room, "Eva", "Ben")
    await play_round(room)
    await predict(room, "Finn", "Ana")
    await predict(room, "Dan", "Ana")
    await play_round(room)
    await predict(room, "Caro", "Ana")
    board = await finish(room)
    # both before move 3: in the order of their choices
    assert "Saw it coming: Finn (before move 3), Dan (before move 3)\n" in board.text
    assert 1 == board.text.count(room.person("Dan").mention), "as a follower"
    assert ["Caro", "Dan", "Finn"] == [name for name, _, _ in stored_predictions(app)], "a wrong one is deleted"


async def test_a_prediction_is_private_until_the_end(app: App) -> None:
    room = await begin(app, rounds=3)
    await follow(room, "Eva")
    before = room.public
    answer = await predict(room, "Dan", "Ana")
    assert answer.ephemeral
    assert "Your prediction before move 1: 🔴 Ana wins." in answer.text
    assert before == room.public
    await play_round(room)
    screens = [seen.text for seen in room.onlooker.messages]
    for name in ("Ana", "Eva"):
        person = room.person(name)
        screens += [(await person.slash(f"game {command}")).text for command in ("board", "log")]
    page = await room.person("Eva").tap(PREDICT, on=await room.person("Eva").slash("game board"))
    assert not chosen(page)
    assert not [
        text for text in (*screens, page.text) if "Dan" in text or "Your prediction before" in text or "coming" in text
    ]


async def test_a_changed_prediction_counts_from_its_move_and_a_repeated_one_from_the_first(app: App) -> None:
    room = await begin(app, rounds=3)
    page = await predict(room, "Dan", "Ben")
    await play_round(room)
    page = await predict(room, "Dan", "Ben", page)
    assert "before move 1" in page.text
    page = await predict(room, "Dan", "No prediction", page)
    assert ([], []) == (chosen(page), stored_predictions(app))
    page = await predict(room, "Dan", "Ana", page)
    assert ["🔴 Ana"] == chosen(page)
    await play_round(room)
    assert "Saw it coming: Dan (before move 3)" in (await finish(room)).text


async def test_players_and_users_who_do_not_follow_cannot_predict(app: App) -> None:
    room = await begin(app, rounds=3)
    await play_round(room)
    page = await open_page(room, "Dan")
    row = entry(page, "Ben")
    assert "You’re playing or have played" in await forged_answer(room, "Ana", page, row)
    assert "follow this game first" in await forged_answer(room, "Eva", page, row)
    ben = room.person("Ben")
    await ben.tap("Resign", on=await ben.slash("game leave"))
    answer = await follow(room, "Ben")
    assert PREDICT not in answer.labels
    assert "You’re playing or have played" in await forged_answer(room, "Ben", page, row)
    dan = room.person("Dan")
    for value in ("7", "x", "²"):
        answer = await forge_row(app, dan, page, page.menus[0].custom_id, value)
        assert "no longer available" in answer.text
    assert [] == stored_predictions(app)


@pytest.mark.parametrize("how", ["bar", "block"])
async def test_barred_and_blocked_users_cannot_predict_and_are_not_named(app: App, how: str) -> None:
    room = await begin(app, rounds=3)
    pages = {name: await predict(room, name, "Ana") for name in ("Caro", "Dan")}
    await (moderating.bar(room, "Dan") if how == "bar" else block(room.person("Ben"), "Dan"))
    answer = await room.person("Dan").choose(entry(pages["Dan"], "Ben"), on=pages["Dan"])
    assert answer is not None
    assert ("barred you" if how == "bar" else NOT_POSSIBLE) in answer.text
    for _ in range(2):
        await play_round(room)
    board = await finish(room)
    assert "Saw it coming: Caro (before move 1)\n" in board.text
    assert ["Caro"] == [name for name, _, _ in stored_predictions(app)]


async def test_unfollowing_or_calling_off_the_game_deletes_a_prediction(app: App) -> None:
    room = await begin(app)
    page = await predict(room, "Dan", "Ana")
    dan, ana = room.people("Dan", "Ana")
    answer = await dan.tap("Unfollow", on=await dan.slash("game board"))
    assert "your prediction is deleted" in answer
    assert [] == stored_predictions(app)
    await predict(room, "Dan", "Ana")
    await ana.tap("End it", on=await ana.slash("table end"))
    assert [] == stored_predictions(app)
    assert "called off" in (await dan.choose(entry(page, "Ana"), on=page) or page).text


async def test_predictions_survive_a_restart_and_forget_me_deletes_them_before_and_after_the_end(app: App) -> None:
    room = await begin(app)
    for name in ("Dan", "Eva"):
        await predict(room, name, "Ana")
    await app.close()
    await app.open()
    await forget(room.person("Dan"))
    assert "Saw it coming: Eva (before move 1)" in (await finish(room)).text
    await forget(room.person("Eva"))
    ((body,),) = app.query("SELECT body FROM boards")
    assert "Saw it coming: somebody (before move 1)" in body
    assert [] == stored_predictions(app)


async def forget(person: Player) -> None:
    sure = await person.tap("Forget me", on=await person.slash("me data"))
    await person.tap("Forget me for good", on=sure)
