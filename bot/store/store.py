"""All that the bot keeps, by what it is about. SQL stands in this package only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from types import MappingProxyType

from bot.store.census import Census
from bot.store.clocks import Clocks
from bot.store.database import Conflict, Database
from bot.store.drafts import Drafts
from bot.store.followers import Followers
from bot.store.going import Going
from bot.store.invitations import Invitations
from bot.store.known_seats import KnownSeats
from bot.store.log import Log
from bot.store.matches import Matches
from bot.store.mornings import Mornings
from bot.store.notes import Notes
from bot.store.offers import Offers
from bot.store.people import People
from bot.store.posts import Posts
from bot.store.rows import Known, Note, Status, Timer, TimerKind
from bot.store.settings import Settings
from bot.store.standing import Standing
from bot.store.timers import Timers
from bot.store.wishes import Wishes
from engine.core import Outcome
from engine.match import Entry
from engine.texts import Seat


class Store:
    """The database behind the tables of all channels.

    Every method is one transaction; those that are called within `transaction` belong to that one.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self.share = database.share
        self.matches = Matches(database)
        self.log = Log(database)
        self.drafts = Drafts(database)
        self.posts = Posts(database)
        self.wishes = Wishes(database)
        self.timers = Timers(database)
        self.offers = Offers(database)
        self.followers = Followers(database)
        self.known_seats = KnownSeats(database)
        self.invitations = Invitations(database)
        self.notes = Notes(database)
        self.clocks = Clocks(database)
        self.settings = Settings(database)
        self.standing = Standing(database)
        self.mornings = Mornings(database)
        self.going = Going(database)
        self.people = People(database)
        self.census = Census(database)

    def transaction(self) -> AbstractAsyncContextManager[None]:
        """All that is written inside is written, or nothing; nobody else in this process comes between."""
        return self._database.transaction()

    async def require_well(self) -> None:
        """Raise `DatabaseTrouble` while nothing can be written: then nothing is done that has to be noted."""
        if not self._database.health.is_well:
            await self._database.require_writable()

    async def begin(
        self,
        match_id: int,
        new: Sequence[Entry],
        *,
        at: datetime,
        rules_version: int,
        post_version: int,
        goes_on: bool = False,
        outcome: Outcome | None = None,
    ) -> int:
        """Let a match begin: its first entries, if any, under which rules it is played, its first board, and whether
        the bot itself goes on.

        One in which nobody had anything to decide is over at once.

        Returns the id of the board that now waits.
        """
        async with self.transaction():
            await self.matches.change(match_id, status=Status.RUNNING, rules_version=rules_version)
            await self.timers.end_lobby(match_id, at)
            await self.log.append(match_id, 0, new, at)
            if outcome is not None:
                await self.matches.end(match_id, outcome)
            if goes_on:
                await self.going.note(match_id)
            return await self.posts.add(match_id, post_version)

    async def expire(self, timer: Timer, at: datetime) -> bool:
        """Close the lobby that a timer is about, unless somebody has touched it in the meantime. Returns whether.

        It is so at a time in UTC.
        """
        async with self.transaction():
            if untouched := await self.timers.take(timer):
                await self.matches.close(timer.match_id, Status.CLOSED, at)
            return untouched

    async def append(
        self,
        match_id: int,
        first: int,
        new: Sequence[Entry],
        *,
        at: datetime,
        outcome: Outcome | None = None,
        post_version: int | None = None,
        interaction_id: int | None = None,
        drafted: Seat | None = None,
        wished: bool = False,
        answered: Mapping[int, bool] = MappingProxyType({}),
        expected: Sequence[Timer] | None = None,
        stood_in: Collection[Seat] = (),
        goes_on: bool | None = None,
    ) -> int | None:
        """Write entries from number `first` on, how the match ended, and a board to post: all or nothing.

        `post_version` is that of the board. `drafted` is the seat whose draft is confirmed by this. Returns the id of
        the board that now waits, if one was asked for. `wished` says that a wish is over by this. `answered` are the
        entries that standing answers brought, `expected` all those that take a while and are to come, if any may be.
        `stood_in` says on which seats a computer has played a turn in the place of a person, `goes_on` whether the bot
        itself has something to do there now, if that is another answer than before.

        Raises:
            Known: the interaction was written before.
            Conflict: another process wrote these entries.
        """
        try:
            async with self.transaction():
                await self.log.append(match_id, first, new, at, interaction_id)
                if drafted is not None:
                    await self.drafts.drop(match_id, drafted)
                if wished:
                    await self.wishes.drop(match_id)
                if stood_in:
                    await self.clocks.dismiss(match_id, stood_in)
                if outcome is not None:
                    await self.matches.end(match_id, outcome)
                if goes_on is not None:
                    await self.going.note(match_id, goes_on=goes_on)
                await self.standing.note_answered(match_id, answered)
                if expected is not None:
                    await self.timers.expect(match_id, TimerKind.ANSWER, expected)
                return None if post_version is None else await self.posts.add(match_id, post_version)
        except Conflict:
            if interaction_id is not None and await self.log.knows(interaction_id):
                raise Known from None
            raise

    async def unstick(self, match_id: int, note: Note, post_version: int | None) -> None:
        """Give up what people have begun and not finished in a match, and post its board once more, if it has one."""
        async with self.transaction():
            await self.drafts.drop_all(match_id)
            await self.wishes.drop(match_id)
            await self.notes.add(match_id, note)
            if post_version is not None:
                await self.posts.add(match_id, post_version)
