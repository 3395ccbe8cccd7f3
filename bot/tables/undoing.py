"""Undo, with the consent of the other players if necessary, and redo."""

from __future__ import annotations

import dataclasses

from bot.clock import Clock
from bot.errors import UserError
from bot.store.undo_requests import UndoRequest
from bot.tables.moves import Continuation, Moves
from bot.tables.rated import unrating_of
from bot.tables.table import MOVED_ON, Stale, Table
from bot.tables.tables import Change, Tables
from engine.match import UndoKind
from engine.texts import Seat, Text


class Undoing:
    """Undo and redo, and the undo requests for them."""

    def __init__(self, tables: Tables, moves: Moves, clock: Clock) -> None:
        self._tables = tables
        self._moves = moves
        self._clock = clock

    async def undo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Take back what a user chose last, with no more consent than that of computers.

        Where something was drawn since, or computers have acted, the match then counts no more.

        Raises:
            EngineError: a person would have to agree.
            UserError: nothing can be taken back.
        """
        async with self._tables.changing(table) as change:
            seat, facts = table.require_seat(user_id), table.facts
            policy = table.undo_policy(seat)
            if policy.kind is UndoKind.REFUSED:
                raise UserError(policy.reason)
            if policy.kind is UndoKind.CONSENT:
                unrated = await unrating_of(table, user_id, self._clock.now())
                facts = facts.unrate(unrated) if unrated else facts
            await self._undo(table.after(facts), change, seat, frozenset(), interaction_id)
        table.unanswered = None

    async def redo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Do once more what a user took back last. Raises `EngineError`."""
        async with self._tables.changing(table) as change:
            continuation, seat = Continuation.of(table), table.require_seat(user_id)
            continuation.match.redo(seat)
            self._moves.write(table, change, continuation, interaction_id, actor=seat, post=True)

    async def undo_request(self, table: Table, user_id: int) -> UndoRequest:
        """Ask others to agree that a user takes back what they chose last. Raises `UserError`."""
        async with self._tables.changing(table) as change:
            undo_request = UndoRequest(table.require_seat(user_id), table.require_match().version)
            change.facts = table.facts.request_undo(undo_request)
            return undo_request

    async def note_undo_message(self, table: Table, undo_request: UndoRequest, message_id: int) -> None:
        """Remember which message asks the others."""
        async with self._tables.changing(table) as change:
            # by the time the message is out, the request may be over, or another one may be open
            if table.undo_request is not None and table.undo_request.version == undo_request.version:
                noted = dataclasses.replace(table.undo_request, message_id=message_id)
                change.facts = table.facts.request_undo(noted)

    async def agree(self, table: Table, user_id: int, version: int, *, interaction_id: int) -> frozenset[Seat]:
        """Let a user agree to an undo request, which is fulfilled once all have. Returns the seats that have not.

        Raises:
            UserError: they were not asked, or the game has moved on (`Stale`).
        """
        async with self._tables.changing(table) as change:
            undo_request, seat = self._undo_request_for(table, user_id, version)
            agreed = undo_request.agreed | {seat}
            needed = table.undo_policy(undo_request.seat).seats
            if needed <= agreed:
                await self._undo(table, change, undo_request.seat, agreed, interaction_id)
            else:
                change.facts = table.facts.request_undo(dataclasses.replace(undo_request, agreed=agreed))
        if change.match is not None:
            table.unanswered = None
        return needed - agreed

    async def refuse_undo(self, table: Table, user_id: int, version: int) -> UndoRequest:
        """Let a user say no to an undo request, or its owner give it up. Raises `UserError` as `agree` does."""
        async with self._tables.changing(table) as change:
            if table.undo_request is not None and table.undo_request.seat == table.seat_of(user_id):
                undo_request = table.undo_request
            else:
                undo_request, _ = self._undo_request_for(table, user_id, version)
            change.facts = table.facts.request_undo(None)
            return undo_request

    def _undo_request_for(self, table: Table, user_id: int, version: int) -> tuple[UndoRequest, Seat]:
        """The undo request a user was asked for, and their seat."""
        undo_request, match, seat = table.undo_request, table.require_match(), table.seat_of(user_id)
        # people agreed about the position they saw: after a move, the button would take back something else
        if undo_request is None or not undo_request.version == version == match.version:
            raise Stale(MOVED_ON)
        needed = table.undo_policy(undo_request.seat).seats
        if seat is None or seat not in needed:
            people = table.persons_on(sorted(needed))
            raise UserError(Text("{people} {people:was|were} asked.", people=people))
        return undo_request, seat

    async def _undo(
        self, table: Table, change: Change, seat: Seat, agreed: frozenset[Seat], interaction_id: int
    ) -> None:
        """Take back what a seat chose last, with the consent of some people and of all computers."""
        continuation = Continuation.of(table)
        continuation.match.undo(seat, agreed | table.computers)
        # an undo may lead back to a forced question
        await self._moves.go_on(table, continuation)
        self._moves.write(table, change, continuation, interaction_id, actor=seat, post=True)
