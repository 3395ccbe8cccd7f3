"""Who was invited to a table, and when."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, select

from bot.store.connections import Connection
from bot.store.rows import LONG_AGO, in_utc
from bot.store.schema import invitations
from bot.store.transactions import Transactions, put_row, reading, writing


class Invitations:
    """The invitations to all tables: of everybody, the last one."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    @reading
    async def of(self, connection: Connection, match_id: int) -> dict[int, datetime]:
        """Whoever was invited to a table -> when, in UTC."""
        query = select(invitations.c.user_id, invitations.c.at).where(invitations.c.match_id == match_id)
        rows = (await connection.execute(query.order_by(invitations.c.at, invitations.c.user_id))).all()
        return {user_id: in_utc(at) or LONG_AGO for user_id, at in rows}

    @writing
    async def note(self, connection: Connection, match_id: int, user_ids: Collection[int], at: datetime) -> None:
        """These are invited now."""
        for user_id in user_ids:
            await put_row(connection, invitations, {"match_id": match_id, "user_id": user_id, "at": at})

    @writing
    async def forget(self, connection: Connection, match_id: int, user_ids: Collection[int]) -> None:
        """These could not be told."""
        among = (invitations.c.match_id == match_id, invitations.c.user_id.in_(user_ids))
        await connection.execute(delete(invitations).where(*among))
