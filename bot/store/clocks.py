"""The clocks of the players: how much time they have left. The next check of a clock is a job."""

from __future__ import annotations

from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from bot.store.columns import Hidden, OtherId, Personal, PlannedTime, Term, Unstored, UserId
from bot.store.database import Database
from bot.store.jobs import JobKind, Jobs
from engine.texts import Seat
from engine.values import Value

IDLE = -1
"""The version of a stopped clock: its user has no decision, or no board has shown the decision yet."""


class Verdict(StrEnum):
    """The pending consequence for a player whose time is up.

    `NONE`: nothing is pending. `ENDED`: the player, or another one, moved first.
    """

    NONE = ""
    WAIT = "wait"
    PLAY = "play"
    HOLD = "hold"
    INVITE = "invite"
    ENDED = "ended"


class SeatClock(Value):
    """The time that a user has for their turn on a seat; all times in UTC.

    The turn is the decision that has been open since `version`. The user has `period` for it, and then the time in
    their `bank`. At `since`, they had used `spent`, and their `preferences` of that time had stopped the clock for
    `stopped`. With these preferences, `period` ends at `turn_until` and all time at `until`. `at`: the next check;
    `warned`, `out`: when the user was warned, and when their time ran out. `barred`: the clock is stopped because
    Discord does not deliver the messages that the user needs.

    `strikes` counts the turns in a row that a computer played for the user, `lost` all such turns, `number` the
    messages sent about this clock. `message_id` is the message of the vote, `votes` the choices by user, `verdict` the
    result. The vote ends at `vote_ends`; at `reminds_at`, users without a vote get one reminder. `stand_in` is the
    computer that plays the turn in the user's place, if one does.
    """

    match_id: int
    seat: Seat
    user_id: UserId
    version: int
    period: timedelta
    bank: timedelta
    since: datetime
    until: PlannedTime
    at: Annotated[datetime | None, Unstored()] = None
    spent: timedelta = timedelta()
    stopped: timedelta = timedelta()
    warned: datetime | None = None
    out: datetime | None = None
    barred: bool = False
    strikes: int = 0
    lost: int = 0
    number: int = 0
    message_id: OtherId | None = None
    votes: Annotated[dict[UserId, str], Hidden()] = field(default_factory=dict)
    verdict: Verdict = Verdict.NONE
    stand_in: Term = ""
    preferences: Annotated[dict[str, str], Personal("{}")] = field(default_factory=dict)
    vote_ends: PlannedTime | None = None
    reminds_at: PlannedTime | None = None
    turn_until: PlannedTime | None = None

    @property
    def runs(self) -> bool:
        """Whether the user has a decision that a board has shown."""
        return self.version != IDLE


class Clocks:
    """The clocks of all matches, of which each match has its own in its facts."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs = jobs

    async def running(self) -> list[int]:
        """The matches in the share of this process with clocks that have to be looked after at some time."""
        mine = self._database.shard_range.condition("jobs.guild_id")
        sql = f"SELECT DISTINCT match_id FROM jobs WHERE kind = ? AND {mine}"
        return await self._database.fetch_column(sql, JobKind.CLOCK)

    async def make_due(self, user_id: int, now: datetime) -> None:
        """Check the running clocks of a user now, since their preferences have changed."""
        sql = "SELECT match_id FROM clocks WHERE user_id = ?"
        # stopped clocks have no job, so nothing happens to them
        for match_id in await self._database.fetch_column(sql, user_id):
            await self._jobs.make_due(now, JobKind.CLOCK, match_id)
