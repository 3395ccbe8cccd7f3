"""The clocks of those who play: what of their time is left. When to look after one is a job."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated

from bot.store.columns import Hidden, OtherId, Personal, PlannedTime, Term, Unstored, UserId
from bot.store.database import Database
from bot.store.jobs import JobKind, Jobs
from engine.texts import Seat

IDLE = -1
"""The version of a stopped clock: nothing is asked of its user, or no board has said so yet."""


class Verdict(StrEnum):
    """What was decided when somebody's time was up, as long as it is not carried out in full.

    `NONE`: nothing, or all is done. `ENDED`: their own move, or another one's, came first.
    """

    NONE = ""
    WAIT = "wait"
    PLAY = "play"
    HOLD = "hold"
    INVITE = "invite"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class SeatClock:
    """The time that a user has for their turn on a seat; all times in UTC.

    The turn is about the decision that is open since `version`. For it they have `period`, and then what is in their
    `bank`. Up to `since` they have `spent` so much of it, and it was `stopped` for so long by their `preferences`
    (those of that time); if they stay as they are, `period` is up at `turn_until` and all of it at `until`. It is
    looked at again `at` a time; they were `warned`, and it was `out`, at others. `barred`: the clock is stopped
    because Discord does not deliver what they have to know.

    `strikes` are the turns in a row that a computer played for them, `lost` all of them; `number` counts what was sent
    because of this clock. `message_id` is where the others vote, `votes` are their choices by user, `verdict` is what
    came of it. The vote ends at `vote_ends`; those who have not voted are reminded at `reminds_at`, once. `stand_in` is
    the computer that plays the turn in their place, if one does.
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
        """Whether something is asked of them, and they could know."""
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

    async def hurry(self, user_id: int, now: datetime) -> None:
        """Let the running clocks of a user be looked at now, since their preferences have changed."""
        sql = "SELECT match_id FROM clocks WHERE user_id = ?"
        # clocks that stand still have no job, so nothing happens to them
        for match_id in await self._database.fetch_column(sql, user_id):
            await self._jobs.hurry(now, JobKind.CLOCK, match_id)
