"""Timeouts of players: the warning, the message to the table, the vote of the other players, and its result.

Each message is sent before it is recorded, with a nonce that stays the same until then; a verdict stays in the store
until it has been carried out in full. So a kill at any moment neither loses nor repeats anything.
"""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial

from bot.errors import DISCORD_ERRORS, GameFault, UserError, reason
from bot.features.deadlines.board_clocks import BoardClocks, called_seats, needs_clocks
from bot.features.deadlines.pace_and_vote_layouts import late_layout, vote_reminder_layout, warning_layout
from bot.features.deadlines.sending import send_unless_refused
from bot.features.deadlines.time_limits import (
    ZERO,
    begin_turn,
    change_pace,
    change_preferences,
    end_turn,
    extend_vote,
    pause_clock,
    resume_clock,
    schedule,
    skip_gap,
    start_vote,
    stop_clock,
    warn,
    warning_at,
)
from bot.features.deadlines.votes import firm_verdict, is_firm, tally
from bot.features.lobby.ending import post_people
from bot.features.lobby.substitutes import put_on_offer
from bot.features.services import Services
from bot.interactions.channels import Compose
from bot.interactions.parts import calling
from bot.interactions.refusals import is_final
from bot.store.clocks import SeatClock, Verdict
from bot.store.jobs import JobKind
from bot.store.leagues import MAX_TIMES_HELD
from bot.store.matches import SeatHolder
from bot.store.shard_range import NO_SERVER
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.faults import guarding
from bot.tables.hours import when_free
from bot.tables.moves import QUICK
from bot.tables.paces import PACES
from bot.tables.preferences import Preferences, preferences_of
from bot.tables.rated import behind_now
from bot.tables.rating_cost import forfeit_warning
from bot.tables.table import Table
from engine.texts import Seat, Text, joined

_log = logging.getLogger(__name__)

CLOSED_CHANNEL_INTERVAL = timedelta(hours=1)
"""Between two checks of a table whose channel is closed to the bot; no clock runs there."""

OUT_OF_LEAGUE = Text("You’d also be out of the league.")

EVENT_KINDS = {
    Verdict.WAIT: TableEventKind.WAITED,
    Verdict.PLAY: TableEventKind.STOOD_IN,
    Verdict.HOLD: TableEventKind.HELD,
    Verdict.INVITE: TableEventKind.INVITED,
}


