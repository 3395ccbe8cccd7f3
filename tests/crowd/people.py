"""Simulated people: the hours at which they open Discord, their intentions, their moves and votes."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

from bot.features.deadlines.timeouts import Timeouts
from bot.store.clocks import Verdict
from bot.store.matches import SeatHolder, Status
from bot.tables.moves import NextStep
from bot.tables.table import Table
from engine.texts import Seat
from tests.crowd.rows import OF_DATABASE, WITHOUT_FAULTS
from tests.crowd.world import Simulation

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ABSENCES = (timedelta(minutes=1), 2 * HOUR, 9 * HOUR, 2 * DAY)
"""Pauses before a restart of the bot."""

VOTES = ((Verdict.WAIT, 3), (Verdict.PLAY, 4), (Verdict.HOLD, 2), (Verdict.INVITE, 1))


class Part(Enum):
    """Whether a person takes part in a league, as far as they know: a kill may leave them unsure."""

    IN = "in"
    OUT = "out"
    UNSURE = "unsure"


@dataclass
class Person:
    """A user who opens Discord every few hours on average, `next` at a time, unless they have `vanished` until then.

    The other times are when they intend to join or leave a league, leave the server (`departs`) or stop playing
    (`sleeps`).
    """

    user_id: int
    every: float
    next: datetime
    vanished: datetime | None = None
    joins: datetime | None = None
    leaves: datetime | None = None
    departs: datetime | None = None
    sleeps: datetime | None = None
    part: Part = Part.OUT


@dataclass
class Crowd(Simulation):
    """People, by their ids, and the bot."""

    people: dict[int, Person] = field(default_factory=dict)

    # --- for the crowd to override ---

    async def look_in(self, person: Person) -> None:
        """A person may open Discord now."""
        raise NotImplementedError

    async def take_note(self) -> None:
        """Record what the bot has done by itself."""

    def moved(self, table: Table, seat: Seat, next_step: NextStep) -> None:
        """Called after a move."""

    async def voted(self, table: Table, seat: Seat, user_id: int) -> None:
        """Called after a vote about a seat, which may decide it."""

    # --- how time goes by ---

    def moments(self) -> list[datetime]:
        return [*super().moments(), *(person.next for person in self.people.values())]

    async def happen(self) -> None:
        await self.look_when_due()
        await self.come_back()
        self.end_trouble()
        await self.ring()
        await self.take_note()
        for person in [person for person in self.people.values() if person.next <= self.time.now]:
            await self.look_in(person)
            await self.take_note()

    def schedule_next_look(self, person: Person) -> None:
        """Choose when a person opens Discord again."""
        person.next = self.time.now + HOUR * self.random.expovariate(1 / person.every)

    async def restart(self) -> None:
        """Stop the bot and schedule its next start."""
        await self.leave(self.random.choice(ABSENCES))
        self.counts["restarts"] += 1

    async def come_to_rest(self) -> None:
        """End all trouble, let the bot run alone for two hours, and check the promises about the database."""
        await self.leave(HOUR)
        self.back_at = None
        self.end_all_trouble()
        self.time.now += HOUR
        await self.start_bot(kill_rate=0)
        await self.until(self.time.now + 2 * HOUR)
        self.promises.require(self.rows, *OF_DATABASE, *WITHOUT_FAULTS)

    # --- what people do ---

    async def move(self, table: Table, seat: Seat, user_id: int) -> None:
        """Make a random move, as a tap does."""
        services, match = self.services, table.require_match()
        action = self.random.choice(match.decision_of(seat).options)
        number = next(self.interactions)
        next_step = await services.moves.play(
            table, user_id, action, interaction_id=number, version=match.decision_version(seat)
        )
        self.counts["moves"] += 1
        self.moved(table, seat, next_step)
        if next_step is NextStep.BOARD:
            await services.poster.deliver(table)
        elif next_step is NextStep.WAITING:
            services.poster.update_due(table)

    async def vote(self, table: Table, user_id: int) -> None:
        """Vote on a late player, as the handler of those buttons does."""
        timeouts = Timeouts(self.services)
        for seat in list(table.clocks):
            async with table.pacing:
                clock = table.clocks[seat]
                if clock.out is None or clock.verdict or seat == table.seat_of(user_id):
                    continue
                choice = self.random.choices(*zip(*VOTES, strict=True))[0]
                clock = await timeouts.vote(table, clock, user_id, choice)
                self.counts["votes"] += 1
                await self.voted(table, seat, user_id)
                if clock.verdict:
                    await timeouts.carry_out(table, clock, shown=True)

    async def play_turns(self, table: Table, seat: Seat, user_id: int) -> None:
        """Move while a seat is due; now and then a person stops halfway."""
        while seat in asked_at(table) and table.seat_of(user_id) == seat and self.random.random() < 0.95:
            await self.move(table, seat, user_id)
            if self.bot is not None and self.bot.is_awake:
                await self.bot.do_what_is_due()


def asked_at(table: Table) -> dict[int, tuple[int, int]]:
    """The due seats of people: seat -> user and the version of the question."""
    match = table.match
    if match is None or table.row.status is not Status.RUNNING:
        return {}
    users = {decision.seat: table.row.holders[decision.seat].user_id for decision in match.state.decisions()}
    return {
        int(seat): (user_id, match.decision_version(seat)) for seat, user_id in users.items() if user_id is not None
    }


def holder(user_id: int) -> SeatHolder:
    return SeatHolder(user_id=user_id, name=f"user {user_id}")
