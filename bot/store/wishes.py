"""Wishes to take something back, one a match."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.codec import json_at, json_of
from bot.store.database import Database
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Wish:
    """To take back what a seat chose last: asked of others at a version of the match; some have agreed already."""

    seat: Seat
    version: int
    agreed: frozenset[Seat] = frozenset()
    message_id: int | None = None


class Wishes:
    """The wishes of all matches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, match_id: int) -> Wish | None:
        """The wish of a match."""
        row = await self._database.fetch_one("SELECT * FROM wishes WHERE match_id = ?", match_id)
        if row is None:
            return None
        agreed = frozenset(map(Seat, json_at(row["agreed"])))
        return Wish(Seat(row["seat"]), row["version"], agreed, row["message_id"])

    async def put(self, match_id: int, wish: Wish | None) -> None:
        """Keep a wish in place of the one before, or none."""
        if wish is None:
            await self.drop(match_id)
            return
        sql = """
            INSERT INTO wishes (match_id, seat, version, agreed, message_id) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (match_id) DO UPDATE SET seat = excluded.seat, version = excluded.version,
                agreed = excluded.agreed, message_id = excluded.message_id
        """
        agreed = json_of(sorted(wish.agreed))
        await self._database.execute(sql, match_id, wish.seat, wish.version, agreed, wish.message_id)

    async def drop(self, match_id: int) -> None:
        """A wish that was fulfilled or refused, or that the game has passed by."""
        await self._database.execute("DELETE FROM wishes WHERE match_id = ?", match_id)
