"""Whole games of Jinns of the Lake through the strict playground: every number of seats, tapping and typing."""

from __future__ import annotations

from random import Random

import pytest

from playground.harness import Playground
from playground.player import Player
from tests.e2e.crash import BotKeeper
from tests.e2e.robots import Robot, Tapper, Typist, play_to_the_end
from tests.e2e.test_games import check_boards

GAME = "jinns"
PEOPLE = ("Ana", "Ben", "Caro", "Dan")


async def sit_down(local: Playground, people: tuple[str, ...], computers: int) -> list[Player]:
    players = [local.player(name, "lake") for name in people]
    host, *others = players
    await host.slash("table new", game=GAME)
    for player in others:
        await player.tap("Join")
    for _ in range(computers):
        await host.tap("Add computer")
    await host.tap("As printed", on=await host.slash("table options"))
    await host.tap("Start")
    return players


@pytest.mark.parametrize(("seats", "people"), [(2, 1), (3, 1), (4, 2)])
async def test_a_whole_game_of_jinns_is_played_by_taps_and_by_typing(tmp_path, seats, people):
    rng = Random(f"{seats} jinns")
    async with Playground(strict=True) as local:
        keeper = BotKeeper(local, {"DATA_DIR": str(tmp_path)})
        await keeper.start()
        local.add_channel("lake")
        players = await sit_down(local, PEOPLE[:people], seats - people)
        robots: dict[int, Robot] = {
            player.id: Tapper(player, rng, keeper) if (seats + number) % 2 else Typist(player, rng, keeper, local, GAME)
            for number, player in enumerate(players)
        }
        onlooker = local.player("Finn", "lake")
        boards = await play_to_the_end(robots, onlooker, rng, keeper)
        assert all(robot.acts for robot in robots.values())
        assert max(robot.longest for robot in robots.values()) <= 3, "promise 10: at most three taps"
        check_boards(boards, onlooker.messages)
