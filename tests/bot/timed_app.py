"""A bot with a clock that tests set, for jobs that are due after hours and days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from bot.store.codec import time_of
from bot.store.jobs import JobKind
from playground.player import Player, Seen
from tests.bot.app import App
from tests.bot.fake_clock import NAP, FakeClock
from tests.robots import BOARD
from tests.rooms import Room, start_game


@dataclass
class TimedApp:
    """A bot with a clock that tests set."""

    app: App
    fake_clock: FakeClock

    async def hours(self, hours: float) -> None:
        """Let hours pass, as for a machine that was asleep, and then time enough to look at all that fell due."""
        self.fake_clock.ahead += timedelta(hours=hours)
        while self.app.query("SELECT 1 FROM jobs WHERE due_at <= ?", time_of(self.fake_clock.now)):
            await self.app.let_pass(NAP / 2)

    async def begin(self, *names: str, game: str = "muscat") -> tuple[Room, list[Player]]:
        """A game without a pace: no clock runs."""
        room = self.app.room()
        people = room.people(*names)
        await people[0].slash("table new", game=game)
        for person in people[1:]:
            await person.tap("Join")
        await people[0].choose("No time limit", on=await people[0].slash("table pace"))
        await start_game(*people)
        await self.called(people[0], await room.onlooker.expect(BOARD))
        # the message of the lobby changes beside the posting of the board
        while self.app.query("SELECT 1 FROM jobs WHERE kind = ?", JobKind.LOBBY_MESSAGE):
            await self.app.breathe()
        return room, people

    async def called(self, person: Player, board: Seen) -> None:
        """Wait until the ping of a board is noted: the bot does so after the post."""
        noted = "SELECT 1 FROM boards JOIN jobs USING (match_id) WHERE message_id = ? AND user_id = ? AND kind = ?"
        while not self.app.query(noted, board.id, person.id, JobKind.REMINDER):
            await self.app.breathe()

    async def likes(self, person: Player, **preferences: object) -> None:
        """Somebody has chosen this in their settings, before the bot was started."""
        await self.app.close()
        await self.app.prefer(person.id, **preferences)
        await self.app.open()
