"""All that the bot keeps, and the transactions that touch several kinds of it. SQL stands in this package only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from bot.store.census import Census
from bot.store.clocks import Clocks, dismiss
from bot.store.connections import Connection, Engine, T
from bot.store.drafts import Drafts, drop_draft, drop_drafts
from bot.store.followers import Followers
from bot.store.going import note_goes_on
from bot.store.invitations import Invitations
from bot.store.known_seats import KnownSeats
from bot.store.log import Log, insert_entries
from bot.store.matches import Matches, changed, insert_result
from bot.store.mornings import Mornings
from bot.store.notes import Notes, insert_note
from bot.store.offers import Offers
from bot.store.people import People
from bot.store.posts import Posts, insert_post
from bot.store.rows import Known, Note, Status, Taken, Timer, TimerKind
from bot.store.settings import Settings
from bot.store.share import WHOLE, Share
from bot.store.standing import Standing, insert_answered
from bot.store.timers import Timers, end_lobby, expect, take_timer
from bot.store.transactions import Transactions, writing
from bot.store.wishes import Wishes, drop_wish
from engine.core import Outcome
from engine.match import Entry
from engine.texts import Seat


class Store:
    """The database behind the tables of all channels, by what it keeps. Every method is one transaction."""

    def __init__(self, engine: Engine, share: Share = WHOLE) -> None:
        """`share` is what this process has to do of all that is kept; it reads everything."""
        self.share = share
        self._transactions = Transactions(engine, share)
        self.matches = Matches(self._transactions)
        self.log = Log(self._transactions)
        self.drafts = Drafts(self._transactions)
        self.posts = Posts(self._transactions)
        self.wishes = Wishes(self._transactions)
        self.timers = Timers(self._transactions)
        self.offers = Offers(self._transactions)
        self.followers = Followers(self._transactions)
        self.known_seats = KnownSeats(self._transactions)
        self.invitations = Invitations(self._transactions)
        self.notes = Notes(self._transactions)
        self.clocks = Clocks(self._transactions)
        self.settings = Settings(self._transactions)
        self.standing = Standing(self._transactions)
        self.mornings = Mornings(self._transactions)
        self.people = People(self._transactions)
        self.census = Census(self._transactions)

    async def together(self, look: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Look several things up in one trip to the database. `look` waits for nothing else and writes nothing."""
        return await self._transactions.together(look)

    async def require_well(self) -> None:
        """Raise `DatabaseTrouble` while nothing can be written: then nothing is done that has to be noted."""
        if not self._transactions.health.is_well:
            await self.settings.put("bot", 0, "tried", True)

    @writing
    async def begin(
        self,
        connection: Connection,
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
        values = {"status": Status.RUNNING, "rules_version": rules_version}
        await connection.execute(changed(match_id, values))
        await end_lobby(connection, match_id, at)
        await insert_entries(connection, match_id, 0, new, at)
        if outcome is not None:
            await insert_result(connection, match_id, outcome)
        if goes_on:
            await note_goes_on(connection, match_id)
        return await insert_post(connection, match_id, post_version)

    @writing
    async def expire(self, connection: Connection, timer: Timer, at: datetime) -> bool:
        """Close the lobby that a timer is about, unless somebody has touched it in the meantime. Returns whether.

        It is so at a time in UTC.
        """
        if untouched := await take_timer(connection, timer):
            await connection.execute(changed(timer.match_id, {"status": Status.CLOSED}))
            await end_lobby(connection, timer.match_id, at)
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
            Taken: another process wrote these entries.
        """

        async def write(connection: Connection) -> int | None:
            await insert_entries(connection, match_id, first, new, at, interaction_id)
            if drafted is not None:
                await drop_draft(connection, match_id, drafted)
            if wished:
                await drop_wish(connection, match_id)
            if stood_in:
                await dismiss(connection, match_id, stood_in)
            if outcome is not None:
                await insert_result(connection, match_id, outcome)
            if goes_on is not None:
                await note_goes_on(connection, match_id, goes_on=goes_on)
            await insert_answered(connection, match_id, answered)
            if expected is not None:
                await expect(connection, match_id, TimerKind.ANSWER, expected)
            return None if post_version is None else await insert_post(connection, match_id, post_version)

        try:
            return await self._transactions.write(write)
        except Taken:
            if interaction_id is not None and await self.log.knows(interaction_id):
                raise Known from None
            raise

    @writing
    async def note_goes_on(self, connection: Connection, match_id: int, *, goes_on: bool) -> None:
        """Note that the bot has something to do in a match, or that it has not."""
        await note_goes_on(connection, match_id, goes_on=goes_on)

    @writing
    async def unstick(self, connection: Connection, match_id: int, note: Note, post_version: int | None) -> None:
        """Give up what people have begun and not finished in a match, and post its board once more, if it has one."""
        await drop_drafts(connection, match_id)
        await drop_wish(connection, match_id)
        await insert_note(connection, match_id, note)
        if post_version is not None:
            await insert_post(connection, match_id, post_version)
