"""All that the bot keeps, by what it is about. Only this package contains SQL."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime

from bot.store.bars import Bars
from bot.store.blocks import Blocks
from bot.store.clock_steps import ClockSteps
from bot.store.clocks import Clocks
from bot.store.database import Conflict, Database
from bot.store.fact_store import FactStore, needs_version
from bot.store.facts import Facts
from bot.store.jobs import Backlog, JobKind, Jobs, board_job, board_mark
from bot.store.leagues import Leagues
from bot.store.log import Duplicate, Log, NewEntries
from bot.store.matches import ANY_NUMBER, Matches, MatchRow, OpenLimits, Status
from bot.store.ratings import Ratings
from bot.store.reminded import Reminded
from bot.store.settings import Settings
from bot.store.user_data import UserData


@dataclass(frozen=True, slots=True)
class Count:
    """How many matches there are by status, and which jobs are due by kind, in the share of this process."""

    matches: Mapping[Status, int]
    jobs: Mapping[JobKind, Backlog]


RESTORED = "restored"
"""The name of the mark that `bot.store.backup` sets in copies."""

MAX_LOST_MATCHES = 100_000
"""Matches that were played between a backup and its restore: buttons on their boards must not reach other matches."""


class Store:
    """The database behind the tables of all channels.

    Every method is one transaction; those that are called within `transaction` belong to that one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.shard_range = database.shard_range
        self.jobs = jobs = Jobs(database)
        self.matches = Matches(database)
        self.log = Log(database)
        self.reminded = Reminded(database)
        self.blocks = Blocks(database)
        self.bars = Bars(database)
        self.clocks = Clocks(database, jobs)
        self.settings = Settings(database)
        self.clock_steps = ClockSteps(database, self.settings)
        self.ratings = Ratings(database)
        self.facts = FactStore(database, jobs, self.matches, self.settings, self.ratings)
        self.leagues = Leagues(database, jobs)
        self.user_data = UserData(database)

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """All that is written inside is written, or nothing; nobody else in this process comes between."""
        return self._database.transaction()

    async def require_well(self) -> None:
        """Raise `DatabaseTrouble` while nothing can be written: then nothing is done that has to be noted."""
        # checked only after a failure: the check commits a row, and a commit waits for the disk
        if not self._database.health.is_well:
            await self._database.require_writable()

    async def count(self, now: datetime) -> Count:
        """How much there is at a time in UTC."""
        mine = self.shard_range.condition("guild_id")
        rows = await self._database.fetch(f"SELECT status, count(*) FROM matches WHERE {mine} GROUP BY status")
        counted, backlog = {row[0]: row[1] for row in rows}, await self.jobs.backlog(now)
        return Count(
            {status: counted.get(status, 0) for status in Status},
            {kind: backlog.get(kind, Backlog()) for kind in JobKind},
        )

    async def open(self, row: MatchRow, change: Callable[[Facts], Facts], most: OpenLimits = ANY_NUMBER) -> Facts:
        """Write a new match: its row without seats, and a change that seats people there. Returns its facts.

        Raises:
            LimitReached: the server has as many open matches as it may, or its host has (`HostLimitReached`).
            Conflict: the channel has an open match.
        """
        async with self.transaction():
            opened = await self.facts.insert(row, most)
            return await self.facts.write(opened, change(opened))

    async def write(
        self,
        before: Facts,
        after: Facts,
        version: int | None,
        new: NewEntries | None = None,
        checks: Iterable[Callable[[], Awaitable[None]]] = (),
    ) -> Facts:
        """Write a change of the facts of a match, whose log has `version` entries if that is known, and new entries.

        `checks` run in the same transaction, and cancel it by their errors. Returns the facts as they are stored now.

        Raises:
            Duplicate: the interaction was written before.
            Conflict: another process wrote entries.
        """
        try:
            async with self.transaction():
                for check in checks:
                    await check()
                if new is not None and new.entries:
                    # their numbers are keys: this compares the version, too
                    await self.log.append(after.id, new)
                elif version is not None and needs_version(before, after):
                    await self._require_version(after.id, version)
                return await self.facts.write(before, after)
        # `entries` has two keys that can clash, the number of an entry and the interaction. Which one did is asked
        # after the rollback: PostgreSQL takes no further statement in a transaction that failed
        except Conflict:
            if new is not None and new.interaction_id is not None and await self.log.knows(new.interaction_id):
                raise Duplicate from None
            raise

    async def _require_version(self, match_id: int, version: int) -> None:
        if await self.log.length(match_id) != version:
            raise Conflict

    async def resume_restored(self, at: datetime, *, is_restored: bool = False) -> int:
        """After a restore, make the boards of all running matches due, and skip ids that lost matches may have had.

        A copy that `back_up` made has a mark, which this removes; `is_restored` stands in for it. Returns how many
        boards are due.
        """
        async with self.transaction():
            if not (is_restored or await self.settings.get("bot", 0, RESTORED)):
                return 0
            await self.settings.drop("bot", 0, RESTORED)
            await self.matches.skip_ids(MAX_LOST_MATCHES)
            versions = await self.matches.running_versions()
            for match_id, version in versions.items():
                await self.jobs.put(board_job(match_id, board_mark(version), at))
            return len(versions)
