"""Dance of Muses through the strict playground, with a table of powers of one's own."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from playground.harness import Playground
from playground.player import Player, Seen
from tests.e2e.crash import BotSupervisor

GAME = "muses"
HOUSE = resources.files("engine.games.muses").joinpath("house_powers.toml").read_text(encoding="utf-8")


async def choose(host: Player, label: str) -> Seen:
    """Choose an option in the lobby by what its row says. Returns the menus afterwards."""
    answer = await host.slash("table options")
    menu = next(n for n, one in enumerate(answer.menus) if any(label == option.label for option in one.options))
    return await host.choose(label, on=answer, menu=menu)


async def test_a_host_plays_with_a_table_of_his_own(tmp_path: Path) -> None:
    """The file may go once it is chosen: its text is stored with the match, also over a restart."""
    folder = tmp_path / GAME
    folder.mkdir()
    (folder / "box.toml").write_text(HOUSE.replace("House powers", "From my box").replace("by = 1", "by = 2"))
    (folder / "spoilt.toml").write_text(HOUSE.replace("suns = 3", "suns = 4", 1))
    async with Playground(strict=True) as local:
        supervisor = BotSupervisor(local, {"DATA_DIR": str(tmp_path)})
        await supervisor.start()
        local.add_channel("table")
        ana = local.player("Ana", "table")
        await ana.slash("table new", game=GAME)
        await ana.tap("Add computer")
        reply = await choose(ana, "Powers: From my box")
        assert "spoilt.toml can’t be used: [calliope] needs suns = 1, 2 or 3, not 4." in reply
        (folder / "box.toml").unlink()
        await ana.tap("Start")
        await ana.expect("### ")
        assert "From my box" in await ana.slash("game board", **{"as": "text"})
