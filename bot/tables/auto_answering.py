"""Auto-answers: a player chooses them once, and they are given for their seat."""

from __future__ import annotations

from bot.clock import Clock
from bot.errors import UserError
from bot.store.auto_answers import AutoAnswer
from bot.store.jobs import Job
from bot.store.matches import Status
from bot.store.store import Store
from bot.store.table_events import TableEvent, TableEventKind
from bot.tables.asides import answered_later, asides_of, ways_of
from bot.tables.moves import Moves, NextStep
from bot.tables.table import Table, require_running
from engine.texts import Seat, Text

NO_SUCH = Text("This game no longer asks that question.")


class AutoAnswering:
    """Who lets which questions be answered."""

    def __init__(self, store: Store, moves: Moves, clock: Clock) -> None:
        self._store = store
        self._moves = moves
        self._clock = clock

    async def choose(self, table: Table, user_id: int, key: str, way: AutoAnswer | None) -> None:
        """Let a question be answered for a user from now on, the one that waits too; or let them be asked again.

        Raises:
            UserError: they do not play, or nothing is asked like this or can be answered like this.
        """
        async with table.lock:
            require_running(table)
            seat = table.seated(user_id)
            aside = next((aside for aside in asides_of(table) if aside.key == key), None)
            if aside is None or way not in (None, *ways_of(aside)):
                raise UserError(NO_SUCH)
            if table.auto_answers.get(seat, {}).get(key) is not way:
                await self._put(table, seat, user_id, key, way)
        # outside the lock, which `resume` takes itself: a task cannot take an `asyncio.Lock` twice
        await self._moves.resume(table)

    async def _put(self, table: Table, seat: Seat, user_id: int, key: str, way: AutoAnswer | None) -> None:
        before = table.auto_answers.get(seat, {})
        now = {name: chosen for name, chosen in {**before, key: way}.items() if chosen is not None}
        kind = TableEventKind.ANSWERED if now else TableEventKind.ASKED
        event = TableEvent(kind, table.playing().version, self._clock.now(), seat, user_id)
        async with self._store.transaction():
            await self._store.auto_answers.put(table.id, seat, key, way)
            # one event for all questions together, as the log words it
            await self._store.table_events.add(table.id, *([event] if bool(before) != bool(now) else []))
            # if the bot dies before `resume`, this job gives the answers that may come at once
            await self._store.note_computer(table.id, self._clock.now(), due=True)
        table.goes_on = True
        table.auto_answers = {other: chosen for other, chosen in {**table.auto_answers, seat: now}.items() if chosen}

    async def give(self, table: Table, job: Job) -> NextStep | None:
        """Give the answer that a job is about; nothing if it is not asked for any more."""
        async with table.lock:
            seat = table.seat_of(job.user_id)
            if table.match is None or table.row.status is not Status.RUNNING or seat is None:
                return None
            # if the question was asked again since, a newer job answers it, after its own wait
            late = seat in answered_later(table, table.match) and table.match.asked_at(seat) == job.state["version"]
            return await self._moves.answer(table, seat) if late else None

    def is_at_it(self, table: Table, job: Job) -> bool:
        """Whether the user of a job has begun to answer themselves."""
        seat = table.seat_of(job.user_id)
        draft = None if seat is None else table.drafts.get(seat)
        return draft is not None and draft.version == job.state["version"]
