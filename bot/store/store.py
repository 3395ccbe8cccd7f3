"""The store: all repositories of the database, and the transactions that span several of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
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
from bot.store.matches import UNLIMITED, Matches, MatchRow, OpenLimits, Status
from bot.store.open_tables import OpenTables
from bot.store.ratings import Ratings
from bot.store.reminded import Reminded
from bot.store.settings import Settings
from bot.store.user_data import UserData
from engine.values import Value


class Count(Value):
    """The numbers of matches by status and of due jobs by kind, in the share of this process."""

    matches: Mapping[Status, int]
    jobs: Mapping[JobKind, Backlog]


RESTORED = "restored"
"""The name of the mark that `bot.store.backup` sets in copies."""

MAX_LOST_MATCHES = 100_000
"""Ids to skip after a restore, so that buttons of matches played since the backup do not reach new matches."""


class Store:
    """The repositories of a database.

    Every method is one transaction, and joins `transaction` if it is called inside one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.shard_range = database.shard_range
        self.jobs = jobs = Jobs(database)
        self.matches = Matches(database)
        self.open_tables = OpenTables(database)
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
        """A transaction around all calls of this task; other tasks of this process wait for its end."""
        return self._database.transaction()

    async def require_available(self) -> None:
        """Raise `DatabaseUnavailable` while the database cannot be written, before work that must be recorded."""
        # checked only after a failure: the check commits a row, and a commit waits for the disk
        if not self._database.health.is_well:
            await self._database.require_writable()

    async def count(self, now: datetime) -> Count:
        """The number of matches and of due jobs at a time in UTC."""
        mine = self.shard_range.condition("guild_id")
        rows = await self._database.fetch(f"SELECT status, count(*) FROM matches WHERE {mine} GROUP BY status")
        counts, backlog = {row[0]: row[1] for row in rows}, await self.jobs.backlog(now)
        return Count(
            {status: counts.get(status, 0) for status in Status},
            {kind: backlog.get(kind, Backlog()) for kind in JobKind},
        )

    async def open(self, row: MatchRow, change: Callable[[Facts], Facts], most: OpenLimits = UNLIMITED) -> Facts:
        """Create a match: its row without seats, and a change that seats its players. Returns its facts.

        Raises:
            LimitReached: the server or the host (`HostLimitReached`) has reached its limit of open matches.
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
        """Write a change of a match's facts, and new entries, in one transaction. Returns the stored facts.

        `version` is the expected length of the log, if there is one. `checks` run in the same transaction, and cancel
        it by their errors.

        Raises:
            Duplicate: the interaction was written before.
            Conflict: another process has written entries.
        """
        try:
            async with self.transaction():
                for check in checks:
                    await check()
                if new is not None and new.entries:
                    # the numbers of entries are keys, so this checks the version, too
                    await self.log.append(after.id, new)
                elif version is not None and needs_version(before, after):
                    await self._require_version(after.id, version)
                return await self.facts.write(before, after)
        # `entries` has two unique keys, the number of an entry and the interaction. The query for the interaction comes
        # after the rollback: PostgreSQL accepts no statement in a failed transaction
        except Conflict:
            if (
                new is not None
                and new.interaction_id is not None
                and await self.log.has_interaction(new.interaction_id)
            ):
                raise Duplicate from None
            raise

    async def _require_version(self, match_id: int, version: int) -> None:
        if await self.log.length(match_id) != version:
            raise Conflict

    async def resume_restored(self, at: datetime, *, is_restored: bool = False) -> int:
        """After a restore, make the boards of all running matches due, and skip the ids that lost matches may have had.

        Copies made by `back_up` have a mark, which this removes; without it, `is_restored` says so. Returns the number
        of due boards.
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
