"""The people around a running match: what they have seen, who takes over whose seat, who follows, how it is ended."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial

from bot.clock import Clock
from bot.errors import UserError
from bot.store.clocks import SeatClock
from bot.store.known_seats import knower_of
from bot.store.matches import SeatHolder
from bot.store.offers import Offer
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from bot.store.trouble import DatabaseTrouble
from bot.tables.abandoned import close_if_abandoned
from bot.tables.company import require_company, require_not_barred
from bot.tables.league_seats import claim_league_seat
from bot.tables.moderation_log import tell_moderators
from bot.tables.people import mention, presentable
from bot.tables.rated import RatedStanding, behind_now, standing_of, unfinished, unrating
from bot.tables.table import Table, called_off, require_computer, require_open, require_running
from bot.tables.tables import Tables
from engine.match import Match
from engine.texts import Seat, Text

MOST_FOLLOWERS = 50
"""One message calls them all, beside those who played: Discord allows 100 users in `allowed_mentions`."""


class Seats:
    """Who sits where, and what of the match they have seen."""

    def __init__(self, store: Store, tables: Tables, clock: Clock, computer: str) -> None:
        """`computer` is the id of the player that takes an empty seat."""
        self._store = store
        self._tables = tables
        self._clock = clock
        self.computer = computer

    async def greet(self, table: Table, user_id: int, name: str) -> None:
        """Note what somebody is called in the server now, if they play here."""
        seat, now = table.seat_of(user_id), presentable(name)
        if seat is None or table.row.holders[seat].name == now:
            return
        with suppress(DatabaseTrouble):  # which keeps nobody from looking; the next time will do
            await self._note_name(table, user_id, now)

    async def _note_name(self, table: Table, user_id: int, now: str) -> None:
        async with table.lock:
            if (seat := table.seat_of(user_id)) is not None:
                await self._store.matches.note(table.id, seat, name=now)
                await self._tables.reread(table)

    @asynccontextmanager
    async def seeing(self, table: Table, seat: Seat) -> AsyncIterator[None]:
        """While the player of a seat is shown the match as it is now: noted at once, and forgotten if that fails.

        So a second tap, which may come before the answer to the first one, finds it noted.
        """
        before, version = table.row.holders[seat].seen, table.shown().version
        # most looks show nothing new, and then need no write
        if table.seen_by(seat) < version:
            await self._note_seen(table, seat, version)
        try:
            yield
        except Exception:  # the answer did not arrive, so nothing was seen
            await self._note_seen(table, seat, before)
            raise

    async def _note_seen(self, table: Table, seat: Seat, version: int) -> None:
        """Note how far somebody has seen a match; that it cannot be noted keeps nobody from looking."""
        holders = list(table.row.holders)
        holders[seat] = dataclasses.replace(holders[seat], seen=version)
        table.row = dataclasses.replace(table.row, holders=tuple(holders))  # at once, for other tasks during the await
        with suppress(DatabaseTrouble):
            async with table.lock:
                await self._store.matches.note(table.id, seat, seen=version)
                await self._tables.reread(table)

    async def resign(self, table: Table, user_id: int) -> None:
        """Hand a user's seat to a computer player."""
        async with table.lock:
            require_open(table)
            table.playing()
            await self.hand_over(table, table.seated(user_id), SeatHolder(computer=self.computer))

    async def stop_rating(self, table: Table, user_id: int) -> None:
        """Let a running match count no more because of what its player `user_id` does, or give it up for them alone."""
        async with table.lock:
            require_running(table)
            events = await self._store.table_events.of(table.id)
            if change := await unrating(table, events, user_id, self._clock.now()):
                await self._store.matches.unrate(table.id, change)
            await self._tables.reread(table)

    async def standing_of(self, table: Table, user_id: int) -> RatedStanding:
        """What the result of a running match is to a user at the moment."""
        return await standing_of(table, await self._store.table_events.of(table.id), user_id)

    async def cast(self, table: Table, seat: Seat, player: str, *, by: int) -> None:
        """Let another computer player have the seat of one in a running match; it plays from here on.

        Raises `UserError` if none plays there.
        """
        async with table.lock:
            require_running(table)
            require_computer(table, seat)
            if player == table.row.holders[seat].computer:
                return
            version, now, holder = table.playing().version, self._clock.now(), SeatHolder(computer=player)
            event = TableEvent(TableEventKind.CAST, version, now, seat, by, player)
            async with self._store.transaction():
                await self._store.matches.cast(table.id, seat, holder, version, event)
            await self._tables.reread(table)
            self._tables.changed(table)

    async def replace(self, table: Table, user_id: int, *, by: int, at: datetime) -> Seat:
        """Let a computer play on for a user because a moderator says so. Returns the seat."""
        async with table.lock:
            require_running(table)
            seat = table.seat_of(user_id)
            if seat is None:
                raise UserError(Text("{user} is no longer in this game.", user=mention(user_id)))
            version, behind = table.playing().version, seat in await behind_now(table)
            event = TableEvent(TableEventKind.REPLACED, version, at, seat, by, behind=behind)
            await self.hand_over(table, seat, SeatHolder(computer=self.computer), event)
            return seat

    async def offer(self, table: Table, seats: Collection[Seat]) -> Offer:
        """Offer those of some seats that computers play to anybody. Raises `UserError` if it is none."""
        async with table.lock:
            require_running(table)
            offered = table.computers & frozenset(seats)
            if not offered:
                raise UserError(Text("There is no computer here whose seat you could take."))
            await self._store.offers.put(table.id, offered)
            table.offer = Offer(offered)
            return table.offer

    async def note_offer_message(self, table: Table, message_id: int) -> None:
        """Remember which message offers seats."""
        async with table.lock:
            await self._store.offers.note(table.id, message_id)
            table.offer = await self._store.offers.of(table.id)

    async def take_over(self, table: Table, seat: Seat, holder: SeatHolder) -> Offer:
        """Let a user play on in the seat of a computer that is offered, or that they have left. Returns the last offer.

        Raises:
            UserError: they play already, have seen the secrets of another seat, the seat is not to be had, moderators
                have barred them, they must not meet one of the people there, or it is a seat of a league that is not
                for them.
        """
        async with table.lock:
            require_running(table)
            user_id = holder.user_id or 0
            known = await self._store.known_seats.of(table.id, knower_of(table.row.seed, user_id))
            # under the lock, so of two who tap at once the second one finds the seat taken
            _require_free(table, seat, user_id, known)
            await require_not_barred(self._store, table.row.guild_id, user_id, self._clock.now())
            # a game that two have begun together goes on for both: a block must not take a rival's seat
            if seat not in table.left_by(user_id):
                await require_company(self._store, user_id, table.people)
            before, version = table.offer, table.playing().version
            returns = [TableEvent(TableEventKind.RETURNED, version, self._clock.now(), seat, holder.user_id)]
            events = returns if seat in table.left_by(user_id) else []
            check = partial(claim_league_seat, self._store, table, seat, user_id)
            await self.hand_over(table, seat, holder, *events, check=check)
            return before

    async def hand_over(
        self,
        table: Table,
        seat: Seat,
        holder: SeatHolder,
        *events: TableEvent,
        clock: SeatClock | None = None,
        check: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Let somebody else play a seat from now on, with what is noted of it; `table.lock` must be held.

        `clock` is what becomes of the one of the seat. `check` runs in the transaction, and cancels it by an error.
        """
        left, version = table.row.holders[seat].user_id, table.playing().version
        if seat in table.auto_answers:
            events += (TableEvent(TableEventKind.ASKED, version, self._clock.now(), seat, left),)
        knowers = _knowers(table, seat, holder.user_id)
        async with self._store.transaction():
            # here, so that of two taps at two tables the second one sees the seat of the first
            if check is not None:
                await check()
            await self._store.matches.hand_over(
                table.id, seat, holder, version, *events, at=self._clock.now(), left=left, clock=clock, knowers=knowers
            )
            await tell_moderators(self._store, table, *events)
        # `Matches.hand_over` has written a job for computers, no matter who plays now
        table.goes_on = True
        table.clocks |= {seat: clock} if clock else {}
        # `Matches.hand_over` has dropped what the one who left had chosen, and offers and auto-answers of the seat
        table.drafts.pop(seat, None)
        table.auto_answers = await self._store.auto_answers.of(table.id)
        table.offer = await self._store.offers.of(table.id)
        table.followers = await self._store.followers.of(table.id)
        await self._tables.reread(table)
        # at once: computers would play on to the end before the table is closed
        await close_if_abandoned(self._store, self._tables, table, self._clock.now())
        self._tables.changed(table)

    async def follow(self, table: Table, user_id: int, *, follows: bool) -> None:
        """Note that somebody wants to hear how a match ends, or does not. Raises `UserError` for its
        players.
        """
        async with table.lock:
            require_running(table)
            if table.seat_of(user_id) is not None:
                raise UserError(Text("You’re in this game, so you’ll hear when it ends anyway."))
            if follows and len(table.followers) >= MOST_FOLLOWERS:
                raise UserError(Text("This game already has as many followers as I can mention."))
            await self._store.followers.put(table.id, user_id, follows=follows)
            table.followers = await self._store.followers.of(table.id)

    async def end(self, table: Table, *, by: int | None = None, at: datetime, words: str = "") -> None:
        """Call the match off; its log is kept, with who did it, if anybody, and why, in their words.

        Raises `UserError` if it is not open.
        """
        async with table.lock:
            require_open(table)
            event = TableEvent(TableEventKind.CLOSED, version_of(table), at, user_id=by, words=words)
            worth = await unfinished(table, await self._store.table_events.of(table.id), by)
            async with self._store.transaction():
                await self._store.matches.close(table.id, called_off(table), at, event, unfinished=worth)
                await tell_moderators(self._store, table, event)
            # `Matches.close` has dropped the job of the board
            table.waiting = None
            if worth is not None:
                table.changes = await self._store.ratings.changes(table.id)
            await self._tables.reread(table)
            self._tables.changed(table)

    async def unstick(self, table: Table, *, by: int, at: datetime) -> None:
        """Read a table anew, give up what was begun at it and not finished, and let its board be posted once more.

        What was played stays as it was. Raises `UserError` if the match is not open.
        """
        async with table.lock:
            require_open(table)
            await self._tables.refresh(table)
            # only now: the event needs the version that is stored
            event = TableEvent(TableEventKind.UNSTUCK, version_of(table), at, user_id=by)
            async with self._store.transaction():
                await self._store.unstick(table.id, event, event.version if table.match else None)
                await tell_moderators(self._store, table, event)
            await self._tables.refresh(table)


def version_of(table: Table) -> int:
    """How many entries the log of a match has; none that could be read."""
    return table.match.version if table.match else 0


def _knowers(table: Table, seat: Seat, newcomer: int | None) -> list[str]:
    """Who knows secrets of a seat that changes hands: the user who played it, and the one who is shown them now."""
    match, left = table.playing(), table.row.holders[seat].user_id
    if not table.spec.hands:
        return []
    # without an entry since they came, there is nothing to know beyond what was noted then
    came = max((sat.until for sat in table.row.before if sat.seat == seat), default=0)
    knowers = (left if match.version > came else None, newcomer if holds_secrets(match, seat) else None)
    return [knower_of(table.row.seed, user_id) for user_id in knowers if user_id]


def holds_secrets(match: Match, seat: Seat) -> bool:
    """Whether a seat sees anything that onlookers do not, or has seen such events."""
    # compared with what onlookers see, so that games need not declare their secrets
    own, public = (match.view(viewer, since=0) for viewer in (seat, None))
    return (own.state, own.decisions, own.events) != (public.state, public.decisions, public.events)


def _require_free(table: Table, seat: Seat, user_id: int, known: Collection[Seat]) -> None:
    """Raise `UserError` unless a user, who knows the secrets of some seats, may take one over; it comes from
    outside.
    """
    if table.seat_of(user_id) is not None:
        raise UserError(Text("You’re already in this game."))
    # they may return to the seat they know, but take no other one
    if set(known) - {seat}:
        raise UserError(Text("You’ve seen another seat’s secrets, so you can’t take this one."))
    if seat in range(len(table.row.holders)) and seat not in table.computers:
        raise UserError(Text("{seat} already has this seat.", seat=seat))
    if seat not in {*table.left_by(user_id), *table.offer.seats}:
        raise UserError(Text("This seat is no longer available."))
