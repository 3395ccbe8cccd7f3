"""The decision of a user at a table: read from the current position, never from stored facts about it."""

from __future__ import annotations

from dataclasses import field

from bot.features.deadlines.board_clocks import called_seats
from bot.features.view.my_games import link_to
from bot.store.matches import Status
from bot.store.shard_range import NO_SERVER
from bot.tables.faults import FAULT_TEXT, run_guarded
from bot.tables.table import Table
from engine.texts import Seat, Text
from engine.values import Value


class Waiting(Value):
    """A decision that waits for a user, since `version` of the match.

    `in_vote`: the user's time is up, and the other players vote about it. `is_timed`: a clock runs for it. `is_last`:
    no further reminder of it follows.
    """

    match_id: int
    version: int
    guild_id: int
    channel_id: int
    seat: Seat
    prompt: Text
    in_vote: bool
    table: Table = field(compare=False)
    is_timed: bool = field(default=True, compare=False)
    is_last: bool = field(default=False, compare=False)

    def question(self, *, direct: bool) -> str:
        """The game with the question; `direct`: addressed to the user alone, not to everyone at the table."""
        reader = self.seat if direct else None
        return run_guarded(self.table, lambda: self._say(self.prompt, reader), lambda _: self._say(FAULT_TEXT, reader))

    def _say(self, prompt: Text, reader: Seat | None) -> str:
        line = Text("**{title}**: {question}", title=self.table.title, question=prompt)
        return self.table.say(line, reader)

    @property
    def link(self) -> str:
        """The address of the newest board."""
        return link_to(self.table)

    @property
    def place(self) -> tuple[int, int]:
        """The scope in which the game may be named: its whole server, or its direct message only."""
        return (self.guild_id, self.channel_id if self.guild_id == NO_SERVER else 0)


def waiting_at(table: Table, user_id: int) -> Waiting | None:
    """The decision of a user at a table; `None` if the match does not run, or waits for others only."""

    seat = table.seat_of(user_id)
    if table.match is None or table.row.status is not Status.RUNNING or seat is None:
        return None
    clock = table.clock_of(seat)
    decision = next((decision for decision in table.match.state.decisions() if decision.seat == seat), None)
    if decision is None:
        return None
    return Waiting(
        table.id,
        table.match.decision_version(seat),
        table.row.guild_id,
        table.row.channel_id,
        seat,
        decision.prompt,
        clock is not None and clock.out is not None and not clock.verdict,
        table,
        is_timed=seat in called_seats(table),
    )
