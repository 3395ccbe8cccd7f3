"""Whole games of both kinds in the walled town through the strict playground, by taps and by typing."""

from __future__ import annotations

from random import Random

import pytest

from playground.harness import Playground
from playground.player import Player
from tests.e2e.crash import BotKeeper
from tests.e2e.robots import Robot, Tapper, Typist, is_over, play_to_the_end


async def start_table(local: Playground, seats: int, game: str) -> list[Player]:
    """Two people, the others computers."""
    players = [local.player(name, "table") for name in ("Ana", "Ben")]
    ana, ben = players
    await ana.slash("table new", game=game)
    await ben.tap("Join")
    for _ in range(seats - 2):
        await ana.tap("Add computer")
    await ana.tap("Start")
    await ben.tap("Ready")
    return players


@pytest.mark.parametrize(("seats", "game"), [(2, "alibaba"), (4, "gangs")])
async def test_a_whole_game_is_played(tmp_path, seats, game):
    rng = Random(f"{seats} {game}")
    async with Playground(strict=True) as local:
        keeper = BotKeeper(local, {"DATA_DIR": str(tmp_path)})
        await keeper.start()
        local.add_channel("table")
        ana, ben = await start_table(local, seats, game)
        onlooker = local.player("Finn", "table")
        robots: dict[int, Robot] = {
            ana.id: Typist(ana, rng, keeper, local, game),
            ben.id: Tapper(ben, rng, keeper),
        }
        boards = await play_to_the_end(robots, onlooker, rng, keeper)
        assert is_over(boards[-1])
        assert all(robot.acts for robot in robots.values())
        assert max(robot.longest for robot in robots.values()) <= 3, "promise 10: at most three taps"
        assert not any("You are dealt" in seen.text for seen in onlooker.messages), "hands are private"
