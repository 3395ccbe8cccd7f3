"""Computers play when they have thought: outside of the table's lock, and one board for all they do."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from bot.computers.thinkers import Thinkers
from bot.errors import UserError
from bot.tables.faults import guarding
from bot.tables.moves import Continuation, Moves
from bot.tables.table import Table


class Computers:
    """Lets computers think at their tables, and restarts them after any change there.

    `publish` posts the pending board, or updates the newest one. It raises `UserError` if Discord refuses it.
    """

    def __init__(self, moves: Moves, thinkers: Thinkers, publish: Callable[[Table], Awaitable[None]]) -> None:
        self._moves = moves
        self._thinkers = thinkers
        self._publish = publish
        self._closed = False
        self._thinking: dict[int, asyncio.Task[Continuation]] = {}

    async def play(self, table: Table) -> None:
        """Think and play until a person is due, or the match is over. Raises what thinking does."""
        await self._moves.resume(table)
        while not self._closed and self._moves.thinker_due(table) is not None:
            before = table.require_match()
            # of a copy: people may act meanwhile, and then `computers_played` takes nothing of it
            thinking = self._thinking[table.id] = asyncio.create_task(self._think(table, Continuation.of(table)))
            # `wait`, not `await`: `cancel_outdated` cancels the task, and must not cancel this loop with it
            await asyncio.wait({thinking})
            if self._thinking.get(table.id) is thinking:
                del self._thinking[table.id]
            if not thinking.cancelled() and await self._moves.computers_played(table, before, thinking.result()):
                with suppress(UserError):  # the board waits in the store
                    await self._publish(table)

    async def _think(self, table: Table, continuation: Continuation) -> Continuation:
        """A continuation after the moves that computers choose. May be canceled at any time."""
        place = self._thinkers.arrival()
        while (due := self._moves.thinker_due(table, continuation)) is not None:
            (seat, player), match = due, continuation.match
            with guarding(table):
                action = await self._thinkers.choose(player, match.view(seat), place=place)
                match.play(seat, action)
                await self._moves.go_on(table, continuation)
        return continuation

    def cancel_outdated(self, table: Table) -> None:
        """Cancel the computation for a table whose position or seats have changed."""
        if thinking := self._thinking.pop(table.id, None):
            thinking.cancel()

    def close(self) -> None:
        """Stop thinking; finished decisions are already stored."""
        self._closed = True
        for thinking in self._thinking.values():
            thinking.cancel()
        self._thinkers.close()
