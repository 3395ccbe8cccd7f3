"""Computers with characters: chosen by the host for each seat, before the game and while it runs."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import renders
from bot.store.facts import Facts
from bot.store.matches import SeatHolder
from bot.tables.table import Table
from engine.core import State, View
from engine.games import discover
from engine.players import offered_players
from renders.persons import portraits
from renders.picture import Picture
from tests.bot.app import App, NoCrashes
from tests.bot.forging import forge_row
from tests.bot.walks import table_of
from tests.robots import Tapper


async def test_the_host_chooses_how_well_each_computer_plays(app: App) -> None:
    room = app.room()
    ana = room.person("Ana")
    await room.lobby("Ana", "Ben", computers=1)
    page = await ana.slash("table computers")
    assert 1 == len(page.menus)
    for player in reversed(offered_players()):
        page = await ana.choose(player)
        name = discover()["muscat"].computers[player][2]  # by its seat
        assert name in page
        await room.onlooker.expect(name)
    await ana.tap("Start")
    assert "Computers at this table" in await ana.slash("table computers")
    await ana.choose("strong")
    await app.local.discord.notifier.until(lambda: "strong" in str(app.query("SELECT computer FROM seat_history")), 5)


async def test_the_computer_menu_shows_the_name_each_computer_would_get(app: App) -> None:
    room = app.room()
    await room.lobby("Ana", computers=2)
    await room.person("Ana").slash("table computers")
    for seat in (0, 1):
        page = await room.person("Ana").choose("fair", menu=seat)
    _, first, second, *_ = discover()["muscat"].computers["fair"]
    labels = [[option.label.split(":")[0] for option in menu.options if option.value == "fair"] for menu in page.menus]
    assert [[first], [second]] == labels
    assert second in page.text


async def test_only_the_host_chooses_computers(app: App) -> None:
    room = app.room()
    lobby = await room.lobby("Ana", "Ben", computers=1)
    page = await room.person("Ana").slash("table computers")
    before = app.query("SELECT computer FROM seat_history")
    assert "Only the host" in await room.person("Ben").slash("table computers")
    assert "Only the host" in await forge_row(app, room.person("Ben"), lobby, page.menus[0].custom_id, "strong")
    assert before == app.query("SELECT computer FROM seat_history")


async def test_choosing_computers_requires_a_computer_at_the_table(app: App) -> None:
    room = app.room()
    await room.lobby("Ana", "Ben")
    assert "There is no computer at this table" in await room.person("Ana").slash("table computers")


async def test_a_thinking_computer_moves_in_its_own_message(app: App) -> None:
    room = app.room()
    ana = room.person("Ana")
    await ana.slash("table new", game="jinns")
    await ana.tap("Add computer")
    await ana.slash("table computers")
    await ana.choose("easy")
    await ana.tap("Start")
    robot, name = Tapper(ana, Random(1), NoCrashes(app.local)), discover()["jinns"].computers["easy"][1]
    board = await room.onlooker.expect(f"{ana.mention}: ")
    while f"{name}** is thinking" not in app.local.transcript():
        await robot.take_turn(board)
        board = await room.onlooker.expect(f"{ana.mention}: ", after=board)
    assert name in board, "what it did is told"


async def test_private_pictures_name_seats_like_the_board(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    room, names_in_pictures, draw = app.room(), list[tuple[str, ...]](), renders.draw

    def noting(view: View[State], labels: tuple[str, ...], persons: tuple[str, ...] = ()) -> Picture:
        names_in_pictures.append(persons)
        return draw(view, labels, persons)

    monkeypatch.setattr(renders, "draw", noting)
    await room.lobby("Ana", computers=2)
    ana = room.person("Ana")
    await ana.slash("table computers")
    for seat in (0, 1):
        await ana.choose("fair", menu=seat)
    await ana.tap("Start")
    await ana.tap("Your move", on=await room.board())
    on_board, while_choosing = (persons for persons in names_in_pictures if any(persons))
    assert on_board == while_choosing
    assert portraits()[on_board[1][0]] == "fair"


def test_only_computer_names_have_a_portrait_in_pictures() -> None:
    spec, holders = (
        discover()["muscat"],
        (SeatHolder(1, name="Ann"), SeatHolder(computer="easy"), SeatHolder(computer="mine")),
    )
    table = Table(Facts(replace(table_of(spec, 3).row, holders=holders)), spec)
    ann, easy, unknown = table.names_with_portraits
    assert table.persons == (ann, easy[2:], unknown)
    assert portraits()[easy[0]] == "easy"
