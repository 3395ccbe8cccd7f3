"""Pace: until when somebody has time, who is told before it is up, and what the others do about it then."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bot import rounds
from bot.clock import Clock
from bot.pace import watch
from playground.player import Player, Seen
from tests.bot.inn import Inn
from tests.bot.test_reminders import NAP, House, Wall
from tests.e2e.rooms import Room

WAIT, PLAY, HOLD, INVITE = "Wait on", "Computer plays this turn", "Computer holds the seat", "Invite a substitute"
WARNING, LATE = "your time for this turn is up", "for this turn is up. What now?"


@pytest.fixture(autouse=True)
def wall(monkeypatch: pytest.MonkeyPatch) -> Iterator[Wall]:
    wall = Wall()
    monkeypatch.setattr(Clock, "now", lambda _: wall.now)
    monkeypatch.setattr(rounds, "NAP", NAP)
    monkeypatch.setattr(watch, "LULL", timedelta.max)  # the clock is pushed by days, and the bot was not asleep
    return wall


class Hall(House):
    """A house whose tables have a pace."""

    async def hours(self, hours: float) -> None:
        await super().hours(hours)
        now = self.wall.now.replace(tzinfo=None).isoformat(" ")
        while self.inn.query("SELECT 1 FROM clocks WHERE at <= ?", now):
            await self.inn.let_pass(NAP / 2)
        await self.inn.let_pass(NAP / 2)

    async def paced(self, pace: str, *names: str, game: str = "muscat", computers: int = 0) -> tuple[Room, list[Player]]:
        """A game with a pace."""
        room = self.inn.room()
        people = room.people(*names)
        lobby = await people[0].slash("game new", game=game)
        for person in people[1:]:
            await person.tap("Join")
        for _ in range(computers):
            await people[0].tap("Add computer")
        options = await people[0].tap("Options", on=lobby)
        await people[0].choose(pace, on=options, menu=len(options.menus) - 1)
        for person in people:
            self.likes(person, interval=0)
        await people[0].tap("Start")
        await self.called(people[0], await room.onlooker.expect("### "))
        return room, people

    async def late(self, pace: str = "daily", *names: str, game: str = "muscat") -> tuple[Room, list[Player], Seen]:
        """A game in which the first one's time is up. With the message that says so."""
        room, people = await self.paced(pace, *(names or ("Ana", "Ben", "Caro")), game=game)
        await self.hours(66.1)
        await self.hours(6)
        return room, people, await room.onlooker.expect(LATE)

    def notes(self) -> list[str]:
        return [kind for (kind,) in self.inn.query("SELECT kind FROM notes ORDER BY id")]


@pytest.fixture
def hall(wall: Wall, inn: Inn) -> Hall:
    return Hall(inn, wall)


def told(room: Room, words: str) -> list[Seen]:
    return [seen for seen in room.onlooker.messages if words in seen.text]


async def test_the_lobby_says_the_pace_and_the_board_until_when(hall: Hall) -> None:
    room, (ana, *_) = await hall.paced("daily", "Ana", "Ben", "Caro")
    (board,) = [seen for seen in room.onlooker.messages if seen.images]
    assert "-# ⏳ until <t:" in board
    print(board.text)
    page = await ana.slash("game pace")
    print(page.text)
    print([[o.label for o in m.options] for m in page.menus])


async def test_a_ladder(hall: Hall) -> None:
    room, (ana, ben, caro) = await hall.paced("daily", "Ana", "Ben", "Caro")
    await hall.hours(65.9)
    assert [] == told(room, WARNING)
    await hall.hours(0.3)
    (warning,) = told(room, WARNING)
    print(warning.text)
    assert ("Ana",) == warning.pinged
    await hall.hours(5.9)
    assert 1 == len(told(room, WARNING))
    assert [] == told(room, LATE)
    await hall.hours(0.3)
    (late,) = told(room, LATE)
    print(late.text, late.labels, late.pinged)
    assert "the time for this is up" in await room.onlooker.until(lambda: (b := room.onlooker.look(told(room, "### ")[-1])).edited and b)
    shown = await ben.tap(PLAY, on=late)
    print(shown.text)
    print((await ana.tap(PLAY, on=late)).text)
    done = await caro.tap(PLAY, on=late)
    print(done.text)
    print(room.onlooker.last.text)
    print((await ana.slash("game log")).text)
    print(hall.notes())
