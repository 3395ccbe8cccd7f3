"""What was chosen is taken back, if need be with the consent of others, and done once more."""

from __future__ import annotations

import dataclasses

from bot.errors import Declined
from bot.store.store import Store
from bot.store.wishes import Wish
from bot.tables.moves import Moves
from bot.tables.table import MOVED_ON, Stale, Table
from engine.texts import Seat, Text


class Undoing:
    """Undo and redo, and the wishes for them."""

    def __init__(self, store: Store, moves: Moves) -> None:
        self._store = store
        self._moves = moves

    async def undo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Take back what a user chose last, which nobody has to agree to but computers. Raises `EngineError`."""
        async with table.lock:
            seat = table.seated(user_id)
            await self._turned_back(table, seat, frozenset(), interaction_id)

    async def redo(self, table: Table, user_id: int, *, interaction_id: int) -> None:
        """Do once more what a user took back last. Raises `EngineError`."""
        async with table.lock:
            match, seat = table.playing().copy(), table.seated(user_id)
            match.redo(seat)
            await self._moves.write_act(table, match, seat, interaction_id, post=True)

    async def wish(self, table: Table, user_id: int) -> Wish:
        """Ask others to agree that a user takes back what they chose last. Raises `Declined`."""
        async with table.lock:
            wish = Wish(table.seated(user_id), table.playing().version)
            await self._keep_wish(table, wish)
            return wish

    async def note_wish_message(self, table: Table, wish: Wish, message_id: int) -> None:
        """Remember which message asks the others."""
        async with table.lock:
            if table.wish is not None and table.wish.version == wish.version:
                await self._keep_wish(table, dataclasses.replace(table.wish, message_id=message_id))

    async def agree(self, table: Table, user_id: int, version: int, *, interaction_id: int) -> frozenset[Seat]:
        """Let a user agree to a wish; when nobody is left to do so, it is fulfilled. Returns whose word is missing.

        Raises:
            Declined: they were not asked, or the game has moved on (`Stale`).
        """
        async with table.lock:
            wish, seat = self._wish_for(table, user_id, version)
            agreed = wish.agreed | {seat}
            asked = table.undo_policy(wish.seat).seats
            if asked <= agreed:
                await self._turned_back(table, wish.seat, agreed, interaction_id)
            else:
                await self._keep_wish(table, dataclasses.replace(wish, agreed=agreed))
            return asked - agreed

    async def refuse_wish(self, table: Table, user_id: int, version: int) -> Wish:
        """Let a user say no to a wish, or its owner give it up. Raises `Declined` as `agree` does."""
        async with table.lock:
            if table.wish is not None and table.wish.seat == table.seat_of(user_id):
                wish = table.wish
            else:
                wish, _ = self._wish_for(table, user_id, version)
            await self._keep_wish(table, None)
            return wish

    def _wish_for(self, table: Table, user_id: int, version: int) -> tuple[Wish, Seat]:
        """The wish a user was asked for, and their seat."""
        wish, match, seat = table.wish, table.playing(), table.seat_of(user_id)
        if wish is None or not wish.version == version == match.version:
            raise Stale(MOVED_ON)
        asked = table.undo_policy(wish.seat).seats
        if seat is None or seat not in asked:
            people = tuple(table.person(seat) for seat in sorted(asked))
            raise Declined(Text("{people} {people:was|were} asked.", people=people))
        return wish, seat

    async def _keep_wish(self, table: Table, wish: Wish | None) -> None:
        await self._store.wishes.put(table.id, wish)
        table.wish = wish

    async def _turned_back(self, table: Table, seat: Seat, agreed: frozenset[Seat], interaction_id: int) -> None:
        """Take back what a seat chose last, with the consent of some people and of all computers."""
        match = table.playing().copy()
        match.undo(seat, agreed | table.computers)
        await self._moves.go_on(table, match)
        await self._moves.write_act(table, match, seat, interaction_id, post=True)
        table.unanswered = None
