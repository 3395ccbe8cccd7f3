"""A spectator follows a game, and is called once when it’s over."""

from __future__ import annotations

import dataclasses

import pytest

from bot.tables import seats
from playground.player import Player, Seen
from tests.bot.app import App
from tests.e2e.robots import BOARD
from tests.e2e.rooms import Room, play_move, start_game


async def begin(app: App, *, rounds: int = 1) -> Room:
    """Ana and Ben bid; the higher bid wins."""
    room = app.room()
    ana, ben = room.people("Ana", "Ben")
    await ana.slash("table new", game="sealed")
    await ben.tap("Join")
    await ana.choose(f"rounds: {rounds}", on=await ana.slash("table options"))
    await start_game(ana, ben)
    await room.onlooker.expect(BOARD)
    return room


async def finish(room: Room) -> Seen:
    """Bid as both players. Returns the last board."""
    for name, coins in (("Ana", "3"), ("Ben", "1")):
        await play_move(room.person(name), "sealed bid", coins=coins)
    return await room.onlooker.expect("wins!")


async def follow(room: Room, name: str) -> Seen:
    person = room.person(name)
    return await person.tap("Follow", on=await person.slash("game board"))


def count_pings(person: Player, board: Seen) -> int:
    return [seen.id for seen in person.pings].count(board.id)


async def test_a_follower_is_pinged_once_at_the_end_with_the_players(app: App) -> None:
    room = await begin(app, rounds=3)
    answer = await follow(room, "Dan")
    assert answer.ephemeral
    assert "when it’s over" in answer
    dan = room.person("Dan")
    for _ in range(2):
        for name, coins in (("Ana", "3"), ("Ben", "1")):
            await play_move(room.person(name), "sealed bid", coins=coins)
    assert [] == dan.pings, "not before"
    board = await finish(room)
    assert {"Ana", "Ben", "Dan"} == set(board.pinged)
    assert [board.id] == [seen.id for seen in dan.pings]
    assert 0 == count_pings(room.person("Eva"), board)


async def test_a_player_cannot_follow_their_own_game(app: App) -> None:
    room = await begin(app)
    reply = await room.person("Dan").slash("game board")
    assert "Follow" not in (await room.person("Ana").slash("game board")).labels
    forged = dataclasses.replace(reply, record=room.onlooker.last.record, ephemeral=False)
    assert "hear when it ends anyway" in await room.person("Ana").tap("Follow", on=forged)
    assert [] == app.query("SELECT * FROM followers")


async def test_a_forgotten_follower_is_not_pinged(app: App) -> None:
    room = await begin(app)
    await follow(room, "Dan")
    dan = room.person("Dan")
    sure = await dan.tap("Forget me", on=await dan.slash("me data"))
    await dan.tap("Forget me for good", on=sure)
    assert {"Ana", "Ben"} == set((await finish(room)).pinged)


async def test_a_follower_can_unfollow(app: App) -> None:
    room = await begin(app)
    page = await follow(room, "Dan")
    dan = room.person("Dan")
    assert "Unfollow" in (await dan.slash("game board")).labels
    assert "no longer follow" in await dan.tap("Unfollow", on=page)
    board = await finish(room)
    assert 0 == count_pings(dan, board)
    assert "Followers:" not in board


async def test_following_twice_counts_once(app: App) -> None:
    room = await begin(app)
    dan = room.person("Dan")
    response = await dan.slash("game board")
    for _ in range(2):
        assert "You’re following" in await dan.tap("Follow", on=response)
    board = await finish(room)
    assert 1 == count_pings(dan, board)
    assert 1 == board.text.count(dan.mention)


async def test_followers_survive_a_restart(app: App) -> None:
    room = await begin(app)
    await follow(room, "Dan")
    await app.close()
    await app.open()
    assert 1 == count_pings(room.person("Dan"), await finish(room))


async def test_a_final_board_refused_by_discord_still_pings_followers_after_a_restart(app: App) -> None:
    room = await begin(app)
    await follow(room, "Dan")
    room.let_boards_be_posted()
    app.local.fault("POST /channels/*/messages", 503, times=None)
    for name, coins in (("Ana", "3"), ("Ben", "1")):
        await play_move(room.person(name), "sealed bid", coins=coins)
    await app.close()
    app.local.lift("POST /channels/*/messages")
    await app.open()
    assert 1 == count_pings(room.person("Dan"), await room.onlooker.expect("wins!"))


async def test_a_finished_game_cannot_be_followed(app: App) -> None:
    room = await begin(app)
    screen = await room.person("Dan").slash("game board")
    await finish(room)
    assert "This game is over." in await room.person("Dan").tap("Follow", on=screen)
    assert "Follow" not in (await room.person("Dan").slash("game board")).labels
    assert [] == app.query("SELECT * FROM followers")


async def test_a_game_has_a_maximum_number_of_followers(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST_FOLLOWERS", 1)
    room = await begin(app)
    await follow(room, "Dan")
    assert "as many followers as I can mention" in await follow(room, "Eva")
    dan = room.person("Dan")
    await dan.tap("Unfollow", on=await dan.slash("game board"))
    assert [] == app.query("SELECT * FROM followers")
    assert 0 == count_pings(room.person("Eva"), await finish(room))
