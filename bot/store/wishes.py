"""Wishes to take something back, one a match."""

from __future__ import annotations

import dataclasses

from sqlalchemy import delete, select

from bot.store.connections import Connection
from bot.store.rows import Wish
from bot.store.schema import wishes
from bot.store.transactions import Transactions, put_row, reading, writing
from engine.texts import Seat


class Wishes:
    """The wishes of all matches."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> Wish | None:
        """The wish of a match."""
        query = select(wishes).where(wishes.c.match_id == match_id)
        row = (await connection.execute(query)).one_or_none()
        return Wish(Seat(row.seat), row.version, frozenset(map(Seat, row.agreed)), row.message_id) if row else None

    @writing
    async def put(self, connection: Connection, match_id: int, wish: Wish | None) -> None:
        """Keep a wish in place of the one before, or none."""
        if wish is None:
            await drop_wish(connection, match_id)
        else:
            values = dataclasses.asdict(wish) | {"match_id": match_id, "agreed": sorted(wish.agreed)}
            await put_row(connection, wishes, values)


async def drop_wish(connection: Connection, match_id: int) -> None:
    """A wish that was fulfilled or refused, or that the game has passed by."""
    await connection.execute(delete(wishes).where(wishes.c.match_id == match_id))
