"""The seats of a running match: seen versions, takeovers, followers, and calling the match off."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from functools import partial

from bot.clock import Clock
from bot.errors import UserError
from bot.store.clocks import SeatClock
from bot.store.facts import Facts
from bot.store.failures import DatabaseUnavailable
from bot.store.jobs import board_mark
from bot.store.known_seats import knower_of
from bot.store.matches import SeatHolder
from bot.store.offers import Offer
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.abandoned import unless_abandoned
from bot.tables.company import require_company, require_not_barred
from bot.tables.league_seats import claim_league_seat
from bot.tables.moderation_log import moderation_lines
from bot.tables.people import mention, presentable
from bot.tables.rated import RatedStanding, behind_now, results_if_ended_now, standing_of, unrating_of
from bot.tables.table import Table, called_off, require_computer, require_open, require_running
from bot.tables.tables import Tables
from engine.match import Match
from engine.texts import Seat, Text

MAX_FOLLOWERS = 50
"""One message calls them all, beside those who played: Discord allows 100 users in `allowed_mentions`."""


class Seats:
    """The holders of seats, and the versions of the match that they have seen."""

    def __init__(self, store: Store, tables: Tables, clock: Clock, computer: str) -> None:
        """`computer` is the id of the player that takes an empty seat."""
        self._store = store
        self._tables = tables
        self._clock = clock
        self.computer = computer

    async def greet(self, table: Table, user_id: int, name: str) -> None:
        """Store the current server name of a user, if they play here."""
        seat, now = table.seat_of(user_id), presentable(name)
        if seat is None or table.row.holders[seat].name == now:
            return
        with suppress(DatabaseUnavailable):  # not needed for a look; the next one stores the name
            await self._note_name(table, user_id, now)

    async def _note_name(self, table: Table, user_id: int, now: str) -> None:
        async with self._tables.changing(table) as change:
            if (seat := table.seat_of(user_id)) is not None:
                change.facts = table.facts.with_holder(seat, name=now)

    @asynccontextmanager
    async def seeing(self, table: Table, seat: Seat) -> AsyncIterator[None]:
        """Record that a seat has seen the current version while its player gets the answer; undo that if sending fails.

        It is recorded first because a second tap may arrive before the answer to the first one.
        """
        before, version = table.row.holders[seat].seen, table.viewable_match().version
        # most looks show nothing new, and then need no write
        if table.seen_version(seat) < version:
            await self._note_seen(table, seat, version)
        try:
            yield
        # after any error the answer did not arrive, so nothing was seen
        except Exception:
            await self._note_seen(table, seat, before)
            raise

    async def _note_seen(self, table: Table, seat: Seat, version: int) -> None:
        """Record the version that a player has seen. Players may look even if it cannot be recorded."""
        table.looks[seat] = version  # at once, for other tasks during the await
        try:
            with suppress(DatabaseUnavailable):
                async with self._tables.changing(table) as change:
                    change.facts = table.facts.with_holder(seat, seen=version)
        finally:
            table.looks.pop(seat, None)

    async def resign(self, table: Table, user_id: int) -> None:
        """Hand a user's seat to a computer player."""
        async with self._tables.changing(table) as change:
            require_open(table)
            table.require_match()
            seat = table.require_seat(user_id)
            change.facts = await self.after_handover(table, seat, SeatHolder(computer=self.computer))

    async def stop_rating(self, table: Table, user_id: int) -> None:
        """Let a running match count no more because of what its player `user_id` does, or give it up for them alone."""
        async with self._tables.changing(table) as change:
            require_running(table)
            if unrated := await unrating_of(table, user_id, self._clock.now()):
                change.facts = table.facts.unrate(unrated)

    async def standing_of(self, table: Table, user_id: int) -> RatedStanding:
        """The current state of a running match for a user."""
        return await standing_of(table, user_id)

    async def cast(self, table: Table, seat: Seat, player: str, *, by: int) -> None:
        """Let another computer player have the seat of one in a running match; it plays from here on.

        Raises `UserError` if none plays there.
        """
        async with self._tables.changing(table) as change:
            require_running(table)
            require_computer(table, seat)
            if player == table.row.holders[seat].computer:
                return
            version, now, holder = table.require_match().version, self._clock.now(), SeatHolder(computer=player)
            event = TableEvent(TableEventKind.CAST, version, now, seat, by, player)
            change.facts = table.facts.cast(seat, holder, version).note(event)

    async def replace(self, table: Table, user_id: int, *, by: int, at: datetime) -> Seat:
        """Give a user's seat to a computer, as a moderator asks. Returns the seat."""
        async with self._tables.changing(table) as change:
            require_running(table)
            seat = table.seat_of(user_id)
            if seat is None:
                raise UserError(Text("{user} is no longer in this game.", user=mention(user_id)))
            version, behind = table.require_match().version, seat in await behind_now(table)
            event = TableEvent(TableEventKind.REPLACED, version, at, seat, by, behind=behind)
            change.facts = await self.after_handover(table, seat, SeatHolder(computer=self.computer), event)
            return seat

    async def offer(self, table: Table, seats: Collection[Seat]) -> Offer:
        """Offer those of some seats that computers play to anybody. Raises `UserError` if it is none."""
        async with self._tables.changing(table) as change:
            require_running(table)
            offered = table.computers & frozenset(seats)
            if not offered:
                raise UserError(Text("There is no computer here whose seat you could take."))
            # the message of the last offer is forgotten with it: a new offer has a message of its own
            change.facts = table.facts.put_on_offer(offered)
            return change.facts.offer

    async def note_offer_message(self, table: Table, message_id: int) -> None:
        """Remember which message offers seats."""
        async with self._tables.changing(table) as change:
            change.facts = table.facts.put_on_offer(table.offer.seats, message_id)

    async def take_over(self, table: Table, seat: Seat, holder: SeatHolder) -> Offer:
        """Let a user play on in the seat of a computer that is offered, or that they have left. Returns the last offer.

        Raises:
            UserError: they play already, have seen the secrets of another seat, the seat is not to be had, moderators
                have barred them, they must not meet one of the people there, or it is a seat of a league that is not
                for them.
        """
        async with self._tables.changing(table) as change:
            require_running(table)
            user_id = holder.user_id or 0
            knower = knower_of(table.row.seed, user_id)
            knows = {seen_seat for seen_seat, user in table.facts.known_seats if user == knower}
            # under the lock, so of two who tap at once the second one finds the seat taken
            _require_free(table, seat, user_id, knows)
            await require_not_barred(self._store, table.row.guild_id, user_id, self._clock.now())
            # a game that two have begun together goes on for both: a block must not take a rival's seat
            if seat not in table.seats_left_by(user_id):
                await require_company(self._store, user_id, table.people)
            before, version = table.offer, table.require_match().version
            returns = [TableEvent(TableEventKind.RETURNED, version, self._clock.now(), seat, holder.user_id)]
            events = returns if seat in table.seats_left_by(user_id) else []
            # in the transaction, so that of two taps at two tables the second one sees the seat of the first
            change.checks.append(partial(claim_league_seat, self._store, table, seat, user_id))
            change.facts = await self.after_handover(table, seat, holder, *events)
            return before

    async def after_handover(
        self, table: Table, seat: Seat, holder: SeatHolder, *events: TableEvent, clock: SeatClock | None = None
    ) -> Facts:
        """The facts of a table after another holder took over a seat, with the events that explain it.

        `clock` is the new clock of the seat. The match is called off if no people are left.
        """
        now, version = self._clock.now(), table.require_match().version
        if seat in table.auto_answers:
            events += (TableEvent(TableEventKind.ASKED, version, now, seat, table.row.holders[seat].user_id),)
        knowers = _knowers(table, seat, holder.user_id)
        lines = moderation_lines(table, *events)
        facts = table.facts.hand_over(seat, holder, version, now, knowers=knowers, clock=clock)
        # at once: computers would play on to the end before the table is closed
        return await unless_abandoned(table.after(facts.note(*events).with_lines(*lines)), now)

    async def follow(self, table: Table, user_id: int, *, follows: bool) -> None:
        """Let a user follow a match to hear how it ends, or unfollow it. Raises `UserError` for its players."""
        async with self._tables.changing(table) as change:
            require_running(table)
            if table.seat_of(user_id) is not None:
                raise UserError(Text("You’re in this game, so you’ll hear when it ends anyway."))
            if follows and len(table.followers) >= MAX_FOLLOWERS:
                raise UserError(Text("This game already has as many followers as I can mention."))
            change.facts = table.facts.follow(user_id, follows=follows)

    async def end(self, table: Table, *, by: int | None = None, at: datetime, words: str = "") -> None:
        """Call the match off. Its log is kept, with an event that names the user `by` and quotes their words.

        Raises `UserError` if it is not open.
        """
        async with self._tables.changing(table) as change:
            require_open(table)
            event = TableEvent(TableEventKind.CLOSED, version_of(table), at, user_id=by, words=words)
            closed = table.facts.close(called_off(table), at, await results_if_ended_now(table, by))
            change.facts = closed.note(event).with_lines(*moderation_lines(table, event))

    async def unstick(self, table: Table, *, by: int, at: datetime) -> None:
        """Read a table again, give up drafts and undo requests, and let its board be posted once more.

        The log stays as it is. Raises `UserError` if the match is not open.
        """
        async with self._tables.changing(table) as change:
            require_open(table)
            await self._tables.refresh(table)
            # only now: the event needs the version that is stored
            event = TableEvent(TableEventKind.UNSTUCK, version_of(table), at, user_id=by)
            facts = table.facts.unstick().note(event).with_lines(*moderation_lines(table, event))
            change.facts = facts.expect_board(board_mark(event.version), at) if table.match else facts
        await self._tables.read_anew([table.id])


