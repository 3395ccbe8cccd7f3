"""Whole games through the strict playground, with the bot killed in their midst."""

from __future__ import annotations

import re
from random import Random

import pytest

from playground.harness import Playground
from playground.player import Player, Seen
from tests.e2e.crash import BotSupervisor
from tests.e2e.robots import Robot, Tapper, Typist, is_over, play_to_the_end
from tests.playthroughs.taps import TAPS

GAME = "muscat"
BLIND = "tests.e2e.blind_bot"
PEOPLE = ("Ana", "Ben", "Caro")


async def set_up_table(local: Playground, channel: str, people: tuple[str, ...], computers: int) -> list[Player]:
    players = [local.player(name, channel) for name in people]
    host, *others = players
    await host.slash("table new", game=GAME)
    for player in others:
        await player.tap("Join")
    for _ in range(computers):
        await host.tap("Add computer")
    await host.tap("Start")
    return players


def robots_for(players: list[Player], supervisor: BotSupervisor, rng: Random) -> dict[int, Robot]:
    """Every other one taps, the others type."""
    return {
        player.id: Tapper(player, rng, supervisor)
        if number % 2
        else Typist(player, rng, supervisor, supervisor.local, GAME)
        for number, player in enumerate(players)
    }


def check_boards(boards: list[Seen], public: list[Seen]) -> None:
    """Every position was shown once; the last names winner and points."""
    pictures = [seen.images[0].filename for seen in public if seen.images]
    assert len(set(pictures)) == len(pictures), f"a board was posted twice: {pictures}"
    assert [board.id for board in boards] == [seen.id for seen in public if seen.images]
    final = boards[-1].text
    assert is_over(boards[-1])
    assert re.search(r"^## \S+ \w+.* wins?!$", final, re.MULTILINE)
    places = re.findall(r"^\S+ (?:\S+ <@\d+>|\*\*\S+ Tumbleweed\*\*) · −?[\d,]+", final, re.MULTILINE)
    assert len(places) in (2, 3, 4, 5), final
    assert boards[-1].mentions == boards[-1].pinged, "everyone who played hears of the end"


ON_A_SERVER = 4
"""How many seats the game has that is kept on a server of PostgreSQL; the other one is kept in a file."""


@pytest.mark.parametrize(("seats", "people", "bot"), [(3, 3, "bot"), (4, 2, BLIND)])
async def test_a_whole_game_survives_kill_9(tmp_path, request, seats, people, bot):
    rng, env = Random(f"{seats} seats"), {"DATA_DIR": str(tmp_path)}
    if seats == ON_A_SERVER:
        env["DATABASE_URL"] = await request.getfixturevalue("server").database()
    async with Playground(strict=True) as local:
        supervisor = BotSupervisor(local, env, bot)
        await supervisor.start()
        local.add_channel("table")
        players = await set_up_table(local, "table", PEOPLE[:people], seats - people)
        onlooker = local.player("Finn", "table")
        robots = robots_for(players, supervisor, rng)
        supervisor.kill_at("* *", rng.randrange(60, 160))
        boards = await play_to_the_end(robots, onlooker, rng, supervisor)
        assert 1 == supervisor.crashes
        assert all(robot.acts for robot in robots.values())
        assert max(robot.longest for robot in robots.values()) <= TAPS
        check_boards(boards, onlooker.messages)