class Timeouts:
    """Checks the clocks of tables, each at the time that is stored with it.

    The job of the clock retries messages that Discord refuses for now: methods raise `DISCORD_ERRORS`, and the next
    attempt continues from the stored clock. `attempts` of that job have failed before.
    """

    def __init__(self, services: Services, *, attempts: int = 0) -> None:
        self._services = services
        self._attempts = attempts
        self._clocks = BoardClocks(services.store)

    async def check(self, match_id: int, seat: Seat) -> None:
        """Check a clock, and warn its player, start a vote or end it, if it is time. Raises `DISCORD_ERRORS`."""
        # a board that the previous process left pending may mention the player, and start the clock
        await self._services.worker.wait_for_board(match_id)
        table = await self._services.tables.find(match_id)
        if table is not None and needs_clocks(table):
            await self._start_clocks(table)
        if table is None or seat not in table.clocks:
            await self._services.store.jobs.drop(JobKind.CLOCK, match_id, seat=seat)
            return
        # `pacing` and not `lock`: requests to Discord run in here, and moves go on meanwhile
        async with table.pacing:
            await self._check(table, table.clocks[seat])

    async def _check(self, table: Table, clock: SeatClock) -> None:
        seats = called_seats(table)
        # first: a verdict was announced, so it is carried out in any case
        if clock.verdict:
            await self.carry_out(table, clock)
        elif table.clock_of(clock.seat) is not clock or seats.get(clock.seat) != clock.version:
            await self._move_on(table, clock, seats)
        # the board is still pending, or its buttons cannot be used
        elif table.waiting is not None or self._services.channels.is_locked(table.row.guild_id, table.row.channel_id):
            await self._put(table, clock, pause_clock(clock, self._services.clock.now(), CLOSED_CHANNEL_INTERVAL))
        elif clock.out:
            await self._check_vote(table, clock)
        else:
            await self._check_time(table, clock)

    async def _move_on(self, table: Table, clock: SeatClock, seats: Mapping[Seat, int]) -> None:
        """Continue with another decision. It is the same turn if the player goes on without a new board."""
        now, is_posted = self._services.clock.now(), table.waiting is None
        if _is_same_turn(table, clock, seats):
            if await self._put(table, clock, schedule(dataclasses.replace(clock, version=seats[clock.seat]), now)):
                await self._check(table, table.clocks[clock.seat])
            return
        async with self._services.tables.changing(table) as change:
            stopped = stop_clock(await self._clocks.settle(table, end_turn(clock)), now)
            started = await self._clocks.changed_clocks(table, now) if is_posted else ()
            if table.clocks.get(clock.seat) is clock:
                change.facts = table.facts.with_clocks([stopped, *started])
        if started:
            self._services.poster.update_due(table)
        if (fresh := table.clocks[clock.seat]).verdict:
            await self.carry_out(table, fresh)

    async def _check_time(self, table: Table, stored: SeatClock) -> None:
        now = self._services.clock.now()
        preferences = await preferences_of(self._services.store.settings, stored.user_id)
        clock = resume_clock(change_preferences(stored, preferences, now), now)
        if clock.warned is None and warning_at(clock, now) <= now:
            await self._warn(table, stored, clock)
        elif clock.warned is not None and clock.out is None and clock.until <= now:
            await self._announce_timeout(table, stored, clock)
        else:
            await self._put(table, stored, schedule(clock, now))

    async def _put(self, table: Table, before: SeatClock, after: SeatClock, *events: TableEvent) -> bool:
        """Write a clock, unless it has changed meanwhile, and update the board if its end is a new one."""
        async with self._services.tables.changing(table) as change:
            # the clock was read without the lock: a newer one wins
            if table.clocks.get(before.seat) is not before or not _is_current(table, after):
                return False
            change.facts = table.facts.with_clocks([after]).note(*events)
        if (before.until, before.out) != (after.until, after.out):
            self._services.poster.update_due(table)
        return True

    async def skip_gap(self, match_id: int, start: datetime) -> None:
        """Take a gap, from `start` to now, out of all clocks of a match."""
        table = await self._services.tables.find(match_id)
        if table is None:
            return
        # the clocks of other tables, and all jobs, must not wait for a game whose code fails
        with suppress(GameFault), guarding(table):
            await self._skip_gap(table, start)

    async def _skip_gap(self, table: Table, start: datetime) -> None:
        async with table.pacing, self._services.tables.changing(table) as change:
            now, seats = self._services.clock.now(), called_seats(table)
            moved = {
                seat: skip_gap(clock, start, now)
                if _is_same_turn(table, clock, seats)
                else stop_clock(await self._clocks.settle(table, end_turn(clock)), now)
                for seat, clock in table.clocks.items()
                if clock.at
            }
            change.facts = table.facts.with_clocks(moved.values())
        for clock in moved.values():
            await self._show_vote(table, clock)

    async def show_clocks(self, match_id: int) -> None:
        """Update the times that messages of a match show, after a change in the store."""
        if (table := await self._services.tables.find(match_id)) is None:
            return
        with suppress(GameFault), guarding(table):
            for clock in table.clocks.values():
                await self._show_vote(table, clock)
            self._services.poster.update_due(table)

    async def _start_clocks(self, table: Table) -> None:
        """Start the clocks that must run by now, for example since another player waits again."""
        async with table.pacing, self._services.tables.changing(table) as change:
            # once more: `check` has asked without the locks
            if not needs_clocks(table):
                return
            started = await self._clocks.changed_clocks(table, self._services.clock.now())
            change.facts = table.facts.with_clocks(started)
        self._services.poster.update_due(table)

    # --- messages ---

    async def _warn(self, table: Table, stored: SeatClock, clock: SeatClock) -> None:
        """Warn a player in the way they prefer; in the channel if direct messages are refused."""
        now = self._services.clock.now()
        after = warn(clock, now)
        # the number before it is counted up: a repetition after a crash has the same nonce
        reached = await self._send_warning(table, after, nonce=f"warn-{table.id}-{clock.seat}-{clock.number}")
        await self._put(table, stored, after if reached else pause_clock(clock, now, CLOSED_CHANNEL_INTERVAL))

    async def _send_warning(self, table: Table, clock: SeatClock, nonce: str) -> bool:
        channels, user_id = self._services.channels, clock.user_id
        preferences = await preferences_of(self._services.store.settings, user_id)
        tries = partial(send_unless_refused, attempts=self._attempts)
        if preferences.direct:
            direct = await self._compose_warning(table, clock, direct=True)
            if await tries(channels.send_direct(user_id, direct, nonce=nonce)) is not None:
                return True
        here = await self._compose_warning(table, clock, direct=False)
        sending = channels.send(table.row.channel_id, here, mentions=calling([user_id]), nonce=nonce)
        return await tries(sending) is not None

    async def _compose_warning(self, table: Table, clock: SeatClock, *, direct: bool) -> Compose:
        loses_seat = is_firm(table) and firm_verdict(clock) is Verdict.HOLD
        cost = await self._cost_of_seat(table, clock.user_id, public=not direct) if loses_seat else None
        return partial(warning_layout, table, clock, cost, direct=direct)

    async def _cost_of_seat(self, table: Table, user_id: int, *, public: bool) -> Text | None:
        """The cost for a player whose seat a firm pace gives to a computer."""
        store = self._services.store
        cost = await forfeit_warning(store, table, user_id, public=public)
        league_id = await store.leagues.league_of(table.id) if table.is_of_league else None
        if cost is None or league_id is None:
            return cost
        held = (await store.leagues.times_held(league_id, [user_id])).get(user_id, 0)
        return joined([cost, OUT_OF_LEAGUE]) if held + 1 >= MAX_TIMES_HELD else cost

    async def _announce_timeout(self, table: Table, stored: SeatClock, clock: SeatClock) -> None:
        """Announce that a player's time is up: with the vote, or with the consequence of a firm pace."""
        now = self._services.clock.now()
        verdict = firm_verdict(clock) if is_firm(table) else Verdict.NONE
        late = dataclasses.replace(clock, out=now, number=clock.number + 1)
        # before it is sent: the message says when the vote ends
        if not verdict:
            late = start_vote(late, await self._preferences_of(_others(table, clock.seat)), now)
        late = schedule(late, now)
        # the number before it is counted up, as in `_warn`
        message_id = await self._send_late(table, dataclasses.replace(late, verdict=verdict), clock.number)
        if message_id is None:
            await self._put(table, stored, pause_clock(clock, now, CLOSED_CHANNEL_INTERVAL))
            return
        event = TableEvent(TableEventKind.LATE, table.require_match().version, now, clock.seat, clock.user_id)
        late = dataclasses.replace(late, message_id=message_id)
        decide = self.decide(table, stored, late, verdict, event) if verdict else self._put(table, stored, late, event)
        if not await decide:  # the player has acted meanwhile
            over = dataclasses.replace(late, verdict=Verdict.ENDED)
            await self._services.channels.refresh(table.row.channel_id, message_id, partial(late_layout, table, over))
        elif verdict:
            await self.carry_out(table, table.clocks[clock.seat], shown=True)
        else:
            await self._recount(table, late)

    async def _recount(self, table: Table, late: SeatClock) -> None:
        """Check the other votes at a table again: with one more late player, fewer votes are enough in them."""
        # a list first: a verdict replaces clocks, with requests to Discord in between
        for seat in [seat for seat in table.clocks if seat != late.seat]:
            if (other := table.clocks[seat]).out:
                with suppress(*DISCORD_ERRORS):  # a vote has a job of its own
                    await self._check_vote(table, other)
                await self._show_vote(table, table.clocks[seat])

    async def _show_vote(self, table: Table, clock: SeatClock) -> None:
        """Update the message of an open vote."""
        if clock.out and clock.message_id is not None:
            compose = partial(late_layout, table, clock)
            await self._services.channels.refresh(table.row.channel_id, clock.message_id, compose)

    async def _send_late(self, table: Table, late: SeatClock, number: int) -> int | None:
        """Post the message about a late player, which mentions available voters. Returns its id, `None` if refused."""
        compose, nonce = partial(late_layout, table, late), f"late-{table.id}-{late.seat}-{number}"
        mentions = calling(await self._awake(_others(table, late.seat)))
        sending = self._services.channels.send(table.row.channel_id, compose, mentions=mentions, nonce=nonce)
        return await send_unless_refused(sending, attempts=self._attempts)

    async def _awake(self, user_ids: Collection[int]) -> list[int]:
        """The given users without those in quiet hours or away."""
        now, preferences = self._services.clock.now(), await self._preferences_of(user_ids)
        return [user_id for user_id, of_one in zip(user_ids, preferences, strict=True) if when_free(of_one, now) <= now]

    async def _preferences_of(self, user_ids: Iterable[int]) -> list[Preferences]:
        return [await preferences_of(self._services.store.settings, user_id) for user_id in user_ids]

    # --- votes ---

    async def _check_vote(self, table: Table, clock: SeatClock) -> None:
        """Decide a vote with a majority or at its end; remind missing voters, once."""
        now, votes = self._services.clock.now(), tally(table, clock)
        assert clock.vote_ends is not None, "a vote is open"
        if votes.verdict or clock.vote_ends <= now:
            # without any votes, the mildest verdict that lets the game go on
            if await self.decide(table, clock, clock, votes.leading or Verdict.PLAY):
                await self.carry_out(table, table.clocks[clock.seat])
        elif clock.reminds_at is not None and clock.reminds_at <= now:
            await self._remind(table, clock, votes.open)
        else:  # schedule it in any case: this check may have come early
            await self._put(table, clock, schedule(clock, now))

    async def _remind(self, table: Table, clock: SeatClock, seats: Collection[Seat]) -> None:
        """Remind missing voters. While the channel is closed to the bot, extend the vote."""
        now = self._services.clock.now()
        awake = await self._awake([table.users[seat] for seat in seats])
        done = schedule(dataclasses.replace(clock, reminds_at=None), now)
        if not awake:
            await self._put(table, clock, done)
            return
        nonce = f"vote-{table.id}-{clock.seat}-{clock.number}"
        compose = partial(vote_reminder_layout, table, clock, awake)
        sending = self._services.channels.send(table.row.channel_id, compose, mentions=calling(awake), nonce=nonce)
        reached = await send_unless_refused(sending, attempts=self._attempts) is not None
        later = schedule(extend_vote(clock, CLOSED_CHANNEL_INTERVAL), now)
        if await self._put(table, clock, done if reached else later) and not reached:
            await self._show_vote(table, later)

    async def vote(self, table: Table, clock: SeatClock, user_id: int, choice: Verdict) -> SeatClock:
        """Record a vote of a user, or a changed one. Returns the clock.

        `table.pacing` must be held. A majority decides at once; the caller carries the verdict out.
        """
        after = dataclasses.replace(clock, votes={**clock.votes, user_id: choice.value})
        if await self._put(table, clock, after) and (verdict := tally(table, after).verdict):
            await self.decide(table, after, after, verdict)
        return table.clocks[clock.seat]

    async def decide(
        self, table: Table, before: SeatClock, late: SeatClock, verdict: Verdict, *events: TableEvent
    ) -> bool:
        """Write the verdict about a player whose time is up. Returns false if they have acted meanwhile."""
        now, services = self._services.clock.now(), self._services
        # the time is up, so the bank is empty with any verdict
        clock = dataclasses.replace(late, verdict=verdict, bank=ZERO)
        async with services.tables.changing(table) as change:
            # by identity: a move or another check replaces the clock
            if table.clocks.get(clock.seat) is not before or not _is_current(table, clock):
                return False
            events = (*events, await self._verdict_event(table, clock, verdict, now))
            if verdict in (Verdict.HOLD, Verdict.INVITE):
                holder = SeatHolder(computer=self._services.seats.computer)
                stopped = stop_clock(clock, now)
                change.facts = await services.seats.after_handover(table, clock.seat, holder, *events, clock=stopped)
            else:
                change.facts = table.facts.with_clocks([await self._after_verdict(clock)]).note(*events)
        return True

    async def _verdict_event(self, table: Table, clock: SeatClock, verdict: Verdict, now: datetime) -> TableEvent:
        """The log event of a verdict, with the pace that caused it, and whether the seat was behind."""
        by_pace = verdict is Verdict.HOLD and is_firm(table)
        kind = TableEventKind.LAPSED if by_pace else EVENT_KINDS[verdict]
        loses_seat = verdict in (Verdict.HOLD, Verdict.INVITE)
        behind = loses_seat and clock.seat in await behind_now(table)
        return TableEvent(kind, table.require_match().version, now, clock.seat, clock.user_id, behind=behind)

    async def _after_verdict(self, clock: SeatClock) -> SeatClock:
        """The clock of a late player who keeps their seat, and who keeps or loses the turn."""
        now = self._services.clock.now()
        if clock.verdict is Verdict.WAIT:
            preferences = await preferences_of(self._services.store.settings, clock.user_id)
            return begin_turn(clock, clock.version, preferences, now)
        lost, strikes = clock.lost + 1, clock.strikes + 1
        # a quick player: it acts at once in `resume`, without waiting for a worker
        return stop_clock(dataclasses.replace(clock, lost=lost, strikes=strikes, stand_in=QUICK), now)

    async def carry_out(self, table: Table, clock: SeatClock, *, shown: bool = False) -> None:
        """Carry out a verdict, from the start if it was interrupted; `shown`: its message already shows it.

        Raises:
            DISCORD_ERRORS: a message about it is still missing; the job of the clock retries it.
        """
        services, verdict, message_id = self._services, clock.verdict, clock.message_id
        # the seat was handed over in `decide`; its user may have been the host
        if verdict in (Verdict.HOLD, Verdict.INVITE):
            await services.lobbies.hand_on(table)
        with suppress(UserError):  # it was logged, and is retried
            await services.moves.resume(table)
            await self._show(table, verdict)
        if verdict is Verdict.INVITE:
            await self._invite(table, clock.seat)
        if not shown and message_id is not None:
            compose, channel_id = partial(late_layout, table, clock), table.row.channel_id
            await services.channels.update(channel_id, message_id, compose, attempts=self._attempts)
        await self._finish_verdict(table, clock.seat)

    async def _show(self, table: Table, verdict: Verdict) -> None:
        if verdict in (Verdict.HOLD, Verdict.INVITE):
            await post_people(self._services, table)
        elif table.waiting is not None:
            await self._services.poster.deliver(table)
        elif verdict is Verdict.WAIT:
            self._services.poster.update_due(table)

    async def _invite(self, table: Table, seat: Seat) -> None:
        """Offer a seat that a computer holds, in addition to seats that are offered already."""
        # the nonce below names the position: an offer repeated after a crash is one message
        offered = table.offer
        if table.row.guild_id == NO_SERVER or (seat in offered.seats and offered.message_id is not None):
            return
        nonce = f"offer-{table.id}-{table.require_match().version}"
        publish = partial(self._services.channels.send, table.row.channel_id, nonce=nonce)
        try:
            await put_on_offer(self._services, table, offered.seats | {seat}, publish)
        except DISCORD_ERRORS as error:
            if not is_final(error, self._attempts):
                raise
            _log.warning(
                "match %d: no message offers seat %d, since Discord refused it: %s", table.id, seat, reason(error)
            )
        except UserError:
            pass  # a player has the seat by now

    async def _finish_verdict(self, table: Table, seat: Seat) -> None:
        async with self._services.tables.changing(table) as change:
            now = self._services.clock.now()
            clock = dataclasses.replace(table.clocks[seat], verdict=Verdict.NONE, message_id=None)
            clock = schedule(clock, now) if clock.runs else stop_clock(clock, now)
            change.facts = table.facts.with_clocks([clock])

    # --- a new pace ---

    async def set_pace(self, table: Table, pace: str, *, firm: bool, user_id: int) -> None:
        """Change the pace while the match runs: each player's time starts over, with a full bank.

        The user who changes it keeps their late turns, and no more in the bank than they had. Raises `UserError` while
        their own time is up.
        """
        async with table.pacing, self._services.tables.changing(table) as change:
            if any(clock.out and clock.user_id == user_id for clock in table.clocks.values()):
                raise UserError(Text("Your time is up, so you can’t change the pace before your next move."))
            now = self._services.clock.now()
            # votes end, and `stop_clock` schedules the check that updates its message
            clocks = {seat: end_turn(clock) for seat, clock in table.clocks.items()}
            if limits := PACES.get(pace):
                clocks = {seat: change_pace(clock, limits, by=user_id) for seat, clock in clocks.items()}
            paced = table.facts.set_pace(pace, firm=firm)
            paced = paced.with_clocks(stop_clock(clock, now) for clock in clocks.values())
            # a pending board starts the clocks itself when it is posted
            begin = await self._clocks.changed_clocks(table.after(paced), now) if table.waiting is None else ()
            words = f"{pace or 'none'}{', firm' if firm else ''}"
            event = TableEvent(TableEventKind.PACED, table.require_match().version, now, user_id=user_id, words=words)
            change.facts = paced.with_clocks(begin).note(event)
        self._services.poster.update_due(table)


def _others(table: Table, late: Seat) -> list[int]:
    """The users who vote about a seat."""
    return [user_id for seat, user_id in table.users.items() if seat != late]


def _is_current(table: Table, clock: SeatClock) -> bool:
    """Whether the decision of a clock is still open; a stopped clock has none, and is always current."""
    return not clock.runs or called_seats(table).get(clock.seat) == clock.version


def _is_same_turn(table: Table, clock: SeatClock, seats: Mapping[Seat, int]) -> bool:
    """Whether the player of a clock is still at the same turn, perhaps at its next question."""
    if table.clock_of(clock.seat) is not clock or clock.seat not in seats:
        return False
    # once the time is up, acting ends the vote: the next question begins a turn of its own
    return seats[clock.seat] == clock.version or (table.waiting is None and not clock.out)