def version_of(table: Table) -> int:
    """The number of entries of a match's log; 0 for an unreadable one."""
    return table.match.version if table.match else 0


def _knowers(table: Table, seat: Seat, newcomer: int | None) -> list[str]:
    """The pseudonyms of users with knowledge of a seat that changes hands: its former player and its new one."""
    match, former = table.require_match(), table.row.holders[seat].user_id
    if not table.spec.hands:
        return []
    # without an entry since the former player came, their knowledge is recorded already
    came = max((past.until for past in table.row.past_holders if past.seat == seat), default=0)
    knowers = (former if match.version > came else None, newcomer if holds_secrets(match, seat) else None)
    return [knower_of(table.row.seed, user_id) for user_id in knowers if user_id]


def holds_secrets(match: Match, seat: Seat) -> bool:
    """Whether a seat sees anything that onlookers do not, or has seen such events."""
    # compared with what onlookers see, so that games need not declare their secrets
    own, public = (match.view(viewer, since=0) for viewer in (seat, None))
    return (own.state, own.decisions, own.events) != (public.state, public.decisions, public.events)


def _require_free(table: Table, seat: Seat, user_id: int, known: Collection[Seat]) -> None:
    """Raise `UserError` unless a user may take over a seat. `known` are the seats whose secrets the user has seen.

    The number of the seat may be out of range, since it comes from the id of a button.
    """
    if table.seat_of(user_id) is not None:
        raise UserError(Text("You’re already in this game."))
    # they may return to the seat they know, but take no other one
    if set(known) - {seat}:
        raise UserError(Text("You’ve seen another seat’s secrets, so you can’t take this one."))
    if seat in range(len(table.row.holders)) and seat not in table.computers:
        raise UserError(Text("{seat} already has this seat.", seat=seat))
    if seat not in {*table.seats_left_by(user_id), *table.offer.seats}:
        raise UserError(Text("This seat is no longer available."))
