"""A spectator follows a game, and is called once when it’s over."""

from __future__ import annotations

import pytest

from bot.errors import UserError
from bot.features.view.games import show
from bot.tables import seats
from tests.bot.desk import Desk
from tests.bot.lobby.test_predictions import ANA, BEN, DAN, EVA, begin, finish, follow, play_round
from tests.bot.outcomes import sent
from tests.bot.refusing import CHANNEL, HOUR, House, refusal


def pinged(board: list[str]) -> list[str]:
    """The users whom a board mentions with a ping."""
    return [word for word in board[0].split() if word.startswith("@")]


async def buttons(desk: Desk, user_id: int) -> list[str]:
    """The buttons below the board that a user looks at."""
    (screen,) = await desk.command(user_id, show, over=True)
    return screen.labels


async def test_a_follower_is_pinged_once_at_the_end_with_the_players(desk: Desk) -> None:
    home, table = desk.home, await begin(desk.home)
    answer = await follow(desk, DAN)
    assert ("new private", True) == (answer[0], "when it’s over" in answer.text)
    for _ in range(2):
        await play_round(home, table)
        await home.services.poster.publish(table)
    assert not any(f"@{DAN}" in head for head, *_ in sent(home)), "not before"
    assert [f"@{user_id}" for user_id in (ANA, BEN, DAN)] == sorted(pinged(await finish(home, table)))


async def test_a_player_cannot_follow_their_own_game(desk: Desk) -> None:
    table = await begin(desk.home)
    assert [True, False] == ["Follow" in await buttons(desk, user_id) for user_id in (DAN, ANA)]
    assert "hear when it ends anyway" in (await follow(desk, ANA)).text
    assert not table.followers


async def test_a_forgotten_follower_is_not_pinged(desk: Desk) -> None:
    table = await begin(desk.home, rounds=1)
    await follow(desk, DAN)
    await desk.tap(DAN, "forgetme:0:0:")
    assert {f"@{ANA}", f"@{BEN}"} == {*pinged(await finish(desk.home, table))}


async def test_a_follower_can_unfollow(desk: Desk) -> None:
    table = await begin(desk.home, rounds=1)
    page = await follow(desk, DAN)
    assert "Unfollow" in await buttons(desk, DAN)
    assert "no longer follow" in (await desk.press(DAN, "Unfollow", page)).text
    board = await finish(desk.home, table)
    assert not any(f"@{DAN}" in line or "Followers:" in line for line in board)


@pytest.mark.parametrize(("blocker", "blocked"), [(DAN, BEN), (BEN, DAN)])
async def test_a_follower_with_a_block_between_them_and_a_player_is_not_mentioned(
    desk: Desk, blocker: int, blocked: int
) -> None:
    table = await begin(desk.home, rounds=1)
    await desk.home.store.blocks.add(blocker, blocked, "x", desk.home.time.now)
    assert "You’re following" in (await follow(desk, DAN)).text, "nothing tells of the block"
    assert "Unfollow" in await buttons(desk, DAN)
    board = await finish(desk.home, table)
    assert {f"@{ANA}", f"@{BEN}"} == {*pinged(board)}
    assert not any(f"<@{DAN}>" in line or "Followers:" in line for line in board)


async def test_following_twice_counts_once(desk: Desk) -> None:
    table = await begin(desk.home, rounds=1)
    for _ in range(2):
        assert "You’re following" in (await follow(desk, DAN)).text
    board = await finish(desk.home, table)
    assert (1, 1) == (pinged(board).count(f"@{DAN}"), "\n".join(board).count(f"<@{DAN}>"))


async def test_a_final_board_refused_by_discord_still_pings_followers_after_a_restart(home: House) -> None:
    table = await begin(home, rounds=1)
    await follow(Desk(home), DAN)
    home.network.fault = lambda: refusal(503)
    await play_round(home, table)
    with pytest.raises(UserError):
        await home.services.poster.publish(table)
    successor = home.successor()
    await successor.begin()
    await successor.let_pass(HOUR)
    ((head, *_),) = [message for message in sent(successor) if any("wins!" in line for line in message)]
    assert (f"POST /channels/{CHANNEL}/messages", 1) == (head.partition(" @")[0], head.split().count(f"@{DAN}"))


async def test_a_finished_game_cannot_be_followed(desk: Desk) -> None:
    table = await begin(desk.home, rounds=1)
    await finish(desk.home, table)
    assert "This game is over." in (await follow(desk, DAN)).text
    assert "Follow" not in await buttons(desk, DAN)
    assert not table.followers


async def test_a_game_has_a_maximum_number_of_followers(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MAX_FOLLOWERS", 1)
    table = await begin(desk.home, rounds=1)
    await follow(desk, DAN)
    assert "as many followers as I can mention" in (await follow(desk, EVA)).text
    await desk.tap(DAN, "unfollow:1:0:")
    assert not table.followers
    assert f"@{EVA}" not in pinged(await finish(desk.home, table))
