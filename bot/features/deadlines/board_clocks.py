"""Clocks that start when a board is posted: those of the players it mentions, and never earlier."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.features.deadlines.time_limits import begin_turn, end_turn, full_clock, settle, stop_clock
from bot.store.clocks import SeatClock
from bot.store.matches import Status
from bot.store.store import Store
from bot.tables.paces import pace_of
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.texts import Seat


def heartbeat_key(store: Store) -> tuple[str, int, str]:
    """The key of the setting with the time of this process's last check for due jobs; each process has its own."""
    return "bot", store.shard_range.first, "clocks"


MAX_GAP = timedelta(minutes=30)
"""After a longer gap between two checks the machine was asleep, off, or its clock was set: no player's clock ran."""


def called_seats(table: Table) -> dict[Seat, int]:
    """Seats whose players have a clock, since they must decide and others wait, with the version of the decision."""
    match = table.match
    if match is None or table.row.status is not Status.RUNNING or pace_of(table.row) is None:
        return {}
    # without seats with a stand-in: the table does not wait for their users now
    seats = [decision.seat for decision in match.state.decisions() if table.computer_of(decision.seat) is None]
    # alone among computers, a player may take as long as they like, unless the round of a league waits for them
    return {seat: match.decision_version(seat) for seat in seats if table.is_of_league or table.users.keys() - {seat}}


def needs_clocks(table: Table) -> bool:
    """Whether the newest board mentions a player whose clock does not run yet."""
    # a pending board starts the clocks itself when it is posted
    return table.waiting is None and any(table.clock_of(seat) is None for seat in called_seats(table))


class BoardClocks:
    """Computes which clocks change when a board is posted."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def changed_clocks(self, table: Table, now: datetime) -> tuple[SeatClock, ...]:
        """The clocks of a table that a board starts or stops at a time; the others stay as they are."""
        seats = called_seats(table)
        outdated = [
            clock for seat, clock in table.clocks.items() if clock.runs and not _is_current(table, clock, seats)
        ]
        # settle before stopping: a stopped clock no longer knows its turn
        stopped = [
            stop_clock(await self.settle(table, end_turn(clock)), now) for clock in outdated if clock.seat not in seats
        ]
        previous = {clock.seat: clock for clock in outdated}
        started = [
            await self._begin_turn(table, seat, previous.get(seat), now)
            for seat in seats
            if seat in previous or table.clock_of(seat) is None
        ]
        return (*stopped, *started)

    async def _begin_turn(self, table: Table, seat: Seat, previous: SeatClock | None, now: datetime) -> SeatClock:
        """The clock of a seat that begins a turn; a new player of the seat has a full bank."""
        pace, user_id = pace_of(table.row), table.row.holders[seat].user_id
        assert pace is not None, "the table has a pace"
        assert user_id is not None, "a person must decide"
        clock = await self.settle(table, end_turn(previous)) if previous else table.clocks.get(seat)
        fresh = full_clock(table.id, seat, user_id, now, pace)
        if clock is None:
            clock = fresh
        elif clock.user_id != user_id:
            # keep only the pending verdict of the previous user
            number, verdict = clock.number, clock.verdict
            clock = dataclasses.replace(fresh, number=number, message_id=clock.message_id, verdict=verdict)
        preferences = await preferences_of(self._store.settings, user_id)
        return begin_turn(clock, table.require_match().decision_version(seat), preferences, now)

    async def settle(self, table: Table, clock: SeatClock) -> SeatClock:
        """A clock with its bank after a turn."""
        pace = pace_of(table.row)
        if pace is None or not clock.runs:
            return clock
        entries = table.match.entries if table.match else ()  # the match may have been called off
        entry = next((n for n in range(clock.version, len(entries)) if entries[n].seat == clock.seat), None)
        ended_at = None if entry is None else await self._store.log.written_at(table.id, entry)
        heartbeat = await last_heartbeat(self._store)
        # time after a gap does not count
        if ended_at and heartbeat and ended_at - heartbeat > MAX_GAP:
            ended_at = heartbeat
        return settle(clock, pace, ended_at)


async def last_heartbeat(store: Store) -> datetime | None:
    """When this process last checked for due jobs, by the clock of the machine at that time."""
    stored = await store.settings.get(*heartbeat_key(store))
    return datetime.fromisoformat(stored) if stored else None


def _is_current(table: Table, clock: SeatClock, seats: Mapping[Seat, int]) -> bool:
    """Whether a clock runs for the decision that its player has to make now."""
    return table.clock_of(clock.seat) is clock and seats.get(clock.seat) == clock.version
