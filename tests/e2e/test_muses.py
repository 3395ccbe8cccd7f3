"""Whole games of Dance of Muses through the strict playground, by taps and by typing, with a table of one's own too."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from random import Random

import pytest

from playground.harness import Playground
from playground.player import Player, Seen
from tests.e2e.crash import BotKeeper
from tests.e2e.robots import Robot, Tapper, Typist, is_over, play_to_the_end

GAME = "muses"
HOUSE = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")


async def choose(host: Player, label: str) -> Seen:
    """Choose an option in the lobby by what its row says. Returns the menus afterwards."""
    shown = await host.slash("table options")
    menu = next(n for n, found in enumerate(shown.menus) if any(label == option.label for option in found.options))
    return await host.choose(label, on=shown, menu=menu)


async def start_table(local: Playground, people: int, computers: int, *chosen: str) -> list[Player]:
    players = [local.player(name, "table") for name in ("Ana", "Ben", "Caro")[:people]]
    host, *others = players
    await host.slash("table new", game=GAME)
    for player in others:
        await player.tap("Join")
    for _ in range(computers):
        await host.tap("Add computer")
    await host.tap("As printed", on=await host.slash("table options"))
    for label in chosen:
        await choose(host, label)
    await host.tap("Start")
    for player in others:
        await player.tap("Ready")
    return players


def robots_of(players: list[Player], keeper: BotKeeper, rng: Random) -> dict[int, Robot]:
    """The first one types, the others tap."""
    typist, *tappers = players
    robots: dict[int, Robot] = {player.id: Tapper(player, rng, keeper) for player in tappers}
    return {typist.id: Typist(typist, rng, keeper, keeper.local, GAME), **robots}


@pytest.mark.parametrize(("people", "computers"), [(3, 0), (2, 2)])
async def test_a_whole_game_is_played(tmp_path: Path, people: int, computers: int) -> None:
    rng = Random(f"{people} {computers}")
    async with Playground(strict=True) as local:
        keeper = BotKeeper(local, {"DATA_DIR": str(tmp_path)})
        await keeper.start()
        local.add_channel("table")
        players = await start_table(local, people, computers, "Hands: 1")
        onlooker = local.player("Finn", "table")
        robots = robots_of(players, keeper, rng)
        boards = await play_to_the_end(robots, onlooker, rng, keeper)
        assert is_over(boards[-1])
        assert all(robot.acts for robot in robots.values())
        assert max(robot.longest for robot in robots.values()) <= 3, "promise 10: at most three taps"
        public = "\n".join(seen.text for seen in onlooker.messages)
        assert "You hold" not in public, "hands are private"
        assert "You lay" not in public, "who lies face down is private"


async def test_a_host_plays_with_a_table_of_his_own(tmp_path: Path) -> None:
    """The file may go once it is chosen: its text is stored with the match, also over a restart."""
    folder = tmp_path / GAME
    folder.mkdir()
    (folder / "box.toml").write_text(HOUSE.replace("House powers", "From my box").replace("by = 1", "by = 2"))
    (folder / "spoilt.toml").write_text(HOUSE.replace("suns = 3", "suns = 4", 1))
    async with Playground(strict=True) as local:
        keeper = BotKeeper(local, {"DATA_DIR": str(tmp_path)})
        await keeper.start()
        local.add_channel("table")
        ana = local.player("Ana", "table")
        await ana.slash("table new", game=GAME)
        await ana.tap("Add computer")
        shown = await choose(ana, "Powers: From my box")
        assert "spoilt.toml cannot be used: [calliope] needs suns = 1, 2 or 3, not 4." in shown
        (folder / "box.toml").unlink()
        await ana.tap("Start")
        await ana.expect("### ")
        assert "From my box" in await ana.slash("game board", **{"as": "text"})
