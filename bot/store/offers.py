"""Seats that computers play and anybody may take."""

from __future__ import annotations

from dataclasses import dataclass

from bot.store.database import Repository
from engine.texts import Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """Seats that computers play and anybody may take, and the message that says so."""

    seats: frozenset[Seat] = frozenset()
    message_id: int | None = None


class Offers(Repository):
    """The offers of all matches, one each; that of a seat is over when it is handed over."""

    async def of(self, match_id: int) -> Offer:
        """The seats of a match that are offered, if any are."""
        rows = await self._database.fetch("SELECT seat, message_id FROM offers WHERE match_id = ?", match_id)
        return Offer(frozenset(Seat(row["seat"]) for row in rows), rows[0]["message_id"] if rows else None)

    async def put(self, match_id: int, seats: frozenset[Seat]) -> None:
        """Offer these seats and no others."""
        async with self._database.transaction():
            # the message of the last offer is forgotten with it: a new offer has a message of its own
            await self._database.execute("DELETE FROM offers WHERE match_id = ?", match_id)
            rows = [(match_id, seat) for seat in sorted(seats)]
            await self._database.execute_many("INSERT INTO offers (match_id, seat) VALUES (?, ?)", rows)

    async def note(self, match_id: int, message_id: int) -> None:
        """Remember which message offers the seats."""
        await self._database.execute("UPDATE offers SET message_id = ? WHERE match_id = ?", message_id, match_id)

    async def drop(self, match_id: int, seat: Seat) -> None:
        """A seat that somebody has taken."""
        await self._database.execute("DELETE FROM offers WHERE match_id = ? AND seat = ?", match_id, seat)
