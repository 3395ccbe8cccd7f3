"""What was chosen is taken back, if need be with the consent of others, and done once more."""

from __future__ import annotations

import dataclasses

from bot.clock import Clock
from bot.errors import UserError
from bot.store.matches import Unrating
from bot.store.store import Store
from bot.store.undo_requests import UndoRequest
from bot.tables.moves import Moves
from bot.tables.rated import unrating
from bot.tables.table import MOVED_ON, Stale, Table
from engine.match import UndoKind
from engine.texts import Seat, Text


class Undoing:
    """Undo and redo, and the undo requests for them."""

    def __init__(self, store: Store, moves: Moves, clock: Clock) -> None:
        self._store = store
        self._moves = moves
        self._clock = clock

    async def undo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Take back what a user chose last, with no more consent than that of computers. Raises `EngineError`.

        Where something was drawn since, or computers have acted, the match then counts no more.
        """
        async with table.lock:
            seat, change = table.seated(user_id), None
            if table.undo_policy(seat).kind is UndoKind.CONSENT:
                events = await self._store.table_events.of(table.id)
                change = await unrating(table, events, user_id, self._clock.now())
            await self._turned_back(table, seat, frozenset(), interaction_id, change)

    async def redo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Do once more what a user took back last. Raises `EngineError`."""
        async with table.lock:
            match, seat = table.playing().copy(), table.seated(user_id)
            match.redo(seat)
            await self._moves.write_act(table, match, seat, interaction_id, post=True)

    async def undo_request(self, table: Table, user_id: int) -> UndoRequest:
        """Ask others to agree that a user takes back what they chose last. Raises `UserError`."""
        async with table.lock:
            undo_request = UndoRequest(table.seated(user_id), table.playing().version)
            await self._keep_undo_request(table, undo_request)
            return undo_request

    async def note_undo_message(self, table: Table, undo_request: UndoRequest, message_id: int) -> None:
        """Remember which message asks the others."""
        async with table.lock:
            # by the time the message is out, the request may be over, or another one may be open
            if table.undo_request is not None and table.undo_request.version == undo_request.version:
                await self._keep_undo_request(table, dataclasses.replace(table.undo_request, message_id=message_id))

    async def agree(self, table: Table, user_id: int, version: int, *, interaction_id: int) -> frozenset[Seat]:
        """Let a user agree to an undo request; when nobody is left to do so, it is fulfilled. Returns whose word is
        missing.

        Raises:
            UserError: they were not asked, or the game has moved on (`Stale`).
        """
        async with table.lock:
            undo_request, seat = self._undo_request_for(table, user_id, version)
            agreed = undo_request.agreed | {seat}
            asked = table.undo_policy(undo_request.seat).seats
            if asked <= agreed:
                await self._turned_back(table, undo_request.seat, agreed, interaction_id)
            else:
                await self._keep_undo_request(table, dataclasses.replace(undo_request, agreed=agreed))
            return asked - agreed

    async def refuse_undo(self, table: Table, user_id: int, version: int) -> UndoRequest:
        """Let a user say no to an undo request, or its owner give it up. Raises `UserError` as `agree` does."""
        async with table.lock:
            if table.undo_request is not None and table.undo_request.seat == table.seat_of(user_id):
                undo_request = table.undo_request
            else:
                undo_request, _ = self._undo_request_for(table, user_id, version)
            await self._keep_undo_request(table, None)
            return undo_request

    def _undo_request_for(self, table: Table, user_id: int, version: int) -> tuple[UndoRequest, Seat]:
        """The undo request a user was asked for, and their seat."""
        undo_request, match, seat = table.undo_request, table.playing(), table.seat_of(user_id)
        # people agreed about the position they saw: after a move, the button would take back something else
        if undo_request is None or not undo_request.version == version == match.version:
            raise Stale(MOVED_ON)
        asked = table.undo_policy(undo_request.seat).seats
        if seat is None or seat not in asked:
            people = table.persons_on(sorted(asked))
            raise UserError(Text("{people} {people:was|were} asked.", people=people))
        return undo_request, seat

    async def _keep_undo_request(self, table: Table, undo_request: UndoRequest | None) -> None:
        await self._store.undo_requests.put(table.id, undo_request)
        table.undo_request = undo_request

    async def _turned_back(
        self,
        table: Table,
        seat: Seat,
        agreed: frozenset[Seat],
        interaction_id: int,
        change: Unrating | None = None,
    ) -> None:
        """Take back what a seat chose last, with the consent of some people and of all computers."""
        match = table.playing().copy()
        match.undo(seat, agreed | table.computers)
        # an undo may lead back to a forced question
        await self._moves.go_on(table, match)
        await self._moves.write_act(table, match, seat, interaction_id, post=True, unrating=change)
        # after an undo, the same command again is meant as a new one
        table.unanswered = None
