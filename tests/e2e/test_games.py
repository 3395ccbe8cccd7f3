"""A whole game with a real process of the bot, which is killed in its midst. Its database is a server."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from playground.harness import Playground
from playground.player import Player, Seen
from tests.e2e.crash import BotSupervisor
from tests.playthroughs.taps import TAPS
from tests.robots import Robot, Tapper, Typist, is_over, play_to_the_end
from tests.server import Server

GAME = "muscat"


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
    """Robots for the seats: every other one taps, the others type."""
    return {
        player.id: Tapper(player, rng, supervisor)
        if number % 2
        else Typist(player, rng, supervisor, supervisor.local, GAME)
        for number, player in enumerate(players)
    }


def check_boards(boards: list[Seen], public: list[Seen]) -> None:
    """Check that every position was shown once, and that the last board names winner and points."""
    pictures = [seen.images[0].filename for seen in public if seen.images]
    assert len(set(pictures)) == len(pictures), f"a board was posted twice: {pictures}"
    assert [board.id for board in boards] == [seen.id for seen in public if seen.images]
    final = boards[-1].text
    assert is_over(boards[-1])
    assert re.search(r"^##+ \S+ \w+.* wins?!$", final, re.MULTILINE)
    places = re.findall(r"^\S+ (?:\S+ <@\d+>|\*\*\S+ Tumbleweed\*\*) · −?[\d,]+", final, re.MULTILINE)
    assert len(places) in (2, 3, 4, 5), final
    assert boards[-1].mentions == boards[-1].pinged, "everyone who played hears of the end"


async def test_a_whole_game_on_a_server_survives_kill_9(tmp_path: Path, server: Server) -> None:
    rng, env = Random("4 seats"), {"DATA_DIR": str(tmp_path), "DATABASE_URL": await server.database()}
    async with Playground(strict=True) as local:
        supervisor = BotSupervisor(local, env, "tests.e2e.blind_bot")
        await supervisor.start()
        local.add_channel("table")
        players = await set_up_table(local, "table", ("Ana", "Ben"), computers=2)
        onlooker = local.player("Finn", "table")
        robots = robots_for(players, supervisor, rng)
        supervisor.kill_at("* *", rng.randrange(60, 160))
        boards = await play_to_the_end(robots, onlooker, rng, supervisor)
        assert 1 == supervisor.crashes
        assert all(robot.acts for robot in robots.values())
        assert max(robot.longest for robot in robots.values()) <= TAPS
        check_boards(boards, onlooker.messages)
