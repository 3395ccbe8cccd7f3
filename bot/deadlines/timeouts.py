"""What happens when somebody takes too long: a warning, a message to the table, a vote of the others, its result.

Everything is sent first and noted afterwards, with a nonce that stays the same until then; a decision stays in the
store until it has been carried out in full. So a kill at any moment neither loses nor doubles anything.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from bot.deadlines.board_clocks import BoardClocks, called_seats, needs_clocks
from bot.deadlines.pace_and_vote_layouts import late_layout, vote_reminder_layout, warning_layout
from bot.deadlines.sending import accepted
from bot.deadlines.time_limits import (
    NOTHING,
    barred,
    begun,
    ended,
    idle,
    planned,
    postponed,
    put_to_vote,
    shifted,
    unbarred,
    under_pace,
    under_preferences,
    warned,
    warning_at,
)
from bot.deadlines.votes import tally
from bot.errors import TROUBLE, UserError, reason
from bot.interactions.parts import calling
from bot.interactions.refusals import is_final
from bot.lobby.ending import post_people
from bot.lobby.substitutes import put_on_offer
from bot.services import Services
from bot.store.clocks import SeatClock, Verdict
from bot.store.matches import SeatHolder
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.hours import when_free
from bot.tables.moves import QUICK
from bot.tables.paces import PACES
from bot.tables.preferences import Preferences, preferences_of
from bot.tables.rated import behind_now
from bot.tables.table import Table
from engine.texts import Seat, Text

_log = logging.getLogger(__name__)

CLOSED = timedelta(hours=1)
"""Between two looks at a table whose channel is closed to the bot; no clock runs there."""

STRIKES = 3
"""With a firm pace, a player who is late this often in a row loses the seat to the computer that plays for them."""

NOTED = {
    Verdict.WAIT: TableEventKind.WAITED,
    Verdict.PLAY: TableEventKind.STOOD_IN,
    Verdict.HOLD: TableEventKind.HELD,
    Verdict.INVITE: TableEventKind.INVITED,
}


class Timeouts:
    """Looks after the clocks of the tables, each at the time that is noted with it.

    A message that Discord does not accept now is left to the job of the clock: methods raise `TROUBLE`, and the next
    attempt begins where the store says that the clock is. `attempts` of that job have failed before.
    """

    def __init__(self, services: Services, *, attempts: int = 0) -> None:
        self._services = services
        self._attempts = attempts
        self._clocks = BoardClocks(services.store)

    async def look(self, match_id: int, seat: Seat) -> None:
        """Check a clock, and warn, start a vote or end it, if it is time. Raises `TROUBLE`."""
        # the board that the last process left waiting may call its person, and start the clock
        await self._services.worker.board_tried(match_id)
        table = await self._services.tables.find(match_id)
        if table is not None and needs_clocks(table):
            await self._call(table)
        if table is None or seat not in table.clocks:
            await self._services.store.clocks.forget(match_id, seat)
            return
        # `pacing` and not `lock`: Discord is waited for in here, and moves go on meanwhile
        async with table.pacing:
            await self._look(table, table.clocks[seat])

    async def _look(self, table: Table, clock: SeatClock) -> None:
        seats = called_seats(table)
        # first of all: a verdict was announced, so it is carried out whatever has happened since
        if clock.verdict:
            await self.carry_out(table, clock)
        elif table.clock_of(clock.seat) is not clock or seats.get(clock.seat) != clock.version:
            await self._moved_on(table, clock, seats)
        # the board that calls them, or tells them more, is not out; or they cannot use its buttons
        elif table.waiting is not None or self._services.channels.is_locked(table.row.guild_id, table.row.channel_id):
            await self._put(table, clock, barred(clock, self._services.clock.now(), CLOSED))
        elif clock.out:
            await self._look_after_vote(table, clock)
        else:
            await self._as_time_goes(table, clock)

    async def _moved_on(self, table: Table, clock: SeatClock, seats: Mapping[Seat, int]) -> None:
        """The decision is another one. It is the same turn if its person goes on without a new board."""
        now, alone = self._services.clock.now(), table.waiting is None
        if _goes_on(table, clock, seats):
            if await self._put(table, clock, planned(dataclasses.replace(clock, version=seats[clock.seat]), now)):
                await self._look(table, table.clocks[clock.seat])
            return
        async with table.lock:
            still = idle(await self._clocks.settled(table, ended(clock)), now)
            begun_now = await self._clocks.changed(table, now) if alone else ()
            changed = {clock.seat: still} | {fresh.seat: fresh for fresh in begun_now}
            if table.clocks.get(clock.seat) is clock:
                await self._services.store.clocks.put(changed.values())
                table.clocks |= changed
        if begun_now:
            self._services.poster.update_due(table)
        if (fresh := table.clocks[clock.seat]).verdict:
            await self.carry_out(table, fresh)

    async def _as_time_goes(self, table: Table, noted: SeatClock) -> None:
        now = self._services.clock.now()
        preferences = await preferences_of(self._services.store.settings, noted.user_id)
        clock = unbarred(under_preferences(noted, preferences, now), now)
        if clock.warned is None and warning_at(clock, now) <= now:
            await self._warn(table, noted, clock)
        elif clock.warned is not None and clock.out is None and clock.until <= now:
            await self._tell_table(table, noted, clock)
        else:
            await self._put(table, noted, planned(clock, now))

    async def _put(self, table: Table, before: SeatClock, after: SeatClock, *events: TableEvent) -> bool:
        """Write a clock, unless it has changed meanwhile; the board says until when if that is new."""
        async with table.lock:
            # the clock was looked at without the lock: if another one is there by now, that one counts
            if table.clocks.get(before.seat) is not before or not _stands(table, after):
                return False
            await self._services.store.clocks.put([after], *events)
            table.clocks[after.seat] = after
        if (before.until, before.out) != (after.until, after.out):
            self._services.poster.update_due(table)
        return True

    async def shift(self, match_id: int, looked: datetime) -> None:
        """Take out of all clocks of a match the time since somebody looked: it counts for nobody."""
        table = await self._services.tables.find(match_id)
        if table is None:
            return
        async with table.pacing, table.lock:
            now, seats = self._services.clock.now(), called_seats(table)
            moved = {
                seat: shifted(clock, looked, now)
                if not clock.runs or _goes_on(table, clock, seats)
                else idle(await self._clocks.settled(table, ended(clock)), now)
                for seat, clock in table.clocks.items()
                if clock.at
            }
            await self._services.store.clocks.put(moved.values())
            table.clocks |= moved
        for clock in moved.values():
            await self._show_vote(table, clock)

    async def show_clocks(self, match_id: int) -> None:
        """Show the times of a match once more: they were changed in the store."""
        if (table := await self._services.tables.find(match_id)) is None:
            return
        for clock in table.clocks.values():
            await self._show_vote(table, clock)
        self._services.poster.update_due(table)

    async def _call(self, table: Table) -> None:
        """Set the clocks going that have to run by now, as when there is somebody again who waits for the others."""
        async with table.pacing, table.lock:
            # once more: `look` has asked without the locks
            if not needs_clocks(table):
                return
            begun_now = await self._clocks.changed(table, self._services.clock.now())
            await self._services.store.clocks.put(begun_now)
            table.clocks |= {clock.seat: clock for clock in begun_now}
        self._services.poster.update_due(table)

    # --- telling ---

    async def _warn(self, table: Table, noted: SeatClock, clock: SeatClock) -> None:
        """Warn somebody of what will happen if they do not act, in the way they prefer; in the channel if need be."""
        now = self._services.clock.now()
        after = warned(clock, now)
        # the number before it is counted up: a repetition after a crash has the same nonce
        reached = await self._warned(table, after, nonce=f"warn-{table.id}-{clock.seat}-{clock.number}")
        await self._put(table, noted, after if reached else barred(clock, now, CLOSED))

    async def _warned(self, table: Table, clock: SeatClock, nonce: str) -> bool:
        channels, user_id = self._services.channels, clock.user_id
        preferences = await preferences_of(self._services.store.settings, user_id)
        here, direct = (partial(warning_layout, table, clock, direct=direct) for direct in (False, True))
        tries = partial(accepted, attempts=self._attempts)
        if preferences.direct and await tries(channels.send_direct(user_id, direct, nonce=nonce)) is not None:
            return True
        sending = channels.send(table.row.channel_id, here, mentions=calling([user_id]), nonce=nonce)
        return await tries(sending) is not None

    async def _tell_table(self, table: Table, noted: SeatClock, clock: SeatClock) -> None:
        """Tell everybody that somebody's time is up; with a firm pace, also what is done now."""
        now = self._services.clock.now()
        verdict = _firm_verdict(clock) if table.row.firm else Verdict.NONE
        late = dataclasses.replace(clock, out=now, votes={}, number=clock.number + 1)
        # before it is sent: the message says when the vote ends
        if not verdict:
            late = put_to_vote(late, await self._preferences_of(_others(table, clock.seat)), now)
        late = planned(late, now)
        # the number before it is counted up, as in `_warn`
        sent = await self._sent(table, dataclasses.replace(late, verdict=verdict), clock.number)
        if sent is None:
            await self._put(table, noted, barred(clock, now, CLOSED))
            return
        event = TableEvent(TableEventKind.LATE, table.playing().version, now, clock.seat, clock.user_id)
        late = dataclasses.replace(late, message_id=sent)
        decide = self.decide(table, noted, late, verdict, event) if verdict else self._put(table, noted, late, event)
        if not await decide:  # they were faster
            over = dataclasses.replace(late, verdict=Verdict.ENDED)
            await self._services.channels.refresh(table.row.channel_id, sent, partial(late_layout, table, over))
        elif verdict:
            await self.carry_out(table, table.clocks[clock.seat], shown=True)
        else:
            await self._recount(table, late)

    async def _recount(self, table: Table, late: SeatClock) -> None:
        """Where others are late as well, fewer votes are enough from now on; perhaps those that are there already."""
        # a list first: a decision replaces clocks, and Discord is waited for in between
        for seat in [seat for seat, other in table.clocks.items() if other.out and seat != late.seat]:
            if (other := table.clocks[seat]).out and not other.verdict:
                with suppress(*TROUBLE):  # a vote has a job of its own
                    await self._look_after_vote(table, other)
                await self._show_vote(table, table.clocks[seat])

    async def _show_vote(self, table: Table, clock: SeatClock) -> None:
        """Bring the message of a vote that goes on up to date."""
        if clock.out and not clock.verdict and clock.message_id is not None:
            compose = partial(late_layout, table, clock)
            await self._services.channels.refresh(table.row.channel_id, clock.message_id, compose)

    async def _sent(self, table: Table, late: SeatClock, number: int) -> int | None:
        """The message that tells everybody, calling those who are not asleep or away; nothing if the door is closed."""
        compose, nonce = partial(late_layout, table, late), f"late-{table.id}-{late.seat}-{number}"
        mentions = calling(await self._awake(_others(table, late.seat)))
        sending = self._services.channels.send(table.row.channel_id, compose, mentions=mentions, nonce=nonce)
        return await accepted(sending, attempts=self._attempts)

    async def _awake(self, user_ids: Collection[int]) -> list[int]:
        """Those of some users who are neither in their quiet hours nor away."""
        now, preferences = self._services.clock.now(), await self._preferences_of(user_ids)
        return [user_id for user_id, of_one in zip(user_ids, preferences, strict=True) if when_free(of_one, now) <= now]

    async def _preferences_of(self, user_ids: Iterable[int]) -> list[Preferences]:
        return [await preferences_of(self._services.store.settings, user_id) for user_id in user_ids]

    # --- what the others decide ---

    async def _look_after_vote(self, table: Table, clock: SeatClock) -> None:
        """Decide if there is a majority or the time is up; remind those who have not voted, once."""
        now, stand = self._services.clock.now(), tally(table, clock)
        assert clock.vote_ends is not None, "the others vote about it"
        if stand.verdict or clock.vote_ends <= now:
            # without any votes, what is least and lets the game go on
            if await self.decide(table, clock, clock, stand.verdict or stand.leading or Verdict.PLAY):
                await self.carry_out(table, table.clocks[clock.seat])
        elif clock.reminds_at is not None and clock.reminds_at <= now:
            await self._remind(table, clock, stand.open)
        else:  # noted in any case: the look at it may have been hurried
            await self._put(table, clock, planned(clock, now))

    async def _remind(self, table: Table, clock: SeatClock, seats: Collection[Seat]) -> None:
        """Call those who have not voted. Where the channel is closed to us, the vote lasts so much longer."""
        now = self._services.clock.now()
        awake = await self._awake([table.users[seat] for seat in seats])
        done = planned(dataclasses.replace(clock, reminds_at=None), now)
        if not awake:
            await self._put(table, clock, done)
            return
        nonce = f"vote-{table.id}-{clock.seat}-{clock.number}"
        compose = partial(vote_reminder_layout, table, clock, awake)
        sending = self._services.channels.send(table.row.channel_id, compose, mentions=calling(awake), nonce=nonce)
        reached = await accepted(sending, attempts=self._attempts) is not None
        later = planned(postponed(clock, CLOSED), now)
        if await self._put(table, clock, done if reached else later) and not reached:
            await self._show_vote(table, later)

    async def vote(self, table: Table, clock: SeatClock, user_id: int, choice: Verdict) -> SeatClock:
        """Let one of the others say what shall become of a turn, or something else than before. Returns the clock.

        `table.pacing` must be held. With a majority it is decided at once, and remains to be carried out.
        """
        voted = dataclasses.replace(clock, votes={**clock.votes, user_id: choice.value})
        if await self._put(table, clock, voted) and (decided := tally(table, voted).verdict):
            await self.decide(table, voted, voted, decided)
        return table.clocks[clock.seat]

    async def decide(
        self, table: Table, before: SeatClock, late: SeatClock, verdict: Verdict, *events: TableEvent
    ) -> bool:
        """Write what becomes of somebody whose time is up. False if they have acted meanwhile."""
        now, services = self._services.clock.now(), self._services
        # the time was up, so the bank is empty, whatever is decided
        clock = dataclasses.replace(late, verdict=verdict, bank=NOTHING)
        async with table.lock:
            # by identity: a move or another look puts a new clock in its place
            if table.clocks.get(clock.seat) is not before or not _stands(table, clock):
                return False
            noted = (*events, await self._verdict_event(table, clock, verdict, now))
            if verdict in (Verdict.HOLD, Verdict.INVITE):
                holder = SeatHolder(computer=self._services.seats.computer)
                await services.seats.hand_over(table, clock.seat, holder, *noted, clock=idle(clock, now))
                return True
            after = await self._after(clock)
            await services.store.clocks.put([after], *noted)
            table.clocks[clock.seat] = after
        return True

    async def _verdict_event(self, table: Table, clock: SeatClock, verdict: Verdict, now: datetime) -> TableEvent:
        """What the log keeps of a decision: by which pace it was made, and how the seat stood then."""
        by_pace = verdict is Verdict.HOLD and table.row.firm
        kind = TableEventKind.LAPSED if by_pace else NOTED[verdict]
        parts = verdict in (Verdict.HOLD, Verdict.INVITE)
        behind = parts and clock.seat in await behind_now(table)
        return TableEvent(kind, table.playing().version, now, clock.seat, clock.user_id, behind=behind)

    async def _after(self, clock: SeatClock) -> SeatClock:
        """The clock of somebody who keeps their seat, and their turn or not."""
        now = self._services.clock.now()
        if clock.verdict is Verdict.WAIT:
            preferences = await preferences_of(self._services.store.settings, clock.user_id)
            return begun(clock, clock.version, preferences, now)
        lost, strikes = clock.lost + 1, clock.strikes + 1
        # a quick player: it acts at once in `resume`, without waiting for a worker
        return idle(dataclasses.replace(clock, lost=lost, strikes=strikes, stand_in=QUICK), now)

    async def carry_out(self, table: Table, clock: SeatClock, *, shown: bool = False) -> None:
        """Carry out a verdict, all of it again if that was interrupted; with `shown`, its message already says it.

        Raises:
            TROUBLE: a message about it is still missing; the job of the clock tries again.
        """
        services, verdict, message_id = self._services, clock.verdict, clock.message_id
        if clock.stand_in:
            table.stand_ins[clock.seat] = clock.stand_in
        # the seat was handed over in `decide`; its user may have been the host
        if verdict in (Verdict.HOLD, Verdict.INVITE) and table.is_open:
            await services.lobbies.hand_on(table)
        with suppress(UserError):  # it was logged, and is tried again
            await services.moves.resume(table)
            await self._show(table, verdict)
        if verdict is Verdict.INVITE:
            await self._invite(table, clock.seat)
        if not shown and message_id is not None:
            compose, channel_id = partial(late_layout, table, clock), table.row.channel_id
            await services.channels.update(channel_id, message_id, compose, attempts=self._attempts)
        await self._note_carried_out(table, clock.seat)

    async def _show(self, table: Table, verdict: Verdict) -> None:
        if verdict in (Verdict.HOLD, Verdict.INVITE):
            await post_people(self._services, table)
        elif table.waiting is not None:
            await self._services.poster.deliver(table)
        elif verdict is Verdict.WAIT:
            self._services.poster.update_due(table)

    async def _invite(self, table: Table, seat: Seat) -> None:
        """Offer a seat that a computer holds, beside those that are offered already."""
        # the nonce below names the position: offered twice after a crash, it is one message
        offered = table.offer
        if table.row.guild_id == NO_SERVER or (seat in offered.seats and offered.message_id is not None):
            return
        nonce = f"offer-{table.id}-{table.playing().version}"
        publish = partial(self._services.channels.send, table.row.channel_id, nonce=nonce)
        try:
            await put_on_offer(self._services, table, offered.seats | {seat}, publish)
        except TROUBLE as error:
            if not is_final(error, self._attempts):
                raise
            _log.warning("the seat is offered by no message: %s", reason(error))
        except UserError:
            pass  # somebody sits there by now

    async def _note_carried_out(self, table: Table, seat: Seat) -> None:
        async with table.lock:
            now = self._services.clock.now()
            clock = dataclasses.replace(table.clocks[seat], verdict=Verdict.NONE, message_id=None)
            clock = planned(clock, now) if clock.runs else idle(clock, now)
            await self._services.store.clocks.put([clock])
            table.clocks[seat] = clock

    # --- another pace ---

    async def set_pace(self, table: Table, pace: str, *, firm: bool, user_id: int) -> None:
        """Give another time for a turn while the match runs: every player's time begins anew, with a full bank.

        The one who changes the pace keeps their late turns, and no more in the bank than they had. Raises `UserError`
        while their own time is up.
        """
        async with table.pacing, table.lock:
            if any(clock.out and clock.user_id == user_id for clock in table.clocks.values()):
                raise UserError(Text("Your time is up, so you can’t change the pace before your next move."))
            now = self._services.clock.now()
            table.row = dataclasses.replace(table.row, pace=pace, firm=firm)
            # a vote is over, and `idle` plans the look at which its message says so
            clocks = {seat: ended(clock) for seat, clock in table.clocks.items()}
            if known := PACES.get(pace):
                clocks = {seat: under_pace(clock, known, by=user_id) for seat, clock in clocks.items()}
            table.clocks = {seat: idle(clock, now) for seat, clock in clocks.items()}
            # a board that waits starts the clocks itself when it is posted
            begin = await self._clocks.changed(table, now) if table.waiting is None else ()
            table.clocks |= {clock.seat: clock for clock in begin}
            words = f"{pace or 'none'}{', firm' if firm else ''}"
            event = TableEvent(TableEventKind.PACED, table.playing().version, now, user_id=user_id, words=words)
            await self._services.store.matches.set_pace(table.id, pace, firm, table.clocks.values(), event)
        self._services.poster.update_due(table)
        self._services.tables.changed(table)


def _others(table: Table, late: Seat) -> list[int]:
    """The users who decide about a seat."""
    return [user_id for seat, user_id in table.users.items() if seat != late]


def _stands(table: Table, clock: SeatClock) -> bool:
    """Whether what a clock is about is still asked; a stopped one is about nothing."""
    return not clock.runs or called_seats(table).get(clock.seat) == clock.version


def _goes_on(table: Table, clock: SeatClock, seats: Mapping[Seat, int]) -> bool:
    """Whether its person is still at the same turn, perhaps at the next question of it."""
    if table.clock_of(clock.seat) is not clock or clock.seat not in seats:
        return False
    # once the time is up, acting ends the vote: what is asked then begins a turn of its own
    return seats[clock.seat] == clock.version or (table.waiting is None and not clock.out)


def _firm_verdict(clock: SeatClock) -> Verdict:
    return Verdict.HOLD if clock.strikes + 1 >= STRIKES else Verdict.PLAY
