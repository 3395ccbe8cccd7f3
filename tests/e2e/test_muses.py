"""A whole game of Dance of Muses through the strict playground, by taps and by typing, with a table of one's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from random import Random

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


async def start_table(local: Playground) -> list[Player]:
    """Two people and two computers, with hands."""
    ana, ben = players = [local.player(name, "table") for name in ("Ana", "Ben")]
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    for _ in range(2):
        await ana.tap("Add computer")
    await ana.tap("As printed", on=await ana.slash("table options"))
    await choose(ana, "Hands: 1")
    await ana.tap("Start")
    await ben.tap("Ready")
    return players


async def test_a_whole_game_is_played(tmp_path: Path) -> None:
    rng = Random("2 2")
    async with Playground(strict=True) as local:
        keeper = BotKeeper(local, {"DATA_DIR": str(tmp_path)})
        await keeper.start()
        local.add_channel("table")
        ana, ben = await start_table(local)
        onlooker = local.player("Finn", "table")
        robots: dict[int, Robot] = {
            ana.id: Typist(ana, rng, keeper, local, GAME),
            ben.id: Tapper(ben, rng, keeper),
        }
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
