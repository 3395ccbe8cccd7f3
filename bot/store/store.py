"""All that the bot keeps, by what it is about. Only this package contains SQL."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType

from bot.store.auto_answers import AutoAnswers
from bot.store.bars import Bars
from bot.store.blocks import Blocks
from bot.store.boards import Board, Boards
from bot.store.clock_steps import ClockSteps
from bot.store.clocks import Clocks, SeatClock
from bot.store.database import Conflict, Database
from bot.store.drafts import Drafts
from bot.store.followers import Followers
from bot.store.invitations import Invitations
from bot.store.jobs import Backlog, Job, JobKind, Jobs, board_mark, reminder_job
from bot.store.join_requests import JoinRequests
from bot.store.known_seats import KnownSeats
from bot.store.leagues import Leagues
from bot.store.log import Duplicate, Log
from bot.store.matches import Matches, Status, Unrating
from bot.store.offers import Offers
from bot.store.ratings import Ratings
from bot.store.reminded import Reminded
from bot.store.settings import Settings
from bot.store.table_events import TableEvent, TableEvents
from bot.store.tally import NO_OWNERS, Owners
from bot.store.undo_requests import UndoRequests
from bot.store.user_data import UserData
from engine.core import Outcome
from engine.match import Entry
from engine.proof import Proof
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Count:
    """How many matches there are by status, and which jobs are due by kind, in the share of this process."""

    matches: Mapping[Status, int]
    jobs: Mapping[JobKind, Backlog]


POSTED_WITHIN = timedelta(seconds=10)
"""A move posts its board at once; if that fails, a job posts it this much later."""

RESTORED = "restored"
"""The name of the mark that `bot.store.backup` sets in copies."""

MAX_LOST_MATCHES = 100_000
"""Matches that were played between a backup and its restore: buttons on their boards must not reach other matches."""


@dataclass(frozen=True, slots=True)
class Written:
    """Entries of a match from number `first` on, and what changes with them: all of it is written, or nothing.

    What is over by them: the draft of the seat `drafted`, an undo request, the turns that a computer has played in the
    place of people (`stood_in`, with the entries `played_for` them), perhaps a vote about a late player, and with an
    `outcome` the match, whose results are the `owners`' (see `Matches.end`). `answered` are those of the entries that
    auto-answers brought. With `unrating` the match counts no more, at least for one of its players.

    What follows: a board of `post_version`, in place of one with the mark `superseded`; `goes_on` if the bot itself has
    something to do there now, or no more; `expected`, all auto-answers that take a while and are to come. `None` leaves
    each of these as it was.
    """

    first: int
    entries: Sequence[Entry]
    at: datetime
    interaction_id: int | None = None
    answered: Mapping[int, bool] = field(default_factory=dict)
    drafted: Seat | None = None
    ends_undo_request: bool = False
    stood_in: Collection[Seat] = ()
    settles_votes: bool = False
    outcome: Outcome | None = None
    owners: Owners = NO_OWNERS
    played_for: Collection[int] = ()
    unrating: Unrating | None = None
    post_version: int | None = None
    superseded: str | None = None
    goes_on: bool | None = None
    expected: Sequence[Job] | None = None


class Store:
    """The database behind the tables of all channels.

    Every method is one transaction; those that are called within `transaction` belong to that one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.shard_range = database.shard_range
        self.jobs = jobs = Jobs(database)
        self.matches = Matches(database, jobs)
        self.log = Log(database)
        self.drafts = Drafts(database)
        self.boards = Boards(database)
        self.undo_requests = UndoRequests(database)
        self.reminded = Reminded(database)
        self.offers = Offers(database)
        self.followers = Followers(database)
        self.known_seats = KnownSeats(database)
        self.invitations = Invitations(database)
        self.join_requests = JoinRequests(database)
        self.blocks = Blocks(database)
        self.bars = Bars(database)
        self.table_events = TableEvents(database)
        self.clocks = Clocks(database, jobs)
        self.settings = Settings(database)
        self.clock_steps = ClockSteps(database, self.settings)
        self.auto_answers = AutoAnswers(database)
        self.ratings = Ratings(database)
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

    async def begin(
        self,
        match_id: int,
        new: Sequence[Entry],
        *,
        at: datetime,
        rules_version: int,
        seed: str,
        post_version: int,
        proof: Proof | None = None,
        goes_on: bool = False,
        outcome: Outcome | None = None,
    ) -> str:
        """Let a match begin: its first entries, if any, under which rules it is played, its seed and what that is made
        of, its first board, and whether the bot itself goes on.

        One in which nobody had anything to decide is over at once, and counts for nobody.

        Returns the mark of the board that now waits.
        """
        async with self.transaction():
            proof = proof or Proof("", ())
            luck = {"seed": seed, "secret": proof.secret, "ids": proof.ids, "proof_version": proof.version}
            # who was ready matters in a lobby only
            await self.matches.change(match_id, status=Status.RUNNING, rules_version=rules_version, ready=None, **luck)
            await self.matches.end_lobby(match_id, at)
            await self.log.append(match_id, 0, new, at)
            if outcome is not None:
                await self.matches.end(match_id, outcome, at)
            if goes_on:
                await self.note_computer(match_id, at, due=True)
            return await self.expect_board(match_id, post_version, at)

    async def expect_board(self, match_id: int, version: int, at: datetime, superseded: str | None = None) -> str:
        """A board waits to be posted: at once as part of the move, or else by a job. Returns its mark.

        It may take the place of another one, `superseded`, of which nobody knows yet whether it was posted.
        """
        mark = board_mark(version)
        state = {"mark": mark, "superseded": superseded}
        await self.jobs.put(Job(JobKind.BOARD, at + POSTED_WITHIN, match_id, state=state))
        return mark

    async def posted(
        self,
        match_id: int,
        mark: str,
        board: Board,
        *,
        at: datetime,
        called: Mapping[int, int] = MappingProxyType({}),
        clocks: Collection[SeatClock] = (),
    ) -> None:
        """Note that a board went out at a time; one that waits since then, with another mark, goes on waiting.

        `called` are the users it calls, each with the version since which their decision is open: only these have
        reminders to come at this table. `clocks` are those of the table that have changed by it.
        """
        reminders = [reminder_job(match_id, user_id, version, at) for user_id, version in called.items()]
        async with self.transaction():
            await self.boards.put(match_id, board)
            waiting = await self.jobs.find(JobKind.BOARD, match_id)
            if waiting is not None and waiting.state["mark"] == mark:
                await self.jobs.drop(JobKind.BOARD, match_id)
            await self.jobs.expect(JobKind.REMINDER, match_id, reminders)
            await self.clocks.put(clocks)

    async def note_computer(self, match_id: int, at: datetime, *, due: bool) -> None:
        """A computer has to think in a match from a time on, or no more."""
        if due:
            await self.jobs.put(Job(JobKind.COMPUTER, at, match_id))
        else:
            await self.jobs.drop(JobKind.COMPUTER, match_id)

    async def expire(self, job: Job, at: datetime) -> bool:
        """Close the lobby that a job is about, unless somebody has touched it in the meantime. Returns whether.

        It is so at a time in UTC.
        """
        async with self.transaction():
            if untouched := await self.jobs.replace(job, None):
                await self.matches.close(job.match_id, Status.CLOSED, at)
            return untouched

    async def append(self, match_id: int, written: Written) -> str | None:
        """Write entries and all that changes with them. Returns the mark of the board that waits by this, if one does.

        Raises:
            Duplicate: the interaction was written before.
            Conflict: another process wrote these entries.
        """
        try:
            async with self.transaction():
                await self.log.append(match_id, written.first, written.entries, written.at, written.interaction_id)
                await self.auto_answers.note_answered(match_id, written.answered)
                await self.log.note_stood_in(match_id, written.played_for)
                if written.unrating is not None:
                    await self.matches.unrate(match_id, written.unrating)
                await self._settle(match_id, written)
                return await self._go_on(match_id, written)
        # `entries` has two keys that can clash, the number of an entry and the interaction. Which one did is asked
        # after the rollback: PostgreSQL takes no further statement in a transaction that failed
        except Conflict:
            if written.interaction_id is not None and await self.log.knows(written.interaction_id):
                raise Duplicate from None
            raise

    async def _settle(self, match_id: int, written: Written) -> None:
        """End what is over by new entries."""
        if written.drafted is not None:
            await self.drafts.drop(match_id, written.drafted)
        if written.ends_undo_request:
            await self.undo_requests.drop(match_id)
        if written.stood_in:
            # in the same transaction: after a crash in between, the computer would play another turn
            await self.clocks.dismiss(match_id, written.stood_in)
        if written.settles_votes:
            # not deleted: the job of the clock still has to show in the channel that the vote is over
            await self.jobs.hurry(written.at, JobKind.CLOCK, match_id)
        if written.outcome is not None:
            await self.matches.end(match_id, written.outcome, written.at, written.owners)

    async def _go_on(self, match_id: int, written: Written) -> str | None:
        """Plan what follows from new entries. Returns the mark of the board that waits by it."""
        if written.goes_on is not None:
            await self.note_computer(match_id, written.at, due=written.goes_on)
        if written.expected is not None:
            await self.jobs.expect(JobKind.ANSWER, match_id, written.expected)
        if written.post_version is None:
            return None
        return await self.expect_board(match_id, written.post_version, written.at, written.superseded)

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
                await self.expect_board(match_id, version, at)
            return len(versions)

    async def unstick(self, match_id: int, event: TableEvent, post_version: int | None) -> None:
        """Give up what people have begun and not finished in a match, and post its board once more, if it has one."""
        async with self.transaction():
            await self.drafts.drop_all(match_id)
            await self.undo_requests.drop(match_id)
            await self.table_events.add(match_id, event)
            if post_version is not None:
                await self.expect_board(match_id, post_version, event.at)
