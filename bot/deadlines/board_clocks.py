"""The clocks that a board sets going: of whom it calls, from that moment on and never before."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from datetime import datetime, timedelta

from bot.deadlines.time_limits import begun, ended, full, idle, settled
from bot.store.clocks import SeatClock
from bot.store.matches import Status
from bot.store.store import Store
from bot.tables.paces import pace_of
from bot.tables.preferences import preferences_of
from bot.tables.table import Table
from engine.texts import Seat


def heartbeat_key(store: Store) -> tuple[str, int, str]:
    """The setting that says when this process last looked at what is due; each process has its own."""
    return "bot", store.shard_range.first, "clocks"


LULL = timedelta(minutes=30)
"""After so long without a look the machine was asleep or switched off, or its clock was set: nobody's clock ran."""


def called_seats(table: Table) -> dict[Seat, int]:
    """The seats whose people have a clock: those asked for something for whom others wait. With the version of it."""
    match = table.match
    if match is None or table.problem or table.row.status is not Status.RUNNING or pace_of(table.row) is None:
        return {}
    # seats with a stand-in are left out, too: their users are not waited for at the moment
    asked = [decision.seat for decision in match.state.decisions() if table.computer_of(decision.seat) is None]
    # alone among computers, somebody may take as long as they like
    return {seat: match.asked_at(seat) for seat in asked if table.users.keys() - {seat}}


def needs_clocks(table: Table) -> bool:
    """Whether somebody was called by the newest board whose clock does not run yet."""
    # a board that waits starts the clocks itself when it is posted
    called = table.waiting is None and table.board
    return bool(called) and any(table.clock_of(seat) is None for seat in called_seats(table))


class BoardClocks:
    """Knows which clocks change when a board is posted."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def changed(self, table: Table, now: datetime) -> tuple[SeatClock, ...]:
        """The clocks of a table that a board sets going, or stops, at a time; the others stay as they are."""
        seats = called_seats(table)
        over = [clock for seat, clock in table.clocks.items() if clock.runs and not _stands(table, clock, seats)]
        # settled before it is stopped: a stopped clock no longer knows its turn
        gone = [idle(await self.settled(table, ended(clock)), now) for clock in over if clock.seat not in seats]
        known = {clock.seat: clock for clock in over}
        new = [
            await self._begun(table, seat, known.get(seat), now)
            for seat in seats
            if seat in known or table.clock_of(seat) is None
        ]
        return (*gone, *new)

    async def _begun(self, table: Table, seat: Seat, over: SeatClock | None, now: datetime) -> SeatClock:
        """The clock of a seat that begins a turn; who sits there for the first time has a full bank."""
        pace, user_id = pace_of(table.row), table.row.holders[seat].user_id
        assert pace is not None, "the table has a pace"
        assert user_id is not None, "a person is asked"
        clock = await self.settled(table, ended(over)) if over else table.clocks.get(seat)
        fresh = full(table.id, seat, user_id, now, pace)
        if clock is None:
            clock = fresh
        elif clock.user_id != user_id:
            # of another user, only what is still to be carried out stays
            number, verdict = clock.number, clock.verdict
            clock = dataclasses.replace(fresh, number=number, message_id=clock.message_id, verdict=verdict)
        preferences = await preferences_of(self._store.settings, user_id)
        return begun(clock, table.playing().asked_at(seat), preferences, now)

    async def settled(self, table: Table, clock: SeatClock) -> SeatClock:
        """A clock with what is left in the bank after a turn."""
        pace = pace_of(table.row)
        if pace is None or not clock.runs:
            return clock
        entries = table.match.entries if table.match else ()  # it may have been called off
        found = next((n for n in range(clock.version, len(entries)) if entries[n].seat == clock.seat), None)
        acted = None if found is None else await self._store.log.written_at(table.id, found)
        looked = await last_heartbeat(self._store)
        # what lies beyond a lull was not their time
        if acted and looked and acted - looked > LULL:
            acted = looked
        return settled(clock, pace, acted)


async def last_heartbeat(store: Store) -> datetime | None:
    """When this process last looked at what is due, by the clock of the machine at that time."""
    stored = await store.settings.get(*heartbeat_key(store))
    return datetime.fromisoformat(stored) if stored else None


def _stands(table: Table, clock: SeatClock, seats: Mapping[Seat, int]) -> bool:
    """Whether a clock runs for the very decision that its person is asked now."""
    return table.clock_of(clock.seat) is clock and seats.get(clock.seat) == clock.version
