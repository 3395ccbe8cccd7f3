"""Wishes to take something back, one a match."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.codec import json_at, json_of
from bot.store.database import Repository
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """To take back what a seat chose last: asked of others at a version of the match; some have agreed already."""

    seat: Seat
    version: int
    agreed: frozenset[Seat] = frozenset()
    message_id: int | None = None


class UndoRequests(Repository):
    """The undo requests of all matches."""

    async def of(self, match_id: int) -> UndoRequest | None:
        """The undo request of a match."""
        row = await self._database.fetch_one("SELECT * FROM undo_requests WHERE match_id = ?", match_id)
        if row is None:
            return None
        agreed = frozenset(map(Seat, json_at(row["agreed"])))
        return UndoRequest(Seat(row["seat"]), row["version"], agreed, row["message_id"])

    async def put(self, match_id: int, undo_request: UndoRequest | None) -> None:
        """Keep an undo request in place of the one before, or none."""
        if undo_request is None:
            await self.drop(match_id)
            return
        sql = """
            INSERT INTO undo_requests (match_id, seat, version, agreed, message_id) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (match_id) DO UPDATE SET seat = excluded.seat, version = excluded.version,
                agreed = excluded.agreed, message_id = excluded.message_id
        """
        agreed = json_of(sorted(undo_request.agreed))
        await self._database.execute(
            sql, match_id, undo_request.seat, undo_request.version, agreed, undo_request.message_id
        )

    async def drop(self, match_id: int) -> None:
        """An undo request that was fulfilled or refused, or that the game has passed by."""
        await self._database.execute("DELETE FROM undo_requests WHERE match_id = ?", match_id)
