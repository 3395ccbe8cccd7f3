"""A whole game of Jinns of the Lake by tapping and typing."""

from __future__ import annotations

from random import Random

import pytest

import renders
from playground.harness import Playground
from playground.player import Player
from renders import Picture
from tests.bot.app import App, NoCrashes
from tests.bot.watch import SMALLEST_PNG
from tests.e2e.test_games import check_boards
from tests.playthroughs.taps import TAPS
from tests.robots import Robot, Tapper, Typist, play_to_the_end

GAME = "jinns"


async def sit_down(local: Playground) -> list[Player]:
    """Start a game of two people and two computers."""
    ana, ben = players = [local.player(name, "lake") for name in ("Ana", "Ben")]
    await ana.slash("table new", game=GAME)
    await ben.tap("Join")
    for _ in range(2):
        await ana.tap("Add computer")
    await ana.tap("As printed", on=await ana.slash("table options"))
    await ana.tap("Start")
    return players


async def test_a_whole_game_of_jinns_is_played_by_taps_and_by_typing(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renders, "draw", lambda view, *_: Picture(SMALLEST_PNG, f"ply {view.ply}"))
    rng, patient = Random("4 jinns"), NoCrashes(app.local)
    app.local.add_channel("lake")
    ana, ben = await sit_down(app.local)
    robots: dict[int, Robot] = {
        ana.id: Typist(ana, rng, patient, app.local, GAME),
        ben.id: Tapper(ben, rng, patient),
    }
    onlooker = app.local.player("Finn", "lake")
    boards = await play_to_the_end(robots, onlooker, rng, patient)
    assert all(robot.acts for robot in robots.values())
    assert max(robot.longest for robot in robots.values()) <= TAPS
    check_boards(boards, onlooker.messages)
