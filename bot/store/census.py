"""How many matches there are, and what waits to be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from bot.store.database import Database
from bot.store.jobs import Backlog, JobKind, Jobs
from bot.store.matches import Status


@dataclass(frozen=True, slots=True)
class Count:
    """How many matches there are by status, and which jobs are due by kind."""

    matches: Mapping[Status, int]
    jobs: Mapping[JobKind, Backlog]


class Census:
    """Counts what is kept of the share of this process."""

    def __init__(self, database: Database, jobs: Jobs) -> None:
        self._database = database
        self._jobs = jobs

    async def taken(self, now: datetime) -> Count:
        """The counts at a time in UTC."""
        mine = self._database.shard_range.condition("guild_id")
        rows = await self._database.fetch(f"SELECT status, count(*) FROM matches WHERE {mine} GROUP BY status")
        counted = {Status(row[0]): row[1] for row in rows}
        backlog = await self._jobs.backlog(now)
        return Count(
            {status: counted.get(status, 0) for status in Status},
            {kind: backlog.get(kind, Backlog()) for kind in JobKind},
        )
