"""Auto-answers: a player chooses them once, and they are given for their seat."""

from __future__ import annotations

from bot.clock import Clock
from bot.errors import UserError
from bot.store.auto_answers import AutoAnswer
from bot.store.facts import Facts
from bot.store.jobs import Job
from bot.store.matches import Status
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.asides import asides_of, seats_with_delay, ways_of
from bot.tables.moves import Moves, NextStep
from bot.tables.table import Table, require_running
from bot.tables.tables import Tables
from engine.texts import Seat, Text

NO_SUCH = Text("This game no longer asks that question.")


class AutoAnswering:
    """Changes of the auto-answers that players have chosen."""

    def __init__(self, tables: Tables, moves: Moves, clock: Clock) -> None:
        self._tables = tables
        self._moves = moves
        self._clock = clock

    async def choose(self, table: Table, user_id: int, key: str, way: AutoAnswer | None) -> None:
        """Let a question be answered for a user from now on, the one that waits too; or let them be asked again.

        Raises:
            UserError: they do not play, or nothing is asked like this or can be answered like this.
        """
        async with self._tables.changing(table) as change:
            require_running(table)
            seat = table.require_seat(user_id)
            aside = next((aside for aside in asides_of(table) if aside.key == key), None)
            if aside is None or way not in (None, *ways_of(aside)):
                raise UserError(NO_SUCH)
            if table.auto_answers.get(seat, {}).get(key) is not way:
                change.facts = self._with_answer(table, seat, user_id, key, way)
        # outside the lock, which `resume` takes itself: a task cannot take an `asyncio.Lock` twice
        await self._moves.resume(table)

    def _with_answer(self, table: Table, seat: Seat, user_id: int, key: str, way: AutoAnswer | None) -> Facts:
        now, facts = self._clock.now(), table.facts.set_auto_answer(seat, key, way)
        # one event for all questions together, as the log words it
        if (seat in facts.auto_answers) != (seat in table.auto_answers):
            kind = TableEventKind.ANSWERED if seat in facts.auto_answers else TableEventKind.ASKED
            facts = facts.note(TableEvent(kind, table.require_match().version, now, seat, user_id))
        # if the bot dies before `resume`, this job gives the answers that may come at once
        return facts.with_computer(now, due=True)

    async def give(self, table: Table, job: Job) -> NextStep | None:
        """Give the answer or play the planned turn of a job; nothing if it is not wanted any more."""
        async with self._tables.changing(table) as change:
            seat = table.seat_of(job.user_id)
            match = table.match
            if match is None or table.row.status is not Status.RUNNING or seat is None:
                return None
            # if the question was asked again since, a newer job answers it, after its own wait
            if match.decision_version(seat) != job.state["version"]:
                return None
            if seat in seats_with_delay(table, match):
                return await self._moves.answer(table, change, seat)
            return await self._moves.play_plan(table, change, seat)

    def is_at_it(self, table: Table, job: Job) -> bool:
        """Whether the user of a job has begun to answer themselves."""
        seat = table.seat_of(job.user_id)
        draft = None if seat is None else table.drafts.get(seat)
        return draft is not None and draft.version == job.state["version"]
