"""Seats that computers play and anybody may take."""

from __future__ import annotations

from sqlalchemy import delete, insert, select, update

from bot.store.connections import Connection
from bot.store.rows import Offer
from bot.store.schema import offers
from bot.store.transactions import Transactions, reading, writing
from engine.texts import Seat


class Offers:
    """The offers of all matches, one each; that of a seat is over when it is handed over."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> Offer:
        """The seats of a match that are offered, if any are."""
        query = select(offers.c.seat, offers.c.message_id).where(offers.c.match_id == match_id)
        rows = (await connection.execute(query)).all()
        return Offer(frozenset(Seat(row.seat) for row in rows), rows[0].message_id if rows else None)

    @writing
    async def put(self, connection: Connection, match_id: int, seats: frozenset[Seat]) -> None:
        """Offer these seats and no others."""
        await connection.execute(delete(offers).where(offers.c.match_id == match_id))
        await connection.execute(insert(offers), [{"match_id": match_id, "seat": seat} for seat in sorted(seats)])

    @writing
    async def note(self, connection: Connection, match_id: int, message_id: int) -> None:
        """Remember which message offers the seats."""
        await connection.execute(update(offers).where(offers.c.match_id == match_id).values(message_id=message_id))


async def drop_offer(connection: Connection, match_id: int, seat: Seat) -> None:
    """A seat that somebody has taken."""
    await connection.execute(delete(offers).where(offers.c.match_id == match_id, offers.c.seat == seat))
