"""A clock on the wall that tests set, for whatever falls due after hours and days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from bot import worker
from bot.clock import Clock
from bot.store.codec import time_of
from playground.player import Player, Seen
from tests.bot.inn import Inn
from tests.e2e.rooms import Room, start_game

NAP = 20.0


@dataclass
class Wall:
    """The clock on the wall: what it shows is set by tests, and goes on by itself."""

    ahead: timedelta = timedelta()

    @property
    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead

    def show(self, hour: int) -> None:
        """Go on to the next time it is this hour, in UTC."""
        there = self.now.replace(hour=hour, minute=5)
        self.ahead += (there if there > self.now else there + timedelta(1)) - self.now


def hang_up(monkeypatch: pytest.MonkeyPatch) -> Wall:
    """A clock by which the bot goes; its worker looks often."""
    wall = Wall()
    monkeypatch.setattr(Clock, "now", lambda _: wall.now)
    monkeypatch.setattr(worker, "NAP", NAP)
    return wall


@dataclass
class House:
    """An inn with a clock on the wall."""

    inn: Inn
    wall: Wall

    async def hours(self, hours: float) -> None:
        """Let hours pass, as for a machine that was asleep, and then time enough to look at all that fell due."""
        self.wall.ahead += timedelta(hours=hours)
        while self.inn.query("SELECT 1 FROM jobs WHERE due_at <= ?", time_of(self.wall.now)):
            await self.inn.let_pass(NAP / 2)

    async def begin(self, *names: str, game: str = "muscat") -> tuple[Room, list[Player]]:
        room = self.inn.room()
        people = room.people(*names)
        await people[0].slash("game new", game=game)
        for person in people[1:]:
            await person.tap("Join")
        await start_game(*people)
        await self.called(people[0], await room.onlooker.expect("### "))
        return room, people

    async def called(self, person: Player, board: Seen) -> None:
        """Wait until it is noted that a board has called somebody: the bot does so after it was posted."""
        noted = "SELECT 1 FROM boards JOIN jobs USING (match_id) WHERE message_id = ? AND user_id = ?"
        while not self.inn.query(noted, board.id, person.id):
            await person.slash("game rules", game="muscat")

    def likes(self, person: Player, **habits: object) -> None:
        """Somebody has chosen this in his settings."""
        self.inn.prefer(person.id, **habits)
