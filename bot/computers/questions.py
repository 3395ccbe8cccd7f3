"""Questions of users to the workers: one at a time for each user; equal questions share one answer."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from bot.errors import UserError
from bot.tables.faults import run_contained
from bot.tables.table import Stale, Table
from engine.players.hints import Hint
from engine.texts import Seat, Text
from engine.values import Value

BUSY = Text("I’m still working on your last hint. Ask again once you have it.")
MOVED_ON_MEANWHILE = Text("The game has moved on while I was thinking.")

MAX_USERS = 256
"""People whose last answer is kept."""

Hints: TypeAlias = tuple[Hint, ...]


class Question(Value):
    """A request for the best next choice of a seat in a position, after the choices made so far."""

    match_id: int
    seat: Seat
    version: int
    chosen: tuple[str, ...]


@dataclass(slots=True, eq=False)
class _Pending:
    """A question in progress, and the number of requests that wait for its answer."""

    question: Question
    work: asyncio.Task[Hints]
    waiting: int = 0


class Questions:
    """The questions of all users. An outdated one is canceled and leaves its place in the queue."""

    def __init__(self, *, remembered: int = MAX_USERS) -> None:
        self._remembered = remembered
        self._pending: dict[int, _Pending] = {}  # by user
        self._answers: OrderedDict[int, tuple[Question, Hints]] = OrderedDict()  # by user: the last answer

    async def answer(self, user_id: int, question: Question, think: Callable[[], Coroutine[Any, Any, Hints]]) -> Hints:
        """The answer to a question, thought about by `think` unless it is known or on its way.

        Raises:
            UserError: another question of this user is being thought about, or the game has moved on (`Stale`).
        """
        previous = self._answers.get(user_id)
        if previous is not None and previous[0] == question:
            return previous[1]
        pending = self._pending.get(user_id) or self._begin(user_id, question, think)
        if pending.question != question:
            raise UserError(BUSY)
        pending.waiting += 1
        try:
            # shielded: other requests may wait for the same answer
            return await asyncio.shield(pending.work)
        except asyncio.CancelledError:
            if pending.work.cancelled():
                raise Stale(MOVED_ON_MEANWHILE) from None
            raise
        finally:
            pending.waiting -= 1
            if not pending.waiting and not pending.work.done():
                self._give_up(user_id, pending)

    def _begin(self, user_id: int, question: Question, think: Callable[[], Coroutine[Any, Any, Hints]]) -> _Pending:
        pending = self._pending[user_id] = _Pending(question, asyncio.create_task(run_contained(think())))
        pending.work.add_done_callback(partial(self._note_hints, user_id, pending))
        return pending

    def _note_hints(self, user_id: int, pending: _Pending, work: asyncio.Task[Hints]) -> None:
        self._forget(user_id, pending)
        if work.cancelled() or work.exception() is not None:
            return
        self._answers[user_id] = (pending.question, work.result())
        self._answers.move_to_end(user_id)
        if len(self._answers) > self._remembered:
            self._answers.popitem(last=False)

    def cancel_outdated(self, table: Table) -> None:
        """Cancel questions about a former position of a table, and questions of users that have left it."""
        for user_id, pending in list(self._pending.items()):
            if pending.question.match_id == table.id and not _is_current(table, user_id, pending.question):
                self._give_up(user_id, pending)

    def _give_up(self, user_id: int, pending: _Pending) -> None:
        # first, so that the user can ask again before the canceled task has ended
        self._forget(user_id, pending)
        pending.work.cancel()

    def _forget(self, user_id: int, pending: _Pending) -> None:
        if self._pending.get(user_id) is pending:
            del self._pending[user_id]


def _is_current(table: Table, user_id: int, question: Question) -> bool:
    """Whether a question is still about the position of a table, and about the seat of its user."""
    match = table.match
    return (
        table.is_open
        and match is not None
        and match.version == question.version
        and table.seat_of(user_id) == question.seat
    )
